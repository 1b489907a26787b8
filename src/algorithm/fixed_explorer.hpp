// An exploration policy that does not learn, where the schedule decides which rollouts explore.
#pragma once

#include <memory>
#include <utility>

#include "politex/algorithm/learning_explorer.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline algorithm {

/// Its segments end by their length, and its probes are uniformly random.
class FixedExplorer final : public LearningExplorer {
 public:
  FixedExplorer(std::shared_ptr<const Explorer> explorer, int actions, int features)
      : explorer_(std::move(explorer)), actions_(actions), features_(features) {}
  void observe(const Trace&) override {}
  std::optional<Action> act(const Here& here, Rng& rng) override {
    return explorer_->act(here.observation, memory_, rng);
  }
  Coverage coverage() const override { return {.known = 0, .untried = 0, .features = features_}; }
  void save(ByteWriter& to) const override { to.put(memory_); }
  void restore(ByteReader& from) override { get_memory(from, memory_, actions_); }

 private:
  std::shared_ptr<const Explorer> explorer_;
  int actions_;
  std::int64_t features_;
  ExplorerMemory memory_;
};

}  // namespace politex::inline algorithm
