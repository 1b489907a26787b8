#include "politex/process/served.hpp"

#include "politex/base/error.hpp"
#include "politex/process/external.hpp"

namespace politex::inline process {
namespace {

struct ServedOptions {
  std::string command;
};

Keys served_keys() {
  return Keys{key<&ServedOptions::command>(
             "environment.command", "the program that serves the environments, and its arguments, separated by spaces",
             text())} +
         external_keys();
}

ProcessSettings served_server(const Values& values) {
  ProcessSettings settings;
  add_words(settings.command, read<ServedOptions>(served_keys(), values).command);
  if (settings.command.empty())
    throw ConfigError{"environment.command",
                      "is missing; accepted: a program that serves environments (docs/guide/environment-processes.md)"};
  settings.name = settings.command.front();
  return settings;
}

std::unique_ptr<EnvironmentBlock> served_block(const Values& values, const BlockRequest& request) {
  return start_server(served_server(values), values, request);
}

}  // namespace

const EnvironmentEntry& process_entry() {
  static const EnvironmentEntry entry{
      .name = "process",
      .help = "environments that a program of yours serves (docs/guide/environment-processes.md): command",
      .keys = served_keys(),
      .keys_with_networks = processes_keys(),
      .block = served_block,
      .external = true};
  return entry;
}

}  // namespace politex::inline process
