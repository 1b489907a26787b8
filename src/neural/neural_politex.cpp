// The appendix's algorithm, "Neural network experiment setup", and where its sentences are:
//
//   for phase i := 1, 2, ...
//     The actors play mini-phases: pi_e for s' = 1000 steps, then pi_i         mini_phase.cpp, act()
//       pi_i: Boltzmann in the weighted sum of the ring's Q-networks,          ring_policy.cpp, boltzmann()
//       with the step size of SOLO FTRL at every state                         solo.cpp, solo_norm()
//     Every 16 game steps, the learner
//       stores them in the replay memory as n-step windows                     experience.cpp, store()
//       takes one step on a batch of 128                                       network_learner.cpp, step()
//       and one of an explorer that learns (not in the paper)                  novelty.cpp, learn()
//     After 100 sqrt(all learner steps) learner steps the phase ends:          phase_plan.cpp, phase_length()
//       the network is copied into the ring of 10                              end_phase(), below
//
// pi_i is frozen within a phase, so that actors run ahead on other threads (actors.cpp) and on other machines
// (remote.cpp) without changing a bit.
#include "politex/neural/neural_politex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

// Learner steps per chunk: few enough to keep the observations of a chunk small, and to renew an explorer that learns.
std::int64_t chunk_of(const Settings& settings, const Space& space, const Novelty* novelty) {
  constexpr std::int64_t numbers = 16'000'000;
  std::int64_t most = 512;
  if (novelty != nullptr) most = std::min(most, novelty->explorer()->options().renew / settings.transitions_per_step);
  return std::clamp<std::int64_t>(numbers / settings.transitions_per_step / input_of(space).inputs, 1,
                                  std::max<std::int64_t>(most, 1));
}

std::unique_ptr<Novelty> novelty_of(const Explorer* explorer, const Settings& settings, const Space& space) {
  const auto* learned = dynamic_cast<const NoveltyExplorer*>(explorer);
  if (learned == nullptr) return nullptr;
  return std::make_unique<Novelty>(learned->options(), space, shape_of(settings, space), settings.learner.batch,
                                   settings.seed);
}

std::shared_ptr<const Explorer> acting_explorer(const Novelty* novelty, std::shared_ptr<const Explorer> given) {
  return novelty != nullptr ? novelty->explorer() : std::move(given);
}

}  // namespace

NeuralPolitex::NeuralPolitex(const Settings& settings, const BlockMaker& maker,
                             std::shared_ptr<const Explorer> explorer, Fleet* fleet)
    : settings_(checked(settings, maker, fleet)),
      novelty_(novelty_of(explorer.get(), settings_, maker.space)),
      acting_(settings_, maker, acting_explorer(novelty_.get(), std::move(explorer)), fleet),
      experience_(settings_, acting_.space()),
      learner_(shape_of(settings_, acting_.space()), settings_.learner, experience_.replay(), settings_.seed),
      ring_(learner_.network().shape(), settings_.policy),
      phase_(settings_, acting_.space().time_limit),
      ledger_(settings_.steps, settings_.actors.environments),
      chunk_(chunk_of(settings_, acting_.space(), novelty_.get())) {
  experience_.replay().begin_phase();
}

void NeuralPolitex::advance() {
  const std::int64_t last = chunk_end();
  try {
    begin_chunk(last);  // the actors run ahead from here
    learn(last);
  } catch (...) {
    acting_.finish();
    throw;
  }
  acting_.finish();
  const bool whole = phase_.done() % chunk_ == 0 && last % settings_.transitions_per_step == 0;
  if (phase_.ended() || whole) {
    signature_.end_chunk();
    if (novelty_) novelty_->renew();
  }
  if (phase_.ended()) end_phase();
}

void NeuralPolitex::learn(std::int64_t last) {
  const std::int64_t per_step = settings_.transitions_per_step;
  while (steps_done_ < last) {
    const std::int64_t seen = std::min(steps_done_ - steps_done_ % per_step + per_step, last);
    acting_.wait_for(seen);
    for (std::int64_t number = steps_done_; number < seen; ++number) store(number);
    steps_done_ = seen;
    if (seen % per_step != 0) return;  // the run ends within a learner step
    if (learner_.ready()) {
      learner_.step(ring_.policy(), static_cast<std::uint32_t>(phase_.number()));
      if (novelty_) teach_explorer();
    }
    phase_.count();
  }
}

void NeuralPolitex::teach_explorer() {
  experience_.replay().gather(novelty_->draw(experience_.replay().size()));
  novelty_->learn();
}

void NeuralPolitex::store(std::int64_t number) {
  const Transition t = acting_.transition(number);
  if (t.skipped) return;  // the environment only restarted
  experience_.store(number, t, static_cast<std::uint32_t>(phase_.number()), learner_);
  ledger_.add(number, t);
  signature_.add(t);
}

void NeuralPolitex::end_phase() {
  ring_.push(learner_.network(), static_cast<double>(phase_.length()));
  signature_.add_network(learner_.network().parameters());
  phase_.next();
  acting_.end_phase();
  experience_.replay().begin_phase();  // its policies are stale now
}

// A run that was extended may begin within a learner step, or within a chunk.
std::int64_t NeuralPolitex::chunk_end() const noexcept {
  const std::int64_t per_step = settings_.transitions_per_step;
  const std::int64_t left = std::min(phase_.length() - phase_.done(), chunk_ - phase_.done() % chunk_);
  return std::min(settings_.steps, steps_done_ - steps_done_ % per_step + per_step * left);
}

void NeuralPolitex::begin_chunk(std::int64_t last) {
  const std::int64_t per_step = settings_.transitions_per_step;
  const bool needs_policies = settings_.learner.target != LearnerSettings::Target::max;
  const std::int64_t end = std::min(settings_.steps, steps_done_ + per_step * (phase_.length() - phase_.done()));
  acting_.begin({.first = steps_done_,
                 .last = last,
                 .end = novelty_ ? last : end,  // the explorer is another one in the next chunk
                 .chunk = per_step * chunk_,
                 .replay = needs_policies ? &experience_.replay() : nullptr},
                phase_, ring_);
}

void NeuralPolitex::extend(std::int64_t steps) {
  if (steps < steps_done_) throw Error(fmt::format("a run of {} steps cannot be shortened to {}", steps_done_, steps));
  settings_.steps = steps;
  ledger_.extend(steps, steps_done_);
}

void NeuralPolitex::save(ByteWriter& to) const {
  acting_.save(to);
  experience_.replay().save(to);
  learner_.save(to);
  ring_.save(to);
  experience_.save_windows(to);
  ledger_.save_running(to);
  to.put(steps_done_);
  phase_.save(to);
  ledger_.save(to);
  signature_.save(to);
  if (novelty_) novelty_->save(to);
}

void NeuralPolitex::restore(ByteReader& from) {
  acting_.restore(from);
  experience_.replay().restore(from);
  learner_.restore(from);
  ring_.restore(from);
  experience_.restore_windows(from);
  ledger_.restore_running(from);
  if (!acting_.can_save()) {  // the environments are at new starts
    experience_.forget_windows();
    ledger_.forget_running();
  }
  from.get_count(steps_done_, "steps");
  phase_.restore(from);
  ledger_.restore(from);
  const EpisodeCosts& costs = ledger_.costs();
  if (phase_.learner_steps() != steps_done_ / settings_.transitions_per_step ||
      costs.policy_steps + costs.explorer_steps > steps_done_)
    throw DamagedState("steps");
  signature_.restore(from);
  if (novelty_) novelty_->restore(from);
}

}  // namespace politex::neural
