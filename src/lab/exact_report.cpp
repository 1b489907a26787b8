#include "politex/lab/exact_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/lab/nearest.hpp"
#include "politex/policy/policy_file.hpp"

namespace politex::lab {
namespace {

using Json = nlohmann::ordered_json;  // writes what is not finite as null

// One row per pair, as the exact room wants it.
SparseRows rows_by_pair(const Features& features, int pairs) {
  SparseRows rows;
  rows.columns = features.dimension();
  for (int pair = 0; pair < pairs; ++pair) {
    const FeatureRow row = features.row(pair);
    for (std::size_t i = 0; i < row.indices.size(); ++i) rows.append(row.offset + row.indices[i], row.values[i]);
    rows.end_row();
  }
  return rows;
}

std::optional<exact::Excitation> excitation_if_small(const SparseRows& rows, std::span<const double> law) {
  constexpr int most_features = 3000;
  if (rows.columns > most_features) return std::nullopt;
  return exact::excitation(rows, law);
}

std::string_view answer_text(exact::Answer answer) {
  return answer == exact::Answer::yes ? "yes" : answer == exact::Answer::no ? "no" : "unknown";
}

std::string number_or(double value, std::string_view otherwise) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string(otherwise);
}

std::string a1_text(const exact::SingleClass& a1) {
  switch (a1.answer) {
    case exact::Answer::yes:
      return a1.certificate >= 0 ? fmt::format("yes: every policy reaches state {} from everywhere", a1.certificate)
                                 : "yes: all policies were tried";
    case exact::Answer::no:
      return fmt::format("no: a policy has two recurrent classes, of states {} and {}", a1.first_home, a1.second_home);
    case exact::Answer::unknown:
      break;
  }
  return "unknown (the question is NP-hard)";
}

std::string state_table(const ExactReport& report) {
  constexpr int most_rows = 40;
  std::string text = fmt::format("\n{:>7} {:>12} {:>12} {:>8} {:>12} {:>12}\n", "state", "gain", "optimal", "optimal",
                                 "stationary", "bias");
  text += fmt::format("{:>7} {:>12} {:>12} {:>8}\n", "", "", "gain", "action");
  for (int x = 0; x < std::min(report.states, most_rows); ++x) {
    const auto i = static_cast<std::size_t>(x);
    text += fmt::format("{:>7} {:>12.6g} {:>12.6g} {:>8} {:>12.6g} {:>12.6g}\n", x, report.evaluation.gain[i],
                        report.optimum.gain[i], report.optimum.action[i], report.evaluation.stationary[i],
                        report.evaluation.bias[i]);
  }
  if (report.states > most_rows)
    text += fmt::format("    ... {} more states; --json has all\n", report.states - most_rows);
  return text;
}

}  // namespace

std::vector<double> named_policy(const std::string& name, const FiniteModel& model) {
  if (name == "optimal") return exact::deterministic_policy(model, exact::optimum(model).action);
  if (name == "uniform") return exact::uniform_policy(model);
  if (name.starts_with("always:")) {
    int action = -1;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + 7, end, action);
    if (error != std::errc{} || stop != end || action < 0 || action >= model.actions)
      throw ConfigError{"--policy", fmt::format("\"{}\" is no action of {}; accepted: always:0 to always:{}", name,
                                                model.name, model.actions - 1)};
    return exact::always(model, action);
  }
  if (std::error_code ignored; !std::filesystem::exists(name, ignored)) {
    constexpr std::array<std::string_view, 3> known = {"optimal", "uniform", "always:0"};
    throw ConfigError{"--policy",
                      fmt::format("\"{}\" is no policy and no file, nearest: {}; accepted: optimal, uniform, "
                                  "always:A, or a policy file",
                                  name.substr(0, 200), nearest(name, known))};
  }
  return read_policy("--policy", name, model.states, model.actions);
}

ExactReport exact_report(const FiniteModel& model, const Features& features, const std::string& policy) {
  ExactReport report;
  report.environment = model.name;
  report.policy_name = policy;
  report.states = model.states;
  report.actions = model.actions;
  report.start = model.start;
  report.policy = named_policy(policy, model);
  report.evaluation = exact::evaluate(model, report.policy);
  report.optimum = exact::optimum(model);
  report.a1 = exact::single_class(model);
  report.mixing = exact::mixing(model);
  report.mixing_of_policy = exact::mixing(model, report.policy);
  const SparseRows rows = rows_by_pair(features, model.pairs());
  report.lemma = excitation_if_small(rows, exact::uniform_pair_law(model, report.evaluation.stationary));
  report.a3 = excitation_if_small(rows, exact::pair_law(model, report.evaluation.stationary, report.policy));
  return report;
}

std::string exact_json(const ExactReport& report) {
  const auto start = static_cast<std::size_t>(report.start);
  Json out = {{"environment", report.environment},
              {"policy", report.policy_name},
              {"states", report.states},
              {"actions", report.actions},
              {"start", report.start},
              {"gain", report.evaluation.gain[start]},
              {"optimal_gain", report.optimum.gain[start]},
              {"unichain", report.evaluation.unichain()},
              {"classes", report.evaluation.classes},
              {"period", report.evaluation.period},
              {"a1", answer_text(report.a1.answer)}};
  out["a1_certificate"] = report.a1.certificate >= 0 ? Json(report.a1.certificate) : Json(nullptr);
  out["a1_witness"] = report.a1.answer == exact::Answer::no ? Json(report.a1.witness) : Json(nullptr);
  out["kappa"] = report.mixing.kappa;
  out["kappa_policy"] = report.mixing_of_policy.kappa;
  out["sigma"] = report.lemma ? Json(report.lemma->sigma) : Json(nullptr);
  out["sigma_on_span"] = report.lemma ? Json(report.lemma->sigma_on_span) : Json(nullptr);
  out["sigma_a3"] = report.a3 ? Json(report.a3->sigma) : Json(nullptr);
  out["sigma_a3_on_span"] = report.a3 ? Json(report.a3->sigma_on_span) : Json(nullptr);
  out["features"] = report.lemma ? Json(report.lemma->features) : Json(nullptr);
  out["features_rank"] = report.lemma ? Json(report.lemma->rank) : Json(nullptr);
  out["gain_by_state"] = report.evaluation.gain;
  out["optimal_gain_by_state"] = report.optimum.gain;
  out["optimal_policy"] = report.optimum.action;
  out["stationary"] = report.evaluation.stationary;
  out["bias"] = report.evaluation.bias;
  return out.dump() + "\n";
}

std::string exact_text(const ExactReport& report) {
  const auto start = static_cast<std::size_t>(report.start);
  const exact::Evaluation& evaluation = report.evaluation;
  std::string text = fmt::format("{}: {} states, {} actions; policy: {}; costs, from the start state {}\n\n",
                                 report.environment, report.states, report.actions, report.policy_name, report.start);
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<34} {}\n", name, value);
  };
  line("gain of the policy", fmt::format("{:.10g}", evaluation.gain[start]));
  line("optimal gain", fmt::format("{:.10g}", report.optimum.gain[start]));
  line("recurrent classes, period",
       fmt::format("{}{}, {}", evaluation.classes, evaluation.unichain() ? " (unichain)" : "", evaluation.period));
  line("A1, one class for all policies", a1_text(report.a1));
  line("A2, kappa for all policies", number_or(report.mixing.kappa, "infinite"));
  line("    kappa of this policy", number_or(report.mixing_of_policy.kappa, "infinite"));
  if (report.lemma && report.a3) {
    line("features, their rank", fmt::format("{}, {}", report.lemma->features, report.lemma->rank));
    line("sigma of the lemma, on the span",
         fmt::format("{:.6g}, {:.6g}", report.lemma->sigma, report.lemma->sigma_on_span));
    line("A3, sigma, on the span", fmt::format("{:.6g}, {:.6g}", report.a3->sigma, report.a3->sigma_on_span));
  } else {
    line("sigma", "not computed: more than 3000 features");
  }
  if (evaluation.floor > 0.0)
    line("note", fmt::format("moves of probability below {:.3g} were taken as impossible", evaluation.floor));
  return text + state_table(report);
}

}  // namespace politex::lab
