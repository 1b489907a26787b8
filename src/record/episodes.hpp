// Reading episodes.csv of a neural run, and learning curves of its episodes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "politex/neural/neural_politex.hpp"

namespace politex::inline record {

/// The cells of a CSV file below its header, as views into `text`. Throws Error if the text is truncated.
std::vector<std::vector<std::string_view>> csv_rows(std::string_view text);
/// Throws Error if the cell is not a number.
double csv_number(std::string_view text);

/// Throws Error if the file is missing or damaged.
std::vector<neural::Episode> read_episodes(const std::filesystem::path& directory);

using Player = neural::Episode::Player;
/// Whose episodes: of one player alone, or everybody's.
using Players = std::optional<Player>;
inline constexpr Players everybody = std::nullopt;

/// Rewards of the episodes that ended after `from` and by `to`.
std::vector<double> episode_rewards(std::span<const neural::Episode> episodes, Players players, std::int64_t from,
                                    std::int64_t to);

/// A point of a curve: the end of a bin and the mean reward of the episodes in it.
struct EpisodePoint {
  std::int64_t step = 0;
  double reward = 0.0;
};
/// Divides `steps` into `bins` equal bins; bins without an episode are left out.
std::vector<EpisodePoint> episode_curve(std::span<const neural::Episode> episodes, Players players, std::int64_t steps,
                                        std::int64_t bins);

}  // namespace politex::inline record
