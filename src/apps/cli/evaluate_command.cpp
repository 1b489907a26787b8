// politex evaluate: the average cost of a policy with an interval, alone or compared with another one.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/evaluate/answer.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"

namespace politex::cli {
namespace {

/// A TOML file, or the name of an environment; overrides are keys of [environment].
Config read_environment_of(const EvaluateArguments& arguments) {
  std::vector<Assignment> settings;
  std::error_code ignored;
  if (arguments.environment.ends_with(".toml") || std::filesystem::is_regular_file(arguments.environment, ignored)) {
    settings = read_assignments(arguments.environment);
  } else {
    // No explorer is used here: the default one might not suit the environment.
    settings = {parse_override("environment.name=" + arguments.environment), parse_override("explorer.name=uniform")};
  }
  std::string features;  // a key of theirs
  for (const std::string& text : arguments.overrides) {
    settings.push_back(parse_override(text, "environment"));
    const auto table = settings.back().key->table();
    if (table == "features") features = settings.back().key->name;
    if (table != "environment" && table != "guard" && (table != "features" || arguments.log.empty()))
      throw ConfigError{std::string(settings.back().key->name),
                        "has no effect here; accepted: keys of [environment] and [guard], with --log also of "
                        "[features], and --seed and --steps"};
  }
  Config config = build_config(settings).config;
  if (!features.empty() && environment_of(config).model != nullptr)
    throw ConfigError{features, fmt::format("has no effect on a log of {}, whose states are listed; accepted: an "
                                            "environment with observations",
                                            environment_of(config).name)};
  return config;
}

}  // namespace

int evaluate_command(const EvaluateArguments& arguments) {
  const Question question{.config = read_environment_of(arguments),
                          .policy = arguments.policy,
                          .against = arguments.against,
                          .log = arguments.log,
                          .options = {.steps = arguments.steps,
                                      .seed = arguments.seed,
                                      .alpha = arguments.alpha,
                                      .simulate = arguments.simulate,
                                      .jobs = arguments.jobs}};
  const Comparison found = answer(question);
  print_out(arguments.json ? comparison_json(found, question_facts(question))
                           : comparison_text(found, arguments.policy, arguments.against));
  return 0;
}

}  // namespace politex::cli
