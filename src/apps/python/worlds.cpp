#include "worlds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/env/acrobot.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/env/cartpole_balance.hpp"
#include "politex/env/mountain_car.hpp"
#include "politex/env/table_environment.hpp"

namespace politex::python {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// What a state's observation does not tell. An acrobot wraps its angles one turn after the other: with rates or angles
// that it never has, such as 1e300, it would not be done.
bool in_range(const auto&) { return true; }
bool in_range(const Acrobot::State& state) {
  return std::abs(state.angle) < 4.0 && std::abs(state.elbow) < 4.0 && std::abs(state.angle_rate) < 13.0 &&
         std::abs(state.elbow_rate) < 29.0;
}

template <Environment World>
class Block final : public Worlds {
 public:
  Block(World world, int count_given, Autoreset autoreset, std::vector<Range> ranges_given)
      : Worlds(count_given, world.actions(), number_of_states(world), size_of(world), std::move(ranges_given)),
        world_(std::move(world)),
        autoreset_(autoreset),
        each_(at(count_given)) {}

  void seed(int which, std::uint64_t seed) override {
    each_[at(which)].seed = seed;
    each_[at(which)].rng = Rng{seed, Use::environment};
  }

  void reset(int which) override {
    One& one = each_[at(which)];
    one.state = world_.start(one.rng);
    one.phase = Phase::playing;
    show(which);
  }

  void step(std::span<const std::int64_t> given) override {
    check_all(given);
    for (int i = 0; i < count; ++i) {
      One& one = each_[at(i)];
      rewards[at(i)] = 0.0;
      truncated[at(i)] = restarted[at(i)] = 0;
      if (one.phase == Phase::cut)
        reset(i);
      else
        move(i, one, static_cast<Action>(given[at(i)]));
    }
  }

  void save(ByteWriter& to) const override {
    to.put(count);
    to.put(actions);
    to.put(states);
    to.put(observation_size);
    for (const One& one : each_) {
      to.put(one.state);
      to.put(one.seed);
      to.put(one.rng.position());
      to.put(one.phase);
    }
  }

  void restore(ByteReader& from) override {
    for (const int expected : {count, actions, states, observation_size})
      if (from.get<int>() != expected) throw Error("the saved state belongs to other environments");
    std::vector<One> each(each_.size());
    for (One& one : each) {
      from.get(one.state);
      from.get(one.seed);
      one.rng = Rng{one.seed, Use::environment};
      one.rng.seek(from.get<std::uint64_t>());
      const auto phase = from.get<std::uint8_t>();
      if (phase > 2 || !sound(one.state)) throw Error("the saved state is damaged");
      one.phase = static_cast<Phase>(phase);
    }
    if (!from.empty()) throw Error("the saved state is too long for these environments");
    each_ = std::move(each);
    std::ranges::fill(rewards, 0.0);
    for (int i = 0; i < count; ++i) {
      truncated[at(i)] = each_[at(i)].phase == Phase::cut;
      restarted[at(i)] = 0;
      if (each_[at(i)].phase != Phase::unborn) show(i);
    }
  }

 private:
  using State = typename World::State;
  static_assert(std::is_trivially_copyable_v<State>);
  enum class Phase : std::uint8_t { unborn, playing, cut };
  struct One {
    State state{};
    std::uint64_t seed = 0;
    Rng rng{0, Use::environment};
    Phase phase = Phase::unborn;
  };

  static int number_of_states(const World& world) {
    if constexpr (FiniteEnvironment<World>) return world.states();
    return 0;
  }
  static int size_of(const World& world) {
    if constexpr (ObservableEnvironment<World>) return world.observation_size();
    return 0;
  }

  // Before anything moves: a refused step changes nothing.
  void check_all(std::span<const std::int64_t> given) const {
    if (given.size() != each_.size())
      throw ConfigError{"actions",
                        fmt::format("there are {}; accepted: one per environment ({})", given.size(), count)};
    for (int i = 0; i < count; ++i) {
      if (given[at(i)] < 0 || given[at(i)] >= actions)
        throw ConfigError{"action", fmt::format("{} is not accepted; accepted: 0 to {}", given[at(i)], actions - 1)};
      const Phase phase = each_[at(i)].phase;
      if (phase == Phase::unborn) throw Error("step: not started yet; call reset() first");
      if (phase == Phase::cut && autoreset_ == Autoreset::disabled)
        throw Error("step: the time limit ended the episode (truncated); call reset() first");
    }
  }

  void move(int i, One& one, Action action) {
    if constexpr (TimeLimitedEnvironment<World>) {
      const Step step = world_.move(one.state, action, one.rng);
      rewards[at(i)] = 0.0 - step.cost;
      restarted[at(i)] = step.restarted;
      if (world_.timed_out(one.state)) cut(i, one);
    } else {
      const Step step = world_.step(one.state, action, one.rng);
      rewards[at(i)] = 0.0 - step.cost;
      restarted[at(i)] = step.restarted;
    }
    show(i);
  }

  void cut(int i, One& one) {
    truncated[at(i)] = 1;
    if (autoreset_ == Autoreset::same_step) {
      if constexpr (ObservableEnvironment<World>) world_.observe(one.state, row(finals, i));
      one.state = world_.start(one.rng);
    } else {
      one.phase = Phase::cut;
    }
  }

  std::span<double> row(std::vector<double>& all, int i) {
    return std::span(all).subspan(at(i) * at(observation_size), at(observation_size));
  }
  void show(int i) {
    if constexpr (FiniteEnvironment<World>)
      indices[at(i)] = world_.index(each_[at(i)].state);
    else
      world_.observe(each_[at(i)].state, row(observations, i));
  }

  bool sound(const State& state) const {
    if constexpr (std::is_same_v<State, int>) return state >= 0 && state < states;
    if constexpr (requires { state.clock; })
      if (state.clock < 0 || state.clock > 1'000'000'000) return false;
    if (!in_range(state)) return false;
    if constexpr (ObservableEnvironment<World>) {
      std::vector<double> seen(at(observation_size));
      world_.observe(state, seen);
      return std::ranges::all_of(seen, [](double value) { return std::isfinite(value); });
    }
    return true;
  }

  World world_;
  Autoreset autoreset_;
  std::vector<One> each_;
};

template <auto from>
std::unique_ptr<Worlds> make(const Values& values, int count, Autoreset autoreset) {
  auto environment = from(values);
  auto ranges = environment.space().ranges;
  return std::make_unique<Block<decltype(environment)>>(std::move(environment), count, autoreset, std::move(ranges));
}

/// Environments whose states are not finite. EnvironmentBlock is not enough for Gymnasium: it has no reset in the
/// middle of an episode, and no check of a saved state that comes from anywhere.
struct Maker {
  const EnvironmentEntry& (*entry)();
  std::unique_ptr<Worlds> (*make)(const Values&, int, Autoreset);
};
constexpr Maker makers[] = {{cartpole_entry, make<cartpole_from>},
                            {cartpole_balance_entry, make<cartpole_balance_from>},
                            {mountain_car_entry, make<mountain_car_from>},
                            {acrobot_entry, make<acrobot_from>}};

}  // namespace

Worlds::Worlds(int count_given, int actions_given, int states_given, int size, std::vector<Range> ranges_given)
    : count(count_given),
      actions(actions_given),
      states(states_given),
      observation_size(size),
      ranges(std::move(ranges_given)),
      indices(states_given > 0 ? at(count_given) : 0),
      observations(at(count_given) * at(size)),
      finals(observations.size()),
      rewards(at(count_given)),
      truncated(at(count_given)),
      restarted(at(count_given)) {}

std::unique_ptr<Worlds> make_worlds(const FiniteModel& model, int count, Autoreset autoreset) {
  return std::make_unique<Block<TableEnvironment>>(TableEnvironment(model), count, autoreset, std::vector<Range>{});
}

std::unique_ptr<Worlds> make_worlds(const EnvironmentEntry& entry, const Values& values, int count,
                                    Autoreset autoreset) {
  for (const auto& [entry_of, make] : makers)
    if (&entry_of() == &entry) return make(values, count, autoreset);
  throw ConfigError{"environment.name", fmt::format("\"{}\" cannot be stepped from Python; accepted: a name of "
                                                    "politex.environments.names()",
                                                    entry.name)};
}

}  // namespace politex::python
