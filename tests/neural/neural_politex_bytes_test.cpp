// A run on observations of bytes.
#include "politex/neural/neural_politex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

/// A walker on a ring of 40 places, shown as 30 bytes of which few change; one place pays.
class ByteWalks final : public EnvironmentBlock {
 public:
  explicit ByteWalks(int count) : places_(static_cast<std::size_t>(count)) {
    space_.name = "walks";
    space_.actions = 3;
    space_.ranges.assign(30, {0, 255});
    space_.bytes = true;
  }
  const Space& space() const override { return space_; }
  int count() const override { return static_cast<int>(places_.size()); }
  void step(int, std::span<const Action> actions, std::span<StepResult> into) override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      places_[i] = (places_[i] + actions[i] + 39) % 40;
      const double cost = places_[i] == 20 ? -1.0 : 0.0;
      into[i] = {.cost = cost, .score = -cost, .lost_life = places_[i] == 21};
    }
  }
  void observe(int which, std::span<float> into) const override {
    const int place = places_[static_cast<std::size_t>(which)];
    for (int k = 0; k < 30; ++k) into[static_cast<std::size_t>(k)] = k == place % 30 ? 255.0F : static_cast<float>(k);
    into[0] = static_cast<float>(place);
  }
  void observe(int, std::span<double>) const override {}
  void last(int, std::span<double>) const override {}
  void last(int, std::span<float>) const override {}
  bool can_save() const override { return true; }
  void save(int which, ByteWriter& to) const override {
    if (which == 0) to.put(places_);
  }
  void restore(int which, ByteReader& from) override {
    if (which == 0) from.get(places_);
  }

 private:
  Space space_;
  std::vector<int> places_;
};

TEST(NeuralPolitex, OnBytesGivesTheSameBitsOnThreadsAndAfterAResume) {
  Settings s;
  s.steps = 6'000;
  s.hidden = {32};
  s.replay = 2'000;
  s.phase_scale = 8;
  s.learner.batch = 16;
  s.policy.ring = 3;
  s.actors.environments = 4;
  const auto made = [&] {
    return std::make_unique<NeuralPolitex>(s, external_blocks(std::make_shared<ByteWalks>(4)), nullptr);
  };
  const auto run = [](NeuralPolitex& agent) {
    while (!agent.done()) agent.advance();
    return agent.signature();
  };
  const std::string expected = run(*made());
  s.actors.threads = 2;
  EXPECT_EQ(run(*made()), expected);
  const auto first = made();
  first->advance();
  first->advance();
  ASSERT_FALSE(first->done());
  ByteWriter bytes;
  first->save(bytes);
  const auto second = made();
  ByteReader reader(bytes.bytes());
  second->restore(reader);
  EXPECT_EQ(run(*second), expected);
  EXPECT_EQ(run(*first), expected);  // it kept its sums of earlier networks, which are of no use now
}

}  // namespace
}  // namespace politex::neural
