// The learners: one run that is advanced in parts, on an environment of this program or of Python.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "agent_parts.hpp"
#include "gym_block.hpp"
#include "module.hpp"
#include "politex/base/error.hpp"
#include "politex/run/linear_run.hpp"
#include "politex/run/neural_run.hpp"
#include "politex/run/summary.hpp"

namespace politex::python {
namespace {

constexpr std::size_t most_phases_kept = 1000;

template <class T>
py::array_t<T> copied(std::span<const T> values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

class AgentRun {
 public:
  AgentRun(const AgentEnvironment& seen, AgentParts made)
      : reader_(seen.space, seen.view, seen.first_state),
        space_(seen.space),
        actions_(seen.space.actions),
        released_(!made.holds_gil),
        saves_(made.saves),
        block_(made.parts.block.get()),
        gym_(dynamic_cast<GymBlock*>(made.parts.block.get())) {
    std::optional<py::gil_scoped_release> release;
    if (released_) release.emplace();
    run_ = make_run(made.config, {.exact = made.exact, .extendable = true, .stop = &stop_}, std::move(made.parts));
    neural_ = dynamic_cast<const NeuralRun*>(run_.get());
  }

  bool done() const { return run_->done(); }
  std::int64_t steps_done() const { return run_->steps_done(); }
  void extend(std::int64_t steps) { run_->extend(steps); }
  void stop() { stop_.store(true); }
  /// Whether save() includes the environment's own state.
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

  std::string summary() const { return summary_json(run_->summary()); }
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

  /// `environment` false: without the state of an environment of Python.
  py::bytes save(bool environment) const {
    ByteWriter to;
    *saves_ = environment;
    run_->save(to);
    *saves_ = true;
    to.put(rows_);
    to.put(kept_phases_);
    to.put(kept_);
    to.put(gym_ != nullptr ? gym_->episodes() : std::vector<EndedEpisode>{});
    return {reinterpret_cast<const char*>(to.bytes().data()), to.bytes().size()};
  }
  void restore(const py::bytes& saved) {
    const std::string_view bytes = saved;
    ByteReader from(std::as_bytes(std::span(bytes)));
    run_->restore(from);
    from.get(rows_);
    from.get(kept_phases_);
    from.get(kept_);
    std::vector<EndedEpisode> episodes;
    from.get(episodes);
    if (gym_ != nullptr) gym_->set_episodes(std::move(episodes));
    if (rows_.size() % columns().size() != 0 || kept_.size() != kept_phases_.size() * weights_size())
      throw Error("the saved agent is damaged");
  }

  using Flags = py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>;

  /// Probabilities of the present policy, and the sum of Qs, one row per observation. A greedy policy is greedy among
  /// the possible actions, if there are flags of them (one row per observation); others are left for the caller to
  /// restrict.
  py::tuple policy(const py::list& observations, const std::optional<Flags>& possible) const {
    if (neural_ != nullptr) return neural_policy(observations);
    const auto count = static_cast<py::ssize_t>(observations.size());
    py::array_t<double> probabilities({count, static_cast<py::ssize_t>(actions_)}),
        q({count, static_cast<py::ssize_t>(actions_)});
    std::vector<double> seen(reader_.size());
    for (py::ssize_t i = 0; i < count; ++i) {
      reader_.read(observations[static_cast<std::size_t>(i)], seen);
      values(seen, {q.mutable_data(i, 0), static_cast<std::size_t>(actions_)});
      this->probabilities(seen, {q.data(i, 0), static_cast<std::size_t>(actions_)},
                          {probabilities.mutable_data(i, 0), static_cast<std::size_t>(actions_)},
                          possible ? std::span(possible->data(i, 0), static_cast<std::size_t>(actions_))
                                   : std::span<const std::uint8_t>{});
    }
    return py::make_tuple(probabilities, q);
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
    for_each_segment(*phase, [&](std::int64_t count, By who) {
      for (std::int64_t k = 0; k < count; ++k) by.mutable_data()[at++] = static_cast<std::int32_t>(who);
    });
    py::dict steps_of_phase;
    steps_of_phase["actions"] = actions;
    steps_of_phase["costs"] = copied(phase->costs);
    steps_of_phase["by"] = by;
    steps_of_phase["rollout"] = phase->lengths.rollout();
    if (!phase->model_pairs.empty()) {
      py::array_t<std::int32_t> states(static_cast<py::ssize_t>(steps));
      for (std::size_t t = 0; t < steps; ++t) states.mutable_data()[t] = phase->model_pairs[t] / actions_;
      steps_of_phase["states"] = states;
    } else {
      steps_of_phase["features"] = features_of(*phase);
    }
    return steps_of_phase;
  }
  /// Step, sum of rewards and length of the newest episodes that ended; a neural learner does not know lengths (0).
  py::tuple episodes() const {
    std::vector<std::int64_t> steps, lengths;
    std::vector<double> rewards;
    const auto add = [&](std::int64_t step, double reward, std::int64_t length) {
      steps.push_back(step);
      rewards.push_back(reward);
      lengths.push_back(length);
    };
    if (gym_ != nullptr)
      for (const EndedEpisode& one : gym_->episodes()) add(one.step, one.reward, one.length);
    if (neural_ != nullptr)
      for (const neural::Episode& one : neural_->agent().episodes()) add(one.step, one.reward, 0);
    return py::make_tuple(copied(std::span<const std::int64_t>(steps)), copied(std::span<const double>(rewards)),
                          copied(std::span<const std::int64_t>(lengths)));
  }
  py::dict shape() const {
    const FeatureStructure structure = linear().loop().collector().structure();
    py::dict widths;
    widths["blocks"] = structure.blocks;
    widths["width"] = structure.width;
    return widths;
  }

 private:
  py::tuple neural_policy(const py::list& observations) const {
    const auto count = static_cast<py::ssize_t>(observations.size());
    py::array_t<double> probabilities({count, static_cast<py::ssize_t>(actions_)});
    std::vector<double> seen(reader_.size());
    const neural::Observation network_input = neural::input_of(space_);
    std::vector<float> input(static_cast<std::size_t>(network_input.inputs)), p(static_cast<std::size_t>(actions_));
    neural::RingPolicy::Workspace workspace;
    for (py::ssize_t i = 0; i < count; ++i) {
      reader_.read(observations[static_cast<std::size_t>(i)], seen);
      std::ranges::transform(seen, input.begin(), [](double x) { return static_cast<float>(x); });
      neural::prepare_input(space_, input);
      neural_->agent().policy().evaluate(input.data(), 1, p.data(), workspace);
      for (std::size_t a = 0; a < p.size(); ++a) probabilities.mutable_at(i, a) = static_cast<double>(p[a]);
    }
    return py::make_tuple(probabilities, py::none());
  }

  void work(bool one) {
    const auto begin = std::chrono::steady_clock::now();
    do {
      run_->advance();
      if (run_->row_due()) record();
    } while (!one && !run_->done() && !stop_.load(std::memory_order_relaxed) &&
             std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(50));
  }

  void record() {
    run_->row(row_);
    const std::size_t width = row_.size();
    // A phase that was continued gives its row again, for the whole of it.
    if (rows_.size() >= width && rows_[rows_.size() - width] == row_[0]) rows_.resize(rows_.size() - width);
    rows_.insert(rows_.end(), row_.begin(), row_.end());
    const Phase* const played = run_->phase();
    if (played == nullptr || !is_whole(*played)) return;
    const auto newest = run_->learner()->newest();
    const auto phase = static_cast<std::int64_t>(row_[0]);
    if (kept_phases_.size() == 2 * most_phases_kept) {
      kept_phases_.erase(kept_phases_.begin(), kept_phases_.begin() + most_phases_kept);
      kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(most_phases_kept * newest.size()));
    }
    kept_phases_.push_back(phase);
    kept_.insert(kept_.end(), newest.begin(), newest.end());
  }

  const LinearRun& linear() const {
    const auto* linear = dynamic_cast<const LinearRun*>(run_.get());
    if (linear == nullptr) throw Error("a neural learner has networks, not weights of features");
    return *linear;
  }
  const Learner& learner() const { return *linear().learner(); }
  std::size_t weights_size() const { return run_->learner() == nullptr ? 0 : run_->learner()->weights().size(); }

  /// Features of one observation.
  Features described(std::span<const double> seen) const {
    Features features;
    const FeatureStructure structure = linear().loop().collector().structure();
    features.actions = actions_;
    features.replicated = structure.blocks == actions_ && actions_ > 1;
    features.rows.columns = structure.width;
    linear().loop().collector().describe(seen, features.rows);
    if (features.rows.rows() != 1) features.replicated = false;
    return features;
  }

  void values(std::span<const double> seen, std::span<double> q) const {
    const Features features = described(seen);
    for (int a = 0; a < actions_; ++a) q[static_cast<std::size_t>(a)] = features.dot(a, learner().weights());
  }

  void probabilities(std::span<const double> seen, std::span<const double> q, std::span<double> p,
                     std::span<const std::uint8_t> possible) const {
    const Rule rule = learner().rule();
    if (rule.kind == Rule::Kind::greedy && !possible.empty()) return rule.probabilities(q, p, possible, {});
    std::vector<double> scaled(q.begin(), q.end());
    if (!rule.norms.empty()) described(seen).divide_by_norms(rule.norms, scaled);
    linear().loop().collector().probabilities(rule, seen, scaled, p);
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
  Space space_;
  int actions_;
  std::atomic<bool> stop_ = false, busy_ = false;
  bool released_;                  // the run takes the GIL itself where it needs it
  std::shared_ptr<bool> saves_;    // read by block_
  const EnvironmentBlock* block_;  // of run_, where it is Python's; else null
  GymBlock* gym_;                  // block_, where it is one
  std::unique_ptr<Run> run_;
  const NeuralRun* neural_ = nullptr;  // run_, where it is one
  std::vector<double> row_, rows_;
  std::vector<std::int64_t> kept_phases_;
  std::vector<double> kept_;
};

using Made = std::unique_ptr<AgentRun>;

AgentEnvironment seen_environment(std::string name, int actions, int states,
                                  const std::vector<std::pair<double, double>>& ranges, std::int64_t time_limit,
                                  bool bytes, const std::tuple<int, int, int>& picture, py::object view,
                                  std::int64_t first_state, std::int64_t first_action) {
  AgentEnvironment seen{.space = {}, .view = std::move(view), .first_state = first_state, .first_action = first_action};
  seen.space.name = std::move(name);
  seen.space.actions = actions;
  seen.space.states = states;
  seen.space.time_limit = time_limit;
  seen.space.bytes = bytes;
  std::tie(seen.space.channels, seen.space.height, seen.space.width) = picture;
  for (const auto& [low, high] : ranges) seen.space.ranges.push_back({low, high});
  return seen;
}

Made of_model(const py::dict& settings, const AgentEnvironment& seen, const std::shared_ptr<FiniteModel>& model,
              bool exact) {
  AgentParts made = parts_of(settings, *model);
  made.exact = exact;
  return std::make_unique<AgentRun>(seen, std::move(made));
}
Made of_shipped(const py::dict& settings, const AgentEnvironment& seen, std::string name, py::dict options,
                std::optional<double> restart_cost, bool exact) {
  AgentParts made = parts_of(
      settings,
      ShippedEnvironment{.name = std::move(name), .options = std::move(options), .restart_cost = restart_cost});
  made.exact = exact;
  return std::make_unique<AgentRun>(seen, std::move(made));
}
Made of_env(const py::dict& settings, const AgentEnvironment& seen, py::object env, bool saves,
            std::optional<double> restart_cost, py::object explorer, py::object prior, bool identity, int columns,
            bool guards) {
  return std::make_unique<AgentRun>(seen, parts_of(settings, seen,
                                                   SingleEnvironment{.env = std::move(env),
                                                                     .saves = saves,
                                                                     .restart_cost = restart_cost,
                                                                     .explorer = std::move(explorer),
                                                                     .prior = std::move(prior),
                                                                     .identity = identity,
                                                                     .columns = columns,
                                                                     .guards = guards}));
}
Made of_vector(const py::dict& settings, const AgentEnvironment& seen, py::object vector, int count, int restart,
               double restart_cost, py::object explorer) {
  return std::make_unique<AgentRun>(seen, parts_of(settings, seen,
                                                   VectorEnvironments{.vector = std::move(vector),
                                                                      .count = count,
                                                                      .restart = restart,
                                                                      .restart_cost = restart_cost,
                                                                      .explorer = std::move(explorer)}));
}

}  // namespace

void register_agents(py::module_& module) {
  py::class_<AgentEnvironment>(module, "AgentEnvironment", "What a learner sees of an environment.")
      .def(py::init(&seen_environment), py::kw_only(), py::arg("name"), py::arg("actions"), py::arg("states"),
           py::arg("ranges"), py::arg("time_limit"), py::arg("bytes"), py::arg("picture"), py::arg("view"),
           py::arg("first_state"), py::arg("first_action"));
  py::class_<AgentRun>(module, "AgentRun", "A learner's run; the classes of politex.agents use it.")
      .def_static("of_model", &of_model, py::arg("settings"), py::arg("seen"), py::kw_only(), py::arg("model"),
                  py::arg("exact"), "On the tables of a finite environment.")
      .def_static("of_shipped", &of_shipped, py::arg("settings"), py::arg("seen"), py::kw_only(), py::arg("name"),
                  py::arg("options"), py::arg("restart_cost"), py::arg("exact"), "On an environment of this program.")
      .def_static("of_env", &of_env, py::arg("settings"), py::arg("seen"), py::kw_only(), py::arg("env"),
                  py::arg("saves"), py::arg("restart_cost"), py::arg("explorer"), py::arg("prior"), py::arg("identity"),
                  py::arg("columns"), py::arg("guards"), "A linear learner on a Gymnasium environment.")
      .def_static("of_vector", &of_vector, py::arg("settings"), py::arg("seen"), py::kw_only(), py::arg("vector"),
                  py::arg("count"), py::arg("restart"), py::arg("restart_cost"), py::arg("explorer"),
                  "A neural learner on environments that are stepped in one call.")
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
      .def("save", &AgentRun::save, py::arg("environment"))
      .def("restore", &AgentRun::restore, py::arg("saved"))
      .def("policy", &AgentRun::policy, py::arg("observations"), py::arg("possible") = py::none())
      .def("network", &AgentRun::network)
      .def("weights", &AgentRun::weights)
      .def("phase_weights", &AgentRun::phase_weights)
      .def("phase", &AgentRun::phase)
      .def("episodes", &AgentRun::episodes)
      .def("shape", &AgentRun::shape);
}

}  // namespace politex::python
