#include "politex/lab/summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "politex/lab/build_info.hpp"
#include "politex/lab/progress_line.hpp"

namespace politex::lab {
namespace {

using Json = nlohmann::ordered_json;  // writes what is not finite as null

Json segment_json(const SegmentSummary& segment) {
  return {{"steps", segment.steps}, {"average_cost", segment.average_cost}};
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
}

void add_neural(Json& out, const NeuralSummary& neural) {
  out["learned_return"] = {{"mean", neural.learned_return},
                           {"last_tenth", neural.learned_return_last_tenth},
                           {"episodes", neural.learned_episodes}};
  out["explorer_return"] = {{"mean", neural.explorer_return}, {"episodes", neural.explorer_episodes}};
  out["learner_steps"] = neural.learner_steps;
  out["estimated_gain"] = neural.gain;
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
  out["build"] = {{"version", build.version}, {"compiler", build.compiler}, {"instruction_set", build.instruction_set}};
  out["path"] = summary.path;
  out["warnings"] = summary.warnings;
  if (summary.finite) add_finite(out, *summary.finite);
  if (summary.neural) add_neural(out, *summary.neural);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string summary_text(const Summary& summary) {
  std::string text = fmt::format("{} on {}, seed {}: {} steps in {} ({:.3g} a second), {} phases\n", summary.algorithm,
                                 summary.environment, summary.seed, summary.steps, duration_text(summary.seconds),
                                 summary.steps_per_second, summary.phases);
  text += fmt::format("average cost       {:.6g} over the run, {:.6g} over its last tenth\n", summary.average_cost,
                      summary.average_cost_last_tenth);
  if (summary.finite) {
    text += fmt::format("optimal gain       {:.6g}; final policy {:.6g} from the start, {:.6g} from the last state\n",
                        summary.finite->optimal_gain, summary.finite->final_gain_from_start,
                        summary.finite->final_gain_from_last_state);
    text += fmt::format("regret             {:.6g}; against the optimal gain {:.6g}\n", summary.finite->regret,
                        summary.finite->regret_to_gain);
  }
  if (summary.neural) {
    text += fmt::format(
        "learned return     {:.6g} an episode over the run, {:.6g} over its last tenth; explorer {:.6g}\n",
        summary.neural->learned_return, summary.neural->learned_return_last_tenth, summary.neural->explorer_return);
    text += fmt::format("learner steps      {}\n", summary.neural->learner_steps);
  }
  return text + fmt::format("signature          {}\n", summary.signature);
}

}  // namespace politex::lab
