#include "politex/neural/experience.hpp"

namespace politex::neural {

Experience::Experience(const Settings& settings, const Space& space)
    : transform_(settings.transform),
      cost_scale_(cost_scale(settings)),
      replay_(settings.replay, input_of(space), space.actions) {
  windows_.assign(
      static_cast<std::size_t>(settings.actors.environments),
      WindowMaker(input_of(space).inputs, value_factor(settings.learner), settings.n_step, settings.n_step_explorer));
}

void Experience::store(std::int64_t number, const Transition& t, std::uint32_t phase, NetworkLearner& learner) {
  const auto keep = [&](const Window& window, std::span<const float> policy) {
    learner.added(replay_.add(window, policy, phase));
  };
  WindowMaker& windows = windows_[static_cast<std::size_t>(number) % windows_.size()];
  windows.step(t.state, t.policy, t.action, t.exploring ? 0 : static_cast<int>(phase), t.exploring,
               cost_scale_ * transformed(transform_, static_cast<double>(t.cost)), keep);
  if (t.lost_life)
    windows.terminate(t.state, t.policy, keep);
  else if (t.truncated)
    windows.truncate(t.last, t.last_policy, keep);
}

void Experience::save_windows(ByteWriter& to) const {
  for (const WindowMaker& windows : windows_) windows.save(to);
}

void Experience::restore_windows(ByteReader& from) {
  for (WindowMaker& windows : windows_) windows.restore(from, replay_.actions());
}

void Experience::forget_windows() {
  for (WindowMaker& windows : windows_) windows.forget();
}

}  // namespace politex::neural
