#include "politex/base/shared_directory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "politex/base/output_file.hpp"
#include "politex/base/pool.hpp"

namespace politex::inline base {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "an unnamed machine";
  return name.data();
}

// A network file system may show a new file with a delay.
bool appears(const fs::path& file) {
  for (int i = 0; i < 100; ++i) {
    std::error_code ignored;
    if (fs::exists(file, ignored)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

}  // namespace

void require_shared_directory(Fleet* fleet, const fs::path& directory) {
  if (fleet == nullptr || fleet->size() == 1) return;
  const bool first = fleet->rank() == 0;
  std::string token;
  together(fleet, [&] {
    if (!first) return;
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    token = fmt::format(".shared-{}-{}-{}", host_name(), ::getpid(), now);
    write_atomically(directory / token, "written by rank 0\n");
  });
  token = politex::to_text(fleet->broadcast(to_bytes(token)));
  const auto remove_token = [&] {
    std::error_code ignored;
    if (first) fs::remove(directory / token, ignored);
  };
  try {
    together(fleet, [&] {
      if (!first && !appears(directory / token))
        throw ConfigError{"--out", fmt::format("{} on {} is not the directory that rank 0 sees; accepted: a directory "
                                               "on a file system that all machines of the job share",
                                               directory.string(), host_name())};
    });
  } catch (...) {
    remove_token();
    throw;
  }
  remove_token();
}

int cores_for(const Fleet* fleet) {
  return std::max(1, resolve_jobs(0) / (fleet == nullptr ? 1 : fleet->neighbours()));
}

}  // namespace politex::inline base
