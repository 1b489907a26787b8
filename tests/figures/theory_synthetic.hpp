// A table of the theory figure in which every claim comes out as we like.
#pragma once

#include <cmath>
#include <string>

#include "politex/figures/theory/figure.hpp"
#include "politex/theory/table.hpp"

namespace politex {

/// By default everything is as claimed.
struct TheoryStory {
  double rollouts = -0.5;    // (a) slope in m
  double rate = 1.2;         // (b) decay of the last cost's biases, times kappa
  double own_mean = 0.01;    // (b') what is left at s = 40
  double phase = -1.0;       // (b'') slope of lambda's bias
  double phase_rate = 1.2;   // (b'') decay of V's after its constant
  double regret = 0.8;       // (c) slope in T
  double noise = 0.1;        // (c') over the printed bounds
  double pseudo = 0.1;       // (c'') over the theorem's
  double corrected = 0.1;    // (c''') over ours
  double eta_excess = 1.01;  // (d) the theorem's over the best
  double mixing = -0.3;      // (e) slope in the teleport probability
  double excitation = -0.3;  // (e') and (e'') slope in sigma
  double length = 0.0;       // (f) slope in s
};

inline TheoryTable story_table(const TheoryStory& story, int seeds = 5) {
  TheoryTable table{.points = {}, .quick = true, .seeds = seeds};
  constexpr double kappa_rate = 0.22;
  for (const std::string environment : theory_environments)
    for (int seed = 1; seed <= seeds; ++seed) {
      const double own = 1.0 + 0.01 * seed;  // replicates differ a little
      const auto put = [&](const char* figure, const char* curve, const char* quantity, double x, double value) {
        table.points.push_back({figure, environment, curve, quantity, x, seed, own * value});
      };
      for (const double m : {100.0, 400.0, 1600.0, 6400.0})
        for (const char* curve : {"last cost", "phase mean"}) put("a", curve, "error", m, std::pow(m, story.rollouts));
      for (int s = 1; s <= theory_bias_length; ++s) {
        const double decay = std::exp(-story.rate * kappa_rate * s);
        put("b", "last cost", "lambda", s, decay);
        put("b", "last cost", "value", s, decay);
        put("b", "phase mean", "lambda", s, std::pow(s, story.phase));
        put("b", "phase mean", "value", s, 1.0);
        put("b", "phase mean", "value_centred", s, std::exp(-story.phase_rate * kappa_rate * s));
        put("b", "rollout mean", "lambda", s, 1.0 / s);
        put("b", "rollout mean", "value", s, 1.0);
        put("b", "rollout mean", "value_centred", s, s == 40 ? story.own_mean : 1.0);
        put("b", "printed", "lambda", s, 1.0);
        put("b", "printed", "value", s, 1.0);
      }
      table.points.push_back({"b", environment, "rates", "kappa", 0.0, seed, kappa_rate});
      table.points.push_back({"b", environment, "rates", "second", 0.0, seed, kappa_rate});
      for (const char* schedule : {"theory", "theory_text"})
        for (const double T : {5e5, 1e6, 2e6}) {
          for (const char* term : {"regret_to_gain", "E", "PR", "V", "W", "V_explore"})
            put("c", schedule, term, T, std::pow(T, story.regret));
          for (const char* bound : {"V_over_main_text", "V_over_appendix", "V_over_proof", "W_over_printed"})
            put("c", schedule, bound, T, story.noise);
          for (const char* bound : {"V_over_corrected", "V_explore_over_corrected", "W_over_corrected", "PR_over_sure"})
            put("c", schedule, bound, T, -story.corrected);
          put("c", schedule, "PR_over_printed", T, story.pseudo);
        }
      for (const char* quantity : {"regret_to_gain", "regret_share"}) {
        for (const char* curve : {"grid", "choice"})
          for (const double eta : {0.01, 0.1, 1.0}) put("d", curve, quantity, eta, eta == 0.1 ? 1.0 : 1.5);
        put("d", "theorem", quantity, 0.0, story.eta_excess);
      }
      put("d", "theorem", "eta", 0.0, 0.02);
      for (const double p : {0.1, 0.2, 0.4})
        for (const char* quantity : {"regret_to_gain", "regret_share", "PR_share", "error_theorem"})
          put("e", "teleport", quantity, p, std::pow(p, story.mixing));
      for (const double share : {0.1, 0.3, 1.0}) {
        put("e", "sigma", "sigma", share, 0.01 * share);
        for (const char* quantity : {"regret_share", "PR", "PR_share", "error_theorem", "error_explore"})
          put("e", "sigma", quantity, share, std::pow(share, story.excitation));
      }
      for (const double s : {10.0, 40.0, 80.0, 160.0})
        for (const char* curve : {"last cost", "phase mean", "rollout mean", "fixed horizon"})
          put("f", curve, "error", s, std::pow(s, story.length));
    }
  return table;
}

}  // namespace politex
