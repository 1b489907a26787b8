// politex exact: exact gains, classes, mixing and excitation of a finite environment.
#include <fmt/format.h>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/record/iteration_line.hpp"
#include "politex/report/exact_report.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/parts.hpp"

namespace politex::cli {
namespace {

Config read_environment(const ExactArguments& arguments) {
  // No explorer is used here: the default one might not suit the environment.
  std::vector<Assignment> settings = {parse_override("environment.name=" + arguments.environment),
                                      parse_override("explorer.name=uniform")};
  for (const std::string& text : arguments.overrides) {
    settings.push_back(parse_override(text, "environment"));
    const std::string_view table = settings.back().key->table();
    if (table != "environment" && table != "features")
      throw ConfigError{std::string(settings.back().key->name),
                        "has no effect here; accepted: keys of [environment] and [features]"};
  }
  return build_config(settings).config;
}

}  // namespace

int exact_command(const ExactArguments& arguments) {
  const Config config = read_environment(arguments);
  const FiniteModel model = make_model(config);
  Features features;
  SparseRows whole;
  if (model.states <= most_states_with_theory) {
    features = make_features(config, model);
    Config without_basis = config;
    whole = make_features(without_basis.set("features.basis", false), model).by_pair();
  }
  IterationLine line;
  const ExactReport report =
      exact_report(model, features, arguments.policy, &whole, [&](const IterationProgress& now) { line.show(now); });
  line.close();
  print_out(arguments.json ? exact_json(report) : exact_text(report));
  return 0;
}

}  // namespace politex::cli
