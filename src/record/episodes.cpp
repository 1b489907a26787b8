#include "politex/record/episodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/statistics.hpp"

namespace politex::inline record {

std::vector<std::vector<std::string_view>> csv_rows(std::string_view text) {
  std::vector<std::vector<std::string_view>> rows;
  if (!text.ends_with('\n')) throw Error("a CSV file of a run is truncated");
  for (bool header = true; !text.empty(); header = false) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (header) continue;
    auto& row = rows.emplace_back();
    while (true) {
      const std::size_t comma = std::min(line.find(','), line.size());
      row.push_back(line.substr(0, comma));
      if (comma == line.size()) break;
      line.remove_prefix(comma + 1);
    }
  }
  return rows;
}

double csv_number(std::string_view text) {
  double value = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    throw Error(fmt::format("\"{}\" is not a number", text.substr(0, 40)));
  return value;
}

namespace {

Player player_of(std::string_view text) {
  return text == "policy" ? Player::policy : text == "explorer" ? Player::explorer : Player::both;
}

}  // namespace

std::vector<neural::Episode> read_episodes(const std::filesystem::path& directory) {
  std::vector<neural::Episode> episodes;
  const std::string text = read_file("episodes.csv", (directory / "episodes.csv").string());
  for (const auto& row : csv_rows(text)) {
    if (row.size() != 3) throw Error(fmt::format("{}/episodes.csv is damaged", directory.string()));
    episodes.push_back({static_cast<std::int64_t>(csv_number(row[0])), csv_number(row[2]), player_of(row[1])});
  }
  return episodes;
}

std::vector<double> episode_rewards(std::span<const neural::Episode> episodes, Players players, std::int64_t from,
                                    std::int64_t to) {
  std::vector<double> rewards;
  for (const neural::Episode& episode : episodes)
    if ((!players || episode.by == *players) && episode.step > from && episode.step <= to)
      rewards.push_back(episode.reward);
  return rewards;
}

std::vector<EpisodePoint> episode_curve(std::span<const neural::Episode> episodes, Players players, std::int64_t steps,
                                        std::int64_t bins) {
  std::vector<EpisodePoint> curve;
  for (std::int64_t bin = 0; bin < bins; ++bin) {
    const std::int64_t end = steps * (bin + 1) / bins;
    const std::vector<double> rewards = episode_rewards(episodes, players, steps * bin / bins, end);
    if (!rewards.empty()) curve.push_back({end, mean(rewards)});
  }
  return curve;
}

}  // namespace politex::inline record
