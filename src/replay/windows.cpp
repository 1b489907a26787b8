#include "politex/replay/windows.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace politex::neural::inline replay {

WindowMaker::WindowMaker(int inputs, double discount, int length, int explorer_length)
    : inputs_(static_cast<std::size_t>(inputs)),
      discount_(discount),
      length_(length),
      explorer_length_(explorer_length) {}

void WindowMaker::emit(const Pending& pending, std::span<const float> next, std::span<const float> policy,
                       int next_action, const Sink& sink, bool terminal) const {
  sink({.state = pending.state,
        .next = next,
        .action = pending.action,
        .next_action = next_action,
        .length = pending.length,
        .terminal = terminal,
        .cost = static_cast<float>(pending.cost)},
       policy);
}

void WindowMaker::step(std::span<const float> state, std::span<const float> policy, int action, int chooser,
                       bool exploring, double cost, const Sink& sink) {
  const bool switched = chooser != chooser_;
  chooser_ = chooser;
  // Explorer windows may be shorter than the others, so that a full one is not always the oldest.
  for (auto it = pending_.begin(); it != pending_.end();) {
    if (!switched && it->length < it->most) {
      ++it;
      continue;
    }
    emit(*it, state, policy, switched ? -1 : action, sink);
    it = pending_.erase(it);
  }
  Pending fresh;
  fresh.state.assign(state.begin(), state.end());
  fresh.action = action;
  fresh.most = exploring ? explorer_length_ : length_;
  pending_.push_back(std::move(fresh));
  for (Pending& p : pending_) {
    p.cost += p.factor * cost;
    p.factor *= discount_;
    ++p.length;
  }
}

void WindowMaker::truncate(std::span<const float> last, std::span<const float> policy, const Sink& sink) {
  for (const Pending& p : pending_) emit(p, last, policy, -1, sink);
  pending_.clear();
}

void WindowMaker::terminate(std::span<const float> state, std::span<const float> policy, const Sink& sink) {
  for (const Pending& p : pending_) emit(p, state, policy, -1, sink, true);
  pending_.clear();
}

void WindowMaker::save(ByteWriter& to) const {
  to.put(chooser_);
  to.put(static_cast<std::uint64_t>(pending_.size()));
  for (const Pending& p : pending_) {
    to.put(p.state);
    to.put(p.cost);
    to.put(p.factor);
    to.put(p.action);
    to.put(p.length);
    to.put(p.most);
  }
}

void WindowMaker::restore(ByteReader& from, int actions) {
  from.get_within(chooser_, -1, std::numeric_limits<int>::max(), "windows");
  const auto count = from.get<std::uint64_t>();
  pending_.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    Pending p;
    from.get_sized(p.state, inputs_, "windows");
    from.get_finite(p.cost, "windows");
    from.get_within(p.factor, 0.0, 1.0, "windows");
    from.get_within(p.action, 0, actions - 1, "windows");
    from.get_within(p.length, 1, std::max(length_, explorer_length_), "windows");
    from.get_within(p.most, p.length, std::max(length_, explorer_length_), "windows");
    pending_.push_back(std::move(p));
  }
}

}  // namespace politex::neural::inline replay
