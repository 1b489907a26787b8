// The rules of thumb against theorems (c-mu, (s,S)), closed forms, brute force, and the rules written down once more.
#include "politex/heuristics/heuristic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/env/access_control.hpp"
#include "politex/env/criss_cross.hpp"
#include "politex/env/inventory.hpp"
#include "politex/env/n_model.hpp"
#include "politex/env/queues.hpp"
#include "politex/env/replacement.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/heuristics/heuristic_explorer.hpp"

namespace politex {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::vector<Action> rule(const std::string& text, const FiniteModel& model) {
  return named_heuristic(text, model, "--policy").value();
}

double gain_of(const FiniteModel& model, const std::vector<Action>& actions) {
  return exact::evaluate(model, exact::deterministic_policy(model, actions))
      .gain[static_cast<std::size_t>(model.start)];
}

double gain_of(const FiniteModel& model, const std::string& text) { return gain_of(model, rule(text, model)); }

double best_gain(const FiniteModel& model) { return exact::optimum(model).gain[static_cast<std::size_t>(model.start)]; }

std::string refused(const std::function<void()>& doing) {
  try {
    doing();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "nothing was refused";
}

FiniteModel shipped_network(const std::string& name, int buffer) {
  const std::string file = POLITEX_SOURCE_DIR "/experiments/queues/networks/" + name;
  return network_model(parse_queue_network(read_file("file", file), file, buffer), "queues");
}

/// One server for several classes; a light load and buffers that are practically never full.
QueueNetwork one_server(const std::vector<JobClass>& classes, const std::vector<double>& rates) {
  QueueNetwork network{.classes = classes, .servers = {{.name = "1", .serves = {}}}};
  for (std::size_t c = 0; c < rates.size(); ++c) network.servers[0].serves.push_back({static_cast<int>(c), rates[c]});
  check(network, "test");
  return network;
}

/// The rule as a function of the queue lengths.
std::vector<Action> by_lengths(const FiniteModel& model, const std::function<int(const std::vector<int>&)>& choose) {
  std::vector<Action> actions;
  for (int x = 0; x < model.states; ++x) {
    std::vector<int> jobs;
    for (const auto& axis : model.axes) jobs.push_back(axis[static_cast<std::size_t>(x)]);
    actions.push_back(choose(jobs));
  }
  return actions;
}

TEST(Heuristic, CMuIsOptimalForOneServerAndLinearCosts) {
  // Cox and Smith 1961; the buffers hold what a load of .3 needs, up to 1e-9.
  const std::vector<JobClass> classes = {{.name = "a", .arrival = 0.1, .holding = 1.0, .buffer = 14},
                                         {.name = "b", .arrival = 0.1, .holding = 4.0, .buffer = 14},
                                         {.name = "c", .arrival = 0.1, .holding = 2.0, .buffer = 14}};
  const FiniteModel model = network_model(one_server(classes, {2.0, 0.8, 1.0}), "test");
  EXPECT_NEAR(gain_of(model, "c_mu"), best_gain(model), 1e-6);
  EXPECT_GT(gain_of(model, "longest_queue"), best_gain(model) + 1e-3);
  EXPECT_GT(gain_of(model, "threshold:99"), best_gain(model) + 1e-3);  // serves the last class first
}

TEST(Heuristic, CMuHasTheClosedFormOfTwoPriorities) {
  // Preemptive priorities, exponential service: class 1 is an M/M/1 queue of its own, L1 = r1/(1-r1); with equal rates
  // both classes together are one too, L1 + L2 = r/(1-r).
  const std::vector<JobClass> classes = {{.name = "a", .arrival = 0.2, .holding = 1.0, .buffer = 40},
                                         {.name = "b", .arrival = 0.3, .holding = 5.0, .buffer = 40}};
  const FiniteModel model = network_model(one_server(classes, {1.0, 1.0}), "test");
  const double both = 0.5 / 0.5, urgent = 0.3 / 0.7;
  EXPECT_NEAR(gain_of(model, "c_mu"), 5.0 * urgent + 1.0 * (both - urgent), 1e-6);
  // The rates are equal: weights decide, and so does max_weight by cost; the sum of the lengths is the same for all.
  EXPECT_GT(gain_of(model, "max_weight"), gain_of(model, "c_mu"));
  EXPECT_LT(gain_of(model, "max_weight"), gain_of(model, "longest_queue"));
}

TEST(Heuristic, QueueRulesAreTheRulesWrittenDownAgain) {
  const FiniteModel four = shipped_network("four_queues.toml", 3);
  EXPECT_EQ(rule("longest_queue", four), by_lengths(four, [](const auto& x) {
              const bool second_1 = x[3] > x[0], second_2 = x[2] > x[1];
              return 2 * second_1 + second_2;
            }));
  EXPECT_EQ(rule("last_buffer_first", four), by_lengths(four, [](const auto& x) {
              const bool last_1 = x[3] > 0, other_2 = x[1] == 0 && x[2] > 0;
              return 2 * last_1 + other_2;
            }));
  // Rates .12 and .28 and equal costs: Q4 and Q3 have the higher product.
  EXPECT_EQ(rule("c_mu", four), by_lengths(four, [](const auto& x) { return 2 * (x[3] > 0) + (x[2] > 0); }));
  EXPECT_EQ(rule("max_weight", four), by_lengths(four, [](const auto& x) {
              const bool second_1 = .28 * x[3] > .12 * x[0], second_2 = .28 * x[2] > .12 * x[1];
              return 2 * second_1 + second_2;
            }));
  EXPECT_EQ(rule("max_pressure", four), by_lengths(four, [](const auto& x) {
              const bool second_1 = x[3] > 0 && (x[0] == 0 || .28 * x[3] > .12 * (x[0] - x[1]));
              const bool second_2 = x[2] > 0 && (x[1] == 0 || .28 * (x[2] - x[3]) > .12 * x[1]);
              return 2 * second_1 + second_2;
            }));
}

TEST(Heuristic, TheSecondServerSeesWhatTheFirstHasTaken) {
  const FiniteModel model = network_model(n_model_network({.load = 0.9, .buffer = 6}), "n_model");
  // c times mu: class 1 has 3 x 1/2 at server 2, class 2 has 1 x 1; a single job of class 1 is at server 1 already.
  EXPECT_EQ(rule("c_mu", model), by_lengths(model, [](const auto& x) { return x[0] >= 2 ? 0 : (x[1] > 0 ? 1 : 0); }));
  EXPECT_EQ(rule("threshold:3", model),
            by_lengths(model, [](const auto& x) { return x[0] >= 3 ? 0 : (x[1] > 0 ? 1 : 0); }));
}

TEST(Heuristic, ThresholdsHaveThePublishedCostsOfTheNModel) {
  // Load .9, buffers of 120; "threshold 11" there means more than 11 jobs.
  const FiniteModel model = network_model(n_model_network({.load = 0.9, .buffer = 120}), "n_model");
  EXPECT_NEAR(gain_of(model, "threshold:12"), 24.379, 2e-3);
  EXPECT_NEAR(gain_of(model, "threshold:1000"), 26.032, 2e-3);  // class 2 first
}

TEST(Heuristic, MaxPressureIdlesWhereItMay) {
  QueueNetwork network{.classes = {{.name = "1", .arrival = 0.3, .buffer = 3}, {.name = "2", .buffer = 3}},
                       .servers = {{.name = "a", .serves = {{0, 1.0}}, .may_idle = true},
                                   {.name = "b", .serves = {{1, 1.0}}, .may_idle = true}}};
  network.classes[0].next = {{1, 1.0}};
  check(network, "test");
  const FiniteModel model = network_model(network, "test");
  // Action 2 * a + b; 1 means idling, also where there is nothing to do.
  EXPECT_EQ(rule("max_pressure", model), by_lengths(model, [](const auto& x) {
              const int first = x[0] == 0 || x[0] < x[1] ? 1 : 0, second = x[1] == 0 ? 1 : 0;
              return 2 * first + second;
            }));
}

TEST(Heuristic, LastBufferFirstCountsServicesAlongRandomRoutes) {
  // From 1 to 2 or out; 2 repeats itself half of the time: 2 needs 2 services on average, 1 needs 1 + .9 * 2 = 2.8.
  QueueNetwork network{.classes = {{.name = "1", .arrival = 0.1, .buffer = 2}, {.name = "2", .buffer = 2}},
                       .servers = {{.name = "a", .serves = {{0, 1.0}, {1, 1.0}}}}};
  network.classes[0].next = {{1, 0.9}};
  network.classes[1].next = {{1, 0.5}};
  FiniteModel model = network_model(network, "test");
  EXPECT_EQ(rule("last_buffer_first", model), by_lengths(model, [](const auto& x) { return x[1] > 0 ? 1 : 0; }));
  network.classes[0].next = {{1, 0.4}};  // 1 needs 1.8
  model = network_model(network, "test");
  EXPECT_EQ(rule("last_buffer_first", model),
            by_lengths(model, [](const auto& x) { return x[0] == 0 && x[1] > 0 ? 1 : 0; }));
}

TEST(Heuristic, TheBestReorderPointIsOptimal) {
  // Scarf 1960: with a fixed cost and backlog some (s, S) is optimal. All of them, evaluated one by one.
  const FiniteModel model =
      inventory_model({.fixed = 5.0, .holding = 1.0, .penalty = 4.0, .demand = 6.0, .capacity = 14, .backlog = 12});
  double best = HUGE_VAL;
  std::string which;
  for (int level = 1; level <= 14; ++level) {
    for (int reorder = -2; reorder < level; ++reorder) {
      const std::string text = "s_S:" + std::to_string(reorder) + "," + std::to_string(level);
      const double gain = gain_of(model, text);
      if (gain < best) which = text;
      best = std::min(best, gain);
    }
  }
  EXPECT_EQ(which, "s_S:4,10");  // stockpyl's published example
  EXPECT_NEAR(best, best_gain(model), 1e-9);
  EXPECT_NEAR(best, 8.034, 2e-3);
}

TEST(Heuristic, ABaseStockCostsWhatItsPeriodsCost) {
  // Every period begins at the level, so the average cost is the cost of one period: no chain is needed. An order is
  // made unless nothing was demanded.
  const double demand = 3.0, holding = 1.0, penalty = 9.0, fixed = 2.0;
  const FiniteModel model = inventory_model(
      {.fixed = fixed, .holding = holding, .penalty = penalty, .demand = demand, .capacity = 9, .backlog = 40});
  for (const int level : {2, 5, 9}) {
    double cost = fixed * (1.0 - std::exp(-demand)), p = std::exp(-demand);
    for (int k = 0; k < 60; p *= demand / ++k) cost += p * (k < level ? holding * (level - k) : penalty * (k - level));
    EXPECT_NEAR(gain_of(model, "base_stock:" + std::to_string(level)), cost, 1e-9) << level;
  }
  // Without a fixed cost the best base stock is the newsvendor's level, and it is optimal.
  const FiniteModel free_orders = inventory_model(
      {.fixed = 0.0, .holding = holding, .penalty = penalty, .demand = demand, .capacity = 9, .backlog = 40});
  double cumulative = 0.0, p = std::exp(-demand);
  int level = 0;
  for (; (cumulative += p) < penalty / (penalty + holding); p *= demand / level) ++level;
  EXPECT_NEAR(gain_of(free_orders, "base_stock:" + std::to_string(level)), best_gain(free_orders), 1e-9);
}

TEST(Heuristic, ThresholdsOnOneNumber) {
  const FiniteModel machine = replacement_model({});
  // Replacing at condition k: a cycle is a geometric time in 0 to k-1 and the replacement.
  for (const int k : {1, 4, 5, 8}) {
    const double wear = 0.3, cost = (k * (k - 1) / 2.0 / wear + 15.0) / (k / wear + 1.0);
    EXPECT_NEAR(gain_of(machine, "threshold:" + std::to_string(k)), cost, 1e-9) << k;
  }
  const FiniteModel jobs = access_control_model({});
  EXPECT_NEAR(gain_of(jobs, "threshold:0"), -2.1814, 5e-5);
  EXPECT_NEAR(gain_of(jobs, "threshold:2"), -2.7172, 5e-5);
  EXPECT_NEAR(gain_of(jobs, "threshold:4"), 0.0, 1e-12);
}

TEST(Heuristic, IsAnExplorer) {
  const FiniteModel model = inventory_model({});
  const Keys& keys = heuristic_explorer_entry().keys;
  Values values;
  const auto set = [&](std::string_view name, Value value) {
    values.set(*std::ranges::find(keys, name, &Key::name), std::move(value));
  };
  set("explorer.policy", std::string("s_S"));
  set("explorer.reorder", std::int64_t{6});
  set("explorer.level", std::int64_t{40});
  const Space space = finite_space("inventory", model.states, model.actions, model.size);
  const auto explorer =
      heuristic_explorer_entry().make({.values = values, .space = space, .model = &model, .environment = {}});
  PolicyTable table(model.states, model.actions);
  ASSERT_TRUE(explorer->compile(table));
  const std::vector<Action> actions = rule("s_S:6,40", model);
  for (int x = 0; x < model.states; ++x) {
    EXPECT_EQ(table.probabilities(x)[static_cast<std::size_t>(actions[static_cast<std::size_t>(x)])], 1.0);
    EXPECT_EQ(actions[static_cast<std::size_t>(x)], x - 30 <= 6 ? 40 : 0);
  }
  EXPECT_EQ(make_heuristic("s_S", values, model), actions);
}

TEST(Heuristic, SaysWhyItDoesNotFit) {
  const FiniteModel inventory = inventory_model({}), machine = replacement_model({});
  const FiniteModel queues = network_model(criss_cross_network({.buffer = 2}), "criss_cross");
  const FiniteModel river = river_swim_model(6);
  const auto why = [](const std::string& text, const FiniteModel& model) {
    return refused([&] { rule(text, model); });
  };
  EXPECT_THAT(why("c_mu", inventory),
              AllOf(HasSubstr("--policy"), HasSubstr("does not fit inventory"), HasSubstr("a network of queues")));
  EXPECT_THAT(why("base_stock:5", queues), HasSubstr("needs a stock that is ordered up to a level"));
  EXPECT_THAT(why("threshold:2", river), HasSubstr("does not fit river_swim"));
  EXPECT_THAT(why("threshold:11", machine), HasSubstr("threshold is 11; accepted here: 0 to 10"));
  EXPECT_THAT(why("base_stock:61", inventory), HasSubstr("level is 61; accepted here: 1 to 60"));
  EXPECT_THAT(why("s_S:7,7", inventory), HasSubstr("accepted: reorder below level"));
  EXPECT_THAT(why("s_S:7", inventory), HasSubstr("has 1 numbers; accepted: s_S:REORDER,LEVEL"));
  EXPECT_THAT(why("base_stock:many", inventory), HasSubstr("\"many\" is not accepted for level; accepted: a whole"));
  EXPECT_THAT(why("c_mu:", queues), HasSubstr("accepted: c_mu"));
  EXPECT_EQ(named_heuristic("cmu", queues, "--policy"), std::nullopt);
  EXPECT_THAT(refused([&] { make_heuristic("cmu", {}, queues); }), HasSubstr("\"cmu\" is not a heuristic"));
}

}  // namespace
}  // namespace politex
