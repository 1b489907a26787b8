// Rank 0 computes and makes no MPI call until every other rank has taken a hundred numbers from its counter. If nothing
// serves the counter meanwhile, the test fails.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "politex/base/bytes.hpp"
#include "politex/mpi/join.hpp"

namespace {

namespace fs = std::filesystem;

constexpr int numbers = 100;

// Spins, like a learner, until every other rank has written its file.
bool compute_until(const std::string& flag, int others) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(60)) {
    int there = 0;
    for (int rank = 1; rank <= others; ++rank) there += fs::exists(fmt::format("{}.{}", flag, rank)) ? 1 : 0;
    if (there == others) return true;
  }
  return false;
}

int run(const std::string& flag) {
  const auto fleet = politex::mpi::join();
  if (!fleet) return 2;
  if (fleet->rank() != 0) {
    politex::ByteWriter taken;
    for (int i = 0; i < numbers; ++i) taken.put(fleet->fetch_add(0, 1));
    fleet->send(0, 1, taken.bytes());
    std::ofstream(fmt::format("{}.{}", flag, fleet->rank())) << "done\n";
    return 0;
  }
  if (!compute_until(flag, fleet->size() - 1)) {
    fmt::print(stderr, "the counter did not advance while rank 0 computed\n");
    fleet->abandon();
  }
  std::set<std::int64_t> all;
  for (int other = 1; other < fleet->size(); ++other) {
    const auto message = fleet->receive(1);
    politex::ByteReader reader(message.bytes);
    while (!reader.empty()) all.insert(reader.get<std::int64_t>());
  }
  // Every number exactly once.
  const auto expected = static_cast<std::int64_t>(numbers) * (fleet->size() - 1);
  return static_cast<std::int64_t>(all.size()) == expected && *all.rbegin() == expected - 1 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return count == 2 ? run(arguments[1]) : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
