// An HTTP server whose clients have limited time, bytes and number: a client that is slow on purpose must not keep
// others out, nor the server from ending.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

namespace httplib {
class Server;
}  // namespace httplib

namespace politex::inline serve {

/// For one connection.
struct ConnectionLimits {
  std::chrono::milliseconds idle{2'000};     // before the first byte of a request
  std::chrono::milliseconds request{5'000};  // from its first byte to its last
  std::size_t request_bytes = 65'536;
  std::chrono::milliseconds answer{5'000};       // to send one piece of an answer, and
  std::size_t answer_bytes_per_second = 50'000;  // more for a large piece
  std::size_t requests = 1'000;                  // then the connection is closed
};

class BoundedServer {
 public:
  explicit BoundedServer(const ConnectionLimits& limits = {});
  ~BoundedServer();
  BoundedServer(const BoundedServer&) = delete;
  BoundedServer& operator=(const BoundedServer&) = delete;

  httplib::Server& http() noexcept;
  /// Answers the requests of one connection on this thread, and closes it.
  void answer(int socket);
  /// Ends it, and the open connections too.
  void stop();

 private:
  class Limited;
  std::unique_ptr<Limited> server_;
};

}  // namespace politex::inline serve
