#include "politex/process/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/env/block.hpp"

namespace politex::inline process {
namespace {

[[noreturn]] void throw_system_error(const char* doing) {
  throw Error(fmt::format("{}: {}", doing, std::strerror(errno)));
}

Descriptor checked(int number, const char* doing) {
  if (number < 0) throw_system_error(doing);
  return Descriptor(number);
}

/// Descriptors of the child when its program starts, from 3 on.
struct Inherited {
  int socket, memory, life_line, script;
};

// Runs between fork and exec in a program with threads: only system calls, no allocation and no locks.
[[noreturn]] void become(const Inherited& open, char* const* command, const sigset_t& signals) {
  // A separate group: Ctrl-C must reach only the parent, which saves and then ends the child.
  ::setpgid(0, 0);
  // When the parent dies in any way, the kernel closes its end of this pipe and sends SIGKILL to the whole group.
  // Unlike PR_SET_PDEATHSIG this does not depend on the thread that started the child.
  ::fcntl(open.life_line, F_SETOWN, -::getpid());
  ::fcntl(open.life_line, F_SETSIG, SIGKILL);
  ::fcntl(open.life_line, F_SETFL, O_ASYNC | O_RDONLY);
  const std::array<int, 4> wanted = {open.socket, open.memory, open.life_line, open.script};
  std::array<int, 4> high{};
  for (std::size_t i = 0; i < wanted.size(); ++i) high[i] = wanted[i] < 0 ? -1 : ::fcntl(wanted[i], F_DUPFD, 16);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);  // standard output is reserved for the results of politex
  for (std::size_t i = 0; i < high.size(); ++i)
    if (high[i] >= 0) ::dup2(high[i], static_cast<int>(3 + i));
  ::syscall(SYS_close_range, high[3] >= 0 ? 7U : 6U, ~0U, 0U);
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  ::execvp(command[0], command);
  const std::array<char, 2> problem = {'!', static_cast<char>(errno)};
  ::send(3, problem.data(), problem.size(), MSG_NOSIGNAL);
  ::_exit(127);
}

Descriptor script_file(const std::string& text) {
  if (text.empty()) return Descriptor();
  auto file = checked(::memfd_create("politex script", MFD_CLOEXEC), "cannot create a file in memory");
  for (std::size_t done = 0; done < text.size();) {
    const auto written = ::write(file.get(), text.data() + done, text.size() - done);
    if (written < 0) throw_system_error("cannot write a file in memory");
    done += static_cast<std::size_t>(written);
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

void limit_time(int socket, int option, double seconds) {
  const double whole = std::floor(seconds);
  timeval limit{};
  limit.tv_sec = static_cast<time_t>(whole);
  limit.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
  if (limit.tv_sec == 0 && limit.tv_usec == 0) limit.tv_usec = 1;
  if (::setsockopt(socket, SOL_SOCKET, option, &limit, sizeof limit) != 0)
    throw_system_error("cannot set a time limit");
}

/// Whether the process ended within this time; does not reap it.
bool ended_within(int process, int milliseconds) noexcept {
  const Descriptor watch(static_cast<int>(::syscall(SYS_pidfd_open, process, 0U)));
  pollfd wait{.fd = watch.get(), .events = POLLIN, .revents = 0};
  return watch.get() < 0 || ::poll(&wait, 1, milliseconds) == 1;
}

std::string cause_of_death(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return fmt::format("was killed by signal {} ({})", number, ::strsignal(number));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

}  // namespace

Child::Child(ChildSettings settings) : settings_(std::move(settings)), message_(most_bytes) {
  if (settings_.command.empty()) throw Error("no command is given for the environment process");
  start();
}

void Child::start() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw_system_error("cannot create a socket");
  socket_ = Descriptor(ends[0]);
  const Descriptor theirs(ends[1]);
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_system_error("cannot create a pipe");
  const Descriptor their_line(ends[0]);
  life_line_ = Descriptor(ends[1]);
  memory_ = checked(::memfd_create("politex environments", MFD_CLOEXEC | MFD_ALLOW_SEALING), "cannot share memory");
  const Descriptor script = script_file(settings_.script);
  limit_time(socket_.get(), SO_RCVTIMEO, settings_.seconds);
  limit_time(socket_.get(), SO_SNDTIMEO, settings_.seconds);

  std::vector<char*> command;
  for (auto& argument : settings_.command) command.push_back(argument.data());
  command.push_back(nullptr);
  const Inherited open{theirs.get(), memory_.get(), their_line.get(), script.get()};
  // A signal handler that ran in the child before exec would act for the wrong process.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  process_ = ::fork();
  if (process_ == 0) become(open, command.data(), before);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (process_ < 0) throw_system_error("cannot start a process");
}

Child::~Child() {
  socket_.reset();
  if (process_ > 0) {
    ended_within(process_, 1000);
    end_now();
  }
  if (shared_ != nullptr) ::munmap(shared_, shared_bytes_);
}

void Child::end_now() noexcept {
  if (process_ <= 0) return;
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);  // if it has not created its group yet
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

void Child::fail(const std::string& why) {
  const int process = process_;
  end_now();
  throw ExternalError(fmt::format("environment process {} ({}) {}", process, settings_.label, printable(why)));
}

void Child::report_death() {
  int status = 0;
  // It closed its socket, so it should be about to end.
  if (!ended_within(process_, 2000) || ::waitpid(process_, &status, WNOHANG) != process_)
    fail("closed its socket without ending and was killed");
  const int process = std::exchange(process_, -1);
  ::kill(-process, SIGKILL);  // kills processes that it may have started
  throw ExternalError(fmt::format(
      "environment process {} ({}) {}; its last output, if any, is above. If it ran out of memory, use fewer "
      "processes or environments",
      process, settings_.label, cause_of_death(status)));
}

void Child::send(std::string_view message) {
  if (process_ <= 0) throw ExternalError(fmt::format("the environment process ({}) has ended", settings_.label));
  for (;;) {
    if (::send(socket_.get(), message.data(), message.size(), MSG_NOSIGNAL) >= 0) return;
    if (errno == EINTR) continue;
    if (errno == EAGAIN) fail(fmt::format("accepted no message within {} s and was killed", settings_.seconds));
    return;  // it has died: receive() reads its last messages
  }
}

std::string_view Child::receive() {
  if (process_ <= 0) throw ExternalError(fmt::format("the environment process ({}) has ended", settings_.label));
  for (;;) {
    const auto got = ::recv(socket_.get(), message_.data(), message_.size(), MSG_TRUNC);
    if (got < 0 && (errno == EINTR || errno == ECONNRESET))
      continue;  // a reset is reported once, before its last messages
    if (got < 0 && errno == EAGAIN)
      fail(
          fmt::format("sent no answer within {} s and was killed; if its steps can take longer, increase "
                      "environment.time_limit",
                      settings_.seconds));
    if (got <= 0) report_death();
    const auto size = static_cast<std::size_t>(got);
    if (size > message_.size())
      fail(fmt::format("sent a message of {} bytes; accepted: at most {}", size, message_.size()));
    // Only the report of become(): the last bytes of a picture or of a saved environment may look the same.
    if (!std::exchange(heard_, true) && size == 2 && message_[0] == '!') {
      const int problem = static_cast<unsigned char>(message_[1]);
      end_now();
      throw ConfigError{settings_.command.front(),
                        fmt::format("cannot be started to serve environments: {}", std::strerror(problem))};
    }
    return {message_.data(), size};
  }
}

std::byte* Child::share(std::size_t bytes) {
  if (::ftruncate(memory_.get(), static_cast<off_t>(bytes)) != 0) throw_system_error("cannot share memory");
  // If the child could shrink the memory, reading it would kill us with SIGBUS.
  if (::fcntl(memory_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) throw_system_error("cannot seal memory");
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (at == MAP_FAILED) throw_system_error("cannot map shared memory");
  shared_ = static_cast<std::byte*>(at);
  shared_bytes_ = bytes;
  return shared_;
}

}  // namespace politex::inline process
