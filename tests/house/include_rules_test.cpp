// Dependencies point one way, and third-party headers stay in their rooms. The two tables below are the rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

using Rooms = std::set<std::string>;

/// The rooms in the order of the data: a room may include those before it. Two are apart: the oracle (exact) shares no
/// code with what it judges, and mpi is included by the apps only.
const std::vector<std::string> order = {
    "base",   "settings", "env",     "tables", "process",   "iterative", "exact",     "policy",  "heuristics",
    "guard",  "features", "solvers", "value",  "algorithm", "discovery", "baselines", "network", "replay",
    "neural", "watch",    "live",    "run",    "record",    "evaluate",  "page",      "report",  "sweep",
    "theory", "figures",  "studies", "serve",  "bench",     "mpi",       "apps"};

/// Room -> rooms before it that it may not include all the same.
const std::map<std::string, Rooms> may_not_include = {
    {"iterative", {"process"}},
    {"exact", {"process"}},
    {"policy", {"process", "iterative", "exact"}},
    {"heuristics", {"process", "iterative", "exact"}},
    {"guard", {"process", "iterative", "exact"}},
    {"features", {"process", "iterative", "exact"}},
    {"solvers", {"process", "iterative", "exact"}},
    {"value", {"process", "iterative", "exact"}},
    {"algorithm", {"process", "iterative", "exact"}},
    {"discovery", {"process", "iterative", "exact"}},
    {"baselines", {"process", "iterative", "exact"}},
    {"network",
     {"settings", "env", "tables", "process", "iterative", "exact", "policy", "heuristics", "guard", "features",
      "solvers", "value", "algorithm", "discovery", "baselines"}},  // numbers only
    {"replay",
     {"settings", "env", "tables", "process", "iterative", "exact", "policy", "heuristics", "guard", "features",
      "solvers", "value", "algorithm", "discovery", "baselines"}},
    {"neural", {"process", "iterative", "exact", "algorithm", "discovery", "baselines"}},
    {"watch", {"process", "discovery", "baselines", "network", "replay", "neural"}},
    {"live", {"process", "baselines", "network", "replay", "neural"}},
    {"bench", {"serve"}},
};

std::map<std::string, Rooms> make_table() {
  std::map<std::string, Rooms> table;
  Rooms before;
  for (const auto& room : order) {
    table[room] = before;
    if (const auto apart = may_not_include.find(room); apart != may_not_include.end())
      for (const auto& other : apart->second) table[room].erase(other);
    if (room != "mpi") before.insert(room);
  }
  table["mpi"] = table["page"] = {"base"};
  table["apps"].insert("mpi");
  return table;
}
const std::map<std::string, Rooms> may_include = make_table();

/// What grew beyond this is two rooms under one name.
constexpr int most_lines_of_a_room = 4000;

struct ThirdParty {
  std::string prefix;  // of the name between the angle brackets
  Rooms rooms;
  bool in_headers = false;  // our public headers must compile for a user who has none of these
};

/// What the operating system gives: not in headers, and not where learners compute.
const Rooms posix_rooms = {"base",  "process", "run",     "record", "page",  "report",
                           "sweep", "figures", "studies", "serve",  "bench", "apps"};
const std::set<std::string> posix = {
    "dirent.h",    "link.h",        "netinet/in.h",    "netinet/tcp.h", "sys/random.h",  "arpa/inet.h", "fcntl.h",
    "malloc.h",    "poll.h",        "sched.h",         "signal.h",      "spawn.h",       "sys/file.h",  "sys/mman.h",
    "sys/stat.h",  "sys/types.h",   "sys/resource.h",  "sys/socket.h",  "sys/syscall.h", "sys/time.h",  "sys/wait.h",
    "sys/ioctl.h", "sys/statvfs.h", "sys/sysmacros.h", "unistd.h"};

/// Angle includes that are not the C++ standard library's.
const std::vector<ThirdParty> third_party = {
    {"fmt/", Rooms(order.begin(), order.end()), true},
    {"Random123/", {"base"}},
    {"Eigen/",
     {"base", "iterative", "exact", "policy", "solvers", "value", "algorithm", "discovery", "neural", "bench"}},
    {"nlohmann/",
     {"env", "tables", "policy", "features", "solvers", "value", "network", "neural", "run", "record", "evaluate",
      "report", "sweep", "figures", "studies", "serve", "bench", "apps"}},
    {"toml++/", {"settings"}},
    {"CLI/", {"apps"}},
    {"httplib", {"serve"}},
    {"mpi", {"mpi"}},
    {"oneapi/dnnl/", {"network"}},
    {"zlib.h", {"base"}},
    {"pybind11/", {"apps"}},
    {"Python.h", {"apps"}},
    {"immintrin.h", {"base", "policy", "value", "algorithm", "network", "record"}, true},  // the compiler brings it
};

/// What is wrong with one include of a file `room/...`; empty when nothing is.
std::string objection(const std::string& room, bool header, const std::string& included) {
  if (included.starts_with("\"")) {
    std::smatch match;
    if (!std::regex_match(included, match, std::regex(R"re("politex/([^/]+)/[^"]+")re")))
      return room == "apps" ? "" : "ours are included as \"politex/<room>/<file>.hpp\"";
    const std::string other = match[1];
    if (other == room || may_include.at(room).contains(other)) return "";
    return room + "/ may not include " + other + "/";
  }
  const std::string name = included.substr(1, included.size() - 2);
  if (name.find_first_of("./") == std::string::npos) return "";  // standard C++ headers have neither
  if (posix.contains(name)) return posix_rooms.contains(room) && !header ? "" : "not here: it is the system's";
  for (const auto& library : third_party) {
    if (!name.starts_with(library.prefix)) continue;
    if (header && !library.in_headers) return "not in a header: users include ours without having it";
    return library.rooms.contains(room) ? "" : "not in " + room + "/";
  }
  return "not in the table of third-party headers";
}

TEST(IncludeRules, HoldInEveryFile) {
  const std::filesystem::path source = std::filesystem::path(POLITEX_SOURCE_DIR) / "src";
  const std::regex line_form(R"re(\s*#\s*include\s*(<[^>]+>|"[^"]+").*)re");
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source)) {
    const auto& path = entry.path();
    if (path.extension() != ".hpp" && path.extension() != ".cpp") continue;
    ++files;
    const auto relative = path.lexically_relative(source);
    const std::string room = relative.begin()->string();
    ASSERT_TRUE(may_include.contains(room)) << relative << ": a room that the table does not know";
    std::ifstream in(path);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      std::smatch match;
      if (!std::regex_match(line, match, line_form)) continue;
      // Headers inside apps/ are not installed.
      const bool header = path.extension() == ".hpp" && room != "apps";
      EXPECT_EQ(objection(room, header, match[1]), "") << relative.string() << ":" << number << ": " << line;
    }
  }
  EXPECT_GT(files, 10);
}

TEST(IncludeRules, RefuseWhatTheyShould) {
  EXPECT_EQ(objection("algorithm", false, "\"politex/value/lsmc.hpp\""), "");
  EXPECT_EQ(objection("value", false, "<Eigen/Dense>"), "");
  EXPECT_EQ(objection("value", true, "<vector>"), "");
  for (const char* learner : {"baselines", "algorithm", "value", "policy"})
    EXPECT_NE(objection(learner, false, "\"politex/exact/gain.hpp\""), "") << learner;
  EXPECT_NE(objection("base", false, "\"politex/env/environment.hpp\""), "");
  EXPECT_NE(objection("base", false, "\"error.hpp\""), "");
  EXPECT_NE(objection("value", true, "<Eigen/Dense>"), "");
  EXPECT_NE(objection("exact", false, "<toml++/toml.h>"), "");
  EXPECT_NE(objection("run", false, "<boost/array.hpp>"), "");
}

TEST(IncludeRules, NoRoomIsTooLarge) {
  const std::filesystem::path source = std::filesystem::path(POLITEX_SOURCE_DIR) / "src";
  std::map<std::string, int> lines;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source)) {
    const auto& path = entry.path();
    if (path.extension() != ".hpp" && path.extension() != ".cpp") continue;
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line)) ++lines[path.lexically_relative(source).begin()->string()];
  }
  for (const auto& [room, count] : lines) EXPECT_LE(count, most_lines_of_a_room) << room;
}

TEST(IncludeRules, TheRoomsHaveNoCycle) {
  for (const auto& [room, others] : may_include)
    for (const auto& other : others) EXPECT_FALSE(may_include.at(other).contains(room)) << room << " <-> " << other;
}

}  // namespace
