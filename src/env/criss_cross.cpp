#include "politex/env/criss_cross.hpp"

#include <string>

#include "politex/env/space.hpp"

namespace politex::inline env {

QueueNetwork criss_cross_network(const CrissCrossOptions& options) {
  const auto job_class = [&](std::string name, double arrival) {
    return JobClass{.name = std::move(name), .arrival = arrival, .lost = options.lost, .buffer = options.buffer};
  };
  QueueNetwork network{
      .classes = {job_class("1", options.arrival), job_class("2", options.arrival), job_class("3", 0.0)},
      .servers = {{.name = "1", .serves = {{0, 2.0}, {1, 2.0}}}, {.name = "2", .serves = {{2, options.rate3}}}}};
  network.classes[0].next = {{2, 1.0}};
  check(network, "environment.arrival");
  return network;
}

namespace {

Keys criss_cross_keys() {
  using Options = CrissCrossOptions;
  return Keys{key<&Options::arrival>("environment.arrival", "arrival rate of either class; stable below 1 and `rate3`",
                                     number_above(0, 1000)),
              key<&Options::rate3>("environment.rate3", "service rate of class 3, at the second server",
                                   number_above(0, 1000)),
              key<&Options::buffer>("environment.buffer", "most jobs of each of the three classes", whole(1, 90)),
              key<&Options::lost>("environment.lost", "cost of a job that finds its buffer full", number(0, 1e9))} +
         finite_keys();
}

QueueNetwork criss_cross_of(const Values& values) {
  return criss_cross_network(read<CrissCrossOptions>(criss_cross_keys(), values));
}

FiniteModel criss_cross_tables(const Values& values) {
  return with_finite_keys(network_model(criss_cross_of(values), criss_cross_entry().name), values);
}

void check_criss_cross(const Values& values) { criss_cross_of(values); }

Space criss_cross_space(const Values& values) {
  return network_space(criss_cross_of(values), criss_cross_entry().name);
}

}  // namespace

const EnvironmentEntry& criss_cross_entry() {
  static const EnvironmentEntry entry{.name = "criss_cross",
                                      .help = "the criss-cross network: two servers, three queues; cost = jobs",
                                      .keys = criss_cross_keys(),
                                      .space = criss_cross_space,
                                      .model = criss_cross_tables,
                                      .check = check_criss_cross};
  return entry;
}

}  // namespace politex::inline env
