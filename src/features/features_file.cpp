#include "politex/features/features_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/features/features_entry.hpp"

namespace politex::inline features {

Features parse_features(std::string_view text, const std::string& origin, const FiniteModel& model) {
  nlohmann::json root;
  try {
    root = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw ConfigError{origin, fmt::format("not valid JSON: {}", plain_reason(error.what()))};
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
  if (file.empty()) throw ConfigError{"features.file", "is missing; accepted: the path of a JSON file"};
  return parse_features(read_file("features.file", file), file, model);
}

namespace {

struct FeaturesFileOptions {
  std::string file;
};

}  // namespace

const FeaturesEntry& features_file_entry() {
  static const FeaturesEntry entry{
      .name = "file",
      .help = "read from `file`",
      .keys = {key<&FeaturesFileOptions::file>("features.file", "the JSON file with the features of every pair",
                                               file())},
      .fits = [](const Space&, const FiniteModel* model) { return model != nullptr; },
      .make = [](const FeaturesRequest& request) -> std::unique_ptr<FeatureMap> {
        const auto options = read<FeaturesFileOptions>(features_file_entry().keys, request.values);
        return std::make_unique<FeatureTable>(read_features(options.file, *request.model));
      },
      .check =
          [](const Values& values) {
            if (read<FeaturesFileOptions>(features_file_entry().keys, values).file.empty())
              throw ConfigError{"features.file", "is missing; accepted: the path of a JSON file"};
          },
      .lists_states = true};
  return entry;
}

}  // namespace politex::inline features
