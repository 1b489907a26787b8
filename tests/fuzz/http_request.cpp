// Any bytes as what a client sends to the dashboard: it answers, and never leaves the directory. A file next to the
// directory has a text that no answer may contain.
// reader: src/serve/bounded_server.cpp
// runs: 5000
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "politex/serve/serve.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* secret = "a text that is not served";

/// A directory with one small run.
const fs::path& served() {
  static const fs::path directory = [] {
    const fs::path root = fs::temp_directory_path() / ("politex-fuzz-http-" + std::to_string(getpid()));
    fs::create_directories(root / "runs/one");
    std::ofstream(root / "secret") << secret;
    std::ofstream(root / "runs/one/config.toml") << "steps = 100\n# end of the configuration\n";
    std::ofstream(root / "runs/one/progress.csv") << "phase,steps,average_cost\n1,50,0.5\n2,100,0.25\n";
    std::atexit([] { fs::remove_all(served()); });
    return root;
  }();
  return directory;
}

/// All that the server sends until it closes, or is silent because it streams.
std::string receive(int socket) {
  std::string answer;
  std::array<char, 65536> part{};
  while (answer.size() < 4'000'000) {
    const ssize_t count = recv(socket, part.data(), part.size(), 0);
    if (count <= 0) break;
    answer.append(part.data(), static_cast<std::size_t>(count));
  }
  return answer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static politex::DirectorySite site({.directory = served() / "runs", .refresh_seconds = 1e6});
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return 0;
  const timeval limit{.tv_sec = 0, .tv_usec = 200'000};
  setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (send(ends[1], data, size, MSG_NOSIGNAL) < 0) std::abort();
  shutdown(ends[1], SHUT_WR);
  std::string answer;
  std::thread client([&] {
    answer = receive(ends[1]);
    close(ends[1]);
  });
  site.answer(ends[0]);
  client.join();
  if (answer.find(secret) != std::string::npos) std::abort();
  if (!answer.empty() && !answer.starts_with("HTTP/1.1 ")) std::abort();
  return 0;
}
