#include "politex/report/exact_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ranges>

#include "politex/base/error.hpp"
#include "politex/exact/bounds.hpp"
#include "politex/heuristics/heuristic.hpp"
#include "politex/policy/policy_file.hpp"
#include "politex/settings/nearest.hpp"

namespace politex::inline report {
namespace {

using Json = nlohmann::ordered_json;  // writes non-finite numbers as null

// The result, or nothing and a note that says why.
template <class Compute>
auto if_possible(std::vector<std::string>& notes, std::string_view what, Compute compute)
    -> std::optional<decltype(compute())> {
  try {
    return compute();
  } catch (const Error& error) {
    notes.push_back(fmt::format("{}: not computed: {}", what, error.what()));
    return std::nullopt;
  }
}

// A number, or null where rounding may have changed it by more than 1e-9.
Json biases(const exact::Evaluation& evaluation) {
  Json all = Json::array();
  for (std::size_t x = 0; x < evaluation.bias.size(); ++x)
    all.push_back(evaluation.relative_error(x) <= exact::reported_error ? Json(evaluation.bias[x]) : Json(nullptr));
  return all;
}

double low(double gain, double error) { return gain - error; }
double high(double gain, double error) { return gain + error; }

// Brackets that are wider are reported without a number in their middle.
constexpr double widest_bracket = 1e-8;
constexpr const char* open_bracket_reason =
    "; the bounds did not meet (gains may differ between start states), so no single number is reported";
bool is_open(double gain, double error) { return !(2.0 * error <= widest_bracket * std::max(1.0, std::abs(gain))); }
bool policy_is_open(const ExactReport& report) {
  const auto start = static_cast<std::size_t>(report.start);
  return report.evaluation.iterated() && is_open(report.evaluation.gain[start], report.evaluation.gain_error[start]);
}
bool optimum_is_open(const ExactReport& report) {
  const auto start = static_cast<std::size_t>(report.start);
  return report.optimum.iterated && is_open(report.optimum.gain[start], report.optimum.gain_error[start]);
}

void add_notes(ExactReport& report) {
  const exact::Evaluation& found = report.evaluation;
  const auto start = static_cast<std::size_t>(report.start);
  std::vector<std::string>& notes = report.notes;
  if (found.iterated())
    notes.push_back(fmt::format(
        "gain of the policy: elimination would take too long; iterated, the gain is in [{:.12g}, {:.12g}]; biases are "
        "not reported, because their error is not known{}",
        low(found.gain[start], found.gain_error[start]), high(found.gain[start], found.gain_error[start]),
        is_open(found.gain[start], found.gain_error[start]) ? open_bracket_reason : ""));
  else
    notes.push_back(
        fmt::format("bias: computed with {}; estimated relative error {:.2g}, residual of the equations {:.2g}",
                    found.arithmetic, found.relative_error(), found.residual));
  const auto hidden = std::ranges::count_if(std::views::iota(std::size_t{0}, found.bias.size()), [&](std::size_t x) {
    return !(found.relative_error(x) <= exact::reported_error);
  });
  if (hidden > 0 && !found.iterated())
    notes.push_back(fmt::format(
        "bias: {} of {} are not reported: the chain is so nearly decomposable that 113 bits do not resolve them",
        hidden, found.bias.size()));
  if (report.optimum.iterated)
    notes.push_back(
        fmt::format("optimal gain: iterated, it is in [{:.12g}, {:.12g}], and so is the gain of the policy "
                    "that is shown as optimal{}",
                    low(report.optimum.gain[start], report.optimum.gain_error[start]),
                    high(report.optimum.gain[start], report.optimum.gain_error[start]),
                    optimum_is_open(report) ? open_bracket_reason : ""));
  if (!report.optimum.certain)
    notes.push_back(
        "optimal gain: not reported: rounding hides whether some action of a nearly decomposable chain is better");
  if (found.floor > 0.0) notes.push_back(fmt::format("moves of probability below {:.3g} were dropped", found.floor));
  const auto ties = std::ranges::count(report.optimum.tied, char{1}) - report.states;
  if (ties > 0)
    notes.push_back(fmt::format("optimal policy: {} other actions are as good; one of them is shown per state", ties));
}

std::string memory_note(const FiniteModel& model) {
  const auto moves = static_cast<double>(model.next.size()), pairs = static_cast<double>(model.pairs());
  const double tables = 12.0 * moves + 16.0 * pairs + 4.0 * static_cast<double>(model.axes.size()) * model.states;
  return fmt::format("memory: about {:.0f} MB for the model and {:.0f} MB for the iteration", 1e-6 * tables,
                     1e-6 * iteration_bytes(model));
}

ExactReport make_exact_report(const FiniteModel& model, const Features& features, std::string name,
                              std::vector<double> policy, exact::Optimum best, const SparseRows* whole,
                              const ShowIteration& show);

constexpr int most_dense_features = 500, most_dense_states = 500;  // larger problems take minutes

void add_s_delta(ExactReport& report, const FiniteModel& model, const ShowIteration& show) {
  const std::vector<double> best = exact::deterministic_policy(model, report.optimum.action);
  const std::vector<double> stationary =
      best == report.policy ? report.evaluation.stationary : exact::evaluate(model, best, show).stationary;
  report.s_delta = exact::s_delta(model.actions, stationary, exact::reported_delta);
}

void add_theory(ExactReport& report, const FiniteModel& model, const SparseRows& rows) {
  if (model.states <= most_dense_states)
    report.second_eigenvalue = exact::second_eigenvalue(model, report.policy);
  else
    report.notes.push_back(fmt::format("second eigenvalue: not computed above {} states", most_dense_states));
  if (rows.columns > most_dense_features || report.evaluation.iterated()) {
    report.notes.push_back(fmt::format(
        "fit and TD quantities: not computed {}",
        report.evaluation.iterated() ? "without an exact Q" : fmt::format("above {} features", most_dense_features)));
    return;
  }
  if (!(report.evaluation.relative_error() <= exact::reported_error)) {
    report.notes.emplace_back("fit and TD quantities: not computed, because some Q are not known to 1e-9");
    return;
  }
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

std::string mixing_text(const std::optional<exact::Mixing>& found) {
  if (!found) return "not computed";
  const exact::Mixing& mixing = *found;
  if (mixing.first_state < 0) return number_or(mixing.kappa, "infinite");
  return fmt::format("{} (tau {:.6g}, at states {} and {})", number_or(mixing.kappa, "infinite: fails"), mixing.tau,
                     mixing.first_state, mixing.second_state);
}

bool optimum_is_known(const ExactReport& report) { return report.optimum.certain && !optimum_is_open(report); }

Json bound_of_optimum(const ExactReport& report, double (*bound)(double, double)) {
  if (!report.optimum.certain) return nullptr;
  const auto start = static_cast<std::size_t>(report.start);
  return bound(report.optimum.gain[start], report.optimum.gain_error[start]);
}

// With its bounds where it was iterated.
std::string gain_text(double gain, double error, bool iterated) {
  if (!iterated) return fmt::format("{:.10g}", gain);
  const std::string bounds = fmt::format("[{:.12g}, {:.12g}]", low(gain, error), high(gain, error));
  return is_open(gain, error) ? bounds : fmt::format("{:.10g}, in {}", gain, bounds);
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
  Json out = {{"tau", nullptr}, {"tau_states", nullptr}, {"s_delta", report.s_delta}, {"tau_actions", nullptr}};
  if (report.mixing) {
    const exact::Mixing& m = *report.mixing;
    out["tau"] = m.tau;
    out["tau_states"] = {m.first_state, m.second_state};
    if (m.first_action >= 0) out["tau_actions"] = {m.first_action, m.second_action};
  }
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
    text += fmt::format("{:>7} {:>12.6g} {:>12.6g} {:>8} {:>12.6g} {:>12}\n", x, report.evaluation.gain[i],
                        report.optimum.gain[i], report.optimum.action[i], report.evaluation.stationary[i],
                        report.evaluation.relative_error(i) <= exact::reported_error
                            ? fmt::format("{:.6g}", report.evaluation.bias[i])
                            : "-");
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
  if (const auto actions = named_heuristic(name, model, "--policy"))
    return exact::deterministic_policy(model, *actions);
  if (std::error_code ignored; !std::filesystem::exists(name, ignored)) {
    std::vector<std::string_view> known = {"optimal", "uniform", "always:0"};
    for (const HeuristicEntry* each : all_heuristics()) known.push_back(each->name);
    throw ConfigError{
        "--policy",
        fmt::format("\"{}\" is neither a policy nor a file; did you mean \"{}\"? Accepted: optimal, uniform, "
                    "always:A, a policy file, or a heuristic ({})",
                    name.substr(0, 200), nearest(name, known), heuristic_forms())};
  }
  return read_policy("--policy", name, model.states, model.actions);
}

ExactReport exact_report(const FiniteModel& model, const Features& features, const std::string& policy,
                         const SparseRows* whole, const ShowIteration& show) {
  if (policy != "optimal") return exact_report(model, features, policy, named_policy(policy, model), whole, show);
  exact::Optimum best = exact::optimum(model, show);
  std::vector<double> probabilities = exact::deterministic_policy(model, best.action);
  return make_exact_report(model, features, policy, std::move(probabilities), std::move(best), whole, show);
}

ExactReport exact_report(const FiniteModel& model, const Features& features, std::string name,
                         std::vector<double> policy, const SparseRows* whole, const ShowIteration& show) {
  return make_exact_report(model, features, std::move(name), std::move(policy), exact::optimum(model, show), whole,
                           show);
}

namespace {

ExactReport make_exact_report(const FiniteModel& model, const Features& features, std::string name,
                              std::vector<double> policy, exact::Optimum best, const SparseRows* whole,
                              const ShowIteration& show) {
  ExactReport report;
  report.environment = model.name;
  report.policy_name = std::move(name);
  report.states = model.states;
  report.actions = model.actions;
  report.start = model.start;
  report.policy = std::move(policy);
  report.evaluation = exact::evaluate(model, report.policy, show);
  report.optimum = std::move(best);
  if (model.states <= most_states_with_theory) report.a1 = exact::single_class(model);
  report.truncation = truncation(model, report.evaluation.stationary);
  add_notes(report);
  add_s_delta(report, model, show);
  if (report.evaluation.iterated() || report.optimum.iterated) report.notes.push_back(memory_note(model));
  if (model.states > most_states_with_theory) {
    report.notes.push_back(
        fmt::format("A1, kappa, sigma, second eigenvalue, fit and TD quantities: not computed above {} "
                    "states",
                    most_states_with_theory));
    return report;
  }
  report.mixing = if_possible(report.notes, "kappa for all policies", [&] { return exact::mixing(model); });
  report.mixing_of_policy =
      if_possible(report.notes, "kappa of this policy", [&] { return exact::mixing(model, report.policy); });
  const SparseRows rows = features.by_pair();
  const auto excited = [&](const std::vector<double>& distribution) {
    return if_possible(report.notes, "sigma", [&] { return exact::excitation(rows, distribution, whole); });
  };
  report.lemma = excited(exact::uniform_pair_distribution(model, report.evaluation.stationary));
  if (report.lemma) report.a3 = excited(exact::pair_distribution(model, report.evaluation.stationary, report.policy));
  add_theory(report, model, rows);
  return report;
}

}  // namespace

std::string exact_json(const ExactReport& report) {
  const auto start = static_cast<std::size_t>(report.start);
  Json out = {{"environment", report.environment},
              {"policy", report.policy_name},
              {"states", report.states},
              {"actions", report.actions},
              {"start", report.start},
              {"gain", policy_is_open(report) ? Json(nullptr) : Json(report.evaluation.gain[start])},
              {"optimal_gain", optimum_is_known(report) ? Json(report.optimum.gain[start]) : Json(nullptr)},
              {"method", report.evaluation.iterated() ? "iteration" : "elimination"},
              {"gain_error", report.evaluation.gain_error[start]},
              {"gain_low", low(report.evaluation.gain[start], report.evaluation.gain_error[start])},
              {"gain_high", high(report.evaluation.gain[start], report.evaluation.gain_error[start])},
              {"optimal_gain_error", report.optimum.gain_error[start]},
              {"optimal_gain_low", bound_of_optimum(report, low)},
              {"optimal_gain_high", bound_of_optimum(report, high)},
              {"unichain", report.evaluation.unichain()},
              {"classes", report.evaluation.classes},
              {"period", report.evaluation.period},
              {"a1", answer_text(report.a1.answer)}};
  out["a1_certificate"] = report.a1.certificate >= 0 ? Json(report.a1.certificate) : Json(nullptr);
  out["a1_witness"] = report.a1.answer == exact::Answer::no ? Json(report.a1.witness) : Json(nullptr);
  out["kappa"] = report.mixing ? Json(report.mixing->kappa) : Json(nullptr);
  out["kappa_policy"] = report.mixing_of_policy ? Json(report.mixing_of_policy->kappa) : Json(nullptr);
  out["sigma"] = report.lemma ? Json(report.lemma->sigma) : Json(nullptr);
  out["sigma_on_span"] = report.lemma ? Json(report.lemma->sigma_on_span) : Json(nullptr);
  out["sigma_a3"] = report.a3 ? Json(report.a3->sigma) : Json(nullptr);
  out["sigma_a3_on_span"] = report.a3 ? Json(report.a3->sigma_on_span) : Json(nullptr);
  out["features"] = report.lemma ? Json(report.lemma->features) : Json(nullptr);
  out["features_rank"] = report.lemma ? Json(report.lemma->rank) : Json(nullptr);
  out.update(theory_json(report));
  out["gain_by_state"] = policy_is_open(report) ? Json(nullptr) : Json(report.evaluation.gain);
  out["optimal_gain_by_state"] = optimum_is_known(report) ? Json(report.optimum.gain) : Json(nullptr);
  out["optimal_policy"] = report.optimum.action;
  out["stationary"] = report.evaluation.stationary;
  out["bias"] = biases(report.evaluation);
  out["bias_relative_error"] = report.evaluation.relative_error();
  if (report.truncation)
    out["truncation"] = {{"full", report.truncation->full},
                         {"smaller_buffer", report.truncation->smaller},
                         {"smaller_optimal_gain", report.truncation->smaller_gain}};
  out["notes"] = report.notes;
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
  line("gain of the policy", gain_text(evaluation.gain[start], evaluation.gain_error[start], evaluation.iterated()));
  line("optimal gain", report.optimum.certain ? gain_text(report.optimum.gain[start], report.optimum.gain_error[start],
                                                          report.optimum.iterated)
                                              : "unknown");
  if (report.truncation)
    line("buffers: some full, optimum by half",
         fmt::format("{:.3g} of the time; {:.6g} with buffers of {}", report.truncation->full,
                     report.truncation->smaller_gain, report.truncation->smaller));
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
    line("sigma", "not computed");
  }
  text += theory_text(report);
  for (const std::string& note : report.notes) line("note", note);
  return text + state_table(report);
}

}  // namespace politex::inline report
