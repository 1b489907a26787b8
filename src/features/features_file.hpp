// The features of a finite environment, read from a file.
#pragma once

#include <string>
#include <string_view>

#include "politex/env/finite_model.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

/// From JSON: {"features": [[...], ...]} with a row per state (replicated per action) or per pair. Throws ConfigError.
Features parse_features(std::string_view text, const std::string& origin, const FiniteModel& model);
Features read_features(const std::string& file, const FiniteModel& model);

struct FeaturesEntry;
const FeaturesEntry& features_file_entry();

}  // namespace politex::inline features
