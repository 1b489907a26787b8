// Problems with known optima. The numbers are published, closed forms, or those of tests/numpy/problems.py, which
// writes every problem down once more; there the program's answers are compared with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/env/access_control.hpp"
#include "politex/env/conformance.hpp"
#include "politex/env/criss_cross.hpp"
#include "politex/env/inventory.hpp"
#include "politex/env/n_model.hpp"
#include "politex/env/queues.hpp"
#include "politex/env/replacement.hpp"
#include "politex/env/rooms.hpp"
#include "politex/tables/finite_mdp.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

/// Average cost by value iteration, to 1e-9: of the best policy, or of the one that `rule` gives.
double average_cost(const FiniteModel& model, const std::function<int(int)>& rule = {}) {
  const auto states = static_cast<std::size_t>(model.states);
  std::vector<double> value(states, 0.0), change(states);
  for (int sweep = 0; sweep < 200'000; ++sweep) {
    for (int x = 0; x < model.states; ++x) {
      double best = HUGE_VAL;
      for (Action a = 0; a < model.actions; ++a) {
        if (rule && rule(x) != a) continue;
        const auto pair = static_cast<std::size_t>(model.pair(x, a));
        double q = model.cost[pair];
        for (auto k = static_cast<std::size_t>(model.first[pair]); k < static_cast<std::size_t>(model.first[pair + 1]);
             ++k)
          q += model.probability[k] * value[static_cast<std::size_t>(model.next[k])];
        best = std::min(best, q);
      }
      change[static_cast<std::size_t>(x)] = best - value[static_cast<std::size_t>(x)];
    }
    const auto [low, high] = std::minmax_element(change.begin(), change.end());
    if (*high - *low < 1e-9) return 0.5 * (*high + *low);
    const double origin = value[0];
    for (std::size_t x = 0; x < states; ++x) value[x] += 0.9 * change[x] - origin;
  }
  ADD_FAILURE() << "value iteration did not converge";
  return std::numeric_limits<double>::quiet_NaN();
}

std::string refusal(const std::function<void()>& doing) {
  try {
    doing();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "taken";
}

std::string shipped(const std::string& file) { return std::string(POLITEX_SOURCE_DIR) + "/experiments/" + file; }

QueueNetwork shipped_network(const std::string& name, int buffer = 0) {
  const std::string file = shipped("queues/networks/" + name);
  return parse_queue_network(read_file("file", file), file, buffer);
}

TEST(Problems, KeepTheirPromises) {
  for (const FiniteModel& model :
       {rooms_model({}), rooms_model({.size = 4, .slip = 0.0, .goal = 2}), access_control_model({}),
        access_control_model({.servers = 3, .free = 1.0, .finish_at_once = false}), inventory_model({}),
        inventory_model({.capacity = 5, .backlog = 0}), replacement_model({}), replacement_model({.wear = 1.0}),
        network_model(criss_cross_network({.buffer = 4}), "x"), network_model(n_model_network({.buffer = 9}), "x"),
        network_model(shipped_network("four_queues.toml"), "x")})
    EXPECT_EQ(conformance_problems(TableEnvironment(model)), no_problems) << model.name;
}

TEST(Rooms, WallsHaveDoors) {
  const FiniteModel model = rooms_model({.size = 5, .slip = 0.0});
  const auto after = [&](int cell, Action a) {
    const auto pair = static_cast<std::size_t>(model.pair(cell, a));
    EXPECT_EQ(model.first[pair + 1] - model.first[pair], 1);
    return model.next[static_cast<std::size_t>(model.first[pair])];
  };
  enum { up, right, down, left };
  EXPECT_EQ(after(0, up), 0);
  EXPECT_EQ(after(0, right), 1);
  EXPECT_EQ(after(1, right), 1) << "a wall between columns 1 and 2";
  EXPECT_EQ(after(6, right), 7) << "a door in row 1";
  EXPECT_EQ(after(7, left), 6);
  EXPECT_EQ(after(6, down), 11) << "a door in column 1";
  EXPECT_EQ(after(5, down), 5) << "a wall between rows 1 and 2";
  EXPECT_EQ(after(18, right), 19);
  EXPECT_EQ(after(16, right), 17) << "the door of the lower rooms, in row 3";
  EXPECT_EQ(after(24, up), 0) << "from the goal to the start";
  EXPECT_EQ(model.cost[static_cast<std::size_t>(model.pair(24, up))], -1.0);
  EXPECT_EQ(model.cost[static_cast<std::size_t>(model.pair(23, right))], 0.0);
}

TEST(Rooms, ExactOptima) {
  // Without slipping the doors are on a shortest path: 2 (size - 1) moves and the step from the goal to the start.
  for (const int size : {5, 11, 14})
    EXPECT_NEAR(average_cost(rooms_model({.size = size, .slip = 0.0})), -1.0 / (2 * size - 1), 1e-8);
  EXPECT_NEAR(average_cost(rooms_model({})), -0.04302073508, 1e-8);
  EXPECT_NEAR(average_cost(rooms_model({.size = 6, .slip = 0.3, .goal = 4})), -0.1047602903, 1e-8);
  EXPECT_THAT(refusal([] { rooms_model({.goal = 121}); }), HasSubstr("environment.goal: 121 is not accepted"));
  EXPECT_THAT(refusal([] { rooms_model({.goal = 0}); }), HasSubstr("other than the start"));
}

TEST(AccessControl, ExactAverages) {
  const FiniteModel model = access_control_model({});
  EXPECT_NEAR(average_cost(model), -2.747642, 5e-7);
  EXPECT_NEAR(average_cost(model, [](int) { return 1; }), -2.1814, 5e-5);
  EXPECT_NEAR(average_cost(model, [](int x) { return x % 4 >= 2 ? 1 : 0; }), -2.7172, 5e-5);
  const auto best = [](int x) { return x % 4 >= 2 || (x % 4 == 1 && x / 4 >= 4) ? 1 : 0; };
  EXPECT_NEAR(average_cost(model, best), -2.747642, 5e-7) << "2 where 4 servers are free, 4 and 8 always";
  EXPECT_NEAR(average_cost(access_control_model({.finish_at_once = false})), -2.673192, 5e-7);
}

TEST(Inventory, PublishedOrderRules) {
  const auto rule = [](const InventoryOptions& options, int low, int high) {
    return average_cost(inventory_model(options), [=](int x) { return x - options.backlog <= low ? high : 0; });
  };
  const InventoryOptions small{.fixed = 5, .penalty = 4, .demand = 6, .capacity = 20};
  EXPECT_NEAR(average_cost(inventory_model(small)), 8.034112, 1e-6);  // stockpyl's example
  EXPECT_NEAR(rule(small, 4, 10), 8.034112, 1e-6);
  EXPECT_NEAR(average_cost(inventory_model({})), 35.0216, 5e-5);
  EXPECT_NEAR(rule({}, 6, 40), 35.0216, 5e-5);
  const InventoryOptions large{.demand = 20, .capacity = 70, .backlog = 50};
  EXPECT_NEAR(rule(large, 14, 62), 49.1730, 5e-5);
}

TEST(Replacement, ClosedForm) {
  for (const double price : {0.5, 15.0, 60.0}) {
    const ReplacementOptions options{.replace = price};
    double best = HUGE_VAL;
    for (int limit = 1; limit < options.size; ++limit)  // a renewal: geometric times below the limit, then a new one
      best = std::min(
          best, (options.operating * limit * (limit - 1) / 2 / options.wear + price) / (limit / options.wear + 1));
    EXPECT_NEAR(average_cost(replacement_model(options)), best, 1e-8);
  }
}

TEST(CrissCross, PublishedOptima) {
  EXPECT_NEAR(average_cost(network_model(criss_cross_network({.arrival = 0.3, .rate3 = 1.5, .buffer = 12}), "x")),
              0.671, 5e-4);
  EXPECT_NEAR(average_cost(network_model(criss_cross_network({.arrival = 0.3, .rate3 = 1.0, .buffer = 12}), "x")),
              0.843, 5e-4);
  EXPECT_NEAR(average_cost(network_model(criss_cross_network({.buffer = 7, .lost = 9}), "x")), 2.755993016, 1e-8);
  EXPECT_THAT(refusal([] { criss_cross_network({.arrival = 1.0}); }), HasSubstr("unstable: its load is 1"));
  EXPECT_THAT(refusal([] { criss_cross_network({.arrival = 0.6, .rate3 = 0.5}); }), HasSubstr("its load is 1.2"));
}

TEST(NModel, ExactOptimum) {
  EXPECT_NEAR(average_cost(network_model(n_model_network({.load = 0.8, .buffer = 20}), "x")), 11.09774878, 1e-7);
  for (const double load : {0.5, 0.9, 0.99})
    EXPECT_NEAR(network_load(n_model_network({.load = load, .buffer = 2})), load, 1e-12);
}

TEST(Queues, ShippedNetworks) {
  EXPECT_NEAR(average_cost(network_model(shipped_network("two_queues.toml"), "x")), 7.402478925, 1e-7);
  EXPECT_NEAR(average_cost(network_model(shipped_network("four_queues.toml", 3), "x")), 7.426958256, 1e-7);
  EXPECT_NEAR(average_cost(network_model(shipped_network("re_entrant.toml", 6), "x")), 6.209430009, 1e-7);
  EXPECT_NEAR(average_cost(network_model(shipped_network("n_model.toml", 15), "x")), 17.15706583, 1e-7);
  EXPECT_NEAR(network_load(shipped_network("four_queues.toml")), 0.08 / 0.12 + 0.08 / 0.28, 1e-12);
}

const std::string one_queue = R"({"classes": [{"name": "a", "arrival": 0.5, "buffer": 40, "next": {"a": 0.2}}],
  "servers": [{"serves": ["a"], "rates": [1.0]}]})";

// A job comes back with probability 1/5: an M/M/1 queue with service rate 4/5, cut at 40 jobs.
TEST(Queues, OneQueueIsMM1) {
  const double load = 0.5 / 0.8;
  double mass = 0.0, jobs = 0.0;
  for (int n = 0; n <= 40; ++n) {
    mass += std::pow(load, n);
    jobs += n * std::pow(load, n);
  }
  const QueueNetwork network = parse_queue_network(one_queue, "x.json");
  EXPECT_NEAR(class_rates(network)[0], 0.625, 1e-12);
  EXPECT_NEAR(network_load(network), load, 1e-12);
  EXPECT_NEAR(average_cost(network_model(network, "x")), jobs / mass, 1e-7);
}

TEST(Queues, NamesWhatIsWrong) {
  const auto message = [](const std::string& from, const std::string& to) {
    std::string text = one_queue;
    text.replace(text.find(from), from.size(), to);
    return refusal([&] { parse_queue_network(text, "x.json"); });
  };
  EXPECT_EQ(message("0.5", "0.5"), "taken");
  EXPECT_THAT(message("0.5", "0.8"), HasSubstr("x.json: the network is unstable: its load is 1, "));
  EXPECT_THAT(message("0.5", "-0.5"), HasSubstr("class \"a\": arrival is -0.5; accepted: a rate, at least 0"));
  EXPECT_THAT(message("0.5", "\"much\""), HasSubstr("classes[0]: arrival is \"much\"; accepted: a finite number"));
  EXPECT_THAT(message("arrival", "arival"), HasSubstr("unknown key \"arival\", did you mean \"arrival\"?"));
  EXPECT_THAT(message("40", "0"), HasSubstr("buffer is 0; accepted: a whole number, 1 to 100000"));
  EXPECT_THAT(message("40", "2.5"), HasSubstr("buffer is 2.5"));
  EXPECT_THAT(message("0.2", "1.0"), HasSubstr("class \"a\": next leads in a circle"));
  EXPECT_THAT(message("0.2", "1.2"), HasSubstr("a probability of next is 1.2; accepted: 0 to 1"));
  EXPECT_THAT(message("{\"a\": 0.2}", "\"b\""), HasSubstr("there is no class \"b\", did you mean \"a\"?"));
  EXPECT_THAT(message("{\"a\": 0.2}", "3"), HasSubstr("next is 3"));
  EXPECT_THAT(message("[1.0]", "[0]"), HasSubstr("server \"1\": a rate is 0; accepted: a number above 0"));
  EXPECT_THAT(message("[1.0]", "[1.0, 2.0]"), HasSubstr("rates has 2 numbers"));
  EXPECT_THAT(message("[\"a\"]", "[]"), HasSubstr("serves is []; accepted: a list that is not empty"));
  EXPECT_THAT(message("[\"a\"], \"rates\": [1.0]", "[\"a\", \"a\"], \"rates\": [1, 1]"), HasSubstr("a class twice"));
  EXPECT_THAT(message("\"serves\"", "\"may_idle\": 1, \"serves\""), HasSubstr("may_idle is 1; accepted: true or"));
  EXPECT_THAT(message("40", "90000"), "taken");
  EXPECT_THAT(message("}]}", "}]"), HasSubstr("x.json: no valid JSON"));
  EXPECT_THAT(refusal([] { parse_queue_network("buffer = \n", "x.toml"); }), HasSubstr("x.toml:1:"));
  EXPECT_THAT(refusal([] { parse_queue_network("[]", "x.json"); }), HasSubstr("accepted: a table with classes"));
  EXPECT_THAT(refusal([] { shipped_network("four_queues.toml", 40); }), HasSubstr("make the buffers smaller"));
}

TEST(Queues, ClassesWithoutAServerAreUnstable) {
  const std::string text = R"({"classes": [{"name": "a", "arrival": 0.5}, {"name": "b", "arrival": 0.1}],
    "servers": [{"serves": ["a"], "rates": [1.0]}]})";
  EXPECT_THAT(refusal([&] { parse_queue_network(text, "x.json"); }), HasSubstr("its load is inf"));
}

// Idling is an action of its own where a server may idle; it is never better here, and always idling fills the buffer.
TEST(Queues, IdlingIsTheLastAction) {
  std::string text = one_queue;
  text.replace(text.find("\"serves\""), 8, "\"may_idle\": true, \"serves\"");
  const FiniteModel model = network_model(parse_queue_network(text, "x.json", 6), "x");
  EXPECT_EQ(model.actions, 2);
  EXPECT_EQ(model.states, 7);
  EXPECT_NEAR(average_cost(model, [](int) { return 1; }), 6.0, 1e-7);
  EXPECT_NEAR(average_cost(model), average_cost(model, [](int) { return 0; }), 1e-8);
}

TEST(ExplorationFiles, ExactOptima) {
  const auto optimum = [](const std::string& name) {
    return average_cost(read_finite_mdp(shipped("exploration/" + name + ".json")));
  };
  EXPECT_NEAR(optimum("frozen_lake_4x4"), -0.01755505905, 1e-8);
  EXPECT_NEAR(optimum("frozen_lake_8x8"), -0.01047733753, 1e-8);
  EXPECT_NEAR(optimum("cliff_walking"), (13.0 - 20.0) / 14.0, 1e-8);  // 13 moves, then the goal
}

}  // namespace
}  // namespace politex
