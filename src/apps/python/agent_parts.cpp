#include "agent_parts.hpp"

#include <fmt/format.h>

#include "gym_block.hpp"
#include "politex/base/error.hpp"
#include "politex/env/finite_mdp.hpp"
#include "politex/process/gymnasium.hpp"
#include "politex/run/config_io.hpp"
#include "politex/value/identity.hpp"
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
    const py::object chosen = choose_(gym_.raw());
    const Py_ssize_t action = PyNumber_AsSsize_t(chosen.ptr(), PyExc_OverflowError);
    if (action == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    const Space& space = gym_.space();
    if (action < first_ || action - first_ >= space.actions)
      throw Error(fmt::format("the explorer chose {}, which is not an action of {}; accepted: {} to {}", action,
                              space.name, first_, first_ + space.actions - 1));
    return static_cast<Action>(action - first_);
  }

 private:
  py::object choose_;
  const GymBlock& gym_;
  std::int64_t first_;
};

/// Keywords with their tables: a short name that several tables have means the learner's own.
py::dict with_tables(const py::dict& settings) {
  py::dict full;
  for (const auto& [given, value] : settings) {
    auto key = given.cast<std::string>();
    for (const char* table : {"algorithm", "schedule", "features", "learner", "network", "replay", "actors", "policy"})
      if (const std::string name = fmt::format("{}.{}", table, key); find_key(name) != nullptr) {
        key = name;
        break;
      }
    full[py::str(key)] = value;
  }
  return full;
}

Config config_of(std::vector<Assignment> environment, std::string_view name, const py::dict& settings) {
  environment.insert(environment.begin(), assignment("environment.name", std::string(name)));
  const auto others = assignments_of(with_tables(settings));
  environment.insert(environment.end(), others.begin(), others.end());
  return build_config(environment).config;
}

/// The environment is an object of Python, so its own options are not keys of the configuration.
void refuse_options(const py::dict& settings) {
  for (const Assignment& one : assignments_of(with_tables(settings)))
    if (one.key->table() == "environment")
      throw ConfigError{std::string(one.key->name),
                        "is an option of an environment, not of a learner; accepted where "
                        "the environment is made"};
}

/// Environments of Python have the keys of `gymnasium`, which is where environment.restart_cost applies. No process is
/// started: the block is brought.
Config config_of_gymnasium(const py::dict& settings) {
  refuse_options(settings);
  return config_of({}, gymnasium_entry().name, settings);
}

}  // namespace

AgentParts parts_of(const py::dict& settings, const FiniteModel& model) {
  refuse_options(settings);
  // The keys of a finite environment from a file; the model is brought, so that no file is read.
  AgentParts made{.config = config_of({assignment("environment.file", model.name)}, finite_mdp_entry().name, settings)};
  made.parts.model = model;
  return made;
}

AgentParts parts_of(const py::dict& settings, const std::string& name, const py::dict& options) {
  return {.config = config_of(assignments_of(options, "environment"), name, settings)};
}

AgentParts parts_of(const py::dict& settings, const AgentEnvironment& seen, const SingleEnvironment& given) {
  AgentParts made{.config = config_of_gymnasium(settings), .holds_gil = true};
  made.config.set("environment.restart_cost", given.restart_cost);
  auto block = std::make_unique<GymBlock>(GymEnvironment{.env = given.env,
                                                         .space = seen.space,
                                                         .view = seen.view,
                                                         .first_state = seen.first_state,
                                                         .first_action = seen.first_action,
                                                         .seed = made.config.seed,
                                                         .saves = given.saves});
  if (!given.explorer.is_none())
    made.parts.explorer = std::make_shared<GymExplorer>(given.explorer, *block, seen.first_action);
  if (given.identity) made.parts.features = std::make_unique<IdentityFeatures>(static_cast<int>(seen.space.numbers()));
  made.parts.block = std::move(block);
  return made;
}

AgentParts parts_of(const py::dict& settings, const AgentEnvironment& seen, const VectorEnvironments& given) {
  AgentParts made{.config = config_of_gymnasium(settings)};
  made.config.set("actors.environments", std::int64_t{given.count});
  made.parts.block = std::make_unique<VectorBlock>(VectorOptions{.space = seen.space,
                                                                 .vector = given.vector,
                                                                 .count = given.count,
                                                                 .restart = static_cast<Restart>(given.restart),
                                                                 .restart_cost = given.restart_cost,
                                                                 .first_action = seen.first_action},
                                                   made.config.seed);
  if (!given.explorer.is_none()) made.parts.explorer = std::make_shared<PythonExplorer>(given.explorer, seen.space);
  return made;
}

}  // namespace politex::python
