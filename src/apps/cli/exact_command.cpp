// politex exact: gains, classes, mixing and excitation of a finite environment, computed and not learned.
#include <fmt/format.h>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/lab/catalogue.hpp"
#include "politex/lab/config_io.hpp"
#include "politex/lab/exact_report.hpp"

namespace politex::cli {
namespace {

lab::Config read_environment(const ExactArguments& arguments) {
  std::vector<lab::Assignment> settings = {lab::parse_override("environment.name=" + arguments.environment)};
  for (const std::string& text : arguments.overrides) {
    settings.push_back(lab::parse_override(text, "environment"));
    const std::string_view table = settings.back().field->table();
    if (table != "environment" && table != "features")
      throw ConfigError{std::string(settings.back().field->key),
                        "has no effect here; accepted: keys of [environment] and [features]"};
  }
  return lab::build_config(settings).config;
}

}  // namespace

int exact_command(const ExactArguments& arguments) {
  const lab::Config config = read_environment(arguments);
  const FiniteModel model = lab::make_model(config.environment);
  const Features features = lab::make_features(config.features, model);
  const lab::ExactReport report = lab::exact_report(model, features, arguments.policy);
  print_out(arguments.json ? lab::exact_json(report) : lab::exact_text(report));
  return 0;
}

}  // namespace politex::cli
