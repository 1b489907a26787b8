#include "politex/env/inventory.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "politex/env/model_builder.hpp"
#include "politex/env/structure.hpp"

namespace politex::inline env {
namespace {

/// Probability of every demand below `most`.
std::vector<double> poisson(double mean, int most) {
  std::vector<double> probability{std::exp(-mean)};
  for (int k = 1; k < most; ++k) probability.push_back(probability.back() * mean / k);
  return probability;
}

}  // namespace

FiniteModel inventory_model(const InventoryOptions& options) {
  const int states = options.backlog + 1 + options.capacity;
  const std::vector<double> probability = poisson(options.demand, states);
  ModelBuilder builder(inventory_entry().name, options.capacity + 1);
  for (int x = 0; x < states; ++x) {
    for (int action = 0; action <= options.capacity; ++action) {
      const bool orders = action > 0 && options.backlog + action > x;
      const int full = orders ? options.backlog + action : x;
      const int stock = full - options.backlog;
      double rest = 1.0, left = 0.0;
      for (int demand = 0; demand < full; ++demand) {
        const double p = probability[static_cast<std::size_t>(demand)];
        builder.add(full - demand, p);
        rest -= p;
        left += p * std::max(stock - demand, 0);
      }
      builder.add(0, rest);
      const double missing = options.demand - stock + left;
      builder.end_pair((orders ? options.fixed : 0.0) + options.holding * left + options.penalty * missing);
    }
  }
  FiniteModel model = std::move(builder).finish(states, options.backlog);
  model.layout = Layout::line;
  StockStructure stock{.highest = options.capacity};
  for (int x = 0; x < states; ++x) stock.position.push_back(x - options.backlog);
  model.structure = std::make_shared<const ProblemStructure>(ProblemStructure{.stock = std::move(stock)});
  return model;
}

namespace {

Keys inventory_keys() {
  using Options = InventoryOptions;
  return Keys{key<&Options::fixed>("environment.fixed", "cost of an order, whatever its size", number(0, 1e6)),
              key<&Options::holding>("environment.holding", "cost of a unit in stock at the end of a period",
                                     number(0, 1e6)),
              key<&Options::penalty>("environment.penalty", "cost of a unit missing at the end of a period",
                                     number(0, 1e6)),
              key<&Options::demand>("environment.demand", "mean of the Poisson demand of a period",
                                    number_above(0, 500)),
              key<&Options::capacity>("environment.capacity", "most units in stock", whole(1, 500)),
              key<&Options::backlog>("environment.backlog",
                                     "most units owed; demand beyond is lost (0: all missing demand is lost)",
                                     whole(0, 500))} +
         finite_keys();
}

FiniteModel inventory_tables(const Values& values) {
  return with_finite_keys(inventory_model(read<InventoryOptions>(inventory_keys(), values)), values);
}

Space inventory_space(const Values& values) {
  const auto options = read<InventoryOptions>(inventory_keys(), values);
  const int states = options.backlog + 1 + options.capacity;
  return finite_space(inventory_entry().name, states, options.capacity + 1, states);
}

}  // namespace

const EnvironmentEntry& inventory_entry() {
  static const EnvironmentEntry entry{.name = "inventory",
                                      .help = "when to order, and how much: fixed order cost, stock and backlog cost",
                                      .keys = inventory_keys(),
                                      .space = inventory_space,
                                      .model = inventory_tables};
  return entry;
}

}  // namespace politex::inline env
