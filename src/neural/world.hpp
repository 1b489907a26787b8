// One logical environment as the neural learner sees it: observations as floats, and the last observation of a
// truncated episode before it is replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/env/environment.hpp"

namespace politex::neural {

struct Moved {
  double cost = 0.0;
  bool truncated = false;  // cut by a clock: observe() still shows the last state, restart() goes on
  bool restarted = false;  // by the rules of the world: observe() shows the new start
};

class World {
 public:
  virtual ~World() = default;
  virtual int actions() const = 0;
  virtual int observation_size() const = 0;
  /// Steps after which a clock cuts; 0: none.
  virtual std::int64_t episode() const = 0;
  virtual void observe(std::span<float> into) const = 0;
  virtual Moved step(Action action) = 0;
  virtual void restart() = 0;
  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
};

/// Any observable environment with a state that is plain data.
template <ObservableEnvironment E>
  requires std::is_trivially_copyable_v<typename E::State>
class WorldOf final : public World {
 public:
  WorldOf(E rules, std::int64_t episode, const Rng& rng)
      : rules_(std::move(rules)), episode_(episode), rng_(rng), state_(rules_.start(rng_)) {
    seen_.resize(static_cast<std::size_t>(rules_.observation_size()));
  }
  int actions() const override { return rules_.actions(); }
  int observation_size() const override { return rules_.observation_size(); }
  std::int64_t episode() const override { return episode_; }
  void observe(std::span<float> into) const override {
    rules_.observe(state_, seen_);
    for (std::size_t i = 0; i < seen_.size(); ++i) into[i] = static_cast<float>(seen_[i]);
  }
  Moved step(Action action) override {
    if constexpr (ClockedEnvironment<E>) {
      const Step moved = rules_.move(state_, action, rng_);
      return {moved.cost, rules_.timed_out(state_), moved.restarted};
    } else {
      const Step moved = rules_.step(state_, action, rng_);
      return {moved.cost, false, moved.restarted};
    }
  }
  void restart() override { state_ = rules_.start(rng_); }
  void save(ByteWriter& to) const override {
    to.put(state_);
    to.put(rng_.position());
  }
  void restore(ByteReader& from) override {
    from.get(state_);
    rng_.seek(from.get<std::uint64_t>());
  }

 private:
  E rules_;
  std::int64_t episode_;
  Rng rng_;
  typename E::State state_;
  mutable std::vector<double> seen_;
};

/// Makes logical environment number `index` of a run.
using WorldMaker = std::function<std::unique_ptr<World>(int index)>;

}  // namespace politex::neural
