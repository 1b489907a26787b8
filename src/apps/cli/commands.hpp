// The commands of the program, one file each. They return the exit status and throw ConfigError for bad input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "politex/base/fleet.hpp"

namespace politex::cli {

struct ListOptions {
  std::string topic;
  bool json = false, markdown = false;
};
int list_command(const ListOptions& options);

struct RunArguments {
  std::string file;
  std::vector<std::string> overrides;
  std::string out;
  std::string resume;
  double checkpoint_seconds = 10.0;
  bool json = false;
  bool quiet = false;
};
int run_command(const RunArguments& arguments, Fleet* fleet);

struct SweepArguments {
  std::string file;
  std::vector<std::string> grid;
  std::string out;
  int seeds = 0;
  int tune = 0;
  int jobs = 0;
  double checkpoint_seconds = 10.0;
  bool json = false;
  bool quiet = false;
};
int sweep_command(const SweepArguments& arguments, Fleet* fleet);

struct ExactArguments {
  std::string environment;
  std::vector<std::string> overrides;
  std::string policy = "optimal";
  bool json = false;
};
int exact_command(const ExactArguments& arguments);

struct ExploreArguments {
  std::string file;
  std::vector<std::string> overrides;
  std::string out;
  bool quiet = false;
};
int explore_command(const ExploreArguments& arguments);

struct EvaluateArguments {
  std::string policy, environment;
  std::vector<std::string> overrides;
  std::string against;
  std::string log;
  std::int64_t steps = 0;
  std::uint64_t seed = 1;
  double alpha = 0.05;
  int jobs = 0;
  bool simulate = false;
  bool json = false;
};
int evaluate_command(const EvaluateArguments& arguments);

struct PolicyArguments {
  std::string policy, format, out;
};
int policy_command(const PolicyArguments& arguments);

struct ReproduceArguments {
  std::string figure = "deep_sea";
  std::string out;
  bool quick = false;
  bool long_run = false;
  bool compare = false;
  bool difficulty = false;
  int seeds = 0;
  int jobs = 0;
};
int reproduce_command(const ReproduceArguments& arguments);

struct BenchArguments {
  std::string only;
  bool json = false;
};
int bench_command(const BenchArguments& arguments);

struct ReportArguments {
  std::vector<std::string> directories;
  std::string out;
};
int report_command(const ReportArguments& arguments);

struct ServeArguments {
  std::string directory;
  std::string host = "127.0.0.1";
  std::string token;
  int port = 8080;
  bool read_only = false;  // it always is
};
int serve_command(const ServeArguments& arguments);

/// Whether this process prints for its job: it is the only process, or rank 0.
inline bool speaks(const Fleet* fleet) { return fleet == nullptr || fleet->rank() == 0; }

inline bool several(const Fleet* fleet) { return fleet != nullptr && fleet->size() > 1; }

/// Prints a message with the name of the program to standard error.
void print_message(const std::string& text);

/// Prints to standard output. Throws Error if it cannot be written (a full disk, a closed pipe).
void print_out(const std::string& text);

}  // namespace politex::cli
