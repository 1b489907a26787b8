#include "politex/neural/policy_refresh.hpp"

#include <algorithm>

namespace politex::neural {
namespace {

/// Ends what a thread holds, also if the thread has no memory: the learner waits for it.
struct HeldRows {
  ~HeldRows() { replay.give_back(rows); }
  Replay& replay;
  const Replay::Wanted& rows;
};
struct HeldBlock {
  ~HeldBlock() { replay.finish_block(block); }
  Replay& replay;
  std::int64_t block;
};

}  // namespace

bool PolicyRefresh::wanted(Workspace& workspace) const {
  if (replay_ == nullptr || !replay_->take_wanted(workspace.wanted, phase_)) return false;
  const HeldRows held{*replay_, workspace.wanted};
  refresh(workspace.wanted.rows, workspace);
  return true;
}

bool PolicyRefresh::block(Workspace& workspace) const {
  if (replay_ == nullptr) return false;
  const std::int64_t block = replay_->take_block();
  if (block < 0) return false;
  const HeldBlock held{*replay_, block};
  const auto [first, last] = replay_->rows_of(block);
  std::vector<std::uint32_t>& rows = workspace.rows;
  rows.clear();
  for (std::uint32_t row = first; row < last; ++row)
    if (!replay_->has_policy(row, phase_)) rows.push_back(row);
  // In small parts: the rows that the learner wants next come in between.
  constexpr std::size_t at_once = 64;
  for (std::size_t at = 0; at < rows.size(); at += at_once) {
    refresh(std::span(rows).subspan(at, std::min(at_once, rows.size() - at)), workspace);
    wanted(workspace);
  }
  return true;
}

void PolicyRefresh::refresh(std::span<const std::uint32_t> rows, Workspace& workspace) const {
  Floats& states = workspace.states;
  Floats& policies = workspace.policies;
  states.resize(std::max(states.size(), rows.size() * inputs_));
  policies.resize(std::max(policies.size(), rows.size() * actions_));
  for (std::size_t i = 0; i < rows.size(); ++i) replay_->next_state(rows[i], &states[i * inputs_]);
  policy_->evaluate(states.data(), static_cast<int>(rows.size()), policies.data(), workspace.policy);
  for (std::size_t i = 0; i < rows.size(); ++i)
    replay_->set_policy(rows[i], std::span<const float>(policies).subspan(i * actions_, actions_), phase_);
}

}  // namespace politex::neural
