// Configurations by the table of all keys: the input chooses names of the catalogue, keys and values, mostly those at
// the borders of what a key accepts. Rejected with a ConfigError that names a key, or a configuration whose resolved
// form reads back as itself.
// reader: src/run/config_io.cpp
// runs: 20000
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"

namespace {

using namespace politex;

class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool empty() const { return at_ == end_; }
  std::size_t next() { return at_ < end_ ? *at_++ : 0; }
  template <class List>
  decltype(auto) of(const List& list) {
    const std::size_t high = next(), low = next();
    return list[(256 * high + low) % std::size(list)];
  }

 private:
  const std::uint8_t *at_, *end_;
};

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string number_near(const Accepts& accepts, Choices& from) {
  const double numbers[] = {accepts.minimum,
                            accepts.maximum,
                            accepts.minimum - 1.0,
                            accepts.maximum + 1.0,
                            0.5 * (accepts.minimum + accepts.maximum),
                            0.0,
                            1.0,
                            2.0,
                            -1.0,
                            0.1,
                            1e-300,
                            1e300};
  const double number = from.of(numbers);
  if (accepts.kind == Kind::whole && number > -9e15 && number < 9e15)
    return fmt::format("{}", static_cast<std::int64_t>(number));
  return fmt::format("{:e}", number);
}

std::string value_for(const Key& key, Choices& from) {
  static constexpr const char* odd[] = {"true",     "-0",         "nan",      "inf",        "\"\"",  "[1]",
                                        "{}",       "1979-05-27", "0x7f",     "1e9",        "\"N\"", "''",
                                        "\"auto\"", "\"1e999N\"", "\"3N/0\"", "\"\\u0000\""};
  static constexpr const char* lengths[] = {"N", "3N/4", "N/2", "100", "2N", "N/0", "-N", "99999999999999999999N"};
  if (from.next() < 24) return from.of(odd);
  switch (key.accepts.kind) {
    case Kind::flag:
      return from.next() % 2 == 0 ? "true" : "false";
    case Kind::word:
      if (key.accepts.choices.empty()) return "\"none\"";
      return quoted(from.of(key.accepts.choices).name);
    case Kind::number_or_word:
      if (from.next() % 2 == 0 && !key.accepts.choices.empty()) return quoted(from.of(key.accepts.choices).name);
      return number_near(key.accepts, from);
    case Kind::length:
      return quoted(from.of(lengths));
    case Kind::text:
    case Kind::file:
      return quoted(from.next() % 2 == 0 ? "some/file" : "uniform");
    default:
      return number_near(key.accepts, from);
  }
}

/// Tables of keys with values, in the order of the file.
std::string configuration(Choices from) {
  std::map<std::string, std::map<std::string, std::string>> tables;
  const auto set = [&](const Key& key) {
    tables[std::string(key.table())][std::string(key.word())] = value_for(key, from);
  };
  while (!from.empty()) {
    const KnownKey& known = from.of(known_keys());
    set(*known.owners[from.next() % known.owners.size()].key);
  }
  std::string text;
  for (const auto& [table, values] : tables) {
    if (!table.empty()) text += fmt::format("[{}]\n", table);
    for (const auto& [word, value] : values) text += fmt::format("{} = {}\n", word, value);
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Config config;
  try {
    config = build_config(parse_toml(configuration(Choices(data, size)), "fuzz.toml")).config;
  } catch (const ConfigError& error) {
    if (error.key().empty()) std::abort();
    return 0;
  }
  const std::string resolved = to_toml(config);
  if (to_toml(build_config(parse_toml(resolved, "resolved.toml")).config) != resolved) std::abort();
  return 0;
}
