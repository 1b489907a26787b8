#include "politex/run/summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "politex/base/build_info.hpp"
#include "politex/base/duration.hpp"

namespace politex::inline run {
namespace {

using Json = nlohmann::ordered_json;  // writes what is not finite as null

Json segment_json(const SegmentSummary& segment) {
  return {{"steps", segment.steps}, {"average_cost", segment.average_cost}};
}

Json error_json(const QError& error) {
  return {{"star", error.star},       {"star_least", error.star_least}, {"star_most", error.star_most},
          {"horizon", error.horizon}, {"policy", error.policy},         {"theorem", error.theorem},
          {"explore", error.explore}};
}

Json bound_json(const exact::Noise& noise) {
  return {{"corrected", noise.total()}, {"transient", noise.transient}, {"martingale", noise.martingale}};
}

Json bounds_json(const TheoryBounds& bounds) {
  Json out = {{"delta", bounds.delta},     {"every_phase", bounds.every_phase},
              {"tau", bounds.tau},         {"kappa", bounds.kappa},
              {"sigma", bounds.sigma},     {"sigma_on_span", bounds.sigma_on_span},
              {"s_delta", bounds.s_delta}, {"bias_premise", bounds.bias_premise},
              {"eta", bounds.eta},         {"theory_eta", bounds.theory_eta}};
  out["V"] = bound_json(bounds.V);
  out["V"].update({{"printed_main_text", bounds.printed.v_main_text},
                   {"printed_appendix", bounds.printed.v_appendix},
                   {"printed_appendix_proof", bounds.printed.v_appendix_proof}});
  out["W"] = bound_json(bounds.W);
  out["W"]["printed"] = bounds.printed.w;
  out["V_explore"] = bound_json(bounds.V_explore);
  out["W_explore"] = bound_json(bounds.W_explore);
  out["PR"] = {{"pseudo_regret", bounds.pseudo_regret},
               {"printed", bounds.PR_printed},
               {"printed_q_max", bounds.PR_printed_q_max},
               {"sure", bounds.PR_sure}};
  return out;
}

void add_theory(Json& out, const TheorySummary& theory) {
  const auto split = [](const NoiseSplit& noise) {
    return Json{{"transient", noise.transient}, {"martingale", noise.martingale}};
  };
  out["regret_split"] = {{"V", split(theory.split.V)},
                         {"W", split(theory.split.W)},
                         {"V_explore", split(theory.split.V_explore)},
                         {"W_explore", split(theory.split.W_explore)}};
  out["q_error"] = {{"phases", theory.measured},
                    {"known_phases", theory.known},
                    {"mean", error_json(theory.mean)},
                    {"median", error_json(theory.median)},
                    {"largest", error_json(theory.largest)},
                    {"density_ratio", theory.largest.density_ratio}};
  out["eps_0"] = theory.eps_0;
  out["w_max"] = theory.w_max;
  out["q_max"] = theory.q_max;
  out["q_range"] = theory.q_range;
  out["bounds"] = bounds_json(theory.bounds);
}

void add_finite(Json& out, const FiniteSummary& finite) {
  out["optimal_gain"] = finite.optimal_gain;
  out["final_policy"] = {{"gain_from_start", finite.final_gain_from_start},
                         {"gain_from_last_state", finite.final_gain_from_last_state}};
  out["regret"] = finite.regret;
  out["regret_to_gain"] = finite.regret_to_gain;
  const RegretTerms& terms = finite.terms;
  out["regret_terms"] = {{"E", terms.E},
                         {"PR", terms.PR},
                         {"V", terms.V},
                         {"W", terms.W},
                         {"V_explore", terms.V_explore},
                         {"W_explore", terms.W_explore}};
  out["evaluated_phases"] = finite.evaluated_phases;
  if (finite.theory) add_theory(out, *finite.theory);
}

void add_neural(Json& out, const NeuralSummary& neural) {
  out["learned_return"] = {{"mean", neural.learned_return},
                           {"last_tenth", neural.learned_return_last_tenth},
                           {"episodes", neural.learned_episodes}};
  out["explorer_return"] = {{"mean", neural.explorer_return}, {"episodes", neural.explorer_episodes}};
  out["learner_steps"] = neural.learner_steps;
  out["estimated_gain"] = neural.gain;
}

void add_goals(Json& out, const GoalSummary& goals) {
  out["places"] = goals.places;
  out["cells"] = goals.cells;
  Json& measured = out["goals"] = Json::object();
  for (const GoalSummary::Measure& each : goals.measured)
    measured[each.policy] = {{"goals", each.goals},
                             {"reached", each.reached},
                             {"games", each.games},
                             {"cells_a_game", each.cells_a_game},
                             {"score_a_game", each.score_a_game}};
}

Json solver_json(const Solved& solved) {
  Json systems = Json::object();
  for (const Solver solver : {Solver::direct, Solver::sparse, Solver::dual, Solver::iterative})
    if (solved.by(solver) > 0) systems[std::string(name_of(solver))] = solved.by(solver);
  Json out = {{"systems", systems}, {"iterations", solved.iterations}, {"residual", nullptr}};
  if (solved.by(Solver::iterative) > 0) out["residual"] = solved.residual;
  return out;
}

}  // namespace

std::string summary_json(const Summary& summary) {
  Json out = {{"steps", summary.steps},
              {"seed", summary.seed},
              {"environment", summary.environment},
              {"algorithm", summary.algorithm},
              {"average_cost", summary.average_cost},
              {"average_cost_last_tenth", summary.average_cost_last_tenth}};
  out["segments"] = {{"explorer", segment_json(summary.explorer)},
                     {"probe", segment_json(summary.probe)},
                     {"target", segment_json(summary.target)}};
  out["phases"] = summary.phases;
  out["seconds"] = summary.seconds;
  out["steps_per_second"] = summary.steps_per_second;
  out["signature"] = summary.signature;
  const BuildInfo build = build_info();
  out["build"] = {{"version", build.version},
                  {"id", build.id},
                  {"compiler", build.compiler},
                  {"instruction_set", build.instruction_set}};
  out["path"] = summary.path;
  out["warnings"] = summary.warnings;
  if (summary.solver) out["solver"] = solver_json(*summary.solver);
  if (summary.guarded_steps)
    out["guard"] = {{"steps", *summary.guarded_steps},
                    {"share", static_cast<double>(*summary.guarded_steps) / static_cast<double>(summary.steps)}};
  if (summary.finite) add_finite(out, *summary.finite);
  if (summary.neural) add_neural(out, *summary.neural);
  if (summary.goals) add_goals(out, *summary.goals);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string summary_text(const Summary& summary) {
  std::string text = fmt::format("{} on {}, seed {}: {} steps in {} ({} per second), {} phases\n", summary.algorithm,
                                 summary.environment, summary.seed, summary.steps, duration_text(summary.seconds),
                                 short_count(summary.steps_per_second), summary.phases);
  text += fmt::format("average cost       {:.6g} over the run, {:.6g} over its last tenth\n", summary.average_cost,
                      summary.average_cost_last_tenth);
  if (summary.guarded_steps)
    text += fmt::format("guard              {} steps ({:.3g}%)\n", *summary.guarded_steps,
                        100.0 * static_cast<double>(*summary.guarded_steps) / static_cast<double>(summary.steps));
  if (summary.finite) {
    text += fmt::format("optimal gain       {:.6g}; final policy {:.6g} from the start, {:.6g} from the last state\n",
                        summary.finite->optimal_gain, summary.finite->final_gain_from_start,
                        summary.finite->final_gain_from_last_state);
    text += fmt::format("regret             {:.6g}; against the optimal gain {:.6g}\n", summary.finite->regret,
                        summary.finite->regret_to_gain);
    const auto& theory = summary.finite->theory;
    if (theory && theory->known < theory->measured)
      text += fmt::format(
          "exact Q            unknown in {} of {} phases, hidden by rounding: largest errors, eps_0, w_max, q_max and "
          "the bounds on PR are not reported\n",
          theory->measured - theory->known, theory->measured);
  }
  if (summary.neural) {
    const auto mean = [](double value, const char* none) {
      return std::isnan(value) ? none : fmt::format("{:.6g}", value);
    };
    text += fmt::format(
        "learned return     {} over the run, {} over its last tenth; explorer {} (means of whole episodes)\n",
        mean(summary.neural->learned_return, "none"), mean(summary.neural->learned_return_last_tenth, "none"),
        mean(summary.neural->explorer_return, "none"));
    text += fmt::format("learner steps      {}\n", summary.neural->learner_steps);
  }
  if (summary.goals) {
    text += fmt::format("map                {} positions in {} cells\n", summary.goals->places, summary.goals->cells);
    for (const GoalSummary::Measure& each : summary.goals->measured)
      text += fmt::format(
          "{:<18} reaches {:.3f} of {} random goals; {:.1f} cells and a score of {:.0f} per game ({} games)\n",
          each.policy, each.reached, each.goals, each.cells_a_game, each.score_a_game, each.games);
  }
  if (summary.solver) text += fmt::format("solver             {}\n", solver_text(*summary.solver));
  return text + fmt::format("signature          {}\n", summary.signature);
}

}  // namespace politex::inline run
