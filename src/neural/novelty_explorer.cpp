#include "politex/neural/novelty_explorer.hpp"

#include <algorithm>
#include <vector>

#include "politex/base/require.hpp"
#include "politex/network/float_bytes.hpp"
#include "politex/neural/blocks.hpp"
#include "politex/policy/explorer_entry.hpp"

namespace politex::neural {
namespace {

using NO = NoveltyOptions;

// P(held for n steps or more) = 1/n, up to this bound: many short pushes and a few long ones (Dabney et al. 2021).
constexpr double longest_hold = 100.0;
constexpr int compared_outputs = 16;

Keys novelty_keys() {
  return {key<&NO::hidden>("explorer.hidden", "units of the hidden layer of its networks", whole(1, 65536)),
          key<&NO::discount>("explorer.discount", "of its bonuses for novelty, per step", number(0, 0.999999)),
          key<&NO::epsilon>("explorer.epsilon",
                            "probability of beginning a random action; it is held for n steps or more with "
                            "probability 1/n, at most 100",
                            number(0, 1)),
          key<&NO::rate>("explorer.rate", "Adam's step size of its networks", number_above(0, 1)),
          key<&NO::renew>("explorer.renew", "steps between two updates of the network that it acts by, about",
                          whole(1, 1'000'000'000))};
}

}  // namespace

NoveltyExplorer::NoveltyExplorer(const NoveltyOptions& options, const Space& space)
    : options_(options), space_(space), inputs_(static_cast<std::size_t>(input_of(space).inputs)) {
  require(options.hidden >= 1 && options.hidden <= 65536, "explorer.hidden", "1 to 65536");
  require(options.discount >= 0 && options.discount < 1, "explorer.discount", "0 <= discount < 1");
  require(options.epsilon >= 0 && options.epsilon <= 1, "explorer.epsilon", "0 to 1");
  require(options.rate > 0 && options.rate <= 1, "explorer.rate", "a number above 0, at most 1");
  require(options.renew >= 1, "explorer.renew", "an integer >= 1");
}

void NoveltyExplorer::show(const DuelingNetwork& network) { shown_.emplace(Shown{network, FrozenNetwork(network)}); }

Action NoveltyExplorer::act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const {
  return choose(observation, memory, rng);
}

Action NoveltyExplorer::act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const {
  return choose(observation, memory, rng);
}

template <class Number>
Action NoveltyExplorer::choose(std::span<const Number> observation, ExplorerMemory& memory, Rng& rng) const {
  if (memory.left > 0) {
    --memory.left;
    return static_cast<Action>(memory.action);
  }
  if (shown_ && rng.uniform() >= options_.epsilon) return best(observation);
  memory.action = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(space_.actions)));
  memory.left = static_cast<std::int64_t>(std::min(longest_hold, 1.0 / (1.0 - rng.uniform()))) - 1;
  return static_cast<Action>(memory.action);
}

template <class Number>
Action NoveltyExplorer::best(std::span<const Number> observation) const {
  thread_local FrozenNetwork::Workspace workspace;
  thread_local std::vector<float> values, input;
  input.assign(inputs_, 0.0F);
  std::ranges::transform(observation, input.begin(), [](Number x) { return static_cast<float>(x); });
  prepare_input(space_, input);
  values.resize(static_cast<std::size_t>(space_.actions));
  shown_->frozen.evaluate(input.data(), 1, values.data(), workspace);
  return static_cast<Action>(std::ranges::max_element(values) - values.begin());
}

void NoveltyExplorer::save(ByteWriter& to) const {
  to.put(shown_.has_value());
  if (shown_) put_floats(to, shown_->network.parameters());
}

void NoveltyExplorer::restore(ByteReader& from, const Shape& shape) {
  shown_.reset();
  if (!from.get<bool>()) return;
  DuelingNetwork network(shape);
  get_floats(from, network.parameters());
  show(network);
}

NoveltyShapes novelty_shapes(const Shape& learner, const NoveltyOptions& options) {
  NoveltyShapes shapes{learner, learner};
  shapes.values.hidden = shapes.bonus.hidden = {options.hidden};
  shapes.bonus.actions = compared_outputs;
  return shapes;
}

const ExplorerEntry& novelty_entry() {
  static const ExplorerEntry entry{
      .name = "novelty",
      .help = "learns to go where the run has been least, from transitions and never from costs; for networks",
      .keys = novelty_keys(),
      .make = [](const ExplorerRequest& request) -> std::shared_ptr<const Explorer> {
        return std::make_shared<NoveltyExplorer>(read<NoveltyOptions>(novelty_keys(), request.values), request.space);
      },
      .fixed_policy = false,
      .needs_networks = true};
  return entry;
}

}  // namespace politex::neural
