#include "politex/process/external.hpp"

#include <algorithm>
#include <cstdlib>

namespace politex::inline process {

Keys external_keys() {
  return {key<&ExternalOptions::restart_cost>(
              "environment.restart_cost", "added to the cost of a step that terminates",
              any_number_or({{"from_costs",
                              "0; where every step before the first end costs the same, as in CartPole-v1, "
                              "minus that cost"}})),
          key<&ExternalOptions::time_limit>(
              "environment.time_limit",
              "seconds after which a process that does not answer is treated as hung. Does not affect results",
              number_above(0, 1e6))
              .not_part_of_run()};
}

Keys python_keys() {
  return {key<&PythonOptions::python>("environment.python",
                                      "the python that has gymnasium or ale-py; empty: POLITEX_PYTHON, else python3. "
                                      "Does not affect results",
                                      text())
              .not_part_of_run()};
}

std::vector<std::string> python_server(const Values& values) {
  std::string python = read<PythonOptions>(python_keys(), values).python;
  if (python.empty()) {
    const char* chosen = std::getenv("POLITEX_PYTHON");  // NOLINT(concurrency-mt-unsafe): nothing here sets any
    python = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  }
  return {python, Child::script_path};
}

Keys processes_keys() {
  return {key<&ProcessesOptions::processes>(
              "actors.processes",
              "processes for each block of environments (two blocks where transitions_per_step allows); 0: one per "
              "core. Does not affect results",
              whole(0, 4096))
              .not_part_of_run()};
}

std::unique_ptr<EnvironmentBlock> start_server(ProcessSettings server, const Values& values,
                                               const BlockRequest& request) {
  server.seed = request.seed;
  server.first = request.first;
  server.count = request.count;
  server.processes = request.processes;
  server.seconds = read<ExternalOptions>(external_keys(), values).time_limit;
  return std::make_unique<ProcessBlock>(std::move(server));
}

void add_words(std::vector<std::string>& to, std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end > 0) to.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace politex::inline process
