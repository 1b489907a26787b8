#include "politex/neural/chunk.hpp"

#include <algorithm>

namespace politex::neural {
namespace {

enum Flag : std::uint8_t {
  exploring_flag = 1,
  truncated_flag = 2,
  terminated_flag = 4,
  skipped_flag = 8,
  lost_life_flag = 16
};

}  // namespace

Chunk::Chunk(int environments, int inputs, int actions)
    : environments_(environments),
      inputs_(static_cast<std::size_t>(inputs)),
      actions_(static_cast<std::size_t>(actions)) {}

void Chunk::begin(std::int64_t first, std::int64_t last) {
  first_ = first;
  last_ = last;
  const auto count = static_cast<std::size_t>(last - first);
  for (Floats* all : {&states_, &lasts_}) all->resize(std::max(all->size(), count * inputs_));
  for (Floats* all : {&policies_, &last_policies_}) all->resize(std::max(all->size(), count * actions_));
  costs_.resize(std::max(costs_.size(), count));
  scores_.resize(costs_.size());
  taken_.resize(costs_.size());
  flags_.resize(costs_.size());
}

EnvironmentRange Chunk::inside(EnvironmentRange range, std::int64_t round) const noexcept {
  const std::int64_t start = round * environments_;
  return {static_cast<int>(std::max<std::int64_t>(range.begin, first_ - start)),
          static_cast<int>(std::min<std::int64_t>(range.end, last_ - start))};
}

void Chunk::record(std::size_t at, Action action, bool exploring, const StepResult& step) noexcept {
  costs_[at] = static_cast<float>(step.cost);
  scores_[at] = static_cast<float>(step.score);
  taken_[at] = static_cast<std::uint16_t>(action);
  flags_[at] = static_cast<std::uint8_t>((exploring ? exploring_flag : 0) | (step.truncated ? truncated_flag : 0) |
                                         (step.terminated ? terminated_flag : 0) | (step.skipped ? skipped_flag : 0) |
                                         (step.lost_life ? lost_life_flag : 0));
}

Transition Chunk::transition(std::int64_t number) const {
  const auto at = static_cast<std::size_t>(number - first_);
  const auto row = [at](const Floats& all, std::size_t width) {
    return std::span<const float>(all).subspan(at * width, width);
  };
  return {.state = row(states_, inputs_),
          .policy = row(policies_, actions_),
          .last = row(lasts_, inputs_),
          .last_policy = row(last_policies_, actions_),
          .action = taken_[at],
          .cost = costs_[at],
          .score = scores_[at],
          .exploring = (flags_[at] & exploring_flag) != 0,
          .truncated = (flags_[at] & truncated_flag) != 0,
          .terminated = (flags_[at] & terminated_flag) != 0,
          .skipped = (flags_[at] & skipped_flag) != 0,
          .lost_life = (flags_[at] & lost_life_flag) != 0};
}

template <class Visit>
void Chunk::for_each_place(EnvironmentRange range, std::int64_t from, std::int64_t to, Visit&& visit) const {
  for (std::int64_t round = from; round < to; ++round) {
    const auto [begin, end] = inside(range, round);
    for (int e = begin; e < end; ++e) visit(place(round, e));
  }
}

void Chunk::pack(EnvironmentRange range, std::int64_t from, std::int64_t to, ByteWriter& into) const {
  const auto put = [&](const Floats& all, std::size_t at, std::size_t width) {
    for (std::size_t i = at * width; i < (at + 1) * width; ++i) into.put(all[i]);
  };
  for_each_place(range, from, to, [&](std::size_t at) {
    put(states_, at, inputs_);
    put(policies_, at, actions_);
    into.put(costs_[at]);
    into.put(scores_[at]);
    into.put(taken_[at]);
    into.put(flags_[at]);
    if ((flags_[at] & truncated_flag) == 0) return;
    put(lasts_, at, inputs_);
    put(last_policies_, at, actions_);
  });
}

void Chunk::unpack(EnvironmentRange range, std::int64_t from, std::int64_t to, ByteReader& packed) {
  const auto get = [&](Floats& all, std::size_t at, std::size_t width) {
    for (std::size_t i = at * width; i < (at + 1) * width; ++i) packed.get(all[i]);
  };
  for_each_place(range, from, to, [&](std::size_t at) {
    get(states_, at, inputs_);
    get(policies_, at, actions_);
    packed.get(costs_[at]);
    packed.get(scores_[at]);
    packed.get(taken_[at]);
    packed.get(flags_[at]);
    if ((flags_[at] & truncated_flag) == 0) return;
    get(lasts_, at, inputs_);
    get(last_policies_, at, actions_);
  });
}

}  // namespace politex::neural
