// Environments in other processes: Gymnasium, Atari, and any program that speaks the protocol
// (docs/guide/environment-processes.md).
#pragma once

#include <memory>

#include "politex/env/entry.hpp"
#include "politex/process/process_block.hpp"

namespace politex::inline process {

/// Options that every environment in another process has.
struct ExternalOptions {
  Value restart_cost = std::string("from_costs");  // added to the cost of a step that terminates; RestartCost
  double time_limit = 60.0;  // seconds after which a process that does not answer is treated as hung
};
Keys external_keys();

/// For environments that Python serves: which python. Empty: POLITEX_PYTHON, else python3.
struct PythonOptions {
  std::string python;
};
Keys python_keys();
/// The command that serves by the script inside this program.
std::vector<std::string> python_server(const Values& values);

/// Processes for each block of environments of a neural learner.
struct ProcessesOptions {
  int processes = 0;
};
Keys processes_keys();

/// Starts `server` as the request asks for.
std::unique_ptr<EnvironmentBlock> start_server(ProcessSettings server, const Values& values,
                                               const BlockRequest& request);

/// Appends the words of a text, separated by spaces.
void add_words(std::vector<std::string>& to, std::string_view text);

}  // namespace politex::inline process
