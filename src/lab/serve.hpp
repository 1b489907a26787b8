// `politex serve`: the live dashboard over HTTP, for people on this machine.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

namespace politex::lab {

struct ServeOptions {
  std::filesystem::path directory;
  std::string host = "127.0.0.1";            // only this machine, unless told otherwise
  int port = 8080;                           // 0: any free one
  const std::atomic<int>* stop = nullptr;    // becomes non-zero when the server should end
  std::function<void(int port)> ready = {};  // called once it answers
  double look_every = 1.0;                   // seconds between two looks at the directory
};

/// What a browser is to open: an IPv6 address stands in brackets there.
std::string address_of(const std::string& host, int port);

/// Serves until told to stop. Throws ConfigError (no directory, a bad or occupied port). Only GET; names of runs are
/// looked up, never joined to a path, so nothing outside the directory can be asked for.
void serve(const ServeOptions& options);

}  // namespace politex::lab
