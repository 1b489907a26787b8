#include "agent_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gym_block.hpp"
#include "politex/base/error.hpp"
#include "politex/features/identity.hpp"
#include "politex/features/packed_rows.hpp"
#include "politex/run/config_io.hpp"
#include "values.hpp"
#include "vector_block.hpp"

namespace politex::python {
namespace {

/// An explorer that is a function of Python; it is given the observation as the environment gave it. The GIL is held by
/// the caller.
class GymExplorer final : public Explorer {
 public:
  GymExplorer(py::object choose, const GymBlock& gym, std::int64_t first_action)
      : choose_(std::move(choose)), gym_(gym), first_(first_action) {}
  using Explorer::act;
  Action act(std::span<const double>, ExplorerMemory&, Rng&) const override {
    const Space& space = gym_.space();
    const std::int64_t action = action_of(choose_, gym_.raw(), space.name);
    if (action < first_ || action - first_ >= space.actions)
      throw Error(fmt::format("the explorer chose {}, which is not an action of {}; accepted: {} to {}", action,
                              space.name, first_, first_ + space.actions - 1));
    check_possible(static_cast<Action>(action - first_));
    return static_cast<Action>(action - first_);
  }
  /// The observation as the environment gave it.
  bool sees_more() const override { return true; }

 private:
  void check_possible(Action action) const {
    if (!gym_.masks()) return;
    std::vector<std::uint8_t> possible(static_cast<std::size_t>(gym_.space().actions));
    gym_.possible(0, possible);
    if (possible[static_cast<std::size_t>(action)] != 0) return;
    std::vector<std::int64_t> accepted;
    for (std::size_t a = 0; a < possible.size(); ++a)
      if (possible[a] != 0) accepted.push_back(static_cast<std::int64_t>(a) + first_);
    throw Error(fmt::format("the explorer or prior chose action {} of {}, which is masked there; accepted: {}",
                            action + first_, gym_.space().name, fmt::join(accepted, ", ")));
  }

  py::object choose_;
  const GymBlock& gym_;
  std::int64_t first_;
};

py::dict with_tables(const py::dict& keywords) {
  py::dict full;
  for (const auto& [keyword, value] : keywords) full[py::str(full_name(keyword.cast<std::string>()))] = value;
  return full;
}

/// The caller brings the environment.
Config config_of(const py::dict& settings) {
  return build_config(assignments_of(with_tables(settings)), {.brings_environment = true, .extendable = true}).config;
}

}  // namespace

AgentParts parts_of(const py::dict& settings, const FiniteModel& model) {
  AgentParts made{.config = config_of(settings)};
  made.parts.model = model;
  return made;
}

AgentParts parts_of(const py::dict& settings, const ShippedEnvironment& given) {
  std::vector<Assignment> all = assignments_of(given.options, "environment");
  all.push_back(assignment("environment.name", given.name));
  const auto others = assignments_of(with_tables(settings));
  all.insert(all.end(), others.begin(), others.end());
  AgentParts made{.config = build_config(all, {.extendable = true}).config};
  made.parts.restart_cost = given.restart_cost;
  return made;
}

AgentParts parts_of(const py::dict& settings, const AgentEnvironment& seen, const SingleEnvironment& given) {
  AgentParts made{.config = config_of(settings), .holds_gil = true};
  made.parts.restart_cost = given.restart_cost;
  auto block = std::make_unique<GymBlock>(GymEnvironment{.env = given.env,
                                                         .space = seen.space,
                                                         .view = seen.view,
                                                         .first_state = seen.first_state,
                                                         .first_action = seen.first_action,
                                                         .seed = made.config.seed,
                                                         .saves = given.saves,
                                                         .wanted = made.saves,
                                                         .guards = given.guards});
  if (!given.prior.is_none()) made.parts.prior = std::make_shared<GymExplorer>(given.prior, *block, seen.first_action);
  if (!given.explorer.is_none())
    made.parts.explorer = std::make_shared<GymExplorer>(given.explorer, *block, seen.first_action);
  if (given.columns > 0)
    made.parts.features = std::make_unique<PackedRows>(given.columns);
  else if (given.identity)
    made.parts.features = std::make_unique<IdentityFeatures>(static_cast<int>(seen.space.numbers()));
  made.parts.block = std::move(block);
  return made;
}

AgentParts parts_of(const py::dict& settings, const AgentEnvironment& seen, const VectorEnvironments& given) {
  AgentParts made{.config = config_of(settings)};
  made.config.set("actors.environments", std::int64_t{given.count});
  made.parts.block = std::make_unique<VectorBlock>(VectorOptions{.space = seen.space,
                                                                 .vector = given.vector,
                                                                 .count = given.count,
                                                                 .restart = static_cast<Restart>(given.restart),
                                                                 .restart_cost = given.restart_cost,
                                                                 .first_action = seen.first_action,
                                                                 .wanted = made.saves},
                                                   made.config.seed);
  if (!given.explorer.is_none()) made.parts.explorer = std::make_shared<PythonExplorer>(given.explorer, seen.space);
  return made;
}

}  // namespace politex::python
