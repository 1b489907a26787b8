// From what Python gives to a configuration and the parts of a run: what the one make_run takes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "module.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/env/space.hpp"
#include "politex/run/config.hpp"
#include "politex/run/run_options.hpp"

namespace politex::python {

/// What a learner sees of an environment; politex.spaces determines it.
struct AgentEnvironment {
  Space space;
  py::object view;  // called with an observation first: features, or flattening; None: nothing
  std::int64_t first_state = 0, first_action = 0;  // what Python calls state and action 0
};

struct AgentParts {
  Config config;
  RunParts parts{};
  std::shared_ptr<bool> saves = std::make_shared<bool>(true);  // false: blocks of Python say that they cannot be saved
  bool exact = false;      // exact answers on finite environments, also where exact.every is 0
  bool holds_gil = false;  // the run calls Python without taking the GIL: the caller keeps it
};

/// An environment of this program, by its name and options.
struct ShippedEnvironment {
  std::string name;
  py::dict options;
  std::optional<double>
      restart_cost{};  // added to the cost of a step that terminates; none: found. Linear learners only
};

/// One Gymnasium environment, for a linear learner.
struct SingleEnvironment {
  py::object env;
  bool saves = true;                     // its pickle is complete
  std::optional<double> restart_cost{};  // the same
  py::object explorer;                   // a function from an observation to an action, or None
  py::object prior = py::none();         // the same: the policy that learning begins with
  bool identity = false;                 // observations are feature vectors already
  int columns = 0;                       // above 0: they are sparse rows with this number of columns (PackedRows)
  bool guards = false;                   // it is a politex.Guard
};

/// Environments that are stepped in one call, for a neural learner.
struct VectorEnvironments {
  py::object vector;  // a politex.vectors.Vector
  int count = 1, restart = 0;
  double restart_cost = 0.0;
  py::object explorer;
};

// `settings` are the keywords of a learner: keys with or without their tables. All throw ConfigError.

/// A finite model: its tables are the environment.
AgentParts parts_of(const py::dict& settings, const FiniteModel& model);
AgentParts parts_of(const py::dict& settings, const ShippedEnvironment& given);
AgentParts parts_of(const py::dict& settings, const AgentEnvironment& seen, const SingleEnvironment& given);
AgentParts parts_of(const py::dict& settings, const AgentEnvironment& seen, const VectorEnvironments& given);

}  // namespace politex::python
