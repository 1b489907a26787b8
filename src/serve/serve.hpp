// `politex serve`: the live dashboard over HTTP, by default only for this machine.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace politex::inline serve {

struct ServeOptions {
  std::filesystem::path directory;
  std::string host = "127.0.0.1";            // the address to listen on
  int port = 8080;                           // 0: any free port
  std::string token = {};                    // needed where other machines can reach the address: new_token()
  const std::atomic<int>* stop = nullptr;    // becomes non-zero when the server should end
  std::function<void(int port)> ready = {};  // called when the server accepts requests
  double refresh_seconds = 1.0;              // time between two refreshes of the directory
};

/// The URL for a browser, with brackets around an IPv6 address.
std::string address_of(const std::string& host, int port);

/// Whether only this machine reaches the address.
bool is_loopback(const std::string& host);
/// 128 random bits as text.
std::string new_token();
inline constexpr std::size_t shortest_token = 16;

/// What serve_directory() answers, without a port: for tests.
class DirectorySite {
 public:
  /// Looks at the directory, and again at every refresh.
  explicit DirectorySite(const ServeOptions& options);
  ~DirectorySite();
  DirectorySite(const DirectorySite&) = delete;
  DirectorySite& operator=(const DirectorySite&) = delete;
  /// Answers the requests of one connection on this thread, and closes it.
  void answer(int socket);
  /// Ends all open streams.
  void close();
  /// How often the report of all runs was made.
  int reports_made() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Serves until *stop is set. Throws ConfigError (no directory, a bad or occupied port). Only GET and HEAD are
/// accepted; names of runs are looked up and never joined to a path, so no other files can be read.
void serve_directory(const ServeOptions& options);

}  // namespace politex::inline serve
