// The learning part of the novelty explorer: deep Q-learning on the bonuses of random network distillation. It is given
// moves and never a cost, by its types. It learns on the learner's thread, one step per learner step, so
// that its bits do not depend on threads and ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/rng.hpp"
#include "politex/network/adam.hpp"
#include "politex/network/network.hpp"
#include "politex/neural/distillation.hpp"
#include "politex/neural/novelty_explorer.hpp"
#include "politex/replay/moves.hpp"

namespace politex::neural {

class Novelty {
 public:
  /// `learner` is the shape of the learner's networks, whose inputs it shares. Throws ConfigError when an option is out
  /// of range.
  Novelty(const NoveltyOptions& options, const Space& space, const Shape& learner, int batch, std::uint64_t seed);

  /// The explorer as it acts until the next renew().
  const std::shared_ptr<NoveltyExplorer>& explorer() const noexcept { return explorer_; }

  /// The windows to learn from next, of the first `size` of the replay. The caller fills in the rest of the batch.
  MoveBatch& draw(std::int64_t size);
  /// One step on that batch. Throws Error when the loss is not finite.
  void learn();
  /// The explorer acts by what was learned so far. Only while no thread acts.
  void renew();

  std::int64_t updates() const noexcept { return updates_; }
  const DuelingNetwork& network() const noexcept { return network_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  NoveltyOptions options_;
  NoveltyShapes shapes_;
  std::shared_ptr<NoveltyExplorer> explorer_;
  DuelingNetwork network_, target_;
  Adam adam_;
  Distillation distillation_;
  Rng rng_;
  std::int64_t updates_ = 0;

  MoveBatch moves_;
  Floats gradient_, values_, next_values_, chooser_values_, slope_;
  std::vector<float> factors_;  // discount to the power of the length
  Tape tape_, next_tape_;
};

}  // namespace politex::neural
