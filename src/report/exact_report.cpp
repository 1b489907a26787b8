#include "politex/report/exact_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/exact/bounds.hpp"
#include "politex/policy/policy_file.hpp"
#include "politex/settings/nearest.hpp"

namespace politex::inline report {
namespace {

using Json = nlohmann::ordered_json;  // writes non-finite numbers as null

// `rows` has one row per state-action pair.
std::optional<exact::Excitation> excitation_if_small(const SparseRows& rows, std::span<const double> distribution) {
  try {
    return exact::excitation(rows, distribution);
  } catch (const Error&) {  // too many features, which the table reports
    return std::nullopt;
  }
}

constexpr int most_dense_features = 500, most_dense_states = 500;  // larger problems take minutes

void add_theory(ExactReport& report, const FiniteModel& model, const SparseRows& rows) {
  const exact::Evaluation best = exact::evaluate(model, exact::deterministic_policy(model, report.optimum.action));
  report.s_delta = exact::s_delta(model.actions, best.stationary, exact::reported_delta);
  if (model.states <= most_dense_states) report.second_eigenvalue = exact::second_eigenvalue(model, report.policy);
  if (rows.columns > most_dense_features) return;
  const std::vector<double> q = exact::action_values(model, report.evaluation).value;
  report.fit = exact::WeightedFit(rows, exact::uniform_pair_distribution(model, report.evaluation.stationary)).fit(q);
  const std::vector<double> uniform = exact::uniform_policy(model);
  const std::vector<double> explorer_distribution =
      exact::pair_distribution(model, exact::evaluate(model, uniform).stationary, uniform);
  report.td = exact::td_comparison(model, report.policy, rows, explorer_distribution);
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
      return a1.certificate >= 0 ? fmt::format("yes: every policy reaches state {} from every state", a1.certificate)
                                 : "yes: all policies were tried";
    case exact::Answer::no:
      return fmt::format("no: a policy has two recurrent classes, containing states {} and {}", a1.first_home,
                         a1.second_home);
    case exact::Answer::unknown:
      break;
  }
  return "unknown (the question is NP-hard)";
}

// The features of the first null vector, a combination that is zero under the distribution.
std::string unexcited(const exact::Excitation& excitation) {
  if (excitation.null_vectors.empty()) return "holds";
  std::string features;
  int count = 0;
  for (std::size_t i = 0; i < excitation.null_vectors[0].size(); ++i) {
    if (std::abs(excitation.null_vectors[0][i]) < 1e-6) continue;
    if (++count <= 4) features += fmt::format("{}{}", count > 1 ? ", " : "", i);
  }
  return fmt::format("fails: {} feature{} {}{}",
                     count == 1 ? "never visited:" : "linearly dependent on visited pairs:", count == 1 ? "" : "s",
                     features, count > 4 ? ", ..." : "");
}

std::string mixing_text(const exact::Mixing& mixing) {
  if (mixing.first_state < 0) return number_or(mixing.kappa, "infinite");
  return fmt::format("{} (tau {:.6g}, at states {} and {})", number_or(mixing.kappa, "infinite: fails"), mixing.tau,
                     mixing.first_state, mixing.second_state);
}

Json sparse(const std::vector<std::vector<double>>& vectors) {
  Json all = Json::array();
  for (const auto& vector : vectors) {
    Json entries = Json::array();
    for (std::size_t i = 0; i < vector.size(); ++i) {
      if (vector[i] != 0.0) entries.push_back({i, vector[i]});
    }
    all.push_back(std::move(entries));
  }
  return all;
}

// Quantities of the theorem and of its comparison with TD methods.
Json theory_json(const ExactReport& report) {
  const exact::Mixing& m = report.mixing;
  Json out = {{"tau", m.tau}, {"tau_states", {m.first_state, m.second_state}}, {"s_delta", report.s_delta}};
  out["tau_actions"] = m.first_action >= 0 ? Json({m.first_action, m.second_action}) : Json(nullptr);
  out["second_eigenvalue"] = report.second_eigenvalue ? Json(*report.second_eigenvalue) : Json(nullptr);
  out["null_vectors"] = report.lemma ? sparse(report.lemma->null_vectors) : Json(nullptr);
  if (report.fit) {
    out.update({{"w_norm", report.fit->weight_norm},
                {"q_range", report.fit->range},
                {"q_max", report.fit->q_max()},
                {"eps_0", report.fit->error}});
  }
  if (report.td) {
    out.update({{"alpha", report.td->alpha},
                {"rho", report.td->rho},
                {"td_error", report.td->td_error},
                {"best_error", report.td->best_error},
                {"td_weights", report.td->td_weights},
                {"off_policy_radius", report.td->off_policy_radius}});
  }
  return out;
}

std::string theory_text(const ExactReport& report) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<34} {}\n", name, value);
  };
  if (report.second_eigenvalue) line("second eigenvalue, modulus", fmt::format("{:.6g}", *report.second_eigenvalue));
  line("S_delta(A, mu*), delta .05", fmt::format("{:.6g}", report.s_delta));
  if (report.fit) {
    line("Q of the policy: range, 2 W |psi|", fmt::format("{:.6g}, {:.6g}", report.fit->range, report.fit->q_max()));
    line("    |w|, error of the best w", fmt::format("{:.6g}, {:.6g}", report.fit->weight_norm, report.fit->error));
  }
  if (report.td) {
    line("TD: alpha, sqrt(1 + rho)",
         fmt::format("{:.6g}, {}", report.td->alpha, number_or(std::sqrt(1.0 + report.td->rho), "no fixed point")));
    line("    error of w_TD, of the best w",
         fmt::format("{}, {:.6g}", number_or(report.td->td_error, "-"), report.td->best_error));
    line("    off-policy LSPE, uniform data",
         fmt::format("spectral radius {:.6g}{}", report.td->off_policy_radius,
                     report.td->off_policy_radius > 1.0 + 1e-9   ? ": diverges"
                     : report.td->off_policy_radius > 1.0 - 1e-9 ? ": does not converge"
                                                                 : ""));
  }
  return text;
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
      throw ConfigError{"--policy", fmt::format("\"{}\" is not an action of {}; accepted: always:0 to always:{}", name,
                                                model.name, model.actions - 1)};
    return exact::always(model, action);
  }
  if (std::error_code ignored; !std::filesystem::exists(name, ignored)) {
    constexpr std::array<std::string_view, 3> known = {"optimal", "uniform", "always:0"};
    throw ConfigError{
        "--policy",
        fmt::format("\"{}\" is neither a policy nor a file; did you mean \"{}\"? Accepted: optimal, uniform, "
                    "always:A, or a policy file",
                    name.substr(0, 200), nearest(name, known))};
  }
  return read_policy("--policy", name, model.states, model.actions);
}

ExactReport exact_report(const FiniteModel& model, const Features& features, const std::string& policy) {
  return exact_report(model, features, policy, named_policy(policy, model));
}

ExactReport exact_report(const FiniteModel& model, const Features& features, std::string name,
                         std::vector<double> policy) {
  ExactReport report;
  report.environment = model.name;
  report.policy_name = std::move(name);
  report.states = model.states;
  report.actions = model.actions;
  report.start = model.start;
  report.policy = std::move(policy);
  report.evaluation = exact::evaluate(model, report.policy);
  report.optimum = exact::optimum(model);
  report.a1 = exact::single_class(model);
  report.mixing = exact::mixing(model);
  report.mixing_of_policy = exact::mixing(model, report.policy);
  const SparseRows rows = features.by_pair();
  report.lemma = excitation_if_small(rows, exact::uniform_pair_distribution(model, report.evaluation.stationary));
  report.a3 = excitation_if_small(rows, exact::pair_distribution(model, report.evaluation.stationary, report.policy));
  add_theory(report, model, rows);
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
  out.update(theory_json(report));
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
  line("A2, kappa for all policies", mixing_text(report.mixing));
  line("    kappa of this policy", mixing_text(report.mixing_of_policy));
  if (report.lemma && report.a3) {
    line("features, their rank", fmt::format("{}, {}", report.lemma->features, report.lemma->rank));
    line("sigma of the lemma, on the span",
         fmt::format("{:.6g}, {:.6g}", report.lemma->sigma, report.lemma->sigma_on_span));
    line("A3, sigma, on the span", fmt::format("{:.6g}, {:.6g}", report.a3->sigma, report.a3->sigma_on_span));
    line("    on the whole space", unexcited(*report.a3));
  } else {
    line("sigma", "not computed: more than 3000 coupled features");
  }
  text += theory_text(report);
  if (evaluation.floor > 0.0)
    line("note", fmt::format("moves of probability below {:.3g} were dropped", evaluation.floor));
  return text + state_table(report);
}

}  // namespace politex::inline report
