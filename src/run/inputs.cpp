#include "politex/run/inputs.hpp"

#include <fmt/format.h>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/run/catalogue.hpp"

namespace politex::inline run {
namespace {

// The line of a key that names a file; empty for others.
std::string line_of(const Key& key, const Config& config) {
  if (key.accepts.kind != Kind::file || !applies(key, config)) return {};
  const std::string file = config.text(key.name);
  if (file.empty()) return {};
  const std::string bytes = read_file(std::string(key.name), file);
  Signature hash;
  hash.add(std::as_bytes(std::span(bytes)));
  return fmt::format("\"{}\" = \"{}\"\n", key.name, hash.text());
}

}  // namespace

std::string inputs_text(const Config& config) {
  std::string text;
  for (const Key* each : config.keys()) text += line_of(*each, config);
  return text;
}

void check_inputs(const std::filesystem::path& directory, const Config& config) {
  std::error_code missing;
  const std::filesystem::path record = directory / inputs_file;
  if (!std::filesystem::exists(record, missing)) return;  // it reads no file, or an earlier version started it
  const std::string before = read_file(inputs_file, record.string());
  if (before.empty()) return;  // power was lost before it was on disk; short runs do not wait for that
  for (const Key* each : config.keys())
    if (const std::string line = line_of(*each, config); before.find(line) == std::string::npos)
      throw OtherRun{std::string(each->name),
                     fmt::format("\"{}\" has changed since the run in {} began; accepted: the file as it was, or "
                                 "another directory for a new run",
                                 config.text(each->name), directory.string())};
}

}  // namespace politex::inline run
