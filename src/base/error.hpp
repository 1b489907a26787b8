// The exceptions of the project: bad user input, and failures during a run.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace politex::inline base {

/// What a library says of a problem, without its own name for it: "[json.exception.parse_error.101] TEXT" is TEXT.
inline std::string plain_reason(std::string_view what) {
  const auto end = what.starts_with("[json.exception") ? what.find("] ") : std::string_view::npos;
  return std::string(end == std::string_view::npos ? what : what.substr(end + 2));
}

/// Text of another program for a message of ours: control characters, which could steer a terminal, become "?".
inline std::string printable(std::string_view text) {
  std::string safe(text);
  for (char& c : safe)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) c = '?';
  return safe;
}

/// A failure whose message is shown to the user. The program ends with status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file of ours could not be written, for example because the disk is full.
class WriteError : public Error {
 public:
  using Error::Error;
};

/// Bad input: `key` names the offending key, file or argument. Thrown before anything runs or is written; status 2.
class ConfigError : public Error {
 public:
  ConfigError(std::string key, const std::string& what) : Error(key + ": " + what), key_(std::move(key)) {}
  const std::string& key() const noexcept { return key_; }

 private:
  std::string key_;
};

}  // namespace politex::inline base
