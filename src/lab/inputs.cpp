#include "politex/lab/inputs.hpp"

#include <fmt/format.h>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/lab/fields.hpp"

namespace politex::lab {
namespace {

// The line of a field that names a file; empty for others.
std::string line_of(const Field& field, const Config& config) {
  if (field.kind != Kind::file || !applies(field, config)) return {};
  const std::string file = plain_text(field, config);
  if (file.empty()) return {};
  const std::string bytes = read_file(std::string(field.key), file);
  Signature hash;
  hash.add(std::as_bytes(std::span(bytes)));
  return fmt::format("\"{}\" = \"{}\"\n", field.key, hash.text());
}

}  // namespace

std::string inputs_text(const Config& config) {
  std::string text;
  for (const Field& field : fields()) text += line_of(field, config);
  return text;
}

void check_inputs(const std::filesystem::path& directory, const Config& config) {
  std::error_code missing;
  const std::filesystem::path record = directory / inputs_file;
  if (!std::filesystem::exists(record, missing)) return;  // it reads no file, or was begun by an older program
  const std::string before = read_file(inputs_file, record.string());
  if (before.empty()) return;  // power was lost before it reached the disk, which nobody waits for in a short run
  for (const Field& field : fields())
    if (const std::string line = line_of(field, config); before.find(line) == std::string::npos)
      throw OtherRun{std::string(field.key),
                     fmt::format("\"{}\" has changed since the run in {} began; accepted: the file as it was, or "
                                 "another directory for a new run",
                                 plain_text(field, config), directory.string())};
}

}  // namespace politex::lab
