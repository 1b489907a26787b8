// Every allocation of every reader and writer of files fails once. Each try is a process of its own: what ends it by a
// signal, or by anything but std::bad_alloc and our own errors, is a defect.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/env/queues.hpp"
#include "politex/evaluate/log_evaluation.hpp"
#include "politex/features/features_file.hpp"
#include "politex/network/safetensors.hpp"
#include "politex/policy/policy_file.hpp"
#include "politex/process/handshake.hpp"
#include "politex/record/checkpoint.hpp"
#include "politex/report/list.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/run.hpp"
#include "politex/run/summary.hpp"
#include "politex/sweep/sweep.hpp"
#include "politex/tables/finite_mdp.hpp"

namespace {

// Counted only while a work is tried.
bool counts = false;
long allocation = 0, failing = 0;

[[gnu::noinline]] void* give(std::size_t size, std::size_t alignment) noexcept {
  if (counts && ++allocation == failing) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size > 0 ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
[[gnu::noinline]] void* give_or_throw(std::size_t size, std::size_t alignment = 1) {
  void* const given = give(size, alignment);
  if (given == nullptr) throw std::bad_alloc();
  return given;
}

// Where both are inlined, g++ takes a block from malloc for one from operator new.
[[gnu::noinline]] void take(void* given) noexcept { std::free(given); }

}  // namespace

void* operator new(std::size_t size) { return give_or_throw(size); }
void* operator new[](std::size_t size) { return give_or_throw(size); }
void* operator new(std::size_t size, std::align_val_t at) { return give_or_throw(size, static_cast<std::size_t>(at)); }
void* operator new[](std::size_t size, std::align_val_t at) {
  return give_or_throw(size, static_cast<std::size_t>(at));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return give(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return give(size, 1); }
void operator delete(void* given) noexcept { take(given); }
void operator delete[](void* given) noexcept { take(given); }
void operator delete(void* given, std::size_t) noexcept { take(given); }
void operator delete[](void* given, std::size_t) noexcept { take(given); }
void operator delete(void* given, std::align_val_t) noexcept { take(given); }
void operator delete[](void* given, std::align_val_t) noexcept { take(given); }
void operator delete(void* given, std::size_t, std::align_val_t) noexcept { take(given); }
void operator delete[](void* given, std::size_t, std::align_val_t) noexcept { take(given); }

namespace politex {
namespace {

constexpr int succeeded = 10, refused = 11, no_memory = 12;

// As the program does: a destructor of a library that needs memory cannot say so.
[[noreturn]] void end_of_try() {
  if (const auto error = std::current_exception()) try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      ::_exit(no_memory);
    } catch (...) {
    }
  std::abort();
}

/// How a process ends that does this work while allocation `number` fails; a negative number is a signal.
int end_of(const std::function<void()>& work, long number) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::set_terminate(end_of_try);
    failing = number;
    int how = succeeded;
    counts = true;
    try {
      work();
    } catch (const Error&) {
      how = refused;
    } catch (const std::bad_alloc&) {
      how = no_memory;
    }
    ::_exit(allocation < failing ? succeeded : how == succeeded ? refused : how);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// Tries every allocation of the work, of a long one at most about a thousand at equal distances; returns their number.
long fail_in_turn(const std::string& name, const std::function<void()>& work) {
  constexpr long most = 1000;
  work();  // what is made once, is made now
  allocation = failing = 0;
  counts = true;
  work();
  counts = false;
  const long all = std::exchange(allocation, 0);
  long tried = 0;
  for (long number = 1; number <= all; number += 1 + all / most, ++tried) {
    const int end = end_of(work, number);
    EXPECT_TRUE(end == no_memory || end == refused) << name << ", allocation " << number << ": " << end;
  }
  EXPECT_EQ(end_of(work, all + 1), succeeded) << name;
  return tried;
}

std::string corpus(const std::string& name) { return std::string(POLITEX_SOURCE_DIR) + "/tests/fuzz/corpus/" + name; }
std::string text_of(const std::string& name) { return read_file("corpus", corpus(name)); }

DuelingNetwork small_network() {
  DuelingNetwork network(Shape{.inputs = 3, .hidden = {2}, .actions = 2});
  return network;
}

struct Work {
  const char* name;
  std::function<void()> work;
};

std::vector<Work> works() {
  const auto network = std::make_shared<DuelingNetwork>(small_network());
  const std::string network_bytes =
      to_safetensors(*network, {{"environment", "a name that is long enough to allocate"}});
  const std::string toml = text_of("config/every_table.toml");
  const auto config = std::make_shared<Config>(
      build_config(parse_toml("steps = 60\n[environment]\nname = \"deep_sea\"\nsize = 3\n", "a.toml")).config);
  const std::shared_ptr<Run> run = make_run(*config, {});
  while (!run->done()) run->advance();
  const std::string mdp = text_of("finite_mdp/two_states.json");
  const auto model = std::make_shared<FiniteModel>(parse_finite_mdp(mdp, "a.json"));
  const std::string features = text_of("features_file/by_pair.json");
  const std::string queues = text_of("queue_network/n_model.toml");
  const std::string policy = text_of("policy_file/probabilities.json");
  const std::string log = text_of("log_file/states.csv"), observations = text_of("log_file/observations.csv");
  const std::string hello = text_of("server_hello/box");
  Checkpoint checkpoint;
  checkpoint.config = toml;
  checkpoint.state.resize(100);
  const std::vector<std::byte> saved = encode(checkpoint);
  return {
      {"a network, written",
       [=] {
         to_safetensors(*network, {{"environment", "a name"}});
       }},
      {"a network, read", [=] { from_safetensors("key", "a.safetensors", network_bytes); }},
      {"a configuration, read", [=] { build_config(parse_toml(toml, "a.toml")); }},
      {"a configuration, written", [=] { to_toml(*config); }},
      {"a summary", [=] { summary_json(run->summary()); }},
      {"a finite MDP as JSON", [=] { parse_finite_mdp(mdp, "a.json"); }},
      {"a finite MDP as arrays", [] { read_finite_mdp(corpus("finite_mdp_arrays/deflated.npz")); }},
      {"a network of queues", [=] { parse_queue_network(queues, "a.toml", 2); }},
      {"a policy, read", [=] { parse_policy(policy, "explorer.file", "a.policy", 2, 3); }},
      {"a policy, written",
       [] {
         policy_text(std::vector{0.5, 0.5, 0.25, 0.75}, 2, 2);
       }},
      {"features", [=] { parse_features(features, "a.json", *model); }},
      {"a log of states", [=] { parse_log(log, "a.csv", 4, 3); }},
      {"a log of observations", [=] { parse_observation_log(observations, "a.csv", 2, 3); }},
      {"a hello", [=] { parse_hello(hello); }},
      {"a checkpoint, read", [=] { decode(saved); }},
      {"a checkpoint, written", [=] { encode(checkpoint); }},
      {"the catalogue", [] { list_json(""); }},
  };
}

TEST(FailingAllocations, OfReadersAndWritersEndInBadAlloc) {
  long all = 0;
  for (const Work& each : works()) all += fail_in_turn(each.name, each.work);
  EXPECT_GT(all, 1000);
  RecordProperty("allocations", std::to_string(all));
}

TEST(FailingAllocations, ATryThatEndsByASignalIsSeen) {
  EXPECT_EQ(end_of([] { ::raise(SIGKILL); }, 1), -SIGKILL);
  EXPECT_EQ(end_of([] { delete new int(3); }, 1), no_memory);
  EXPECT_EQ(end_of([] { delete new int(3); }, 2), succeeded);
}

}  // namespace
}  // namespace politex
