#include "politex/policy/policy_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"

namespace politex::inline policy {
namespace {

using Json = nlohmann::json;

// Reads one file; every message names the key, the file and the entry.
class PolicyReader {
 public:
  PolicyReader(std::string key, std::string origin, int states, int actions)
      : key_(std::move(key)), origin_(std::move(origin)), states_(states), actions_(actions) {}

  std::vector<double> read(std::string_view text) const {
    const Json root = Json::parse(text, nullptr, false);
    if (root.is_discarded() || !root.is_object()) refuse("is not a JSON object");
    check_size(root, "states", states_);
    check_size(root, "actions", actions_);
    for (const auto& [name, ignored] : root.items())
      if (name != "states" && name != "actions" && name != "policy" && name != "action")
        refuse(fmt::format("has an unknown entry \"{}\"", name.substr(0, 60)));
    if (root.contains("policy") == root.contains("action"))
      refuse("needs either \"policy\" (rows of probabilities) or \"action\" (one action per state)");
    return root.contains("policy") ? from_rows(root["policy"]) : from_actions(root["action"]);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw ConfigError{key_,
                      fmt::format("\"{}\" {}; accepted: {{\"states\": S, \"actions\": A, \"policy\": [[p, ...], ...]}} "
                                  "or \"action\": [a, ...]",
                                  origin_, what)};
  }

  void check_size(const Json& root, const char* name, int expected) const {
    if (!root.contains(name) || !root[name].is_number_integer())
      refuse(fmt::format("needs a whole number \"{}\"", name));
    if (root[name] != expected)
      refuse(fmt::format("has \"{}\": {}, but the environment has {}", name, root[name].dump(), expected));
  }

  std::vector<double> from_rows(const Json& rows) const {
    if (!rows.is_array() || rows.size() != static_cast<std::size_t>(states_))
      refuse(fmt::format("needs {} rows in \"policy\"", states_));
    std::vector<double> out;
    for (std::size_t x = 0; x < rows.size(); ++x) {
      if (!rows[x].is_array() || rows[x].size() != static_cast<std::size_t>(actions_))
        refuse(fmt::format("needs {} probabilities in policy[{}]", actions_, x));
      double total = 0.0;
      for (std::size_t a = 0; a < rows[x].size(); ++a) {
        const double p = rows[x][a].is_number() ? rows[x][a].get<double>() : std::nan("");
        if (!(p >= 0.0 && p <= 1.0)) refuse(fmt::format("has policy[{}][{}] that is not a probability", x, a));
        out.push_back(p);
        total += p;
      }
      if (std::abs(total - 1.0) > 1e-9) refuse(fmt::format("has policy[{}] that sums to {}, not to 1", x, total));
    }
    return out;
  }

  std::vector<double> from_actions(const Json& actions) const {
    if (!actions.is_array() || actions.size() != static_cast<std::size_t>(states_))
      refuse(fmt::format("needs {} entries in \"action\"", states_));
    std::vector<double> out(static_cast<std::size_t>(states_) * static_cast<std::size_t>(actions_), 0.0);
    for (std::size_t x = 0; x < actions.size(); ++x) {
      if (!actions[x].is_number_integer() || actions[x] < 0 || actions[x] >= actions_)
        refuse(fmt::format("has action[{}] that is not 0 to {}", x, actions_ - 1));
      out[x * static_cast<std::size_t>(actions_) + actions[x].get<std::size_t>()] = 1.0;
    }
    return out;
  }

  std::string key_, origin_;
  int states_, actions_;
};

}  // namespace

std::vector<double> parse_policy(std::string_view text, const std::string& key, const std::string& origin, int states,
                                 int actions) {
  return PolicyReader(key, origin, states, actions).read(text);
}

std::vector<double> read_policy(const std::string& key, const std::string& file, int states, int actions) {
  return parse_policy(read_file(key, file), key, file, states, actions);
}

std::string policy_text(std::span<const double> probabilities, int states, int actions) {
  std::string text = fmt::format("{{\"states\": {}, \"actions\": {}, \"policy\": [\n", states, actions);
  for (int x = 0; x < states; ++x) {
    for (int a = 0; a < actions; ++a)
      text += fmt::format(
          "{}{}", a == 0 ? "[" : ", ",
          probabilities[static_cast<std::size_t>(x) * static_cast<std::size_t>(actions) + static_cast<std::size_t>(a)]);
    text += x + 1 < states ? "],\n" : "]\n";
  }
  return text + "]}\n";
}

}  // namespace politex::inline policy
