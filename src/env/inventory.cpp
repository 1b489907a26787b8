#include "politex/env/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "politex/base/error.hpp"
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

/// The stock, counted from -backlog, and the orders on their way, the next to arrive first.
using Goods = std::vector<int>;

/// All with at most `room` units in sum, the last number fastest.
void list_goods(Goods& prefix, std::size_t numbers, int room, std::vector<Goods>& all) {
  if (prefix.size() == numbers) {
    all.push_back(prefix);
    return;
  }
  for (int units = 0; units <= room; ++units) {
    prefix.push_back(units);
    list_goods(prefix, numbers, room - units, all);
    prefix.pop_back();
  }
}

/// Number of those states: (room + numbers) choose numbers.
double number_of_goods(const InventoryOptions& options) {
  double count = 1.0;
  for (int k = 1; k <= options.lead + 1; ++k)
    count *= (options.backlog + options.capacity + k) / static_cast<double>(k);
  return count;
}

void check_inventory(const InventoryOptions& options) {
  constexpr double most_outcomes = 20'000'000;
  const double outcomes = number_of_goods(options) * (options.capacity + 1.0) * (options.capacity + options.backlog);
  if (options.lead > 0 && outcomes > most_outcomes)
    throw ConfigError{
        "environment.lead",
        fmt::format("a lead time of {} with capacity {} and backlog {} has {:.0f} states and about {:.2g} "
                    "outcomes; accepted: at most {:.2g} outcomes: make capacity or backlog smaller",
                    options.lead, options.capacity, options.backlog, number_of_goods(options), outcomes,
                    most_outcomes)};
}

}  // namespace

FiniteModel inventory_model(const InventoryOptions& options) {
  check_inventory(options);
  std::vector<Goods> all;
  Goods goods;
  list_goods(goods, static_cast<std::size_t>(options.lead) + 1, options.backlog + options.capacity, all);
  std::map<Goods, int> index;
  for (const Goods& each : all) index.emplace(each, static_cast<int>(index.size()));
  const std::vector<double> probability = poisson(options.demand, options.backlog + 1 + options.capacity);
  ModelBuilder builder(inventory_entry().name, options.capacity + 1);
  StockStructure structure{.highest = options.capacity};
  for (const Goods& each : all) {
    const int position = std::accumulate(each.begin(), each.end(), 0);
    structure.position.push_back(position - options.backlog);
    for (int action = 0; action <= options.capacity; ++action) {
      const bool orders = action > 0 && options.backlog + action > position;
      Goods after = each;
      after.push_back(orders ? options.backlog + action - position : 0);
      const int full = after[0] + after[1];  // what arrives now is in stock
      after.erase(after.begin());
      const int stock = full - options.backlog;
      double rest = 1.0, left = 0.0;
      for (int demand = 0; demand < full; ++demand) {
        const double p = probability[static_cast<std::size_t>(demand)];
        after[0] = full - demand;
        builder.add(index.at(after), p);
        rest -= p;
        left += p * std::max(stock - demand, 0);
      }
      after[0] = 0;
      builder.add(index.at(after), rest);
      const double missing = options.demand - stock + left;
      builder.end_pair((orders ? options.fixed : 0.0) + options.holding * left + options.penalty * missing);
    }
  }
  Goods empty(static_cast<std::size_t>(options.lead) + 1, 0);
  empty[0] = options.backlog;
  FiniteModel model = std::move(builder).finish(options.backlog + 1 + options.capacity, index.at(empty));
  if (options.lead == 0) {
    model.layout = Layout::line;
  } else {
    model.axes.resize(all[0].size());
    for (const Goods& each : all)
      for (std::size_t k = 0; k < each.size(); ++k) model.axes[k].push_back(each[k]);
  }
  ProblemStructure problem{.stock = std::move(structure)};
  if (options.lead == 0) {
    problem.map = StateMap{.columns = model.states,
                           .column = fmt::format("stock, from {} to {}", -options.backlog, options.capacity),
                           .actions = {"order nothing"}};
    for (int level = 1; level <= options.capacity; ++level)
      problem.map->actions.push_back(fmt::format("order up to {}", level));
  }
  model.structure = std::make_shared<const ProblemStructure>(std::move(problem));
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
                                     whole(0, 500)),
              key<&Options::lead>(
                  "environment.lead",
                  "periods until an order arrives; above 0 the orders on their way are part of the state",
                  whole(0, 5))} +
         finite_keys();
}

FiniteModel inventory_tables(const Values& values) {
  return with_finite_keys(inventory_model(read<InventoryOptions>(inventory_keys(), values)), values);
}

Space inventory_space(const Values& values) {
  const auto options = read<InventoryOptions>(inventory_keys(), values);
  check_inventory(options);
  return finite_space(inventory_entry().name, static_cast<int>(std::lround(number_of_goods(options))),
                      options.capacity + 1, options.backlog + 1 + options.capacity);
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
