// From an observation to its features. One interface for all environments: where states are listed an observation is
// the index of a state, and the map can be compiled into one row per state.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "politex/base/bytes.hpp"
#include "politex/base/sparse_rows.hpp"
#include "politex/features/features.hpp"

namespace politex::inline features {

class CellTree;

class FeatureMap {
 public:
  FeatureMap() = default;
  FeatureMap(const FeatureMap&) = delete;
  FeatureMap& operator=(const FeatureMap&) = delete;
  virtual ~FeatureMap() = default;
  virtual int columns() const = 0;
  /// Number of leading columns of which at most one is nonzero in a row.
  virtual int exclusive() const { return 0; }
  /// True: append() gives one row, which every action has its own weights for; false: one row per action.
  virtual bool replicated() const { return true; }
  /// Every row has two entries, both 1.
  virtual bool two_indicators() const { return false; }
  /// Every row has one entry, which is 1: its index is the number of a state, or of a set of states.
  virtual bool partition() const { return false; }
  /// Number of last columns that are a partition of their own: the last entry of every row is 1 in one of them. Its
  /// index, from the first of them, is the number of a set of states, for explorers. 0: there are none.
  virtual int cells() const { return partition() ? columns() : 0; }
  /// The tree that a learner may refine between phases, if the features have one.
  virtual std::shared_ptr<CellTree> tree() const { return nullptr; }
  /// What the rows that were appended say about the map, for the end of a run: an empty text where there is nothing.
  /// save() and restore() keep what it depends on.
  virtual std::string remark() const { return {}; }
  virtual void save(ByteWriter& /*to*/) const {}
  virtual void restore(ByteReader& /*from*/) {}
  /// One object per thread: it may keep scratch memory.
  virtual void append(std::span<const double> observation, SparseRows& into) const = 0;
};

/// The features of one observation.
Features features_at(const FeatureMap& map, std::span<const double> observation, int actions);
/// One row (or one per action) for each of `states` listed states.
Features features_of_states(const FeatureMap& map, int states, int actions);

/// The features of listed states, looked up.
class FeatureTable final : public FeatureMap {
 public:
  explicit FeatureTable(Features features) : features_(std::move(features)) {}
  int columns() const override { return features_.rows.columns; }
  int exclusive() const override { return features_.exclusive; }
  bool replicated() const override { return features_.replicated; }
  bool two_indicators() const override { return features_.two_indicators; }
  void append(std::span<const double> observation, SparseRows& into) const override {
    append_state(features_, static_cast<int>(observation[0]), into);
  }
  const Features& features() const noexcept { return features_; }

 private:
  Features features_;
};

}  // namespace politex::inline features
