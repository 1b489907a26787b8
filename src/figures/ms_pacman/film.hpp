// Games to look at: where the player went, and pictures of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "politex/base/picture.hpp"
#include "politex/policy/goal_explorer.hpp"
#include "politex/process/process_block.hpp"

namespace politex::inline figures {

struct FilmFrame {
  std::size_t step = 0;
  double score = 0.0;  // so far
  Picture picture;
};

/// One game, step by step. Environments with the same seed and number repeat their transitions for the same actions, so
/// the actions determine the game: pictures are taken while they are played a second time.
struct ShownGame {
  std::string name;   // of its files
  std::string label;  // for readers
  std::vector<Action> actions;
  std::vector<double> points;  // of every step
  std::vector<Spot> spots;     // position of the player before it
  std::vector<FilmFrame> frames;
  std::string without;  // why there are no frames
  bool ended = false;   // with the last of these steps
  double score() const;
};

/// Plays one game, at most 5000 steps, with the frozen explorer.
ShownGame play_explorer_game(ProcessBlock& block, const GoalPolicy& policy, Rng rng);
/// The game that a finished run left as its sample. Throws Error where that is damaged.
ShownGame read_sample_game(const std::filesystem::path& directory, const GoalMap& map);

/// The steps before which pictures are taken, at most `most` of two or more: evenly spread over those at which the
/// player has moved, so that waiting at a start and after a death takes none.
std::vector<std::size_t> film_steps(const std::vector<Spot>& spots, std::size_t most);

/// Plays the game again in an environment of its seed and number and takes its pictures. No frames where the
/// environment has none, or where the game differs.
void film_game(ShownGame& game, ProcessBlock& block, const GoalMap& map, std::size_t most);

/// The frames in rows of six on white.
Picture strip_of(const std::vector<FilmFrame>& frames);

}  // namespace politex::inline figures
