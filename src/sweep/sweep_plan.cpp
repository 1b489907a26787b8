#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/run/config_io.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline sweep {
namespace {

struct Axis {
  const KnownKey* key = nullptr;
  std::vector<std::string> texts;
};

Axis parse_axis(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw ConfigError{text.substr(0, 80), "not a setting; accepted: key=v1,v2,..., for example eta=0.1,0.2"};
  Axis axis{.key = &resolve_key(text.substr(0, equals)), .texts = {}};
  if (axis.key->name == "seed") throw ConfigError{"seed", "not a key of a grid; accepted: --seeds N, for seeds 1 to N"};
  for (std::size_t at = equals + 1; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    axis.texts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return axis;
}

std::vector<Axis> parse_grid(std::span<const std::string> grid) {
  std::vector<Axis> axes;
  std::set<std::string_view> seen;
  for (const std::string& text : grid) {
    axes.push_back(parse_axis(text));
    if (!seen.insert(axes.back().key->name).second)
      throw ConfigError{std::string(axes.back().key->name), "is given twice; accepted: all its values after one \"=\""};
  }
  return axes;
}

// All settings: equal for two cells only if they are the same run.
std::string full_name(const std::vector<std::pair<std::string, std::string>>& settings, std::uint64_t seed) {
  std::string name;
  for (const auto& [key, value] : settings) name += fmt::format("{}={},", key, value);
  return name + fmt::format("seed={}", seed);
}

std::string without_slashes(std::string name) {
  std::ranges::replace(name, '/', '_');
  return name;
}

// A directory name has no slash and at most 255 bytes; names that would become equal get a signature.
void name_directories(SweepPlan& plan) {
  constexpr std::size_t longest = 200;
  std::map<std::string, int> wanted;
  for (const SweepCell& cell : plan.cells) ++wanted[without_slashes(cell.name)];
  for (SweepCell& cell : plan.cells) {
    const std::string full = std::exchange(cell.name, without_slashes(cell.name));
    const bool shared = wanted.at(cell.name) > 1;
    if (cell.name.size() <= longest && !shared) continue;
    Signature signature;
    signature.add(std::as_bytes(std::span(shared ? full : cell.name)));
    const std::size_t end = std::min(cell.name.rfind(",seed="), longest - 50);
    cell.name = fmt::format("{}~{},seed={}", cell.name.substr(0, end), signature.text(), cell.config.seed);
  }
}

// The settings of one point of the grid that have an effect, and the configuration for each seed.
void add_cells(std::span<const Assignment> base, std::span<const Axis> axes, std::span<const std::size_t> at,
               std::span<const std::uint64_t> seeds, SweepPlan& plan, std::set<std::string>& names,
               std::set<std::string_view>& effective) {
  std::vector<Assignment> assignments(base.begin(), base.end());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Assignment one = parse_override(fmt::format("{}={}", axes[i].key->name, axes[i].texts[at[i]]));
    one.from_command_line = false;  // whether it is of use anywhere is judged over the whole grid
    assignments.push_back(std::move(one));
  }
  const ReadConfig read = build_config(assignments);
  SweepCell cell;
  for (const Axis& axis : axes) {
    if (!applies(axis.key->key(), read.config)) continue;
    effective.insert(axis.key->name);
    cell.settings.emplace_back(axis.key->name, read.config.text(axis.key->name));
  }
  for (const std::uint64_t seed : seeds) {
    cell.config = read.config;
    cell.config.seed = seed;
    cell.name = full_name(cell.settings, seed);
    if (names.insert(cell.name).second) plan.cells.push_back(cell);
  }
}

}  // namespace

std::string SweepCell::setting(const std::string& key) const {
  const auto found = std::ranges::find(settings, key, &std::pair<std::string, std::string>::first);
  return found == settings.end() ? "" : found->second;
}

SweepPlan plan_sweep(const std::filesystem::path& file, std::span<const std::string> grid,
                     std::span<const std::uint64_t> seeds) {
  const std::vector<Assignment> base = read_assignments(file);
  const std::vector<Axis> axes = parse_grid(grid);
  double cells = static_cast<double>(seeds.size());
  for (const Axis& axis : axes) cells *= static_cast<double>(axis.texts.size());
  if (cells > 1e6)
    throw ConfigError{"grid", fmt::format("{} runs are too many for one sweep; accepted: at most a million", cells)};

  SweepPlan plan;
  std::set<std::string> names;
  std::set<std::string_view> effective;
  for (const Axis& axis : axes) plan.keys.emplace_back(axis.key->name);
  std::vector<std::size_t> at(axes.size(), 0);
  for (bool more = true; more;) {
    add_cells(base, axes, at, seeds, plan, names, effective);
    more = false;
    for (std::size_t i = axes.size(); i-- > 0 && !more;) {
      at[i] = (at[i] + 1) % axes[i].texts.size();
      more = at[i] != 0;
    }
  }
  name_directories(plan);
  for (const Axis& axis : axes)
    if (!effective.contains(axis.key->name))
      throw ConfigError{
          std::string(axis.key->name),
          fmt::format("has no effect on any run of this sweep; it applies where {}", where_it_applies(*axis.key))};
  return plan;
}

std::string plan_text(const SweepPlan& plan) {
  if (plan.cells.empty()) return {};
  Signature all;
  for (const SweepCell& cell : plan.cells) {
    const std::string text = cell.name + "\n" + to_toml(cell.config);
    all.add(std::as_bytes(std::span(text)));
  }
  // The first cell in full, so that the line that differs can be shown.
  return fmt::format("grid: {}; {} runs\n{}all runs: {}\n", fmt::join(plan.keys, ", "), plan.cells.size(),
                     to_toml(plan.cells.front().config), all.text());
}

}  // namespace politex::inline sweep
