// Against dense matrices that Eigen inverts.
#include "politex/value/inverse_gram.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "politex/base/rng.hpp"

namespace politex {
namespace {

/// Random sparse rows of two actions, some of them many times.
Features random_rows(int count, int columns, bool replicated) {
  Rng rng(3, Use::environment);
  Features features;
  features.actions = 2;
  features.replicated = replicated;
  features.rows.columns = columns;
  for (int row = 0; row < count * (replicated ? 1 : 2); ++row) {
    for (int k = 0; k < columns; ++k)
      if (rng.uniform() < 0.4) features.rows.append(k, 2.0 * rng.uniform() - 1.0);
    features.rows.end_row();
  }
  return features;
}

struct DenseGram {
  explicit DenseGram(const Features& of, double ridge) : features(of) {
    const FeatureStructure structure = of.structure();
    grams.assign(static_cast<std::size_t>(structure.blocks),
                 ridge * Eigen::MatrixXd::Identity(structure.width, structure.width));
  }
  std::size_t block(std::int32_t pair) const {
    return static_cast<std::size_t>(features.row(pair).offset / features.rows.columns);
  }
  Eigen::VectorXd psi(std::int32_t pair) const {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(features.rows.columns);
    const FeatureRow sparse = features.row(pair);
    for (std::size_t k = 0; k < sparse.indices.size(); ++k) row(sparse.indices[k]) = sparse.values[k];
    return row;
  }
  void add(std::int32_t pair, double weight) { grams[block(pair)] += weight * psi(pair) * psi(pair).transpose(); }
  double bonus(std::int32_t pair) const { return psi(pair).dot(grams[block(pair)].inverse() * psi(pair)); }
  double log_det() const {
    double total = 0.0;
    for (const auto& gram : grams) total += std::log(gram.determinant());
    return total;
  }

  const Features& features;
  std::vector<Eigen::MatrixXd> grams;
};

TEST(InverseGram, EqualsDenseInversion) {
  for (const bool replicated : {true, false}) {
    const Features features = random_rows(40, 7, replicated);
    InverseGram gram(replicated ? 2 : 1, 7, 0.01);
    DenseGram dense(features, 0.01);
    Rng rng(4, Use::environment);
    for (int k = 0; k < 300; ++k) {
      const auto pair = static_cast<std::int32_t>(rng.below(80));
      const double weight = 1.0 + static_cast<double>(rng.below(3));
      gram.add(features.row(pair), weight);
      dense.add(pair, weight);
      if (k % 50 != 0 && k != 299) continue;
      EXPECT_NEAR(gram.log_det(), dense.log_det(), 1e-8 * std::abs(dense.log_det()) + 1e-8);
      for (std::int32_t other = 0; other < 80; ++other)
        EXPECT_NEAR(gram.bonus(features.row(other)), dense.bonus(other), 1e-9 * (1.0 + dense.bonus(other)));
      for (std::size_t b = 0; b < dense.grams.size(); ++b) {
        const Eigen::MatrixXd inverse = dense.grams[b].inverse();
        const auto block = gram.block(static_cast<int>(b));
        for (int i = 0; i < 7; ++i)
          for (int j = 0; j < 7; ++j) {
            EXPECT_NEAR(block[static_cast<std::size_t>(7 * i + j)], inverse(i, j), 1e-9 * inverse.norm());
            EXPECT_EQ(block[static_cast<std::size_t>(7 * i + j)], block[static_cast<std::size_t>(7 * j + i)]);
          }
      }
    }
  }
}

TEST(InverseGram, AWeightIsThatManyCopies) {
  const Features features = random_rows(5, 4, true);
  InverseGram once(2, 4, 0.01), copies(2, 4, 0.01);
  once.add(features.row(3), 6.0);
  for (int k = 0; k < 6; ++k) copies.add(features.row(3));
  EXPECT_NEAR(once.log_det(), copies.log_det(), 1e-9);
  for (std::int32_t pair = 0; pair < 10; ++pair)
    EXPECT_NEAR(once.bonus(features.row(pair)), copies.bonus(features.row(pair)), 1e-8);
}

TEST(InverseGram, StaysAccurateOverManyUpdates) {
  const Features features = random_rows(6, 5, true);
  InverseGram gram(2, 5, 0.01);
  DenseGram dense(features, 0.01);
  for (int k = 0; k < 200'000; ++k) gram.add(features.row(k % 12));
  // 200,000 = 12 x 16,666 + 8.
  for (std::int32_t pair = 0; pair < 12; ++pair) dense.add(pair, pair < 8 ? 16'667.0 : 16'666.0);
  for (std::int32_t pair = 0; pair < 12; ++pair) EXPECT_NEAR(gram.bonus(features.row(pair)), dense.bonus(pair), 1e-8);
}

TEST(InverseGram, IsRestored) {
  const Features features = random_rows(5, 4, true);
  InverseGram gram(2, 4, 0.01), other(2, 4, 0.01);
  for (std::int32_t pair = 0; pair < 7; ++pair) gram.add(features.row(pair));
  ByteWriter to;
  gram.save(to);
  ByteReader from(to.bytes());
  other.restore(from);
  EXPECT_TRUE(from.empty());
  EXPECT_EQ(other.log_det(), gram.log_det());
  for (std::int32_t pair = 0; pair < 10; ++pair)
    EXPECT_EQ(other.bonus(features.row(pair)), gram.bonus(features.row(pair)));
  InverseGram smaller(2, 3, 0.01);
  ByteReader again(to.bytes());
  EXPECT_THROW(smaller.restore(again), Error);
}

}  // namespace
}  // namespace politex
