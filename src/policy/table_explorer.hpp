// A policy over listed states as an explorer: of a file, or an optimal one.
#pragma once

#include <utility>

#include "politex/policy/explorer.hpp"

namespace politex::inline policy {

class TableExplorer final : public Explorer {
 public:
  explicit TableExplorer(PolicyTable table) : table_(std::move(table)) {}
  using Explorer::act;
  Action act(std::span<const double> observation, ExplorerMemory&, Rng& rng) const override {
    return table_.sample(static_cast<int>(observation[0]), rng);
  }
  bool compile(PolicyTable& into) const override {
    into = table_;
    return true;
  }

 private:
  PolicyTable table_;
};

}  // namespace politex::inline policy
