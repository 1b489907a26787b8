// One number per instruction set that shows whether what the learners compute has changed. A commit that changes it on
// purpose says so and updates it here.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "politex/figures/deep_sea/figure.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/run/run.hpp"

namespace politex {
namespace {

std::string signature_of(DeepSeaCurve curve) {
  DeepSeaGrid grid = deep_sea_grid(true);
  grid.steps = grid.tuned_steps = 20'000;
  const auto run = make_run(config_of(deep_sea_cell(curve, 10, 1, grid)), {.regret = false});
  while (!run->done()) run->advance();
  return run->summary().signature;
}

// RLSVI is left out: its normals come from the C library, whose last bit depends on the processor.
const std::map<std::string, std::map<DeepSeaCurve, std::string>> known = {
#if defined(__AVX2__) && defined(__FMA__)
    {"x86-64-v3",
     {{DeepSeaCurve::every_visit, "15ebc65a523aea28"},
      {DeepSeaCurve::first_visit, "5c8d3907d8f173eb"},
      {DeepSeaCurve::one_visit_own_mean, "e359db80d68801e1"},
      {DeepSeaCurve::politex_lspe, "af9b3bfb0973b42c"},
      {DeepSeaCurve::lspi, "fdf8116f951e8c70"},
      {DeepSeaCurve::tuned, "858f14c0f14983bc"}}},
#elif defined(__x86_64__)
    // LSPI's and the present TUNED's were measured on the other set only.
    {"x86-64",
     {{DeepSeaCurve::every_visit, "2f888094a7184077"},
      {DeepSeaCurve::first_visit, "6c9502a76af4e50c"},
      {DeepSeaCurve::one_visit_own_mean, "e359db80d68801e1"},
      {DeepSeaCurve::politex_lspe, "691887dae84ec96d"}}},
#endif
};

/// Settings on top of the first TUNED, which is the paper's estimator with longer rollouts.
struct Option {
  const char* name;
  std::vector<std::pair<const char*, Value>> settings;
};

const std::vector<Option> options = {
    {"none", {}},
    {"mean", {{"algorithm.baseline", std::string("mean")}}},
    {"state", {{"algorithm.baseline", std::string("state")}, {"algorithm.ridge", std::string("count")}}},
    {"scale_free",
     {{"algorithm.baseline", std::string("state")},
      {"algorithm.ridge", std::string("count")},
      {"algorithm.eta", std::string("scale_free")}}},
    {"adaptive",
     {{"algorithm.baseline", std::string("state")},
      {"algorithm.ridge", std::string("count")},
      {"algorithm.combine", std::string("adaptive")},
      {"algorithm.eta", std::string("scale_free")}}},
};

std::string signature_of(const Option& option) {
  Config config =
      read_experiment("deep_sea/tuned_first.toml", std::vector<std::string>{"steps=20000", "environment.size=10"});
  for (const auto& [key, value] : option.settings) config.set(key, value);
  const auto run = make_run(config, {.regret = false});
  while (!run->done()) run->advance();
  return run->summary().signature;
}

// Of the other instruction set only the first was measured.
const std::map<std::string, std::string> known_options = {
#if defined(__AVX2__) && defined(__FMA__)
    {"none", "9e938f404064d895"},       {"mean", "a1d7aad2d1cd6958"},     {"state", "0b47114e8c6cae7e"},
    {"scale_free", "fe15cb0854a522d8"}, {"adaptive", "c5eaca9379abd45e"},
#elif defined(__x86_64__)
    {"none", "a42a295692dff8f4"},
#endif
};

TEST(Signature, EveryOptionComputesWhatItDid) {
  if (known_options.empty()) GTEST_SKIP() << "no signatures of options are known for this instruction set";
  for (const Option& option : options) {
    const auto found = known_options.find(option.name);
    if (found == known_options.end()) continue;
    EXPECT_EQ(signature_of(option), found->second) << option.name;
  }
}

TEST(Signature, TheDefaultLearnerComputesWhatItDid) {
  if (!known_options.contains("mean")) GTEST_SKIP() << "no signature of the default is known for this instruction set";
  Config config = default_config("deep_sea");
  config.set("algorithm.name", std::string("auto")).set("environment.size", std::int64_t{10});
  config.steps = 20'000;
  const auto run = make_run(config, {.regret = false});
  while (!run->done()) run->advance();
  EXPECT_EQ(run->summary().signature, "d02ee49ab8735bb0");
}

TEST(Signature, EveryLearnerComputesWhatItDid) {
  ASSERT_FALSE(known.empty()) << "no signatures are known for this instruction set";
  for (const auto& [instruction_set, curves_of_set] : known)
    for (const auto& [curve, signature] : curves_of_set)
      EXPECT_EQ(signature_of(curve), signature) << deep_sea_label(curve) << " on " << instruction_set;
}

}  // namespace
}  // namespace politex
