#include "politex/serve/bounded_server.hpp"

#include <arpa/inet.h>
#include <httplib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <set>

namespace politex::inline serve {
namespace {

using HttpClock = std::chrono::steady_clock;

/// Waits until the socket can be read or written; false when the time is over or the connection has ended.
bool wait_for_socket(socket_t socket, short what, HttpClock::time_point until) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - HttpClock::now()).count();
    if (left <= 0) return false;
    pollfd one{.fd = socket, .events = what, .revents = 0};
    const int ready = poll(&one, 1, static_cast<int>(std::min<long long>(left, 60'000)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready != 0) return ready > 0;
  }
}

/// One connection. It keeps what was read beyond a request, so that requests may be sent ahead of the answers.
class HttpConnection final : public httplib::Stream {
 public:
  HttpConnection(socket_t socket, const ConnectionLimits& limits) : socket_(socket), limits_(limits) {}

  /// Waits for the next request; false if none comes.
  bool begin() {
    bytes_ = 0;
    if (at_ == end_ && !wait_for_socket(socket_, POLLIN, HttpClock::now() + limits_.idle)) return false;
    until_ = HttpClock::now() + limits_.request;
    return true;
  }

  bool is_readable() const override { return at_ < end_ || wait_for_socket(socket_, POLLIN, until_); }
  bool is_writable() const override { return wait_for_socket(socket_, POLLOUT, HttpClock::now() + limits_.answer); }

  ssize_t read(char* to, std::size_t size) override {
    if (++bytes_ > limits_.request_bytes) return -1;  // the library reads heads byte by byte
    if (at_ == end_) {
      if (!wait_for_socket(socket_, POLLIN, until_)) return -1;
      const ssize_t count = recv(socket_, buffer_.data(), buffer_.size(), 0);
      if (count <= 0) return count;
      at_ = 0;
      end_ = static_cast<std::size_t>(count);
    }
    const std::size_t count = std::min(size, end_ - at_);
    std::copy_n(buffer_.data() + at_, count, to);
    at_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* from, std::size_t size) override {
    const auto until = HttpClock::now() + limits_.answer + std::chrono::seconds(size / limits_.answer_bytes_per_second);
    std::size_t done = 0;
    while (done < size) {
      if (!wait_for_socket(socket_, POLLOUT, until)) return -1;
      const ssize_t count = send(socket_, from + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (count <= 0) return -1;
      done += static_cast<std::size_t>(count);
    }
    return static_cast<ssize_t>(size);
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override { address(getpeername, ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { address(getsockname, ip, port); }
  socket_t socket() const override { return socket_; }

 private:
  void address(int (*get)(int, sockaddr*, socklen_t*), std::string& ip, int& port) const {
    sockaddr_storage place{};
    socklen_t length = sizeof place;
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (get(socket_, reinterpret_cast<sockaddr*>(&place), &length) != 0) return;
    if (place.ss_family == AF_INET) {
      const auto* four = reinterpret_cast<const sockaddr_in*>(&place);
      inet_ntop(AF_INET, &four->sin_addr, text.data(), text.size());
      port = ntohs(four->sin_port);
    } else {
      const auto* six = reinterpret_cast<const sockaddr_in6*>(&place);
      inet_ntop(AF_INET6, &six->sin6_addr, text.data(), text.size());
      port = ntohs(six->sin6_port);
    }
    ip = text.data();
  }

  socket_t socket_;
  const ConnectionLimits& limits_;
  HttpClock::time_point until_;
  std::array<char, 4096> buffer_{};
  std::size_t at_ = 0, end_ = 0, bytes_ = 0;
};

}  // namespace

class BoundedServer::Limited final : public httplib::Server {
 public:
  explicit Limited(const ConnectionLimits& limits) : limits_(limits) {}

  void stop_now() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      for (const socket_t socket : sockets_) shutdown(socket, SHUT_RDWR);
    }
    stop();
  }

  bool process_and_close_socket(socket_t socket) override {
    bool good = open(socket);
    if (good) {
      const int yes = 1;
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);  // small answers are sent at once
      HttpConnection connection(socket, limits_);
      bool closed = false;
      for (std::size_t left = limits_.requests; good && !closed && left > 0 && connection.begin(); --left)
        good = process_request(connection, left == 1, closed, nullptr);
    }
    close(socket);
    return good;
  }

 private:
  /// False: the server is ending.
  bool open(socket_t socket) {
    const std::lock_guard lock(mutex_);
    if (!ending_) sockets_.insert(socket);
    return !ending_;
  }
  void close(socket_t socket) {
    const std::lock_guard lock(mutex_);
    sockets_.erase(socket);
    shutdown(socket, SHUT_RDWR);
    ::close(socket);
  }

  ConnectionLimits limits_;
  std::mutex mutex_;
  std::set<socket_t> sockets_;
  bool ending_ = false;
};

BoundedServer::BoundedServer(const ConnectionLimits& limits) : server_(std::make_unique<Limited>(limits)) {}
BoundedServer::~BoundedServer() = default;
httplib::Server& BoundedServer::http() noexcept { return *server_; }
void BoundedServer::answer(int socket) { server_->process_and_close_socket(socket); }
void BoundedServer::stop() { server_->stop_now(); }

}  // namespace politex::inline serve
