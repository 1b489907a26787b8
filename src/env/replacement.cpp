#include "politex/env/replacement.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "politex/env/model_builder.hpp"
#include "politex/env/structure.hpp"

namespace politex::inline env {

FiniteModel replacement_model(const ReplacementOptions& options) {
  ModelBuilder builder(replacement_entry().name, 2);
  const int broken = options.size - 1;
  for (int condition = 0; condition < options.size; ++condition) {
    builder.add(std::min(condition + 1, broken), options.wear);
    builder.add(condition, 1.0 - options.wear);
    builder.end_pair(condition == broken ? options.broken : options.operating * condition);
    builder.add(0, 1.0);
    builder.end_pair(options.replace);
  }
  FiniteModel model = std::move(builder).finish(options.size, 0);
  model.layout = Layout::line;
  std::vector<int> condition(static_cast<std::size_t>(options.size));
  std::iota(condition.begin(), condition.end(), 0);
  model.structure = std::make_shared<const ProblemStructure>(ProblemStructure{
      .levels = LevelStructure{.level = std::move(condition), .highest = broken},
      .map = StateMap{
          .columns = options.size, .column = "condition, from new to broken", .actions = {"keep", "replace"}}});
  return model;
}

namespace {

Keys replacement_keys() {
  using Options = ReplacementOptions;
  return Keys{key<&Options::size>("environment.size", "number of conditions, the last is broken; also the N of lengths",
                                  whole(2, 100'000)),
              key<&Options::wear>("environment.wear", "probability that the condition becomes worse in a step",
                                  number_above(0, 1)),
              key<&Options::operating>("environment.operating", "cost of a step, times the condition", number(0, 1e6)),
              key<&Options::replace>("environment.replace", "cost of a new machine", number(0, 1e6)),
              key<&Options::broken>("environment.broken", "cost of a step with a broken machine", number(0, 1e6))} +
         finite_keys();
}

FiniteModel replacement_tables(const Values& values) {
  return with_finite_keys(replacement_model(read<ReplacementOptions>(replacement_keys(), values)), values);
}

Space replacement_space(const Values& values) {
  const int size = read<ReplacementOptions>(replacement_keys(), values).size;
  return finite_space(replacement_entry().name, size, 2, size);
}

}  // namespace

const EnvironmentEntry& replacement_entry() {
  static const EnvironmentEntry entry{.name = "replacement",
                                      .help = "machine maintenance: when to replace a machine that wears",
                                      .keys = replacement_keys(),
                                      .space = replacement_space,
                                      .model = replacement_tables};
  return entry;
}

}  // namespace politex::inline env
