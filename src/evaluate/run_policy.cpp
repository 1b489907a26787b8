#include "politex/evaluate/run_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/evaluate/learned_values.hpp"
#include "politex/neural/blocks.hpp"
#include "politex/record/checkpoint.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/linear_run.hpp"
#include "politex/run/neural_run.hpp"

namespace politex::inline evaluate {
namespace {

namespace fs = std::filesystem;

/// Boltzmann (or greedy) in the sum of Qs over features.
class LinearPolicy final : public Explorer {
 public:
  LinearPolicy(std::unique_ptr<Run> run, const LinearRun& linear, int actions)
      : run_(std::move(run)), values_(linear), actions_(actions) {}

  using Explorer::act;
  Action act(std::span<const double> observation, ExplorerMemory&, Rng& rng) const override {
    std::vector<double> p(static_cast<std::size_t>(actions_)), cumulative(p.size() - 1);
    values_.probabilities(observation, p);
    accumulate(p, cumulative);
    return pick_action(cumulative, uniform_bits(rng));
  }
  bool compile(PolicyTable& into) const override {
    const auto width = static_cast<std::size_t>(actions_);
    std::vector<double> all(static_cast<std::size_t>(into.states()) * width);
    for (int state = 0; state < into.states(); ++state) {
      const double index = state;
      values_.probabilities({&index, 1}, std::span(all).subspan(static_cast<std::size_t>(state) * width, width));
    }
    into.set(all);
    return true;
  }

 private:
  std::unique_ptr<Run> run_;  // what values_ refer to
  LearnedValues values_;
  int actions_;
};

/// Boltzmann over the ring of networks.
class RingExplorer final : public Explorer {
 public:
  RingExplorer(std::unique_ptr<Run> run, const NeuralRun& neural, Space space)
      : run_(std::move(run)), neural_(neural), space_(std::move(space)) {}

  using Explorer::act;
  Action act(std::span<const double> observation, ExplorerMemory&, Rng& rng) const override {
    thread_local neural::RingPolicy::Workspace workspace;
    std::vector<float> input(static_cast<std::size_t>(neural::input_of(space_).inputs));
    std::vector<float> p(static_cast<std::size_t>(space_.actions));
    std::ranges::transform(observation, input.begin(), [](double x) { return static_cast<float>(x); });
    neural::prepare_input(space_, input);
    neural_.agent().policy().evaluate(input.data(), 1, p.data(), workspace);
    return neural::pick(p.data(), space_.actions, rng.uniform());
  }

 private:
  std::unique_ptr<Run> run_;  // owns neural_
  const NeuralRun& neural_;
  Space space_;
};

}  // namespace

void check_trained_in(const std::string& key, const fs::path& directory, const std::string& environment) {
  const fs::path file = directory / "config.toml";
  if (!fs::exists(file)) return;
  if (const std::string trained_in = read_config(file).config.text("environment.name"); trained_in != environment)
    throw ConfigError{key, fmt::format("\"{}\" is a run of \"{}\"; accepted: one of \"{}\"", directory.string(),
                                       trained_in, environment)};
}

std::unique_ptr<Run> read_run(const std::string& key, const fs::path& directory) {
  const fs::path file = directory / "config.toml";
  if (!fs::exists(file))
    throw ConfigError{key, fmt::format("\"{}\" is a directory without a run; accepted: a directory that politex run "
                                       "wrote, or a policy file",
                                       directory.string())};
  std::vector<fs::path> files = checkpoint_files(directory / "checkpoint");
  if (const fs::path last = directory / final_state_file; fs::exists(last)) files.insert(files.begin(), last);
  if (files.empty())
    throw ConfigError{key, fmt::format("\"{}\" has no checkpoint (a run of less than a second keeps none before it "
                                       "ends, and a finished one with more than 64 MB of state none either); accepted: "
                                       "the directory of another run, or a policy file",
                                       directory.string())};
  const Checkpoint checkpoint = read_checkpoint(files.front());
  auto run = make_run(read_config(file).config);
  ByteReader from(checkpoint.state);
  run->restore(from);
  return run;
}

std::shared_ptr<const Explorer> read_run_policy(const std::string& key, const fs::path& directory, const Space& space) {
  auto run = read_run(key, directory);
  if (const auto* linear = dynamic_cast<const LinearRun*>(run.get()); linear != nullptr)
    return std::make_shared<LinearPolicy>(std::move(run), *linear, space.actions);
  if (const auto* neural = dynamic_cast<const NeuralRun*>(run.get()); neural != nullptr)
    return std::make_shared<RingExplorer>(std::move(run), *neural, space);
  throw ConfigError{key, fmt::format("\"{}\" is a run that learns no policy of its own; accepted: a run of a learner",
                                     directory.string())};
}

}  // namespace politex::inline evaluate
