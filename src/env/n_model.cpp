#include "politex/env/n_model.hpp"

#include "politex/env/space.hpp"

namespace politex::inline env {

QueueNetwork n_model_network(const NModelOptions& options) {
  QueueNetwork network{
      .classes =
          {{.name = "1", .arrival = 1.3 * options.load, .holding = 3.0, .lost = options.lost, .buffer = options.buffer},
           {.name = "2",
            .arrival = 0.4 * options.load,
            .holding = 1.0,
            .lost = options.lost,
            .buffer = options.buffer}},
      .servers = {{.name = "1", .serves = {{0, 1.0}}}, {.name = "2", .serves = {{0, 0.5}, {1, 1.0}}}}};
  check(network, "environment.load");
  return network;
}

namespace {

Keys n_model_keys() {
  return Keys{key<&NModelOptions::load>("environment.load", "load of the servers; stable below 1", number_above(0, 1)),
              key<&NModelOptions::buffer>("environment.buffer", "most jobs of either class", whole(1, 900)),
              key<&NModelOptions::lost>("environment.lost", "cost of a job that finds its buffer full",
                                        number(0, 1e9))} +
         finite_keys();
}

QueueNetwork n_model_of(const Values& values) { return n_model_network(read<NModelOptions>(n_model_keys(), values)); }

FiniteModel n_model_tables(const Values& values) {
  return with_finite_keys(network_model(n_model_of(values), n_model_entry().name), values);
}

void check_n_model(const Values& values) { n_model_of(values); }

Space n_model_space(const Values& values) { return network_space(n_model_of(values), n_model_entry().name); }

}  // namespace

const EnvironmentEntry& n_model_entry() {
  static const EnvironmentEntry entry{.name = "n_model",
                                      .help = "Harrison's N-model: when should server 2 help with class 1?",
                                      .keys = n_model_keys(),
                                      .space = n_model_space,
                                      .model = n_model_tables,
                                      .check = check_n_model};
  return entry;
}

}  // namespace politex::inline env
