// Variants of the shipped problems: an inventory with a lead time, queues whose arrivals depend on the time of day.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/env/conformance.hpp"
#include "politex/env/inventory.hpp"
#include "politex/env/queues.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

double gain_from_start(const FiniteModel& model, const std::vector<double>& policy) {
  return exact::evaluate(model, policy).gain[static_cast<std::size_t>(model.start)];
}

std::string refused_because(const std::function<void()>& doing) {
  try {
    doing();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(InventoryLeadTime, ABaseStockSeesTheDemandOfTheLeadTime) {
  // Ordering up to S in every period: at the end of a period the stock is S less the demand of lead + 1 periods.
  for (const int lead : {0, 1, 2}) {
    const double demand = 1.5, holding = 1.0, penalty = 6.0, fixed = 3.0;
    const FiniteModel model = inventory_model({.fixed = fixed,
                                               .holding = holding,
                                               .penalty = penalty,
                                               .demand = demand,
                                               .capacity = 8,
                                               .backlog = lead == 2 ? 16 : 25,
                                               .lead = lead});
    for (const int level : {4, 8}) {
      const double mean = demand * (lead + 1);
      double cost = fixed * (1.0 - std::exp(-demand)), p = std::exp(-mean);
      for (int k = 0; k < 80; p *= mean / ++k) cost += p * (k < level ? holding * (level - k) : penalty * (k - level));
      EXPECT_NEAR(gain_from_start(model, exact::always(model, level)), cost, lead == 2 ? 2e-4 : 1e-6)
          << lead << " " << level;
    }
  }
}

TEST(InventoryLeadTime, OrdersArriveInTheirTurn) {
  // No demand to speak of, so every transition is one outcome: 2 units are ordered, travel for two periods, and stay.
  const FiniteModel model = inventory_model({.demand = 1e-12, .capacity = 3, .backlog = 1, .lead = 2});
  std::vector<std::vector<int>> seen;
  int state = model.start;
  for (int step = 0; step < 4; ++step) {
    seen.push_back({});
    for (const auto& axis : model.axes) seen.back().push_back(axis[static_cast<std::size_t>(state)]);
    const auto pair = static_cast<std::size_t>(model.pair(state, 2));
    int most = static_cast<int>(model.first[pair]);
    for (auto k = model.first[pair]; k < model.first[pair + 1]; ++k)
      if (model.probability[static_cast<std::size_t>(k)] > model.probability[static_cast<std::size_t>(most)])
        most = static_cast<int>(k);
    state = model.next[static_cast<std::size_t>(most)];
  }
  // The stock is counted from -backlog; then the orders, the next to arrive first.
  EXPECT_EQ(seen, (std::vector<std::vector<int>>{{1, 0, 0}, {1, 0, 2}, {1, 2, 0}, {3, 0, 0}}));
}

TEST(InventoryLeadTime, TheOptimumIsNoWorseThanAnyBaseStockAndGrowsWithTheLeadTime) {
  double before = 0.0;
  for (const int lead : {0, 1, 2}) {
    // Lost sales: what is missing is not owed.
    const FiniteModel model =
        inventory_model({.fixed = 0.0, .penalty = 9.0, .demand = 2.0, .capacity = 9, .backlog = 0, .lead = lead});
    const double best = exact::optimum(model).gain[static_cast<std::size_t>(model.start)];
    for (int level = 1; level <= 9; ++level)
      EXPECT_GE(gain_from_start(model, exact::always(model, level)), best - 1e-9) << lead << " " << level;
    EXPECT_GT(best, before);
    before = best;
  }
}

TEST(InventoryLeadTime, RefusesWhatDoesNotFitInMemory) {
  EXPECT_THAT(refused_because([] { inventory_model({.lead = 2}); }),
              ::testing::AllOf(HasSubstr("environment.lead"), HasSubstr("make capacity or backlog smaller")));
}

QueueNetwork queue_of_a_day(std::vector<double> rates, double day, int buffer) {
  QueueNetwork network{.classes = {{.name = "1", .lost = 7.0, .buffer = buffer}},
                       .servers = {{.name = "1", .serves = {{0, 1.0}}}}};
  for (const double rate : rates) network.classes[0].arrival += rate / static_cast<double>(rates.size());
  if (rates.size() > 1) {
    network.classes[0].arrivals = rates;
    network.day = day;
    network.parts = static_cast<int>(rates.size());
  }
  check(network, "test");
  return network;
}

/// Time average of holding cost and lost jobs by the stationary distribution of the generator, dense.
double average_by_generator(const std::vector<double>& rates, double day, int buffer, double lost_rate_scale) {
  const int parts = static_cast<int>(rates.size()), lengths = buffer + 1, states = parts * lengths;
  Eigen::MatrixXd generator = Eigen::MatrixXd::Zero(states, states);
  const auto move = [&](int from, int to, double rate) {
    generator(from, to) += rate;
    generator(from, from) -= rate;
  };
  for (int part = 0; part < parts; ++part)
    for (int jobs = 0; jobs < lengths; ++jobs) {
      const int at = part * lengths + jobs;
      if (jobs < buffer) move(at, at + 1, rates[static_cast<std::size_t>(part)]);
      if (jobs > 0) move(at, at - 1, 1.0);
      move(at, (part + 1) % parts * lengths + jobs, parts / day);
    }
  Eigen::MatrixXd system = generator.transpose();
  system.row(0).setOnes();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(states);
  right(0) = 1.0;
  const Eigen::VectorXd stationary = system.fullPivLu().solve(right);
  double cost = 0.0;
  for (int x = 0; x < states; ++x) {
    cost += stationary(x) * (x % lengths);
    if (x % lengths == buffer)
      cost += stationary(x) * 7.0 * rates[static_cast<std::size_t>(x / lengths)] * lost_rate_scale;
  }
  return cost;
}

TEST(TimeOfDay, AgreesWithTheGeneratorOfTheChain) {
  for (const double day : {0.5, 5.0, 300.0}) {
    const std::vector<double> rates = {0.2, 1.3, 0.6};
    const FiniteModel model = network_model(queue_of_a_day(rates, day, 6), "test");
    EXPECT_EQ(model.states, 3 * 7);
    EXPECT_EQ(model.axes.size(), 2U);
    const double events = 1.3 + 1.0 + 3.0 / day;  // a lost job costs per step, and a step is 1 / events long
    EXPECT_NEAR(gain_from_start(model, exact::always(model, 0)), average_by_generator(rates, day, 6, 1.0 / events),
                1e-9)
        << day;
  }
}

TEST(TimeOfDay, AQuickDayIsTheMeanAndASlowDayTheMixture) {
  const auto gain = [](const QueueNetwork& network) {
    QueueNetwork free = network;
    free.classes[0].lost = 0.0;
    const FiniteModel model = network_model(free, "test");
    return gain_from_start(model, exact::always(model, 0));
  };
  EXPECT_NEAR(gain(queue_of_a_day({0.2, 0.8}, 1e-5, 8)), gain(queue_of_a_day({0.5}, 0.0, 8)), 1e-4);
  EXPECT_NEAR(gain(queue_of_a_day({0.2, 0.8}, 1e7, 8)),
              0.5 * (gain(queue_of_a_day({0.2}, 0.0, 8)) + gain(queue_of_a_day({0.8}, 0.0, 8))), 1e-4);
}

TEST(TimeOfDay, IsReadFromAFileAndChecked) {
  const std::string text = R"(
day = 24.0
buffer = 3
[[classes]]
name = "a"
arrival = [0.1, 0.9]
[[classes]]
name = "b"
arrival = 0.2
[[servers]]
serves = ["a", "b"]
rates = [1.0, 2.0]
)";
  const QueueNetwork network = parse_queue_network(text, "day.toml");
  EXPECT_EQ(network.parts, 2);
  EXPECT_EQ(network.day, 24.0);
  EXPECT_DOUBLE_EQ(network.classes[0].arrival, 0.5);
  EXPECT_NEAR(network_load(network), 0.6, 1e-9);  // by the means
  EXPECT_EQ(network_model(network, "queues").states, 2 * 16);
  const auto why = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return refused_because([&] { parse_queue_network(changed, "day.toml"); });
  };
  EXPECT_THAT(why("day = 24.0", ""), HasSubstr("\"day\" is missing"));
  EXPECT_THAT(why("day = 24.0", "day = 0"), HasSubstr("day is 0"));
  EXPECT_THAT(why("[0.1, 0.9]", "0.5"), HasSubstr("day is given"));
  EXPECT_THAT(why("[0.1, 0.9]", "[0.5]"), HasSubstr("arrival has 1 rates"));
  EXPECT_THAT(why("arrival = 0.2", "arrival = [0.1, 0.2, 0.3]"), HasSubstr("the same number in every class"));
  EXPECT_THAT(why("[0.1, 0.9]", "[0.1, -0.9]"), HasSubstr("arrival is -0.9"));
  EXPECT_THAT(why("[0.1, 0.9]", "[0.1, 2.9]"), HasSubstr("the network is unstable"));
}

TEST(ShippedNetworks, EightQueuesAndTheLongLineAreAccepted) {
  for (const char* name : {"eight_queues.toml", "re_entrant_six.toml", "clinic.toml"}) {
    const std::string file = std::string(POLITEX_SOURCE_DIR "/experiments/queues/networks/") + name;
    const QueueNetwork network = parse_queue_network(read_file("file", file), file, 1);
    EXPECT_LT(network_load(network), 1.0) << name;
    EXPECT_NO_THROW(parse_queue_network(read_file("file", file), file)) << name;
  }
}

}  // namespace
}  // namespace politex
