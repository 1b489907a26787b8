#include "politex/figures/ms_pacman/film.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/record/episodes.hpp"

namespace politex::inline figures {
namespace {

/// One environment that shows the position of the player.
class FilmedGame {
 public:
  FilmedGame(ProcessBlock& block, const GoalMap& map) : block_(&block), map_(map), seen_(block.space().ranges.size()) {
    look();
  }
  const std::vector<float>& seen() const { return seen_; }
  Spot spot() const { return {number(map_.x), number(map_.y)}; }
  StepResult step(Action action) {
    StepResult moved;
    block_->step(0, std::span(&action, 1), std::span(&moved, 1));
    look();
    return moved;
  }

 private:
  void look() { block_->observe(0, std::span(seen_)); }
  int number(int which) const { return static_cast<int>(seen_.at(static_cast<std::size_t>(which))); }

  ProcessBlock* block_;
  GoalMap map_;
  std::vector<float> seen_;
};

bool is_over(const StepResult& moved) { return moved.terminated || moved.truncated; }

}  // namespace

double ShownGame::score() const { return std::accumulate(points.begin(), points.end(), 0.0); }

ShownGame play_explorer_game(ProcessBlock& block, const GoalPolicy& policy, Rng rng) {
  const GoalExplorer explorer(policy, 0.0);
  ExplorerMemory memory;
  FilmedGame played(block, policy.map);
  ShownGame game;
  constexpr std::size_t longest = 5000;
  while (!game.ended && game.actions.size() < longest) {
    game.spots.push_back(played.spot());
    game.actions.push_back(explorer.act(played.seen(), memory, rng));
    const StepResult moved = played.step(game.actions.back());
    game.points.push_back(moved.score);
    game.ended = is_over(moved);
  }
  return game;
}

ShownGame read_sample_game(const std::filesystem::path& directory, const GoalMap& map) {
  ShownGame game;
  const std::string text = read_file("sample_episode.csv", (directory / "sample_episode.csv").string());
  constexpr std::size_t before = 3;  // step, action, reward
  for (const auto& row : csv_rows(text)) {
    const auto whole = [&](std::size_t at, double scale) {
      const double number = at < row.size() ? scale * csv_number(row[at]) : -1.0;
      if (!(number >= 0.0 && number <= 255.0))
        throw Error(fmt::format("{}/sample_episode.csv is damaged", directory.string()));
      return static_cast<int>(std::lround(number));
    };
    // Bytes are shown to networks over 255.
    const auto byte = [&](int which) { return whole(before + static_cast<std::size_t>(which), 255.0); };
    game.spots.push_back({byte(map.x), byte(map.y)});
    game.actions.push_back(static_cast<Action>(whole(1, 1.0)));
    game.points.push_back(csv_number(row[2]));
  }
  return game;
}

std::vector<std::size_t> film_steps(const std::vector<Spot>& spots, std::size_t most) {
  std::vector<std::size_t> moves;
  for (std::size_t step = 1; step < spots.size(); ++step)
    if (spots[step] != spots[step - 1]) moves.push_back(step);
  if (moves.size() <= most) return moves;
  std::vector<std::size_t> chosen;
  const std::size_t gaps = most - 1;
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(moves[(i * (moves.size() - 1) + gaps / 2) / gaps]);
  return chosen;
}

void film_game(ShownGame& game, ProcessBlock& block, const GoalMap& map, std::size_t most) {
  game.frames.clear();
  if (!block.has_pictures()) {
    game.without = "its environments have no pictures";
    return;
  }
  const std::vector<std::size_t> wanted = film_steps(game.spots, most);
  FilmedGame played(block, map);
  double score = 0.0;
  for (std::size_t step = 0; step < game.actions.size(); ++step) {
    if (game.frames.size() < wanted.size() && wanted[game.frames.size()] == step)
      game.frames.push_back({.step = step, .score = score, .picture = block.picture(0)});
    if (played.spot() == game.spots[step] && game.actions[step] < block.space().actions) {
      const StepResult moved = played.step(game.actions[step]);
      score += moved.score;
      game.ended = is_over(moved);
      if (moved.score == game.points[step] && (!game.ended || step + 1 == game.actions.size())) continue;
    }
    game.frames.clear();
    game.ended = false;
    game.without = fmt::format("the second play differs at step {}: is it another version of the emulator?", step);
    return;
  }
}

Picture strip_of(const std::vector<FilmFrame>& frames) {
  constexpr std::size_t columns = 6, gap = 4;
  if (frames.empty()) throw Error("a film-strip needs a frame");
  const std::size_t height = frames[0].picture.height, width = frames[0].picture.width;
  const std::size_t rows = (frames.size() + columns - 1) / columns, across = std::min(frames.size(), columns);
  Picture strip{.height = rows * (height + gap) - gap, .width = across * (width + gap) - gap, .rgb = {}};
  strip.rgb.assign(3 * strip.height * strip.width, 255);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Picture& picture = frames[i].picture;
    if (picture.height != height || picture.width != width) throw Error("the pictures of a game differ in size");
    for (std::size_t y = 0; y < height; ++y) {
      const auto from = picture.rgb.begin() + static_cast<std::ptrdiff_t>(3 * y * width);
      const std::size_t top = i / columns * (height + gap), left = i % columns * (width + gap);
      std::copy_n(from, 3 * width,
                  strip.rgb.begin() + static_cast<std::ptrdiff_t>(3 * ((top + y) * strip.width + left)));
    }
  }
  return strip;
}

}  // namespace politex::inline figures
