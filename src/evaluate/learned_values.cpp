#include "politex/evaluate/learned_values.hpp"

#include <vector>

namespace politex::inline evaluate {
namespace {

Features described_features(const Collector& collector, std::span<const double> observation, int actions) {
  Features features;
  const FeatureStructure structure = collector.structure();
  features.actions = actions;
  features.replicated = structure.blocks == actions && actions > 1;
  features.rows.columns = structure.width;
  collector.describe(observation, features.rows);
  if (features.rows.rows() != 1) features.replicated = false;
  return features;
}

void fill_q(const Features& features, const Learner& learner, std::span<double> into) {
  for (std::size_t a = 0; a < into.size(); ++a) into[a] = features.dot(static_cast<int>(a), learner.weights());
}

}  // namespace

void LearnedValues::q(std::span<const double> observation, std::span<double> into) const {
  fill_q(described_features(run_.loop().collector(), observation, static_cast<int>(into.size())), *run_.learner(),
         into);
}

void LearnedValues::probabilities(std::span<const double> observation, std::span<double> into) const {
  const Learner& learner = *run_.learner();
  const Collector& collector = run_.loop().collector();
  const Features features = described_features(collector, observation, static_cast<int>(into.size()));
  std::vector<double> q(into.size());
  fill_q(features, learner, q);
  const Rule rule = learner.rule();
  if (!rule.norms.empty()) features.divide_by_norms(rule.norms, q);
  collector.probabilities(rule, observation, q, into);
}

}  // namespace politex::inline evaluate
