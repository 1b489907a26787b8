#include "politex/exact/chain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "exact/random_models.hpp"
#include "politex/base/error.hpp"

namespace politex::exact {
namespace {

using testing::chain_model;
using testing::random_actions;
using testing::random_model;

Eigen::MatrixXi reachable(const Eigen::MatrixXd& p) {
  const auto n = p.rows();
  Eigen::MatrixXi reach = Eigen::MatrixXi::Identity(n, n);
  for (int x = 0; x < n; ++x) {
    for (int y = 0; y < n; ++y) reach(x, y) |= p(x, y) > 0.0 ? 1 : 0;
  }
  for (int k = 0; k < n; ++k) {
    for (int x = 0; x < n; ++x) {
      for (int y = 0; y < n; ++y) reach(x, y) |= reach(x, k) & reach(k, y);
    }
  }
  return reach;
}

TEST(Chain, ClassesAndPeriodsMatchTheirDefinitions) {
  int multichain = 0, periodic = 0, transient = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const FiniteModel model = random_model(seed, 3 + static_cast<int>(seed % 8), 2, seed % 3 == 0 ? 2 : 1);
    Rng rng{seed};
    const auto policy = deterministic_policy(model, random_actions(model, rng));
    const Chain chain = chain_of(model, policy);
    const Classes classes = recurrent_classes(chain);
    const auto found = periods(chain, classes);
    const Eigen::MatrixXd p = testing::dense_chain(model, policy).p;
    const Eigen::MatrixXi reach = reachable(p);
    for (int x = 0; x < model.states; ++x) {
      bool recurrent = true;
      for (int y = 0; y < model.states; ++y) recurrent &= reach(x, y) == 0 || reach(y, x) == 1;
      EXPECT_EQ(classes.of[x] >= 0, recurrent) << "seed " << seed << " state " << x;
      transient += recurrent ? 0 : 1;
      if (!recurrent) continue;
      for (int y = 0; y < model.states; ++y) {
        EXPECT_EQ(classes.of[x] == classes.of[y], reach(x, y) == 1 && reach(y, x) == 1);
      }
      std::int64_t period = 0;  // gcd of the lengths of closed walks; 3n steps are enough for small models
      Eigen::MatrixXd power = Eigen::MatrixXd::Identity(model.states, model.states);
      for (std::int64_t t = 1; t <= 3 * model.states; ++t) {
        power = (power * p).eval();
        if (power(x, x) > 0.0) period = std::gcd(period, t);
      }
      EXPECT_EQ(found[classes.of[x]], period) << "seed " << seed << " state " << x;
      periodic += period > 1 ? 1 : 0;
    }
    multichain += classes.count > 1 ? 1 : 0;
  }
  EXPECT_GT(multichain, 20);
  EXPECT_GT(periodic, 20);
  EXPECT_GT(transient, 20);
}

TEST(Chain, RowsMergeSuccessorsAndDropActionsOfProbabilityZero) {
  FiniteModel model = random_model(1, 2, 2, 1);
  model.next = {1, 1, 0, 1};
  const Chain chain = chain_of(model, std::vector<double>{0.25, 0.75, 1.0, 0.0});
  ASSERT_EQ(chain.rows.indices(0).size(), 1u);
  EXPECT_EQ(chain.rows.indices(0)[0], 1);
  EXPECT_DOUBLE_EQ(chain.rows.values(0)[0], 1.0);
  ASSERT_EQ(chain.rows.indices(1).size(), 1u);
  EXPECT_EQ(chain.rows.indices(1)[0], 0);
  EXPECT_DOUBLE_EQ(chain.cost[0], 0.25 * model.cost[0] + 0.75 * model.cost[1]);
}

TEST(Chain, InvalidPoliciesAreRejectedByName) {
  const FiniteModel model = random_model(1, 3, 2, 2);
  EXPECT_THROW(check_policy(model, std::vector<double>(5, 0.5)), ConfigError);
  EXPECT_THROW(check_policy(model, std::vector<double>(6, 0.4)), ConfigError);
  EXPECT_THROW(check_policy(model, std::vector<double>{1, 0, 1, 0, 2, -1}), ConfigError);
  EXPECT_THROW(check_policy(model, std::vector<double>{1, 0, 1, 0, std::nan(""), 0}), ConfigError);
  EXPECT_NO_THROW(check_policy(model, uniform_policy(model)));
}

}  // namespace
}  // namespace politex::exact
