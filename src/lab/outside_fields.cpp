// The keys of environments in other processes.
#include "politex/lab/neural_fields.hpp"

namespace politex::lab {

#define POLITEX_SLOT(member) [](Config& config) -> Slot { return &config.member; }

namespace {

std::vector<Field> atari_fields() {
  const When atari{"environment.name", {"atari"}};
  return {
      {.key = "environment.game",
       .kind = Kind::text,
       .slot = POLITEX_SLOT(environment.game),
       .help = "a game of the Arcade Learning Environment, by the name of its file",
       .applies = {atari}},
      {.key = "environment.observation",
       .kind = Kind::word,
       .slot = POLITEX_SLOT(environment.observation),
       .help = "what is seen of the game",
       .choices = {{"ram", "the console's 128 bytes"},
                   {"pixels", "four pictures of 84 x 84, gray: the larger of two frames each"}},
       .applies = {atari}},
      {.key = "environment.frame_skip",
       .kind = Kind::whole,
       .slot = POLITEX_SLOT(environment.frame_skip),
       .help = "frames that an action is repeated for: one step",
       .minimum = 1,
       .maximum = 60,
       .applies = {atari}},
      {.key = "environment.sticky",
       .kind = Kind::number,
       .slot = POLITEX_SLOT(environment.sticky),
       .help = "probability, in each frame, that the console keeps the action before",
       .minimum = 0,
       .maximum = 1,
       .applies = {atari}},
      {.key = "environment.noops",
       .kind = Kind::whole,
       .slot = POLITEX_SLOT(environment.noops),
       .help = "a game begins with 1 to so many frames without an action; 0: none",
       .minimum = 0,
       .maximum = 1000,
       .applies = {atari}},
      {.key = "environment.life_loss",
       .kind = Kind::flag,
       .slot = POLITEX_SLOT(environment.life_loss),
       .help = "a lost life ends what counts for the value; the game goes on",
       .applies = {atari}},
      {.key = "environment.frames",
       .kind = Kind::whole,
       .slot = POLITEX_SLOT(environment.frames),
       .help = "frames after which a clock cuts a game, a truncation",
       .minimum = 1,
       .maximum = 1e9,
       .applies = {atari}},
  };
}

}  // namespace

std::vector<Field> outside_fields() {
  const When gymnasium{"environment.name", {"gymnasium"}};
  const When python{"environment.name", {"gymnasium", "atari"}};
  std::vector<Field> all = {
      {.key = "environment.id",
       .kind = Kind::text,
       .slot = POLITEX_SLOT(environment.id),
       .help = "its name: Acrobot-v1, or module:Name-v0 of your own",
       .applies = {gymnasium}},
      {.key = "environment.options",
       .kind = Kind::text,
       .slot = POLITEX_SLOT(environment.options),
       .help = "what gymnasium.make is given: key=value, separated by spaces",
       .applies = {gymnasium}},
      {.key = "environment.command",
       .kind = Kind::text,
       .slot = POLITEX_SLOT(environment.command),
       .help = "the program that serves the environments, and its arguments, separated by spaces",
       .applies = {{"environment.name", {"process"}}}},
  };
  const auto games = atari_fields();
  all.insert(all.end(), games.begin(), games.end());
  all.push_back({.key = "environment.python",
                 .kind = Kind::text,
                 .slot = POLITEX_SLOT(environment.python),
                 .help = "the python that has gymnasium or ale-py; empty: POLITEX_PYTHON, else python3. Changes no bit",
                 .applies = {python},
                 .part_of_run = false});
  all.push_back({.key = "environment.time_limit",
                 .kind = Kind::number,
                 .slot = POLITEX_SLOT(environment.time_limit),
                 .help = "seconds after which a process that does not answer hangs. Changes no bit",
                 .minimum = 0,
                 .maximum = 1e6,
                 .above_minimum = true,
                 .applies = {{"environment.name", {"gymnasium", "atari", "process"}}},
                 .part_of_run = false});
  return all;
}

Field processes_field() {
  return {.key = "actors.processes",
          .kind = Kind::whole,
          .slot = POLITEX_SLOT(actors.processes),
          .help =
              "processes for each block of environments (two blocks where transitions_per_step allows); 0: one for "
              "each core. "
              "Changes no bit",
          .minimum = 0,
          .maximum = 4096,
          .applies = {{"environment.name", {"gymnasium", "atari", "process"}},
                      {"algorithm.name", {"neural_ee_politex", "neural_politex", "dqn"}}},
          .part_of_run = false};
}

#undef POLITEX_SLOT

}  // namespace politex::lab
