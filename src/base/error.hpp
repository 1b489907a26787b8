// The exceptions of the project: bad user input, and failures during a run.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace politex::inline base {

/// A failure whose message is shown to the user. The program ends with status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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
