#include "politex/run/explorer_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/output_file.hpp"
#include "politex/base/unknown.hpp"
#include "politex/env/masks.hpp"
#include "politex/policy/policy_file.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"

namespace politex::inline run {
namespace {

constexpr std::int64_t steps_a_row = 1000, longest_segment = 1000;

}  // namespace

ExplorerRun::ExplorerRun(const Config& config, FiniteModel model, Features features,
                         std::unique_ptr<LearningExplorer> explorer)
    : config_(config),
      environment_(std::move(model)),
      features_(std::move(features)),
      explorer_(std::move(explorer)),
      explorer_rng_(config.seed, Use::explorer),
      probe_rng_(config.seed, Use::probe),
      transitions_(config.seed, Use::environment),
      state_(environment_.start(transitions_)),
      taken_(static_cast<std::size_t>(environment_.model().pairs()), 0.0) {}

Here ExplorerRun::here() {
  observation_ = state_;
  return {.features = &features_, .slot = state_, .state = state_, .observation = {&observation_, 1}};
}

void ExplorerRun::step(Action action, std::int64_t& count) {
  pair_ = environment_.model().pair(state_, action);
  state_ = environment_.successor(pair_, transitions_);
  ++steps_;
  ++count;
  taken_[static_cast<std::size_t>(pair_)] += 1.0;
  cost_ += environment_.model().cost[static_cast<std::size_t>(pair_)];
  if (steps_ <= config_.steps - (config_.steps + 9) / 10) cost_before_last_tenth_ = cost_;
  const Trace trace{
      .pairs = {&pair_, 1}, .last_slot = state_, .features = &features_, .listed = {&pair_, 1}, .last_state = state_};
  explorer_->observe(trace);
  explorer_->sample(trace);
}

void ExplorerRun::segment() {
  explorer_->begin(here(), explorer_rng_);
  for (std::int64_t t = 0; t < longest_segment && !done(); ++t) {
    const auto action = explorer_->act(here(), explorer_rng_);
    if (!action) break;
    step(*action, explorer_steps_);
  }
  if (done()) return;
  const auto probe = explorer_->probe(here(), probe_rng_);
  const auto actions = static_cast<std::uint64_t>(environment_.actions());
  step(probe ? *probe : static_cast<Action>(probe_rng_.below(actions)), probe_steps_);
}

void ExplorerRun::advance() {
  const std::int64_t begin = steps_;
  const double before = cost_;
  explorer_->begin_phase();
  while (!done() && steps_ < begin + steps_a_row) segment();
  const Coverage coverage = explorer_->coverage();
  row_ = {static_cast<double>(++rows_),
          static_cast<double>(steps_),
          average_cost(),
          (cost_ - before) / static_cast<double>(steps_ - begin),
          static_cast<double>(coverage.known),
          static_cast<double>(coverage.untried)};
}

std::string ExplorerRun::policy_file() const {
  const auto actions = static_cast<std::size_t>(environment_.actions());
  std::vector<double> probabilities(taken_.size(), 1.0 / static_cast<double>(actions));
  for (std::size_t begin = 0; begin < taken_.size(); begin += actions) {
    double visits = 0.0;
    for (std::size_t pair = begin; pair < begin + actions; ++pair) visits += taken_[pair];
    for (std::size_t pair = begin; pair < begin + actions && visits > 0.0; ++pair)
      probabilities[pair] = taken_[pair] / visits;
  }
  move_to_possible(environment_.model(), probabilities);
  return policy_text(probabilities, environment_.states(), environment_.actions());
}

void ExplorerRun::write_files(const std::filesystem::path& directory) const {
  if (done()) write_atomically(directory / "explorer.policy", policy_file());
}

void ExplorerRun::save(ByteWriter& to) const {
  explorer_->save(to);
  for (const Rng* rng : {&explorer_rng_, &probe_rng_, &transitions_}) to.put(rng->position());
  to.put(state_);
  for (const std::int64_t count : {steps_, explorer_steps_, probe_steps_, rows_}) to.put(count);
  to.put(cost_);
  to.put(cost_before_last_tenth_);
  to.put(taken_);
  to.put(row_);
}

void ExplorerRun::restore(ByteReader& from) {
  explorer_->restore(from);
  for (Rng* rng : {&explorer_rng_, &probe_rng_, &transitions_}) rng->seek(from.get<std::uint64_t>());
  from.get_within(state_, 0, environment_.states() - 1, "the state");
  for (std::int64_t* count : {&steps_, &explorer_steps_, &probe_steps_, &rows_}) from.get_count(*count, "steps");
  from.get_finite(cost_, "costs");
  from.get_finite(cost_before_last_tenth_, "costs");
  from.get_again(taken_, "counts of pairs");
  get_row(from, row_, *this);
}

Summary ExplorerRun::summary() {
  Summary summary;
  summary.steps = steps_;
  summary.seed = config_.seed;
  summary.environment = config_.text("environment.name");
  summary.algorithm = explorer_of(config_).name;
  summary.average_cost = average_cost();
  const std::int64_t last_tenth = (config_.steps + 9) / 10;
  summary.average_cost_last_tenth = (cost_ - cost_before_last_tenth_) / static_cast<double>(last_tenth);
  summary.explorer = {explorer_steps_, unknown};
  summary.probe = {probe_steps_, unknown};
  summary.target = {0, unknown};
  summary.phases = rows_;
  summary.path = "compiled";
  Signature signature;
  signature.add(std::span<const double>(taken_));
  summary.signature = signature.text();
  return summary;
}

bool explorer_learns_alone(const Config& config) {
  return explorer_of(config).learn != nullptr && environment_of(config).model != nullptr;
}

std::unique_ptr<Run> make_explorer_run(const Config& config) {
  const ExplorerEntry& entry = explorer_of(config);
  if (entry.learn == nullptr) {
    std::vector<std::string_view> learning;
    for (const ExplorerEntry* one : explorers())
      if (one->learn != nullptr) learning.push_back(one->name);
    throw ConfigError{"explorer.name",
                      fmt::format("\"{}\" does not learn; accepted: {}", entry.name, fmt::join(learning, ", "))};
  }
  FiniteModel model = make_model(config);
  Features features = make_features(config, model);
  const Space space = TableEnvironment(model).space();
  auto explorer = entry.learn({.values = config.values,
                               .actions = model.actions,
                               .states = model.states,
                               .structure = features.structure(),
                               .size = space.size()});
  return std::make_unique<ExplorerRun>(config, std::move(model), std::move(features), std::move(explorer));
}

}  // namespace politex::inline run
