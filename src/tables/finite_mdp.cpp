#include "politex/tables/finite_mdp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/numpy_file.hpp"
#include "politex/env/masks.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline tables {
namespace {

using Json = nlohmann::json;

/// Reads one document; every message begins with the origin.
class Reader {
 public:
  Reader(const Json& root, const std::string& origin) : root_(root), origin_(origin) {}

  [[noreturn]] void refuse(const std::string& what) const { throw ConfigError{origin_, what}; }

  std::int64_t whole(const Json& value, const std::string& entry, std::int64_t low, std::int64_t high) const {
    if (!value.is_number_integer()) refuse(fmt::format("{} is {}; accepted: a whole number", entry, brief(value)));
    const bool fits = !value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{1} << 62;
    const std::int64_t number = fits ? value.get<std::int64_t>() : std::numeric_limits<std::int64_t>::max();
    if (number < low || number > high)
      refuse(fmt::format("{} is {}; accepted: {} to {}", entry, brief(value), low, high));
    return number;
  }

  double real(const Json& value, const std::string& entry) const {
    if (!value.is_number()) refuse(fmt::format("{} is {}; accepted: a number", entry, brief(value)));
    const double number = value.get<double>();
    if (!std::isfinite(number)) refuse(fmt::format("{} is not finite", entry));
    return number;
  }

  const Json& array(const char* key) const {
    const auto found = root_.find(key);
    if (found == root_.end()) refuse(fmt::format("\"{}\" is missing", key));
    if (!found->is_array()) refuse(fmt::format("\"{}\" is {}; accepted: a list", key, brief(*found)));
    return *found;
  }

  std::int64_t count(const char* key, std::int64_t high) const {
    const auto found = root_.find(key);
    if (found == root_.end()) refuse(fmt::format("\"{}\" is missing", key));
    return whole(*found, fmt::format("\"{}\"", key), 1, high);
  }

 private:
  static std::string brief(const Json& value) {
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > 40) text = text.substr(0, 40) + "...";
    return text;
  }

  const Json& root_;
  const std::string& origin_;
};

/// One flag per pair; empty: every action is possible.
std::vector<std::uint8_t> read_masked(const Reader& reader, const Json& root, const FiniteModel& model) {
  if (!root.contains("masked")) return {};
  std::vector<std::uint8_t> possible(static_cast<std::size_t>(model.pairs()), 1);
  const Json& list = reader.array("masked");
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string name = fmt::format("masked[{}]", k);
    if (!list[k].is_array() || list[k].size() != 2) reader.refuse(name + ": accepted: [state, action]");
    const auto state = static_cast<int>(reader.whole(list[k][0], name + " state", 0, model.states - 1));
    const auto action = static_cast<int>(reader.whole(list[k][1], name + " action", 0, model.actions - 1));
    possible[static_cast<std::size_t>(model.pair(state, action))] = 0;
  }
  return possible;
}

void read_transitions(const Reader& reader, FiniteModel& model, std::span<const std::uint8_t> possible) {
  struct Entry {
    std::int64_t pair;
    Outcome outcome;
  };
  std::vector<Entry> entries;
  const Json& list = reader.array("transitions");
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string name = fmt::format("transitions[{}]", k);
    if (!list[k].is_array() || list[k].size() != 4)
      reader.refuse(name + ": accepted: [state, action, next state, probability]");
    const auto state = reader.whole(list[k][0], name + " state", 0, model.states - 1);
    const auto action = reader.whole(list[k][1], name + " action", 0, model.actions - 1);
    const auto next = reader.whole(list[k][2], name + " next state", 0, model.states - 1);
    const double probability = reader.real(list[k][3], name + " probability");
    if (probability < 0.0 || probability > 1.0 + 1e-12)  // as check() has it
      reader.refuse(fmt::format("{} probability is {}; accepted: 0 to 1", name, probability));
    if (probability > 0.0) entries.push_back({state * model.actions + action, {static_cast<int>(next), probability}});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.pair < b.pair; });
  std::size_t at = 0;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    double total = 0.0;
    for (; at < entries.size() && entries[at].pair == pair; ++at) {
      model.next.push_back(entries[at].outcome.next);
      model.probability.push_back(entries[at].outcome.probability);
      total += entries[at].outcome.probability;
    }
    if (total == 0.0 && !possible.empty() && possible[static_cast<std::size_t>(pair)] == 0) {
      model.next.push_back(pair / model.actions);  // with_masks() replaces it
      model.probability.push_back(total = 1.0);
    }
    if (!(std::abs(total - 1.0) <= 1e-9))
      reader.refuse(fmt::format("transitions of state {}, action {}: the probabilities sum to {}; accepted: 1",
                                pair / model.actions, pair % model.actions, total));
    // Decimals seldom sum to 1 exactly; what is meant are the nearest probabilities that do.
    if (std::abs(total - 1.0) > 1e-14) {
      for (auto e = static_cast<std::size_t>(model.first.back()); e < model.next.size(); ++e)
        model.probability[e] /= total;
    }
    model.first.push_back(static_cast<std::int64_t>(model.next.size()));
  }
}

void read_costs(const Reader& reader, FiniteModel& model) {
  const Json& rows = reader.array("costs");
  if (rows.size() != static_cast<std::size_t>(model.states))
    reader.refuse(fmt::format("\"costs\" has {} rows; accepted: one per state ({})", rows.size(), model.states));
  for (std::size_t x = 0; x < rows.size(); ++x) {
    if (!rows[x].is_array() || rows[x].size() != static_cast<std::size_t>(model.actions))
      reader.refuse(fmt::format("costs[{}]: accepted: a list of {} numbers, one per action", x, model.actions));
    for (std::size_t a = 0; a < rows[x].size(); ++a)
      model.cost.push_back(reader.real(rows[x][a], fmt::format("costs[{}][{}]", x, a)));
  }
}

void read_axes(const Reader& reader, const Json& root, FiniteModel& model) {
  if (!root.contains("axes")) return;
  const Json& axes = reader.array("axes");
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::string name = fmt::format("axes[{}]", k);
    if (!axes[k].is_array() || axes[k].size() != static_cast<std::size_t>(model.states))
      reader.refuse(fmt::format("{}: accepted: a list of {} coordinates, one per state", name, model.states));
    std::vector<int> axis;
    for (std::size_t x = 0; x < axes[k].size(); ++x)
      axis.push_back(static_cast<int>(reader.whole(axes[k][x], fmt::format("{}[{}]", name, x), 0, 1'000'000)));
    model.axes.push_back(std::move(axis));
  }
}

}  // namespace

FiniteModel parse_finite_mdp(std::string_view text, const std::string& origin) {
  Json root;
  try {
    root = Json::parse(text);
  } catch (const Json::exception& error) {
    throw ConfigError{origin, fmt::format("no valid JSON: {}", plain_reason(error.what()))};
  }
  if (!root.is_object()) throw ConfigError{origin, "accepted: a JSON object with states, actions, transitions, costs"};
  for (const auto& [key, value] : root.items())
    if (key != "states" && key != "actions" && key != "start" && key != "transitions" && key != "costs" &&
        key != "axes" && key != "masked" && key != "name")
      throw ConfigError{origin, fmt::format("unknown key \"{}\"; accepted: states, actions, start, transitions, costs, "
                                            "axes, masked, name",
                                            key)};
  const Reader reader{root, origin};
  FiniteModel model;
  model.name = finite_mdp_entry().name;
  model.states = static_cast<int>(reader.count("states", 1'000'000));
  model.actions = static_cast<int>(reader.count("actions", 1'000));
  if (static_cast<std::int64_t>(model.states) * model.actions > 10'000'000)
    reader.refuse("states times actions is above 10,000,000");
  model.size = model.states;
  if (root.contains("start"))
    model.start = static_cast<int>(reader.whole(root["start"], "\"start\"", 0, model.states - 1));
  model.first = {0};
  std::vector<std::uint8_t> possible = read_masked(reader, root, model);
  read_transitions(reader, model, possible);
  read_costs(reader, model);
  read_axes(reader, root, model);
  check(model);
  if (possible.empty()) return model;
  try {
    return with_masks(std::move(model), std::move(possible));
  } catch (const ConfigError& error) {
    reader.refuse(error.what());
  }
}

FiniteModel read_finite_mdp(const std::string& file) {
  constexpr std::uint64_t most_bytes = 1ULL << 32;
  std::string bytes = read_file("environment.file", file, most_bytes);
  return looks_like_npz(bytes) ? parse_finite_mdp_arrays(std::move(bytes), file) : parse_finite_mdp(bytes, file);
}

void write_finite_mdp(const FiniteModel& model, const std::string& file) {
  if (file.ends_with(".npz") && model.masked())
    throw ConfigError{file,
                      "some actions are not possible in some states, which .npz files cannot say; accepted: a "
                      "name that ends with .json"};
  write_file(file, file.ends_with(".npz") ? finite_mdp_arrays(model) : finite_mdp_text(model));
}

void refuse_teleporting(const FiniteModel& model) {
  if (model.teleport > 0.0)
    throw ConfigError{"teleport", "a file holds no teleporting; accepted: 0, and environment.teleport in the run"};
}

std::string finite_mdp_text(const FiniteModel& model) {
  refuse_teleporting(model);
  std::string text = fmt::format("{{\"states\": {}, \"actions\": {}, \"start\": {},\n\"transitions\": [", model.states,
                                 model.actions, model.start);
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const auto p = static_cast<std::size_t>(pair);
    for (auto k = static_cast<std::size_t>(model.first[p]); k < static_cast<std::size_t>(model.first[p + 1]); ++k)
      text += fmt::format("{}[{}, {}, {}, {}]", k == 0 ? "" : ",\n", pair / model.actions, pair % model.actions,
                          model.next[k], model.probability[k]);
  }
  text += "],\n\"costs\": [";
  for (int x = 0; x < model.states; ++x)
    text += fmt::format(
        "{}[{}]", x == 0 ? "" : ",\n",
        fmt::join(std::span(model.cost)
                      .subspan(static_cast<std::size_t>(model.pair(x, 0)), static_cast<std::size_t>(model.actions)),
                  ", "));
  text += "]";
  for (std::size_t k = 0; k < model.axes.size(); ++k)
    text += fmt::format("{}[{}]", k == 0 ? ",\n\"axes\": [" : ",\n", fmt::join(model.axes[k], ", "));
  if (!model.axes.empty()) text += "]";
  if (model.masked()) {
    std::vector<std::string> masked;
    for (int pair = 0; pair < model.pairs(); ++pair)
      if (model.possible[static_cast<std::size_t>(pair)] == 0)
        masked.push_back(fmt::format("[{}, {}]", pair / model.actions, pair % model.actions));
    text += fmt::format(",\n\"masked\": [{}]", fmt::join(masked, ", "));
  }
  return text + "}\n";
}

namespace {

struct FiniteMdpOptions {
  std::string file;
};

Keys finite_mdp_keys() {
  return Keys{key<&FiniteMdpOptions::file>(
             "environment.file",
             "JSON file with states, actions, transitions, costs and start, or NumPy file (.npz) with CSR arrays",
             file())} +
         finite_keys();
}

void check_finite_mdp(const Values& values) {
  if (read<FiniteMdpOptions>(finite_mdp_keys(), values).file.empty())
    throw ConfigError{"environment.file", "is missing; accepted: the path of a JSON or .npz file"};
}

FiniteModel finite_mdp_tables(const Values& values) {
  check_finite_mdp(values);
  return with_finite_keys(read_finite_mdp(read<FiniteMdpOptions>(finite_mdp_keys(), values).file), values);
}

}  // namespace

const EnvironmentEntry& finite_mdp_entry() {
  static const EnvironmentEntry entry{.name = "finite_mdp",
                                      .help = "a finite environment from a JSON or NumPy file",
                                      .keys = finite_mdp_keys(),
                                      .model = finite_mdp_tables,
                                      .check = check_finite_mdp};
  return entry;
}

}  // namespace politex::inline tables
