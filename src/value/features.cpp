#include "politex/value/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"

namespace politex {

SparseRows Features::by_pair() const {
  SparseRows all;
  all.columns = dimension();
  for (int pair = 0; pair < slots() * actions; ++pair) {
    const FeatureRow psi = row(pair);
    for (std::size_t k = 0; k < psi.indices.size(); ++k) all.append(psi.offset + psi.indices[k], psi.values[k]);
    all.end_row();
  }
  return all;
}

void Features::values(std::span<const double> weights, std::span<double> q) const noexcept {
  const auto width = static_cast<std::size_t>(actions);
  const auto columns = static_cast<std::size_t>(rows.columns);
  if (!replicated) {
    for (std::size_t pair = 0; pair < q.size(); ++pair) q[pair] = dot(static_cast<int>(pair), weights);
    return;
  }
  if (two_indicators) {
    const std::int32_t* index = rows.index.data();
    for (std::size_t slot = 0; slot < q.size() / width; ++slot)
      for (std::size_t a = 0; a < width; ++a) {
        const double* block = weights.data() + a * columns;
        q[slot * width + a] = block[index[2 * slot]] + block[index[2 * slot + 1]];
      }
    return;
  }
  for (std::size_t slot = 0; slot < q.size() / width; ++slot) {
    const auto indices = rows.indices(static_cast<int>(slot));
    const auto entries = rows.values(static_cast<int>(slot));
    for (std::size_t a = 0; a < width; ++a) {
      double total = 0.0;
      for (std::size_t k = 0; k < indices.size(); ++k)
        total += entries[k] * weights[a * columns + static_cast<std::size_t>(indices[k])];
      q[slot * width + a] = total;
    }
  }
}

Features tabular_features(const FiniteModel& model) {
  Features features;
  features.actions = model.actions;
  features.rows.columns = features.exclusive = model.states;
  for (int x = 0; x < model.states; ++x) {
    features.rows.append(x, 1.0);
    features.rows.end_row();
  }
  return features;
}

Features additive_features(const FiniteModel& model) {
  if (model.axes.empty())
    throw ConfigError{"features.name", fmt::format("\"additive\" needs coordinates of the states, and {} has none; "
                                                   "accepted here: tabular, file",
                                                   model.name)};
  Features features;
  features.actions = model.actions;
  std::vector<int> begin;
  for (const auto& axis : model.axes) {
    begin.push_back(features.rows.columns);
    features.rows.columns += *std::max_element(axis.begin(), axis.end()) + 1;
  }
  features.two_indicators = begin.size() == 2;
  features.exclusive = begin.size() > 1 ? begin[1] : features.rows.columns;
  for (std::size_t x = 0; x < static_cast<std::size_t>(model.states); ++x) {
    for (std::size_t k = 0; k < begin.size(); ++k) features.rows.append(begin[k] + model.axes[k][x], 1.0);
    features.rows.end_row();
  }
  return features;
}

Features parse_features(std::string_view text, const std::string& origin, const FiniteModel& model) {
  nlohmann::json root;
  try {
    root = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw ConfigError{origin, fmt::format("no valid JSON: {}", error.what())};
  }
  if (!root.is_object() || !root.contains("features") || !root["features"].is_array())
    throw ConfigError{origin, "accepted: {\"features\": [[...], ...]}, a row per state or per state-action pair"};
  const auto& table = root["features"];
  Features features;
  features.actions = model.actions;
  features.replicated = table.size() == static_cast<std::size_t>(model.states);
  if (!features.replicated && table.size() != static_cast<std::size_t>(model.pairs()))
    throw ConfigError{origin, fmt::format("{} rows; accepted: {} (one per state) or {} (one per state-action pair)",
                                          table.size(), model.states, model.pairs())};
  for (std::size_t r = 0; r < table.size(); ++r) {
    if (!table[r].is_array() || table[r].empty() || table[r].size() != table[0].size())
      throw ConfigError{origin, fmt::format("features[{}]: accepted: a list of numbers, equally long in every row", r)};
    for (std::size_t k = 0; k < table[r].size(); ++k) {
      if (!table[r][k].is_number() || !std::isfinite(table[r][k].get<double>()))
        throw ConfigError{origin, fmt::format("features[{}][{}]: accepted: a finite number", r, k)};
      if (const double value = table[r][k].get<double>(); value != 0.0)
        features.rows.append(static_cast<int>(k), value);
    }
    features.rows.end_row();
  }
  features.rows.columns = table.empty() ? 0 : static_cast<int>(table[0].size());
  return features;
}

Features read_features(const std::string& file, const FiniteModel& model) {
  return parse_features(read_file("features.file", file), file, model);
}

}  // namespace politex
