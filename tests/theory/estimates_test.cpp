#include "politex/theory/estimates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/exact/bounds.hpp"
#include "politex/figures/theory/figure.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

// With the last cost the corrected lemma holds; with the phase mean V* is off by h's tail and a constant, with the
// rollout's own mean by the whole of h.
TEST(TheoryEstimates, BiasesKeepTheirBoundsAndTheirShape) {
  for (const char* environment : theory_environments) {
    const Config config = config_of(theory_cell(environment, 3, "theory_text", 500'000));
    const FiniteModel model = make_model(config);
    const PolicyBias bias = policy_bias(config, 30);
    const auto [least, most] = std::ranges::minmax(model.cost);
    for (std::size_t i = 0; i < bias.by_length.size(); ++i) {
      const RolloutBiases& b = bias.by_length[i];
      const exact::RolloutBias bound =
          exact::rollout_bias_bound(1.0 - theory_teleport, most - least, b.value_rollout, static_cast<double>(i + 1));
      EXPECT_LE(b.lambda_last, bound.gain) << environment << i;
      EXPECT_LE(b.value_last, bound.value) << environment << i;
      EXPECT_EQ(b.value_rollout_centred, bias.by_length[0].value_rollout_centred);
      EXPECT_LE(b.value_phase_centred,
                2.0 * b.value_rollout * std::pow(1.0 - theory_teleport, static_cast<double>(i + 1)));
      EXPECT_LE(b.value_phase_centred, b.value_phase + 1e-15);
    }
    EXPECT_NEAR(bias.kappa_rate, -std::log(0.8), 1e-9) << environment;
    EXPECT_GE(bias.second_rate, bias.kappa_rate - 1e-9) << environment;
  }
}

}  // namespace
}  // namespace politex
