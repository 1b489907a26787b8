// Logical environments as the neural learner sees them: in blocks of neighbours that one thread steps together, with
// observations as floats. Worlds of this program make blocks of any size; worlds outside it are what they are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/env/environment.hpp"
#include "politex/env/outside.hpp"
#include "politex/neural/observation_store.hpp"

namespace politex::neural {

/// Neighbouring logical environments [begin, end).
struct EnvironmentRange {
  int begin = 0, end = 0;
};

/// What every environment of a run is like.
struct WorldSpace {
  int inputs = 0, actions = 0;
  std::int64_t episode = 0;  // steps after which a clock cuts; 0: none
  bool bytes = false;        // observations are whole 255ths, 0 to 1
  Picture picture = {};

  Observation observation() const { return {inputs, bytes, picture}; }
};

/// Environments are numbered from 0 within the block. After an end an environment stands at a new start already; last()
/// shows how a truncated episode ended. Never called by two threads at once.
class WorldBlock {
 public:
  virtual ~WorldBlock() = default;
  virtual void observe(int which, std::span<float> into) const = 0;
  /// One step of environments first, first + 1, ..., one for each action.
  virtual void step(int first, std::span<const Action> actions, std::span<OutsideStep> into) = 0;
  virtual void last(int which, std::span<float> into) const = 0;

  /// False: save() writes nothing, and a restored run goes on from new starts.
  virtual bool can_save() const { return true; }
  virtual void save(int which, ByteWriter& to) const = 0;
  virtual void restore(int which, ByteReader& from) = 0;
};

/// Makes the blocks of a run.
struct BlockMaker {
  WorldSpace space;
  std::function<std::unique_ptr<WorldBlock>(EnvironmentRange)> make;
  int together = 0;   // environments of a block; 0: any number, and a range may be stepped in part
  bool spare = true;  // make() also gives a single environment beyond those of the run
  /// Where `together` > 0: blocks that stand for those which other ranks step (kept_worlds). Null: one process has all.
  std::function<std::unique_ptr<WorldBlock>(EnvironmentRange)> keep = {};
};

/// Any observable environment with a state that is plain data.
template <ObservableEnvironment E>
  requires std::is_trivially_copyable_v<typename E::State>
class WorldsOf final : public WorldBlock {
 public:
  WorldsOf(E rules, std::uint64_t seed, EnvironmentRange range) : rules_(std::move(rules)) {
    seen_.resize(static_cast<std::size_t>(rules_.observation_size()));
    for (int e = range.begin; e < range.end; ++e) {
      Rng rng(seed, Use::environment, static_cast<std::uint64_t>(e));
      const auto start = rules_.start(rng);
      places_.push_back({rng, start, start});
    }
  }
  void observe(int which, std::span<float> into) const override { show(at(which).state, into); }
  void last(int which, std::span<float> into) const override { show(at(which).last, into); }
  void step(int first, std::span<const Action> actions, std::span<OutsideStep> into) override {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      Place& place = places_[static_cast<std::size_t>(first) + i];
      into[i] = {};
      if constexpr (ClockedEnvironment<E>) {
        const Step moved = rules_.move(place.state, actions[i], place.rng);
        into[i] = {.cost = moved.cost,
                   .score = -moved.cost,
                   .terminated = moved.restarted,
                   .truncated = rules_.timed_out(place.state)};
        if (!into[i].truncated) continue;
        place.last = place.state;
        place.state = rules_.start(place.rng);
      } else {
        const Step moved = rules_.step(place.state, actions[i], place.rng);
        into[i] = {.cost = moved.cost, .score = -moved.cost, .terminated = moved.restarted};
      }
    }
  }
  void save(int which, ByteWriter& to) const override {
    to.put(at(which).state);
    to.put(at(which).rng.position());
  }
  void restore(int which, ByteReader& from) override {
    Place& place = places_[static_cast<std::size_t>(which)];
    from.get(place.state);
    place.rng.seek(from.get<std::uint64_t>());
  }

 private:
  struct Place {
    Rng rng;
    typename E::State state, last;
  };
  const Place& at(int which) const { return places_[static_cast<std::size_t>(which)]; }
  void show(const typename E::State& state, std::span<float> into) const {
    rules_.observe(state, seen_);
    for (std::size_t i = 0; i < seen_.size(); ++i) into[i] = static_cast<float>(seen_[i]);
  }

  E rules_;
  std::vector<Place> places_;
  mutable std::vector<double> seen_;
};

template <ObservableEnvironment E>
BlockMaker blocks_of(const E& rules, std::int64_t episode, std::uint64_t seed) {
  return {.space = {rules.observation_size(), rules.actions(), episode},
          .make = [=](EnvironmentRange range) -> std::unique_ptr<WorldBlock> {
            return std::make_unique<WorldsOf<E>>(rules, seed, range);
          }};
}

/// Environments outside this program. They are stepped all together and saved all together. Bytes are shown over 255,
/// the index of a state as a vector with a single 1.
class OutsideWorlds final : public WorldBlock {
 public:
  explicit OutsideWorlds(std::shared_ptr<OutsideBlock> block);
  void observe(int which, std::span<float> into) const override;
  void step(int first, std::span<const Action> actions, std::span<OutsideStep> into) override;
  void last(int which, std::span<float> into) const override;
  bool can_save() const override { return block_->can_save(); }
  /// The whole block stands with its first environment.
  void save(int which, ByteWriter& to) const override;
  void restore(int which, ByteReader& from) override;

 private:
  void prepare(std::span<float> seen) const;

  std::shared_ptr<OutsideBlock> block_;
  std::vector<Action> actions_;
  std::vector<OutsideStep> steps_;
};

/// Remembers where a block stands that another process steps, at first like `made`: save() writes what restore() was
/// given. `copy` reads what the block saved and writes it again.
std::unique_ptr<WorldBlock> kept_worlds(const WorldBlock& made, std::function<void(ByteReader&, ByteWriter&)> copy);

/// `make` gives the block of a range of `together` environments. How they are divided is part of the configuration: a
/// saved run goes on with the same blocks.
BlockMaker outside_blocks(const OutsideSpace& space, int together,
                          std::function<std::shared_ptr<OutsideBlock>(EnvironmentRange)> make);
/// All environments of a run in one block.
BlockMaker outside_blocks(std::shared_ptr<OutsideBlock> all);

}  // namespace politex::neural
