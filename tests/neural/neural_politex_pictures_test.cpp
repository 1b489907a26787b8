// A short run of the network for pictures.
#include "politex/neural/neural_politex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/network/convolutions.hpp"

namespace politex::neural {
namespace {

/// A white bar on a screen of 36 x 36, the last two frames; it pays on the left.
class Bars final : public EnvironmentBlock {
 public:
  explicit Bars(int count) : places_(static_cast<std::size_t>(count), {9, 9}) {
    space_.name = "bars";
    space_.actions = 3;
    space_.ranges.assign(2 * 36 * 36, {0, 255});
    space_.bytes = true;
    space_.channels = 2;
    space_.height = space_.width = 36;
  }
  const Space& space() const override { return space_; }
  int count() const override { return static_cast<int>(places_.size()); }
  void step(int, std::span<const Action> actions, std::span<StepResult> into) override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      auto& [before, now] = places_[i];
      before = now;
      now = std::clamp(now + 4 * (actions[i] - 1), 0, 35);
      into[i] = {.cost = now / 35.0, .score = -now / 35.0, .lost_life = now == 35};
    }
  }
  void observe(int which, std::span<float> into) const override {
    const auto& [before, now] = places_[static_cast<std::size_t>(which)];
    for (int k = 0; k < 2 * 36 * 36; ++k)
      into[static_cast<std::size_t>(k)] = k % 36 == (k < 36 * 36 ? before : now) ? 255.0F : 0.0F;
  }
  void observe(int, std::span<double>) const override {}
  void last(int, std::span<double>) const override {}
  void last(int, std::span<float>) const override {}
  bool can_save() const override { return true; }
  void save(int which, ByteWriter& to) const override {
    if (which != 0) return;
    for (const auto& [before, now] : places_) {
      to.put(before);
      to.put(now);
    }
  }
  void restore(int which, ByteReader& from) override {
    if (which != 0) return;
    for (auto& [before, now] : places_) {
      from.get(before);
      from.get(now);
    }
  }

 private:
  Space space_;
  std::vector<std::pair<int, int>> places_;
};

TEST(NeuralPolitex, OnPicturesGivesTheSameBitsOnThreadsAndAfterAResume) {
  Settings s;
  s.steps = 400;
  s.hidden = {16};
  s.nature = true;
  s.replay = 100;
  s.n_step = 2;
  s.phase_steps = 20;
  s.transitions_per_step = 4;
  s.learner.batch = 4;
  s.learner.discount = 0.9;
  s.policy.ring = 2;
  s.actors.environments = 4;
  const auto made = [&] {
    return std::make_unique<NeuralPolitex>(s, external_blocks(std::make_shared<Bars>(4)), nullptr);
  };
  const auto run = [](NeuralPolitex& agent) {
    while (!agent.done()) agent.advance();
    EXPECT_TRUE(std::isfinite(agent.learner().take_means().loss));
    return agent.signature();
  };
  const std::string expected = run(*made());
  s.actors.threads = 2;
  EXPECT_EQ(run(*made()), expected);
  const auto first = made();
  for (int i = 0; i < 3; ++i) first->advance();
  ASSERT_FALSE(first->done());
  ByteWriter bytes;
  first->save(bytes);
  const auto second = made();
  ByteReader reader(bytes.bytes());
  second->restore(reader);
  EXPECT_EQ(run(*second), expected);
}

}  // namespace
}  // namespace politex::neural
