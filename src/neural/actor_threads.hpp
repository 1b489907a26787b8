// The threads that work next to the learner's. They sleep between chunks; what one throws is kept for the learner.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace politex::neural {

class ActorThreads {
 public:
  /// Does one piece of work; false: there is none at the moment.
  using Work = std::function<bool()>;

  /// `make_work` is called once on every thread. Throws ConfigError (actors.threads) if one cannot be started.
  ActorThreads(int count, std::function<Work()> make_work);
  ActorThreads(const ActorThreads&) = delete;
  ActorThreads& operator=(const ActorThreads&) = delete;
  ~ActorThreads();

  /// Lets the threads work until finish().
  void begin();
  /// Returns when every thread is quiet.
  void finish();
  bool failed() const noexcept { return failed_; }
  /// Throws what a thread threw first.
  void rethrow();

 private:
  void run();
  void end();

  std::function<Work()> make_work_;
  std::vector<std::thread> threads_;
  std::atomic<std::uint64_t> chunk_ = 0;  // counts begin(); threads sleep on it
  std::atomic<int> working_ = 0;
  std::atomic<bool> closing_ = false, stopping_ = false, failed_ = false;
  std::mutex problem_lock_;
  std::exception_ptr problem_;
};

}  // namespace politex::neural
