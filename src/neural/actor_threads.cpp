#include "politex/neural/actor_threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "politex/base/error.hpp"

namespace politex::neural {

ActorThreads::ActorThreads(int count, std::function<Work()> make_work) : make_work_(std::move(make_work)) {
  threads_.reserve(static_cast<std::size_t>(std::max(count, 0)));
  try {
    while (static_cast<int>(threads_.size()) < count) threads_.emplace_back([this] { run(); });
  } catch (const std::system_error& error) {
    end();  // the destructor is not called if the constructor throws
    throw ConfigError("actors.threads", fmt::format("{} cannot be started here: after {}, {}; accepted: fewer", count,
                                                    threads_.size(), error.code().message()));
  } catch (...) {  // no memory
    end();
    throw;
  }
}

ActorThreads::~ActorThreads() { end(); }

void ActorThreads::end() {
  stopping_ = true;
  closing_ = true;
  chunk_.fetch_add(1, std::memory_order_release);
  chunk_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ActorThreads::begin() {
  closing_ = false;
  working_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
  chunk_.fetch_add(1, std::memory_order_release);
  chunk_.notify_all();
}

void ActorThreads::run() {
  Work work;
  std::uint64_t seen = 0;
  while (true) {
    chunk_.wait(seen, std::memory_order_acquire);
    seen = chunk_.load(std::memory_order_acquire);
    if (stopping_) return;
    try {
      if (!work) work = make_work_();
      for (int idle = 0; !closing_.load(std::memory_order_acquire) && !failed_;) {
        if (work()) {
          idle = 0;
        } else if (++idle < 100) {
          std::this_thread::yield();
        } else {
          std::this_thread::sleep_for(std::chrono::microseconds(50));  // far ahead: leave the core to the learner
        }
      }
    } catch (...) {
      const std::lock_guard lock(problem_lock_);
      if (!problem_) problem_ = std::current_exception();
      failed_ = true;
    }
    working_.fetch_sub(1, std::memory_order_release);
  }
}

void ActorThreads::finish() {
  closing_.store(true, std::memory_order_release);
  while (working_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

void ActorThreads::rethrow() {
  const std::lock_guard lock(problem_lock_);
  if (problem_) std::rethrow_exception(problem_);
}

}  // namespace politex::neural
