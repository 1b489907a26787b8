#include "politex/baselines/mdp_exp2.hpp"

#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"
#include "politex/baselines/step_collector.hpp"
#include "politex/solvers/solver_options.hpp"

namespace politex::inline baselines {

MdpExp2::MdpExp2(const FeatureStructure& structure, int actions, const Options& options, const CostScale& scale)
    : options_(options),
      scale_(scale),
      actions_(actions),
      replicated_(structure.blocks == actions),
      weights_(static_cast<std::size_t>(structure.dimension()), 0.0),
      equations_(structure),
      q_(static_cast<std::size_t>(actions)),
      p_(q_.size()),
      solved_(weights_.size()) {
  features_.actions = actions;
}

Action MdpExp2::act(const Place& here, Rng& rng) {
  for (Action a = 0; a < actions_; ++a)
    q_[static_cast<std::size_t>(a)] = here.features->dot(here.slot * actions_ + a, weights_);
  rule().probabilities(q_, p_);
  double left = rng.uniform();
  std::size_t a = 0;
  while (a + 1 < p_.size() && left >= p_[a]) left -= p_[a++];
  const auto action = static_cast<Action>(a);
  if (at_ == options_.window) {
    features_.replicated = here.features->replicated;
    features_.rows.columns = here.features->rows.columns;
    append_state(*here.features, here.slot, features_.rows);
    probabilities_.insert(probabilities_.end(), p_.begin(), p_.end());
    taken_.push_back(action);
  }
  return action;
}

void MdpExp2::observe(const Place& /*here*/, Action /*action*/, double cost, const Place& /*next*/) {
  if (at_ >= options_.window) sum_ += 1.0 - scale_(cost);
  if (++at_ < 2 * options_.window) return;
  returns_.push_back(sum_);
  at_ = 0;
  sum_ = 0.0;
  if (static_cast<std::int64_t>(returns_.size()) == options_.pieces) learn();
}

void MdpExp2::interrupt() {
  if (taken_.size() > returns_.size()) {
    taken_.pop_back();
    probabilities_.resize(taken_.size() * q_.size());
    const std::size_t rows = taken_.size() * (features_.replicated ? 1 : q_.size());
    features_.rows.first.resize(rows + 1);
    features_.rows.index.resize(static_cast<std::size_t>(features_.rows.first.back()));
    features_.rows.value.resize(features_.rows.index.size());
  }
  at_ = 0;
  sum_ = 0.0;
}

void MdpExp2::learn() {
  equations_.reset();
  for (std::size_t piece = 0; piece < returns_.size(); ++piece)
    for (std::size_t a = 0; a < q_.size(); ++a) {
      const bool taken = taken_[piece] == static_cast<std::int32_t>(a);
      equations_.add(features_.row(static_cast<int>(piece * q_.size() + a)), probabilities_[piece * q_.size() + a],
                     taken ? returns_[piece] : 0.0);
    }
  equations_.solve(options_.ridge, solved_);
  for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] -= solved_[k];
  features_.rows.first.resize(1);
  features_.rows.index.clear();
  features_.rows.value.clear();
  probabilities_.clear();
  taken_.clear();
  returns_.clear();
}

void MdpExp2::save(ByteWriter& to) const {
  to.put(weights_);
  to.put(at_);
  to.put(sum_);
  to.put(features_.replicated);
  to.put(features_.rows.first);
  to.put(features_.rows.index);
  to.put(features_.rows.value);
  to.put(probabilities_);
  to.put(taken_);
  to.put(returns_);
}

void MdpExp2::restore(ByteReader& from) {
  const std::size_t dimension = weights_.size();
  from.get_again(weights_, "weights");
  from.get_within(at_, 0, 2 * options_.window - 1, "the piece");
  from.get_finite(sum_, "the piece");
  from.get(features_.replicated);
  from.get(features_.rows.first);
  from.get(features_.rows.index);
  from.get(features_.rows.value);
  from.get(probabilities_);
  from.get(taken_);
  check_saved(at_ <= options_.window || !taken_.empty(), "pieces");
  from.get_sized(returns_, taken_.size() - (at_ > options_.window ? 1 : 0), "pieces");
  features_.rows.columns = static_cast<int>(dimension) / (features_.replicated ? actions_ : 1);
  check_saved(taken_.empty() || features_.replicated == replicated_, "features of the pieces");
  check_saved(are_rows(features_.rows, taken_.size() * (features_.replicated ? 1 : q_.size())),
              "features of the pieces");
  check_saved(probabilities_.size() == taken_.size() * q_.size() && are_distributions(probabilities_, q_.size()) &&
                  all_within(taken_, 0, actions_) && static_cast<std::int64_t>(taken_.size()) <= options_.pieces,
              "pieces");
}

namespace {

Keys mdp_exp2_keys() {
  using O = MdpExp2Options;
  return Keys{key<&O::window>("algorithm.window", "N, costs in a return", whole(1, 1'000'000)),
              key<&O::pieces>("algorithm.pieces", "returns per update, each from 2 N steps", whole(1, 10'000'000)),
              key<&O::rate>("algorithm.policy_rate", "step size of the policy, for costs scaled to [0, 1]",
                            number_above(0)),
              key<&O::ridge>("algorithm.ridge", "ridge of the least squares", number_above_or(0, {}))} +
         block_keys();
}

}  // namespace

const LearnerEntry& mdp_exp2_entry() {
  static const LearnerEntry entry{
      .name = "mdp_exp2",
      .help = "MDP-EXP2 (Wei et al. 2021): exponential weights on least-squares returns, any features",
      .keys = mdp_exp2_keys(),
      .presets = {{"schedule.kind", "anytime"}},
      .check = check_blocks,
      .play = [](const Values& values, StepParts&& parts) {
        check_dense_memory(parts.structure, false);
        MdpExp2 learner(parts.structure, parts.actions, read<MdpExp2Options>(mdp_exp2_keys(), values),
                        cost_scale(parts, mdp_exp2_entry()));
        return make_step_collector(std::move(parts), std::move(learner));
      }};
  return entry;
}

}  // namespace politex::inline baselines
