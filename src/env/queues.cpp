#include "politex/env/queues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/settings/nearest.hpp"
#include "politex/settings/toml.hpp"

namespace politex::inline env {
namespace {

using Json = nlohmann::json;

constexpr double most_buffer = 100'000;

/// Reads one table of a network file; every message begins with the origin and says which table.
class NetworkTable {
 public:
  NetworkTable(const Json& table, const std::string& origin, std::string what, std::vector<std::string_view> keys)
      : table_(table), origin_(origin), what_(std::move(what)) {
    if (!table.is_object()) refuse(fmt::format("is {}; accepted: a table with {}", brief(table), joined(keys)));
    for (const auto& [key, value] : table.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        refuse(fmt::format("unknown key \"{}\", did you mean \"{}\"? Accepted: {}", key, nearest(key, keys),
                           joined(keys)));
  }

  [[noreturn]] void refuse(const std::string& message) const {
    throw ConfigError{origin_, what_.empty() ? message : what_ + ": " + message};
  }
  bool has(const char* key) const { return table_.contains(key); }
  const Json& at(const char* key) const {
    if (!has(key)) refuse(fmt::format("\"{}\" is missing", key));
    return table_[key];
  }

  double number(const char* key, double otherwise) const { return has(key) ? number_in(table_[key], key) : otherwise; }
  double number_in(const Json& value, std::string_view key) const {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      refuse(fmt::format("{} is {}; accepted: a finite number", key, brief(value)));
    return value.get<double>();
  }
  int buffer(int otherwise) const {
    const double value = number("buffer", otherwise);
    if (value != std::floor(value) || value < 1 || value > most_buffer)
      refuse(fmt::format("buffer is {}; accepted: a whole number, 1 to {}", value, most_buffer));
    return static_cast<int>(value);
  }
  std::string text(const char* key) const { return text_in(at(key), key); }
  std::string text_in(const Json& value, std::string_view key) const {
    if (!value.is_string() || value.get<std::string>().empty())
      refuse(fmt::format("{} is {}; accepted: a name in quotes", key, brief(value)));
    return value.get<std::string>();
  }
  bool flag(const char* key) const {
    if (!has(key)) return false;
    if (!table_[key].is_boolean()) refuse(fmt::format("{} is {}; accepted: true or false", key, brief(table_[key])));
    return table_[key].get<bool>();
  }
  const Json& list(const char* key) const {
    if (!at(key).is_array() || at(key).empty())
      refuse(fmt::format("{} is {}; accepted: a list that is not empty", key, brief(at(key))));
    return at(key);
  }

  static std::string brief(const Json& value) {
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() > 40 ? text.substr(0, 40) + "..." : text;
  }

 private:
  const Json& table_;
  const std::string& origin_;
  std::string what_;
};

int class_named(const QueueNetwork& network, const std::string& name, const NetworkTable& table) {
  std::vector<std::string_view> known;
  for (std::size_t c = 0; c < network.classes.size(); ++c) {
    if (network.classes[c].name == name) return static_cast<int>(c);
    known.push_back(network.classes[c].name);
  }
  table.refuse(fmt::format("there is no class \"{}\", did you mean \"{}\"?", name, nearest(name, known)));
}

NetworkTable class_table(const Json& each, const std::string& origin, std::size_t number) {
  return {each, origin, fmt::format("classes[{}]", number), {"name", "arrival", "holding", "lost", "buffer", "next"}};
}

/// One rate, or one for every part of the day.
void read_arrival(const NetworkTable& table, QueueNetwork& network, JobClass& each) {
  if (!table.has("arrival") || !table.at("arrival").is_array()) {
    each.arrival = table.number("arrival", 0.0);
    return;
  }
  for (const Json& rate : table.list("arrival")) each.arrivals.push_back(table.number_in(rate, "arrival"));
  const int parts = static_cast<int>(each.arrivals.size());
  if (parts < 2 || (network.parts > 1 && network.parts != parts))
    table.refuse(
        fmt::format("arrival has {} rates; accepted: one rate, or one per part of the day, at least 2 and the "
                    "same number in every class",
                    parts));
  network.parts = parts;
  each.arrival = std::accumulate(each.arrivals.begin(), each.arrivals.end(), 0.0) / parts;
}

void read_classes(const NetworkTable& root, const std::string& origin, int buffer, QueueNetwork& network) {
  const Json& classes = root.list("classes");
  const int common = root.buffer(JobClass{}.buffer);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const NetworkTable table = class_table(classes[c], origin, c);
    JobClass each{.name = table.text("name"),
                  .arrival = 0.0,
                  .holding = table.number("holding", 1.0),
                  .lost = table.number("lost", 0.0),
                  .buffer = table.buffer(common)};
    if (buffer > 0) each.buffer = buffer;
    read_arrival(table, network, each);
    for (const JobClass& other : network.classes)
      if (other.name == each.name)
        table.refuse(fmt::format("name is \"{}\", as of another class; accepted: names that differ", each.name));
    network.classes.push_back(std::move(each));
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const NetworkTable table = class_table(classes[c], origin, c);
    if (!table.has("next")) continue;
    const Json& next = table.at("next");
    auto& routes = network.classes[c].next;
    if (next.is_string()) {
      routes.push_back({class_named(network, next.get<std::string>(), table), 1.0});
    } else if (next.is_object()) {
      for (const auto& [name, probability] : next.items())
        routes.push_back({class_named(network, name, table), table.number_in(probability, "next." + name)});
    } else {
      table.refuse(fmt::format("next is {}; accepted: the name of a class, or names with their probabilities",
                               NetworkTable::brief(next)));
    }
  }
}

void read_servers(const NetworkTable& root, const std::string& origin, QueueNetwork& network) {
  const Json& servers = root.list("servers");
  for (std::size_t s = 0; s < servers.size(); ++s) {
    const NetworkTable table(servers[s], origin, fmt::format("servers[{}]", s),
                             {"name", "serves", "rates", "may_idle"});
    QueueServer server{.name = table.has("name") ? table.text("name") : fmt::format("{}", s + 1),
                       .serves = {},
                       .may_idle = table.flag("may_idle")};
    const Json &serves = table.list("serves"), &rates = table.list("rates");
    if (serves.size() != rates.size())
      table.refuse(fmt::format("rates has {} numbers; accepted: one for each of the {} classes in serves", rates.size(),
                               serves.size()));
    for (std::size_t k = 0; k < serves.size(); ++k)
      server.serves.push_back(
          {class_named(network, table.text_in(serves[k], "serves"), table), table.number_in(rates[k], "rates")});
    network.servers.push_back(std::move(server));
  }
}

}  // namespace

QueueNetwork parse_queue_network(std::string_view text, const std::string& origin, int buffer) {
  Json document;
  try {
    document = Json::parse(origin.ends_with(".toml") ? toml_as_json(text, origin) : std::string(text));
  } catch (const Json::exception& error) {
    throw ConfigError{origin,
                      fmt::format("no valid JSON (names of TOML files end in .toml): {}", plain_reason(error.what()))};
  }
  const NetworkTable root(document, origin, "", {"classes", "servers", "buffer", "day"});
  QueueNetwork network;
  read_classes(root, origin, buffer, network);
  if (network.parts > 1) network.day = root.number_in(root.at("day"), "day");
  if (network.parts == 1 && root.has("day"))
    root.refuse("day is given, and no class has a list of rates as arrival; accepted: both or neither");
  read_servers(root, origin, network);
  check(network, origin);
  return network;
}

namespace {

struct QueuesOptions {
  std::string file;
  int buffer = 0;
};

Keys queues_keys() {
  return Keys{key<&QueuesOptions::file>("environment.file", "TOML or JSON file with classes of jobs and servers",
                                        file()),
              key<&QueuesOptions::buffer>("environment.buffer",
                                          "most jobs of every class; 0: what the file says for each",
                                          whole(0, most_buffer))} +
         finite_keys();
}

void check_queues(const Values& values) {
  if (read<QueuesOptions>(queues_keys(), values).file.empty())
    throw ConfigError{
        "environment.file",
        "is missing; accepted: the path of a TOML or JSON file such as experiments/queues/networks/n_model.toml"};
}

FiniteModel queues_tables(const Values& values) {
  check_queues(values);
  const auto options = read<QueuesOptions>(queues_keys(), values);
  const QueueNetwork network =
      parse_queue_network(read_file("environment.file", options.file), options.file, options.buffer);
  return with_finite_keys(network_model(network, queues_entry().name), values);
}

}  // namespace

const EnvironmentEntry& queues_entry() {
  static const EnvironmentEntry entry{.name = "queues",
                                      .help = "a network of queues from a file: servers choose which class to serve",
                                      .keys = queues_keys(),
                                      .model = queues_tables,
                                      .check = check_queues};
  return entry;
}

}  // namespace politex::inline env
