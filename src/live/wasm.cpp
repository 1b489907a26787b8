// What the live page calls: one session, numbers in, numbers and memory out. Compiled for WebAssembly only.
#ifdef __wasm__

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>

#include "politex/algorithm/replay_learner.hpp"
#include "politex/base/machine.hpp"
#include "politex/discovery/feature_explorer.hpp"
#include "politex/live/session.hpp"
#include "politex/solvers/block_solvers.hpp"
#include "politex/solvers/td_rows.hpp"

#define POLITEX_CALL(name) extern "C" __attribute__((export_name(#name)))

namespace {

using politex::By;
using politex::Session;

politex::SettingValues settings;
std::unique_ptr<Session> session;
std::array<double, 24> numbers;
std::string signature;

template <class T>
double address(const T* memory) {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(memory));
}

}  // namespace

/// Where the page writes the settings, in the order of politex::Setting.
POLITEX_CALL(live_settings) double live_settings() { return address(settings.data()); }

/// Begins a run. Returns the number of the first setting that is not accepted, or -1.
POLITEX_CALL(live_start) int live_start() {
  const int refused = politex::refused_setting(settings);
  if (refused >= 0) return refused;
  session.reset();
  session = std::make_unique<Session>(settings);
  return -1;
}

POLITEX_CALL(live_advance) double live_advance(double steps) {
  return static_cast<double>(session->advance(static_cast<std::int64_t>(steps)));
}

/// The numbers that the page shows, in the order of `numberNames` in src/live/worker.js.
POLITEX_CALL(live_numbers) double live_numbers() {
  const auto& regret = session->regret();
  const auto& terms = regret.terms();
  std::size_t at = 0;
  const auto put = [&](double value) { numbers[at++] = value; };
  put(static_cast<double>(session->steps()));
  put(static_cast<double>(session->phases()));
  put(session->done() ? 1.0 : 0.0);
  for (const By by : {By::explorer, By::probe, By::target}) {
    put(static_cast<double>(session->steps_of(by)));
    put(session->cost(by));
  }
  put(regret.optimal_gain());
  put(session->gain());
  put(session->explorer_gain());
  put(regret.uniform().gain[static_cast<std::size_t>(session->model().start)]);
  put(regret.regret());
  put(terms.E);
  put(terms.PR);
  put(terms.V);
  put(terms.W);
  put(terms.V_explore);
  put(terms.W_explore);
  return address(numbers.data());
}

POLITEX_CALL(live_signature) double live_signature() {
  signature = session->signature();
  return address(signature.c_str());
}

POLITEX_CALL(live_visits) double live_visits() { return address(session->visits().data()); }
POLITEX_CALL(live_policy) double live_policy() { return address(session->policy().data()); }
POLITEX_CALL(live_values) double live_values() { return address(session->values().data()); }
POLITEX_CALL(live_pairs) double live_pairs() { return address(session->pairs().data()); }
POLITEX_CALL(live_players) double live_players() { return address(session->players().data()); }
POLITEX_CALL(live_phase_steps) double live_phase_steps() { return static_cast<double>(session->pairs().size()); }
/// The state that follows each pair.
POLITEX_CALL(live_next) double live_next() { return address(session->model().next.data()); }

// The size of memory is unknown in a browser; an address has 32 bits. The largest accepted setting needs a few MB.
namespace politex::inline base {
double machine_memory() { return 4294967296.0; }
}  // namespace politex::inline base

// What the entries of the catalogue can make and the page does not offer: Q on the data of all phases, the explorer
// where states are not listed, and the solvers of problems with many features: the sea has at most 200.
namespace politex::inline algorithm {
std::unique_ptr<Learner> make_replay_learner(const LearnerParts&, std::int64_t, double) { __builtin_trap(); }
}  // namespace politex::inline algorithm
namespace politex::inline discovery {
std::unique_ptr<LearningExplorer> make_feature_explorer(const LearningRequest&) { __builtin_trap(); }
}  // namespace politex::inline discovery
namespace politex::inline solvers {
Solver cheapest(const CompactRows&, double) { __builtin_trap(); }
void solve_dense(const CompactRows&, double, std::span<double>) { __builtin_trap(); }
void solve_sparse(const CompactRows&, double, std::span<double>) { __builtin_trap(); }
void solve_dual(const CompactRows&, double, std::span<double>) { __builtin_trap(); }
void solve_iteratively(const CompactRows&, double, const SolverOptions&, std::span<double>, Solved&) {
  __builtin_trap();
}
TdRows::TdRows(int, bool, const SolverOptions&) { __builtin_trap(); }
void TdRows::reset() { __builtin_trap(); }
void TdRows::own(const FeatureRow&, double) { __builtin_trap(); }
void TdRows::next(const FeatureRow&, double) { __builtin_trap(); }
double TdRows::solve(double, std::span<double>) { __builtin_trap(); }
}  // namespace politex::inline solvers

// Accepted settings throw nothing (politex::refused_setting); what would throw all the same stops the page's worker.
extern "C" void* __cxa_allocate_exception(std::size_t) noexcept { __builtin_trap(); }
extern "C" void __cxa_throw(void*, void*, void (*)(void*)) { __builtin_trap(); }

#endif
