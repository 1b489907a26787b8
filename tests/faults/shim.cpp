// Loaded before the C library (LD_PRELOAD): counts the calls of a program that touch files in one directory, and makes
// one of them fail. By environment variables:
//   POLITEX_FAULT_IN     a part of the names of the files whose calls count
//   POLITEX_FAULT_AT     the number of the call that fails, from 1; 0: none
//   POLITEX_FAULT_KIND   the name of an error (ENOSPC, EIO, ...), "short" (half of a write), or "kill_before" and
//                        "kill_after": the process dies before or after the call
//   POLITEX_FAULT_STAYS  1: the calls of that kind after it fail too, as on a full disk
//   POLITEX_FAULT_LOG    a file that gets a line per call: its number and name
//   POLITEX_FAULT_JOURNAL  a file that gets every successful change with its bytes, for power_loss_test.py
//   POLITEX_FAULT_NEW    the number of the allocation (operator new) that fails, from 1; 0: they are only counted, and
//                        their number is the last line of the log
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace {

constexpr std::size_t most_files = 4096;
std::array<std::atomic<bool>, most_files> counted;  // by descriptor
std::atomic<long> calls = 0;

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool is_watched(const char* path) {
  const char* part = setting("POLITEX_FAULT_IN");
  return path != nullptr && *part != '\0' && std::strstr(path, part) != nullptr;
}
bool is_watched(int file) {
  return file >= 0 && static_cast<std::size_t>(file) < most_files && counted[static_cast<std::size_t>(file)];
}

int number_of(std::string_view kind) {
  constexpr std::pair<std::string_view, int> known[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EDQUOT", EDQUOT},
                                                        {"EINTR", EINTR},   {"EROFS", EROFS},   {"EMFILE", EMFILE},
                                                        {"EACCES", EACCES}, {"ENOENT", ENOENT}, {"ENOMEM", ENOMEM}};
  for (const auto& [name, number] : known)
    if (name == kind) return number;
  return 0;
}

void log(long number, const char* name) {
  const char* file = setting("POLITEX_FAULT_LOG");
  if (*file == '\0') return;
  const auto at = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND, 0666);
  std::array<char, 64> line{};
  const int size = std::snprintf(line.data(), line.size(), "%ld %s\n", number, name);
  syscall(SYS_write, at, line.data(), static_cast<std::size_t>(size));
  syscall(SYS_close, at);
}

[[noreturn]] void die() {
  syscall(SYS_kill, getpid(), SIGKILL);
  while (true) pause();
}

/// What happens to a call.
struct Fate {
  int error = 0;  // it fails with this one
  bool half = false, dies_after = false;
};

Fate next(const char* name, bool writes = false) {
  const long number = ++calls;
  log(number, name);
  const long at = std::atol(setting("POLITEX_FAULT_AT"));
  const std::string_view kind = setting("POLITEX_FAULT_KIND");
  const bool stays = *setting("POLITEX_FAULT_STAYS") == '1';
  if (at == 0 || number < at || (number > at && !stays)) return {};
  if (kind == "kill_before") die();
  return {number_of(kind), kind == "short" && writes, kind == "kill_after"};
}

/// One line per change of the watched files, with the bytes of writes, in the order of the changes.
void journal(std::string_view line, const void* bytes = nullptr, std::size_t size = 0) {
  static const std::string name = setting("POLITEX_FAULT_JOURNAL");
  if (name.empty()) return;
  static std::mutex mutex;
  static const auto at = syscall(SYS_openat, AT_FDCWD, name.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  const std::lock_guard lock(mutex);
  syscall(SYS_write, at, line.data(), line.size());
  syscall(SYS_write, at, "\n", 1);
  if (size > 0) syscall(SYS_write, at, bytes, size);
}
template <class... Parts>
std::string words(const Parts&... parts) {
  std::string line;
  ((line += (line.empty() ? "" : "\t") + std::string(parts)), ...);
  return line;
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// The call itself, unless its fate is another.
template <class Result, class Call>
Result meet(const Fate& fate, Result failed, Call&& call) {
  if (fate.error != 0) {
    errno = fate.error;
    return failed;
  }
  const Result result = call();
  if (fate.dies_after) die();
  return result;
}

/// The result of a call; what it changed is written into the journal.
int noted(int result, const std::string& line) {
  if (result == 0) journal(line);
  return result;
}

int opened(int file) {
  if (file >= 0 && static_cast<std::size_t>(file) < most_files) counted[static_cast<std::size_t>(file)] = true;
  return file;
}

using Open = int (*)(const char*, int, ...);
int open_by(const char* name, const char* path, int flags, mode_t mode) {
  static const auto open = real<Open>("open64");
  if (!is_watched(path)) return open(path, flags, mode);
  return meet(next(name), -1, [&] {
    const int file = opened(open(path, flags, mode));
    if (file >= 0)
      journal(words("open", std::to_string(file), (flags & O_CREAT) != 0 ? "create" : "",
                    (flags & O_TRUNC) != 0 ? "truncate" : "", path));
    return file;
  });
}

mode_t mode_of(int flags, va_list more) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0; }

/// Allocations of the program; those before main() are not counted.
class Allocations {
 public:
  Allocations() : active_(std::getenv("POLITEX_FAULT_NEW") != nullptr), at_(std::atol(setting("POLITEX_FAULT_NEW"))) {}
  ~Allocations() {
    if (std::exchange(active_, false)) log(count_, "allocations");
  }
  bool fails() { return active_ && ++count_ == at_; }

 private:
  bool active_;
  long at_;
  std::atomic<long> count_ = 0;
};
Allocations allocations;

void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations.fails()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size > 0 ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* made = allocate(size, alignment);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_by("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_by("open", path, flags, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  static const auto call = real<FILE* (*)(const char*, const char*)>("fopen64");
  if (!is_watched(path)) return call(path, mode);
  return meet(next("fopen"), static_cast<FILE*>(nullptr), [&] {
    FILE* file = call(path, mode);
    if (file != nullptr) opened(fileno(file));
    return file;
  });
}
FILE* fopen(const char* path, const char* mode) { return fopen64(path, mode); }
int close(int file) {
  static const auto call = real<int (*)(int)>("close");
  if (!is_watched(file)) return call(file);
  counted[static_cast<std::size_t>(file)] = false;
  const Fate fate = next("close");
  const int result = call(file);  // as on Linux: it is closed in any case
  return meet(fate, -1, [&] { return result; });
}
ssize_t write(int file, const void* bytes, size_t size) {
  static const auto call = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (!is_watched(file)) return call(file, bytes, size);
  const Fate fate = next("write", true);
  return meet(fate, ssize_t{-1}, [&] {
    const off_t at = lseek(file, 0, SEEK_CUR);
    const ssize_t done = call(file, bytes, fate.half && size > 1 ? size / 2 : size);
    if (done > 0) {
      const auto count = static_cast<std::size_t>(done);
      journal(words("write", std::to_string(file), std::to_string(at), std::to_string(count)), bytes, count);
    }
    return done;
  });
}
ssize_t writev(int file, const iovec* parts, int count) {
  static const auto call = real<ssize_t (*)(int, const iovec*, int)>("writev");
  if (!is_watched(file)) return call(file, parts, count);
  const Fate fate = next("writev", true);
  return meet(fate, ssize_t{-1}, [&] { return call(file, parts, fate.half ? 1 : count); });
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  static const auto call = real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
  if (!is_watched(file)) return call(file, bytes, size, at);
  return meet(next("pwrite"), ssize_t{-1}, [&] { return call(file, bytes, size, at); });
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) { return pwrite64(file, bytes, size, at); }
int fsync(int file) {
  static const auto call = real<int (*)(int)>("fsync");
  if (!is_watched(file)) return call(file);
  return meet(next("fsync"), -1, [&] { return noted(call(file), words("sync", std::to_string(file))); });
}
int fdatasync(int file) {
  static const auto call = real<int (*)(int)>("fdatasync");
  if (!is_watched(file)) return call(file);
  return meet(next("fdatasync"), -1, [&] { return noted(call(file), words("sync", std::to_string(file))); });
}
int ftruncate64(int file, off64_t size) noexcept {
  static const auto call = real<int (*)(int, off64_t)>("ftruncate64");
  if (!is_watched(file)) return call(file, size);
  return meet(next("ftruncate"), -1,
              [&] { return noted(call(file, size), words("resize", std::to_string(file), std::to_string(size))); });
}
int ftruncate(int file, off_t size) noexcept { return ftruncate64(file, size); }
int rename(const char* from, const char* to) noexcept {
  static const auto call = real<int (*)(const char*, const char*)>("rename");
  if (!is_watched(to)) return call(from, to);
  return meet(next("rename"), -1, [&] { return noted(call(from, to), words("rename", from, to)); });
}
int link(const char* from, const char* to) noexcept {
  static const auto call = real<int (*)(const char*, const char*)>("link");
  if (!is_watched(to)) return call(from, to);
  return meet(next("link"), -1, [&] { return noted(call(from, to), words("link", from, to)); });
}
int unlink(const char* path) noexcept {
  static const auto call = real<int (*)(const char*)>("unlink");
  if (!is_watched(path)) return call(path);
  return meet(next("unlink"), -1, [&] { return noted(call(path), words("remove", path)); });
}
int remove(const char* path) noexcept {
  static const auto call = real<int (*)(const char*)>("remove");
  if (!is_watched(path)) return call(path);
  return meet(next("remove"), -1, [&] { return noted(call(path), words("remove", path)); });
}
int mkdir(const char* path, mode_t mode) noexcept {
  static const auto call = real<int (*)(const char*, mode_t)>("mkdir");
  if (!is_watched(path)) return call(path, mode);
  return meet(next("mkdir"), -1, [&] { return noted(call(path, mode), words("mkdir", path)); });
}
}

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t at) {
  return allocate_or_throw(size, static_cast<std::size_t>(at));
}
void* operator new[](std::size_t size, std::align_val_t at) {
  return allocate_or_throw(size, static_cast<std::size_t>(at));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* made) noexcept { std::free(made); }
void operator delete[](void* made) noexcept { std::free(made); }
void operator delete(void* made, std::size_t) noexcept { std::free(made); }
void operator delete[](void* made, std::size_t) noexcept { std::free(made); }
void operator delete(void* made, std::align_val_t) noexcept { std::free(made); }
void operator delete[](void* made, std::align_val_t) noexcept { std::free(made); }
void operator delete(void* made, std::size_t, std::align_val_t) noexcept { std::free(made); }
void operator delete[](void* made, std::size_t, std::align_val_t) noexcept { std::free(made); }
