// Evaluates the models and policies that it reads, one JSON object per line, and writes the answers as JSON: the side
// of exact_oracle.py that is to be checked.
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "politex/exact/approximation.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/excitation.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/exact/transient.hpp"
#include "politex/features/tabular.hpp"
#include "politex/tables/finite_mdp.hpp"

namespace politex {
namespace {

using nlohmann::json;

json answer(const json& given) {
  FiniteModel model = parse_finite_mdp(given["model"].dump(), "model");
  model.teleport = given["teleport"];
  const std::vector<double> policy = given["policy"];
  const exact::Evaluation found = exact::evaluate(model, policy);
  const exact::ActionValues q = exact::action_values(model, found);
  std::vector<double> relative(found.bias.size());
  for (std::size_t x = 0; x < relative.size(); ++x) relative[x] = found.relative_error(x);
  json out = {{"gain", found.gain},
              {"bias", found.bias},
              {"bias_error", found.bias_error},
              {"relative", relative},
              {"stationary", found.stationary},
              {"period", found.period},
              {"floor", found.floor},
              {"arithmetic", found.arithmetic},
              {"q", q.value},
              {"q_error", q.value_error}};
  const auto distribution = exact::uniform_pair_distribution(model, found.stationary);
  out["w_norm"] = exact::WeightedFit(tabular_features(model).by_pair(), distribution).fit(q.value).weight_norm;
  exact::Transients transients(model, policy, found);
  for (const std::int64_t steps : given["steps"]) out["transient"].push_back(transients.of(steps));
  if (!given["optimum"]) return out;
  const exact::Optimum optimum = exact::optimum(model);
  out["optimal_gain"] = optimum.gain;
  out["certain"] = optimum.certain;
  return out;
}

}  // namespace
}  // namespace politex

int main() {
  std::string line;
  while (std::getline(std::cin, line)) std::printf("%s\n", politex::answer(politex::json::parse(line)).dump().c_str());
}
