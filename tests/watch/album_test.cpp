// Pictures of what was learned: which phases have one, what they hold, and what a page makes of the file.
#include "politex/watch/album.hpp"

#include <gtest/gtest.h>

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "politex/env/access_control.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/inventory.hpp"
#include "politex/env/queues.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/report/picture_page.hpp"
#include "politex/run/config.hpp"
#include "politex/run/run.hpp"

namespace politex {
namespace {

using Json = nlohmann::json;

TEST(Album, TwentyToFiftyPhasesEvenlySpacedWhateverTheirLengths) {
  const FiniteModel model = deep_sea_model(DeepSea(5));
  using Case = std::array<std::int64_t, 3>;
  for (const auto& [length, steps, pictures] :
       {Case{1, 100'000, 20}, {7, 100'000, 20}, {155, 500'000, 25}, {9000, 1'000'000, 50}, {200'000, 100'000, 50}}) {
    const Album album(model, steps);
    std::vector<std::int64_t> begins;
    for (std::int64_t begin = 0; begin < steps; begin += length)
      if (album.due(begin, std::min(begin + length, steps))) begins.push_back(begin);
    ASSERT_FALSE(begins.empty());
    EXPECT_EQ(begins.front(), 0);
    const std::int64_t phases = (steps + length - 1) / length;
    EXPECT_EQ(begins.back(), (phases - 1) * length);
    EXPECT_LE(static_cast<std::int64_t>(begins.size()), pictures + 1) << length;
    EXPECT_GE(static_cast<std::int64_t>(begins.size()), std::min(pictures, phases)) << length;
    for (std::size_t i = 1; i < begins.size(); ++i) EXPECT_LE(begins[i] - begins[i - 1], steps / pictures + 1 + length);
  }
  const FiniteModel wide = deep_sea_model(DeepSea(200));
  EXPECT_FALSE(Album(wide, 1000).due(0, 100));  // too many states to draw
}

TEST(Album, AMapOverQueueLengthsSaysWhatItShows) {
  const QueueNetwork network = parse_queue_network(R"(
buffer = 2
[[classes]]
name = "a\"<b"
arrival = 0.1
next = "c"
[[classes]]
name = "c"
[[classes]]
name = "d"
arrival = 0.1
[[servers]]
name = "one"
serves = ["a\"<b", "d"]
rates = [1, 1]
may_idle = true
[[servers]]
name = "two"
serves = ["c"]
rates = [1]
)",
                                                   "x.toml");
  const FiniteModel model = network_model(network, "queues");
  const Json frame = Json::parse(Album(model, 100).frame());
  EXPECT_EQ(frame["states"], 27);
  EXPECT_EQ(frame["columns"], 9);  // state 9 a + 3 c + d
  EXPECT_EQ(frame["row"], "jobs of a\"<b");
  EXPECT_EQ(frame["column"], "jobs of c, in each of them jobs of d");
  EXPECT_EQ(frame["action_names"],
            (std::vector<std::string>{"one: a\"<b, two: c", "one: d, two: c", "one: idle, two: c"}));
  EXPECT_TRUE(frame["arrows"].is_null());

  const FiniteModel jobs = access_control_model({});
  const Json accepts = Json::parse(Album(jobs, 100).frame());
  EXPECT_EQ(accepts["columns"], 4);
  EXPECT_EQ(accepts["action_names"], (std::vector<std::string>{"reject", "accept"}));
  const FiniteModel stock = inventory_model({.capacity = 3, .backlog = 1});
  const Json orders = Json::parse(Album(stock, 100).frame());
  EXPECT_EQ(orders["columns"], 5);
  EXPECT_EQ(orders["action_names"][3], "order up to 3");
}

TEST(Album, ArrowsPointWhereAnActionLeads) {
  const FiniteModel water = deep_sea_model(DeepSea(4));
  const Json sea = Json::parse(Album(water, 100).frame());
  EXPECT_EQ(sea["columns"], 4);
  const auto arrow = [&](int row, int column, int action, int axis) {
    return sea["arrows"][static_cast<std::size_t>(2 * (2 * (4 * row + column) + action) + axis)].get<double>();
  };
  for (const int row : {0, 1, 3}) {  // the last row continues at the first
    EXPECT_EQ(arrow(row, 2, 0, 0), -100.0);
    EXPECT_EQ(arrow(row, 2, 1, 0), 100.0);
    EXPECT_EQ(arrow(row, 2, 0, 1), 100.0);
  }
  EXPECT_EQ(arrow(1, 0, 0, 0), 0.0);  // along the wall
  const FiniteModel stream = river_swim_model(6);
  const Json river = Json::parse(Album(stream, 100).frame());
  EXPECT_EQ(river["columns"], river["states"]);
  EXPECT_LT(river["arrows"][4].get<double>(), 0.0);  // state 1, action 0: with the stream
  EXPECT_GT(river["arrows"][6].get<double>(), 0.0);
}

TEST(Album, CountsTheVisitsOfAPhaseAndShowsTheSurestAction) {
  const FiniteModel model = deep_sea_model(DeepSea(2));
  const Album album(model, 1000);
  const std::vector<std::int32_t> pairs = {0, 1, 7, 1, 6};
  std::vector<double> policy = {0.5, 0.5, 0.1, 0.9, 1.0, 0.0, 0.254, 0.746};
  Phase phase;
  phase.model_pairs = pairs;
  std::string line;
  album.add(phase, policy, 3, 50, line);
  EXPECT_EQ(line, "{\"phase\":3,\"steps\":50,\"visits\":[3,0,-1,2],\"policy\":[50,191,100,176]}\n");
}

// Read by a decoder of its own.
TEST(Album, WhatComesAgainIsCounted) {
  const FiniteModel model = deep_sea_model(DeepSea(20));
  const Album album(model, 1000);
  const auto states = static_cast<std::size_t>(model.states);
  std::vector<std::int32_t> pairs;
  std::vector<double> policy(2 * states);
  std::vector<std::int64_t> visits(states, 0);
  std::vector<std::int64_t> actions(states);
  for (std::size_t x = 0; x < states; ++x) {
    for (std::size_t k = 0; k < (x * x / 30) % 5 * 70; ++k) pairs.push_back(static_cast<std::int32_t>(2 * x + k % 2));
    visits[x] = static_cast<std::int64_t>((x * x / 30) % 5 * 70);
    const bool second = x / 7 % 3 == 0;
    policy[2 * x] = second ? 0.0 : 1.0;
    policy[2 * x + 1] = second ? 1.0 : 0.0;
    actions[x] = second ? 201 : 100;
  }
  Phase phase;
  phase.model_pairs = pairs;
  std::string line;
  album.add(phase, policy, 1, 50, line);
  const Json picture = Json::parse(line);
  const auto expanded = [](const Json& list) {
    std::vector<std::int64_t> all;
    for (const Json& each : list) {
      const auto number = each.get<std::int64_t>();
      if (number < 0)
        all.insert(all.end(), static_cast<std::size_t>(-number), all.back());
      else
        all.push_back(number);
    }
    return all;
  };
  EXPECT_EQ(expanded(picture["visits"]), visits);
  EXPECT_EQ(expanded(picture["policy"]), actions);
  EXPECT_LT(picture["policy"].size(), states / 2);
}

TEST(Album, BothPathsDrawTheSame) {
  Config config;
  config.steps = 20'000;
  config.set("environment.size", 5);
  std::string drawn[2];
  for (const int generic : {0, 1}) {
    config.set("algorithm.path", generic == 1 ? "generic" : "compiled");
    const auto run = make_run(config);
    drawn[generic] = run->picture_frame();
    while (!run->done()) {
      run->advance();
      run->picture(drawn[generic]);
    }
  }
  EXPECT_GT(drawn[0].size(), 1000U);
  EXPECT_EQ(drawn[0], drawn[1]);
}

TEST(PicturePage, TakesWhatIsWholeAndLeavesOutTheRest) {
  const std::string frame = R"({"environment":"x<","states":2,"actions":1,"columns":2,"arrows":null})"
                            "\n";
  const std::string good = R"({"phase":1,"steps":5,"visits":[1,4],"policy":[100,100]})"
                           "\n";
  const std::string short_list = R"({"phase":1,"steps":5,"visits":[1],"policy":[100,100]})"
                                 "\n";
  std::string others = short_list;
  for (const char* list : {"[-1,1]", "[1,-2]", "[1,-1,1]", "[1,-9223372036854775808]", "[1,18446744073709551615]",
                           "[1,1.5]", "[1,null]", "2", "[]"})
    others += fmt::format(R"({{"phase":1,"steps":5,"visits":{},"policy":[100,100]}})", list) + "\n";
  const std::string counted = R"({"phase":2,"steps":9,"visits":[7,-1],"policy":[100,-1]})"
                              "\n";
  const std::string text = pictures_json(frame + good + others + "rubbish\n" + good + counted + good.substr(0, 30));
  const Json page = Json::parse(text);
  EXPECT_EQ(page["pictures"].size(), 3U);
  EXPECT_EQ(page["pictures"][1]["visits"][1], 4);
  EXPECT_EQ(page["frame"]["environment"], "x<");
  EXPECT_EQ(text.find('<'), std::string::npos);  // nothing in a file can end the page's script
  for (const char* bad :
       {"", "\n", "{}", "{}\n{}\n", "[]\n", "\0\0\n", "{\"states\":-1,\"actions\":1,\"columns\":1,\"arrows\":null}\n",
        "{\"states\":1e99,\"actions\":1,\"columns\":1,\"arrows\":null}\n",
        "{\"states\":2,\"actions\":1,\"columns\":2,\"arrows\":[1]}\n"})
    EXPECT_EQ(pictures_json(bad + good), "") << bad;
}

}  // namespace
}  // namespace politex
