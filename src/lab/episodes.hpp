// Episodes of a neural run, as episodes.csv tells them, and curves made of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "politex/neural/agent.hpp"

namespace politex::lab {

/// The cells of a CSV file's lines below its header; views into `text`. Throws Error where it is cut off.
std::vector<std::vector<std::string_view>> csv_rows(std::string_view text);
/// Throws Error where the cell is no number.
double csv_number(std::string_view text);

/// Throws Error where a finished run's directory has none, or a damaged one.
std::vector<neural::Episode> read_episodes(const std::filesystem::path& directory);

using Player = neural::Episode::By;
/// Whose episodes: of one player alone, or everybody's.
using Players = std::optional<Player>;
inline constexpr Players everybody = std::nullopt;

/// Rewards of the episodes that ended after `from` and by `to`.
std::vector<double> episode_rewards(std::span<const neural::Episode> episodes, Players players, std::int64_t from,
                                    std::int64_t to);

/// Where a curve has a point: the end of a bin and the mean reward of the episodes in it.
struct EpisodePoint {
  std::int64_t step = 0;
  double reward = 0.0;
};
/// `bins` equal parts of `steps`; those without an episode are left out.
std::vector<EpisodePoint> episode_curve(std::span<const neural::Episode> episodes, Players players, std::int64_t steps,
                                        std::int64_t bins);

}  // namespace politex::lab
