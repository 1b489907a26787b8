// The options of the neural learners, with their keys and entries.
#pragma once

#include "politex/base/length.hpp"
#include "politex/neural/settings.hpp"
#include "politex/value/learner_entry.hpp"

namespace politex::neural {

struct NeuralOptions {
  enum class NetworkKind { mlp, nature };
  enum class ReplayKind { uniform, prioritised };
  Settings settings;
  NetworkKind network = NetworkKind::mlp;
  int hidden = 512, layers = 1;
  ReplayKind replay = ReplayKind::uniform;
  int threads = -1;  // that act, in addition to the learner's; -1: the cores that are left
  Length explore = {.constant = 0, .numerator = 1, .denominator = 2};
};

const LearnerEntry& neural_ee_politex_entry();
const LearnerEntry& neural_politex_entry();
const LearnerEntry& dqn_entry();

/// The settings that these options mean; `size` is the N of lengths, and `cores` those that may be used.
Settings settings_from(const NeuralOptions& options, int size, int cores);

}  // namespace politex::neural
