// The transitions of a chunk, a part of a phase. Transition number g of a run is step g / environments of logical
// environment g % environments, so that every writer knows its place. Acting threads write different transitions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/network/lanes.hpp"
#include "politex/neural/blocks.hpp"
#include "politex/neural/transition.hpp"

namespace politex::neural {

class Chunk {
 public:
  Chunk(int environments, int inputs, int actions);

  /// Makes it the transitions [first, last) of the run. The memory only grows.
  void begin(std::int64_t first, std::int64_t last);
  /// The first round (one step of every environment) that is not complete before the chunk, and the end of the last.
  std::int64_t first_round() const noexcept { return first_ / environments_; }
  std::int64_t end_round() const noexcept { return (last_ + environments_ - 1) / environments_; }
  /// The environments of `range` whose step of this round is in the chunk: the first and last round may be in part.
  EnvironmentRange inside(EnvironmentRange range, std::int64_t round) const noexcept;
  /// The place of a transition in the memory below.
  std::size_t place(std::int64_t round, int environment) const noexcept {
    return static_cast<std::size_t>(round * environments_ + environment - first_);
  }

  std::span<float> state(std::size_t at) noexcept { return part(states_, at, inputs_); }
  std::span<float> policy(std::size_t at) noexcept { return part(policies_, at, actions_); }
  std::span<float> last(std::size_t at) noexcept { return part(lasts_, at, inputs_); }
  std::span<float> last_policy(std::size_t at) noexcept { return part(last_policies_, at, actions_); }
  void record(std::size_t at, Action action, bool exploring, const StepResult& step) noexcept;

  /// By its number in the run.
  Transition transition(std::int64_t number) const;

  /// The transitions of these environments in rounds [from, to) of the run that are in the chunk.
  void pack(EnvironmentRange range, std::int64_t from, std::int64_t to, ByteWriter& into) const;
  void unpack(EnvironmentRange range, std::int64_t from, std::int64_t to, ByteReader& packed);

 private:
  static std::span<float> part(Floats& all, std::size_t at, std::size_t width) noexcept {
    return std::span(all).subspan(at * width, width);
  }
  /// Calls visit(place) for every transition that pack() writes.
  template <class Visit>
  void for_each_place(EnvironmentRange range, std::int64_t from, std::int64_t to, Visit&& visit) const;

  std::int64_t environments_;
  std::size_t inputs_, actions_;
  std::int64_t first_ = 0, last_ = 0;
  Floats states_, policies_, lasts_, last_policies_;
  std::vector<float> costs_, scores_;
  std::vector<std::uint16_t> taken_;
  std::vector<std::uint8_t> flags_;
};

}  // namespace politex::neural
