// The learners: one run that is advanced in parts, on our own compiled worlds or on an environment of Python.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "gym_block.hpp"
#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/lab/linear_run.hpp"
#include "politex/lab/neural_run.hpp"
#include "politex/lab/outside_run.hpp"
#include "politex/lab/summary.hpp"
#include "values.hpp"
#include "vector_block.hpp"

namespace politex::python {
namespace {

constexpr std::size_t most_phases_kept = 1000;

template <class T>
py::array_t<T> copied(std::span<const T> values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

GymWorld world_of(const py::dict& told, std::uint64_t seed) {
  GymWorld world{.env = told["env"],
                 .space = {.name = told["name"].cast<std::string>(),
                           .actions = told["actions"].cast<int>(),
                           .states = told["states"].cast<int>(),
                           .ranges = {},
                           .episode = told["episode"].cast<std::int64_t>()},
                 .view = told["view"],
                 .first_state = told["first_state"].cast<std::int64_t>(),
                 .first_action = told["first_action"].cast<std::int64_t>(),
                 .seed = seed,
                 .saves = told["saves"].cast<bool>()};
  for (const auto& [low, high] : told["ranges"].cast<std::vector<std::pair<double, double>>>())
    world.space.ranges.push_back({low, high});
  return world;
}

/// Keywords with their tables: a short name that several tables have means the learner's own.
py::dict with_tables(const py::dict& settings) {
  py::dict full;
  for (const auto& [given, value] : settings) {
    auto key = given.cast<std::string>();
    for (const char* table : {"algorithm", "schedule", "features", "learner", "network", "replay", "actors", "policy"})
      if (const std::string told = fmt::format("{}.{}", table, key); lab::find_field(told) != nullptr) {
        key = told;
        break;
      }
    full[py::str(key)] = value;
  }
  return full;
}

/// A configuration whose environment is not one that files can name: `stand_in` decides which keys apply.
lab::Config config_for(const char* stand_in, const std::string& name, const py::dict& settings) {
  std::vector<lab::Assignment> all;
  all.push_back(
      {.field = lab::find_field("environment.name"), .value = std::string(stand_in), .where = "", .insisted = true});
  const auto ours = assignments_of(with_tables(settings));
  all.insert(all.end(), ours.begin(), ours.end());
  lab::Config config = lab::build_config(all).config;
  config.environment.name = name;
  return config;
}

lab::Config config_of_ours(const std::string& name, const py::dict& options, const py::dict& settings) {
  std::vector<lab::Assignment> all = assignments_of(options, "environment");
  all.insert(all.begin(), {.field = lab::find_field("environment.name"), .value = name, .where = "", .insisted = true});
  const auto ours = assignments_of(with_tables(settings));
  all.insert(all.end(), ours.begin(), ours.end());
  return lab::build_config(all).config;
}

class AgentRun {
 public:
  /// `told` describes the world: env, name, actions, states, ranges, episode, view, first_state, first_action,
  /// explorer, restart_cost, identity; and `source`: None, or the FiniteModel or (name, options) of a world of ours.
  AgentRun(const py::dict& settings, const py::dict& told)
      : reader_(world_of(told, 0).space, told["view"], told["first_state"].cast<std::int64_t>()),
        actions_(told["actions"].cast<int>()) {
    const py::object source = told["source"];
    const lab::RunOptions options{.regret = true, .extendable = true};
    released_ = true;
    if (told.contains("vector")) {
      make_neural(settings, told);
    } else if (py::isinstance<FiniteModel>(source)) {
      const auto model = source.cast<std::shared_ptr<FiniteModel>>();
      config_ = config_for("garnet", model->name, settings);
      run_ = lab::make_finite_run(config_, *model, options);
    } else if (!source.is_none()) {
      const auto [name, given] = source.cast<std::pair<std::string, py::dict>>();
      config_ = config_of_ours(name, given, settings);
      run_ = lab::make_run(config_, options);
    } else {
      released_ = false;
      make_outside(settings, told);
    }
  }

  bool done() const { return run_->done(); }
  std::int64_t steps_done() const { return run_->steps_done(); }
  void extend(std::int64_t steps) { run_->extend(steps); }
  void stop() { stop_.store(true); }
  /// Whether save() carries the environment's own state.
  bool saves_environment() const { return block_ == nullptr || block_->can_save(); }
  std::vector<double> last_row() const {
    return {rows_.end() - static_cast<std::ptrdiff_t>(std::min(rows_.size(), row_.size())), rows_.end()};
  }

  /// Phases for about a twentieth of a second, or one.
  void advance(bool one) {
    if (busy_.exchange(true)) throw Error("this agent is learning in another thread already");
    stop_.store(false);
    const auto free = [](std::atomic<bool>* busy) { busy->store(false); };
    const std::unique_ptr<std::atomic<bool>, decltype(free)> guard(&busy_, free);
    if (released_) {
      const py::gil_scoped_release release;
      work(one);
    } else {
      work(one);
    }
  }

  std::string summary() const { return lab::summary_json(run_->summary()); }
  std::vector<std::string> columns() const {
    std::vector<std::string> all = {"phase", "steps", "average_cost", "phase_average_cost"};
    const auto more = run_->columns();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  py::array_t<double> rows() const {
    const std::size_t width = columns().size();
    py::array_t<double> all({rows_.size() / width, width});
    std::copy(rows_.begin(), rows_.end(), all.mutable_data());
    return all;
  }

  py::bytes save() const {
    ByteWriter to;
    run_->save(to);
    to.put(rows_);
    to.put(kept_phases_);
    to.put(kept_);
    return {reinterpret_cast<const char*>(to.bytes().data()), to.bytes().size()};
  }
  void restore(const py::bytes& saved) {
    const std::string_view bytes = saved;
    ByteReader from(std::as_bytes(std::span(bytes)));
    run_->restore(from);
    from.get(rows_);
    from.get(kept_phases_);
    from.get(kept_);
    if (rows_.size() % columns().size() != 0 || kept_.size() != kept_phases_.size() * weights_size())
      throw Error("the saved agent is damaged");
  }

  /// Probabilities of the present policy, and the sum of Qs, of each of some observations.
  py::tuple policy(const py::list& observations) const {
    if (neural_ != nullptr) return neural_policy(observations);
    const auto count = static_cast<py::ssize_t>(observations.size());
    py::array_t<double> law({count, static_cast<py::ssize_t>(actions_)}),
        q({count, static_cast<py::ssize_t>(actions_)});
    std::vector<double> seen(reader_.size());
    for (py::ssize_t i = 0; i < count; ++i) {
      reader_.read(observations[static_cast<std::size_t>(i)], seen);
      values(seen, {q.mutable_data(i, 0), static_cast<std::size_t>(actions_)});
      learner().rule().probabilities({q.data(i, 0), static_cast<std::size_t>(actions_)},
                                     {law.mutable_data(i, 0), static_cast<std::size_t>(actions_)});
    }
    return py::make_tuple(law, q);
  }

  /// The newest network as a safetensors file, which explorer.file and `politex run` read.
  py::bytes network() const {
    if (neural_ == nullptr) throw Error("a linear learner has weights of features, not a network");
    return neural_->policy_file();
  }
  py::array_t<double> weights() const { return copied(learner().weights()); }
  /// Phases, and the weights of their single estimates, one row each: of the last thousand.
  py::tuple phase_weights() const {
    py::array_t<double> all({kept_phases_.size(), weights_size()});
    std::copy(kept_.begin(), kept_.end(), all.mutable_data());
    return py::make_tuple(copied(std::span<const std::int64_t>(kept_phases_)), all);
  }
  /// The newest phase, step by step; None before there is one in this process.
  py::object phase() const {
    const Phase* phase = run_->phase();
    if (phase == nullptr) return py::none();
    const std::size_t steps = phase->pairs.size();
    py::array_t<std::int32_t> actions(static_cast<py::ssize_t>(steps)), by(static_cast<py::ssize_t>(steps));
    for (std::size_t t = 0; t < steps; ++t) actions.mutable_data()[t] = phase->pairs[t] % actions_;
    std::size_t at = 0;
    for_each_part(phase->lengths, static_cast<std::int64_t>(steps), [&](std::int64_t count, By who) {
      for (std::int64_t k = 0; k < count; ++k) by.mutable_data()[at++] = static_cast<std::int32_t>(who);
    });
    py::dict told;
    told["actions"] = actions;
    told["costs"] = copied(phase->costs);
    told["by"] = by;
    told["rollout"] = phase->lengths.rollout();
    if (!phase->model_pairs.empty()) {
      py::array_t<std::int32_t> states(static_cast<py::ssize_t>(steps));
      for (std::size_t t = 0; t < steps; ++t) states.mutable_data()[t] = phase->model_pairs[t] / actions_;
      told["states"] = states;
    } else {
      told["features"] = features_of(*phase);
    }
    return told;
  }
  py::dict shape() const {
    const FeatureStructure structure = linear().loop().collector().structure();
    py::dict told;
    told["blocks"] = structure.blocks;
    told["width"] = structure.width;
    return told;
  }

 private:
  void make_outside(const py::dict& settings, const py::dict& told) {
    config_ = config_for("cartpole", told["name"].cast<std::string>(), settings);
    config_.environment.restart_cost = told["restart_cost"].cast<double>();
    auto block = std::make_unique<GymBlock>(world_of(told, config_.seed));
    const GymBlock* const gym = block.get();
    block_ = gym;
    lab::OutsideRunOptions options{
        .explorer = {}, .observation_is_features = told["identity"].cast<bool>(), .stop = &stop_, .extendable = true};
    if (const py::object explorer = told["explorer"]; !explorer.is_none())
      options.explorer = [explorer, gym, actions = actions_, first = told["first_action"].cast<std::int64_t>(),
                          name = told["name"].cast<std::string>()](std::span<const double>, Rng&) {
        const py::object chosen = explorer(gym->raw());
        const Py_ssize_t action = PyNumber_AsSsize_t(chosen.ptr(), PyExc_OverflowError);
        if (action == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
        if (action < first || action - first >= actions)
          throw Error(fmt::format("the explorer chose {}, which is no action of {}; accepted: {} to {}", action, name,
                                  first, first + actions - 1));
        return static_cast<Action>(action - first);
      };
    run_ = lab::make_outside_run(config_, std::move(block), options);
  }

  /// `told` has the keys of VectorBlock beside the others; without a vector (None) the world is one of ours.
  void make_neural(const py::dict& settings, const py::dict& told) {
    const GymWorld world = world_of(told, 0);
    space_ = world.space;
    space_.bytes = told["bytes"].cast<bool>();
    if (const auto picture = told["picture"].cast<std::vector<int>>(); picture.size() == 3) {
      space_.channels = picture[0];
      space_.height = picture[1];
      space_.width = picture[2];
    }
    const py::object choose = told["explorer"];
    std::shared_ptr<const neural::Explorer> explorer;
    if (!choose.is_none()) explorer = std::make_shared<PythonExplorer>(choose, space_);
    neural::BlockMaker maker;
    if (told["vector"].is_none()) {
      const auto [name, given] = told["source"].cast<std::pair<std::string, py::dict>>();
      config_ = config_of_ours(name, given, settings);
      maker = lab::block_maker(config_);
    } else {
      config_ = config_for("cartpole", world.space.name, settings);
      config_.actors.environments = told["count"].cast<int>();
      auto block = std::make_shared<VectorBlock>(space_, told, config_.seed);
      block_ = block.get();
      maker = neural::outside_blocks(std::move(block));
    }
    const py::gil_scoped_release release;
    auto made = std::make_unique<lab::NeuralRun>(config_, maker, nullptr, std::move(explorer));
    neural_ = made.get();
    run_ = std::move(made);
  }

  py::tuple neural_policy(const py::list& observations) const {
    const auto count = static_cast<py::ssize_t>(observations.size());
    py::array_t<double> law({count, static_cast<py::ssize_t>(actions_)});
    std::vector<double> seen(reader_.size());
    const std::size_t inputs = space_.states > 0 ? static_cast<std::size_t>(space_.states) : seen.size();
    std::vector<float> input(inputs), p(static_cast<std::size_t>(actions_));
    neural::RingPolicy::Workspace room;
    for (py::ssize_t i = 0; i < count; ++i) {
      reader_.read(observations[static_cast<std::size_t>(i)], seen);
      std::ranges::fill(input, 0.0F);
      if (space_.states > 0)
        input[static_cast<std::size_t>(seen[0])] = 1.0F;
      else
        for (std::size_t k = 0; k < inputs; ++k)
          input[k] = static_cast<float>(seen[k]) / (space_.bytes ? 255.0F : 1.0F);
      neural_->agent().policy().evaluate(input.data(), 1, p.data(), room);
      for (std::size_t a = 0; a < p.size(); ++a) law.mutable_at(i, a) = static_cast<double>(p[a]);
    }
    return py::make_tuple(law, py::none());
  }

  void work(bool one) {
    const auto begin = std::chrono::steady_clock::now();
    do {
      run_->advance();
      if (run_->row_due()) note();
    } while (!one && !run_->done() && !stop_.load(std::memory_order_relaxed) &&
             std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(50));
  }

  void note() {
    run_->row(row_);
    const std::size_t width = row_.size();
    // A phase that was carried on is told again, whole.
    if (rows_.size() >= width && rows_[rows_.size() - width] == row_[0]) rows_.resize(rows_.size() - width);
    rows_.insert(rows_.end(), row_.begin(), row_.end());
    const Phase* const played = run_->phase();
    if (played == nullptr || static_cast<std::int64_t>(played->costs.size()) < played->lengths.total()) return;
    const auto newest = run_->learner()->newest();
    const auto phase = static_cast<std::int64_t>(row_[0]);
    if (kept_phases_.size() == 2 * most_phases_kept) {
      kept_phases_.erase(kept_phases_.begin(), kept_phases_.begin() + most_phases_kept);
      kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(most_phases_kept * newest.size()));
    }
    kept_phases_.push_back(phase);
    kept_.insert(kept_.end(), newest.begin(), newest.end());
  }

  const lab::LinearRun& linear() const {
    const auto* linear = dynamic_cast<const lab::LinearRun*>(run_.get());
    if (linear == nullptr) throw Error("a neural learner has networks, not weights of features");
    return *linear;
  }
  const Learner& learner() const { return *linear().learner(); }
  std::size_t weights_size() const { return run_->learner() == nullptr ? 0 : run_->learner()->weights().size(); }

  void values(std::span<const double> seen, std::span<double> q) const {
    Features features;
    const FeatureStructure structure = linear().loop().collector().structure();
    features.actions = actions_;
    features.replicated = structure.blocks == actions_ && actions_ > 1;
    features.rows.columns = structure.width;
    linear().loop().collector().describe(seen, features.rows);
    if (features.rows.rows() != 1) features.replicated = false;
    for (int a = 0; a < actions_; ++a) q[static_cast<std::size_t>(a)] = features.dot(a, learner().weights());
  }

  static py::array_t<double> features_of(const Phase& phase) {
    const SparseRows& rows = phase.features->rows;
    py::array_t<double> dense({static_cast<py::ssize_t>(rows.rows()), static_cast<py::ssize_t>(rows.columns)});
    std::fill_n(dense.mutable_data(), dense.size(), 0.0);
    for (int r = 0; r < rows.rows(); ++r)
      for (std::size_t k = 0; k < rows.indices(r).size(); ++k)
        dense.mutable_at(r, rows.indices(r)[k]) = rows.values(r)[k];
    return dense;
  }

  ObservationReader reader_;
  int actions_;
  lab::Config config_;
  std::atomic<bool> stop_ = false, busy_ = false;
  bool released_ = true;  // the run needs no Python
  std::unique_ptr<lab::Run> run_;
  const OutsideBlock* block_ = nullptr;     // of run_, where it is Python's
  const lab::NeuralRun* neural_ = nullptr;  // run_, where it is one
  OutsideSpace space_;
  std::vector<double> row_, rows_;
  std::vector<std::int64_t> kept_phases_;
  std::vector<double> kept_;
};

}  // namespace

void register_agents(py::module_& module) {
  py::class_<AgentRun>(module, "AgentRun", "A learner's run; the classes of politex.agents use it.")
      .def(py::init<const py::dict&, const py::dict&>(), py::arg("settings"), py::arg("world"))
      .def_property_readonly("done", &AgentRun::done)
      .def_property_readonly("steps_done", &AgentRun::steps_done)
      .def("extend", &AgentRun::extend, py::arg("steps"))
      .def("stop", &AgentRun::stop)
      .def_property_readonly("saves_environment", &AgentRun::saves_environment)
      .def("last_row", &AgentRun::last_row)
      .def("advance", &AgentRun::advance, py::arg("one"))
      .def("summary", &AgentRun::summary)
      .def("columns", &AgentRun::columns)
      .def("rows", &AgentRun::rows)
      .def("save", &AgentRun::save)
      .def("restore", &AgentRun::restore, py::arg("saved"))
      .def("policy", &AgentRun::policy, py::arg("observations"))
      .def("network", &AgentRun::network)
      .def("weights", &AgentRun::weights)
      .def("phase_weights", &AgentRun::phase_weights)
      .def("phase", &AgentRun::phase)
      .def("shape", &AgentRun::shape);
}

}  // namespace politex::python
