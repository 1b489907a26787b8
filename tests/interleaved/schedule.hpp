// Runs a piece of multi-threaded code in every order of its steps. A step is one access to an atomic, a mutex or a
// thread. The threads are fibers of one thread of the machine: between two steps the schedule decides which one
// continues. It explores all decisions depth first by running the code again from its start, and does not explore a
// state twice.
//
// A state is the value of every atomic and mutex, what every thread has read so far, and what the driver adds
// (Schedule::state). Orders are sequentially consistent: weaker memory orders are left to the thread sanitizer.
//
// A thread that yields has found nothing to do: it runs again when another thread has changed something, and what it
// has read since its last change must not matter to it. If no thread can run, that is a deadlock.
#pragma once

#include <cxxabi.h>
#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace politex::interleaved {

inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdULL;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 29;
}

class Schedule {
 public:
  struct Result {
    std::int64_t states = 0, runs = 0, longest = 0;
    std::string problem;             // empty: none in any order
    std::vector<std::string> steps;  // of the run with the problem, the newest
  };

  /// The schedule that is being explored; null: none is.
  static Schedule*& current() {
    static Schedule* schedule = nullptr;
    return schedule;
  }

  /// Runs `body` in every order, up to the first problem. It must be the same whenever it is given the same order: no
  /// time, no addresses, no random numbers.
  Result explore(const std::function<void()>& body) {
    path_.clear();
    seen_.clear();
    result_ = {};
    current() = this;
    do {
      run_once(body);
      ++result_.runs;
      result_.longest = std::max(result_.longest, steps_);
      if (!result_.problem.empty()) break;
    } while (next_path());
    current() = nullptr;
    result_.states = static_cast<std::int64_t>(seen_.size());
    return std::move(result_);
  }

  /// What drivers check.
  void require(bool holds, const std::string& otherwise) {
    if (holds || !result_.problem.empty()) return;
    result_.problem = otherwise;
    note_steps();
  }
  /// Adds what the driver knows of the state that is in no atomic. Called at every decision; reset by every run.
  std::function<std::uint64_t()> state;
  /// The running thread has read a value that is in no atomic.
  void has_read(std::uint64_t value) { mix(value); }
  /// One of `count` things happens that no thread decides, for example whether a message has arrived.
  std::size_t choose(std::size_t count) {
    const std::size_t chosen = count < 2 ? 0 : decide(count, 1 + running_);
    mix(chosen);
    return chosen;
  }

  /// Of all that the running thread has read and done, only these values matter from here on, and the place of this
  /// call in the code. States that differ in nothing else are then one state.
  [[gnu::noinline]] void only_these_matter(std::initializer_list<std::uint64_t> values) {
    Fiber& mine = *fibers_[running_];
    mine.history = mixed(running_ + 1, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
    for (const std::uint64_t value : values) mix(value);
    mine.anchor = mine.history;
  }
  /// The same of what it has read since its last change.
  [[gnu::noinline]] void only_these_were_read(std::initializer_list<std::uint64_t> values) {
    Fiber& mine = *fibers_[running_];
    mine.history = mixed(mine.anchor, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
    for (const std::uint64_t value : values) mix(value);
  }

  /// No atomic of this run is used by two threads: their accesses are no steps.
  bool private_atomics = false;

  // --- for the types of sync.hpp ---

  /// Before a step: the others may run now. `ready` says when this thread can take it; null: always.
  void before(const char* what, std::int64_t object, std::function<bool()> ready = {}) {
    Fiber& mine = *fibers_[running_];
    mine.next = {what, object};
    if (live_ > 1 || (ready && !ready())) {
      mine.ready = std::move(ready);
      switch_threads();
    }
    log_.push_back({running_, what, object});
    if (log_.size() > 400) log_.erase(log_.begin(), log_.begin() + 200);
    mix(reinterpret_cast<std::uintptr_t>(what));
    mix(static_cast<std::uint64_t>(object));
  }
  void read(std::uint64_t value) { mix(value); }
  void wrote(std::int64_t object, std::uint64_t old, std::uint64_t now) {
    if (old == now) return;
    shared_ ^= mixed(static_cast<std::uint64_t>(object), old) ^ mixed(static_cast<std::uint64_t>(object), now);
    Fiber& mine = *fibers_[running_];
    ++changes_;
    ++mine.changes;
    mine.anchor = mine.history;
  }
  std::int64_t new_object(std::uint64_t value) {
    shared_ ^= mixed(static_cast<std::uint64_t>(objects_), value);
    return objects_++;
  }
  void end_object(std::int64_t object, std::uint64_t value) {
    shared_ ^= mixed(static_cast<std::uint64_t>(object), value);
  }
  /// The number of a plain word that is used as an atomic. New words are met while one thread runs alone.
  std::int64_t word(const void* address, std::uint64_t value) {
    const auto [at, fresh] = words_.try_emplace(address, objects_);
    if (fresh) {
      require(live_ == 1, "a word is used for the first time while several threads run");
      new_object(value);
      values_[at->second] = value;
    } else if (values_[at->second] != value) {  // written as a plain word, by the only thread that runs
      require(live_ == 1, "an atomic word was written as a plain one");
      shared_ ^= mixed(static_cast<std::uint64_t>(at->second), values_[at->second]) ^
                 mixed(static_cast<std::uint64_t>(at->second), value);
      values_[at->second] = value;
    }
    return at->second;
  }
  void word_is(std::int64_t object, std::uint64_t value) { values_[object] = value; }

  void yield(const void* where) {
    Fiber& mine = *fibers_[running_];
    mine.history = mixed(mine.anchor, reinterpret_cast<std::uintptr_t>(where));
    const std::int64_t met = mine.others_met;
    mine.yields = changes_ - mine.changes == met;
    before("yield", -1, [this, &mine, met] { return changes_ - mine.changes != met; });
    mine.yields = false;
    mine.history = mixed(mine.anchor, reinterpret_cast<std::uintptr_t>(where));
    mine.others_met = changes_ - mine.changes;
  }

  std::size_t start(std::function<void()> body) {
    fibers_.push_back(std::make_unique<Fiber>());
    fibers_.back()->body = std::move(body);
    fibers_.back()->anchor = fibers_.back()->history = mixed(fibers_.size(), 1);
    make_context(*fibers_.back());
    ++live_;
    return fibers_.size() - 1;
  }
  void join(std::size_t thread) {
    before("join", static_cast<std::int64_t>(thread), [this, thread] { return fibers_[thread]->ended; });
  }
  std::size_t running() const noexcept { return running_; }
  bool alone() const noexcept { return live_ == 1; }

 private:
  static constexpr std::size_t stack_bytes = 512 << 10;
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::int64_t most_steps = 20'000;
  struct Step {
    std::size_t thread = 0;
    const char* what = "";
    std::int64_t object = -1;
  };
  /// What the C++ runtime keeps for every thread about the exceptions being handled.
  struct Exceptions {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };
  struct Fiber {
    ucontext_t context{};
    jmp_buf place{};
    std::unique_ptr<std::byte[]> stack;
    std::function<void()> body;
    std::function<bool()> ready;
    std::pair<const char*, std::int64_t> next{"start", -1};
    std::uint64_t history = 0, anchor = 0;  // of what it has read: now, and after its last change
    std::int64_t changes = 0, others_met = 0;
    Exceptions exceptions;
    bool started = false, ended = false, yields = false;
  };
  struct Decision {
    std::size_t chosen, count;
  };

  void mix(std::uint64_t value) { fibers_[running_]->history = mixed(fibers_[running_]->history, value); }

  static void enter() {
    Schedule& schedule = *current();
    Fiber& mine = *schedule.fibers_[schedule.running_];
    schedule.mix(2);  // every step makes another state
    try {
      mine.body();
    } catch (const std::exception& error) {
      schedule.require(false, std::string("a thread threw: ") + error.what());
    } catch (...) {
      schedule.require(false, "a thread threw something");
    }
    mine.body = nullptr;
    mine.ended = true;
    ++schedule.changes_;
    ++mine.changes;
    --schedule.live_;
    schedule.go_to(schedule.live_ == 0 ? none : schedule.next_thread());
  }

  void make_context(Fiber& fiber) {
    if (stacks_.empty()) {
      fiber.stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    } else {
      fiber.stack = std::move(stacks_.back());
      stacks_.pop_back();
    }
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, &Schedule::enter, 0);
  }

  /// The running thread gives way to the one whose turn it is; none: back to run_once().
  void switch_threads() {
    const std::size_t next = next_thread();
    Fiber& mine = *fibers_[running_];
    if (next != running_) {
      auto& globals = *reinterpret_cast<Exceptions*>(abi::__cxa_get_globals());
      mine.exceptions = globals;
      if (_setjmp(mine.place) == 0) go_to(next);
      globals = mine.exceptions;
    }
    mine.ready = nullptr;
  }
  /// Contexts are for the first entry only: they make two system calls for every switch.
  [[noreturn]] void go_to(std::size_t thread) {
    if (thread == none) _longjmp(outer_, 1);
    running_ = thread;
    Fiber& next = *fibers_[thread];
    if (next.started) _longjmp(next.place, 1);
    next.started = true;
    *reinterpret_cast<Exceptions*>(abi::__cxa_get_globals()) = {};
    setcontext(&next.context);
    std::abort();
  }

  void run_once(const std::function<void()>& body) {
    for (auto& fiber : fibers_)
      if (fiber->ended) stacks_.push_back(std::move(fiber->stack));
    fibers_.clear();
    words_.clear();
    values_.clear();
    log_.clear();
    objects_ = live_ = changes_ = steps_ = 0;
    shared_ = 0;
    depth_ = 0;
    draining_ = false;
    state = nullptr;
    private_atomics = false;
    running_ = 0;
    start(body);
    auto& globals = *reinterpret_cast<Exceptions*>(abi::__cxa_get_globals());
    const Exceptions mine = globals;
    if (_setjmp(outer_) == 0) go_to(0);
    globals = mine;
    if (live_ > 0)  // its threads cannot be unwound: their memory is lost
      for (auto& fiber : fibers_) fiber->stack.release();
  }

  /// The thread that takes the next step; none: the run is given up.
  std::size_t next_thread() {
    able_.clear();
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      const std::size_t thread = (running_ + i) % fibers_.size();  // the one that ran last comes first
      const Fiber& fiber = *fibers_[thread];
      if (!fiber.ended && (!fiber.ready || fiber.ready())) able_.push_back(thread);
    }
    if (able_.empty()) return give_up("deadlock");
    if (++steps_ > most_steps) return give_up("it does not end");
    if (able_.size() == 1) return able_.front();
    const std::size_t chosen = decide(able_.size(), 0);
    return able_[draining_ ? 1 : chosen];  // in turn, once nothing new can be found
  }

  std::size_t give_up(const std::string& problem) {
    if (!result_.problem.empty()) return none;
    result_.problem = problem + ":";
    for (std::size_t i = 0; i < fibers_.size(); ++i)
      if (!fibers_[i]->ended)
        result_.problem += " thread " + std::to_string(i) + " at " + fibers_[i]->next.first + " " +
                           std::to_string(fibers_[i]->next.second) + ";";
    note_steps();
    return none;
  }

  void note_steps() {
    for (const Step& step : log_)
      result_.steps.push_back(std::to_string(step.thread) + " " + step.what + " " + std::to_string(step.object));
  }

  // `who`: 0 is the scheduler.
  std::size_t decide(std::size_t count, std::size_t who) {
    if (draining_) return 0;
    if (depth_ < path_.size()) {
      if (path_[depth_].count != count) {
        require(false, "the driver does not repeat itself");
        draining_ = true;
        return 0;
      }
      return path_[depth_++].chosen;
    }
    if (!seen_.insert(key(mixed(count, who))).second) {  // explored from an earlier run: only to its end
      draining_ = true;
      return 0;
    }
    path_.push_back({0, count});
    ++depth_;
    return 0;
  }

  std::uint64_t key(std::uint64_t kind) const {
    std::uint64_t all = mixed(shared_, kind);
    for (const auto& fiber : fibers_) {
      all = mixed(all, fiber->history);
      all = mixed(all, (fiber->ended ? 1U : 0U) | (fiber->ready && !fiber->ready() ? 2U : 0U) |
                           (changes_ - fiber->changes != fiber->others_met ? 4U : 0U));
    }
    return state ? mixed(all, state()) : all;
  }

  bool next_path() {
    while (!path_.empty() && path_.back().chosen + 1 == path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().chosen;
    return true;
  }

  Result result_;
  std::vector<Decision> path_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<std::unique_ptr<std::byte[]>> stacks_;
  std::unordered_map<const void*, std::int64_t> words_;
  std::unordered_map<std::int64_t, std::uint64_t> values_;
  std::vector<Step> log_;
  jmp_buf outer_{};
  std::vector<std::size_t> able_;
  std::int64_t objects_ = 0, live_ = 0, changes_ = 0, steps_ = 0;
  std::uint64_t shared_ = 0;
  std::size_t running_ = 0, depth_ = 0;
  bool draining_ = false;
};

}  // namespace politex::interleaved
