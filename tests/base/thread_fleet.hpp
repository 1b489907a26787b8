// A fleet whose ranks are threads of one process: it allows tests without MPI and with the thread sanitizer.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "politex/base/fleet.hpp"

namespace politex {

class ThreadFleet {
 public:
  explicit ThreadFleet(int size) : size_(size), inboxes_(static_cast<std::size_t>(size)) {}

  /// Runs `part` once per rank and stores in `problems` what each rank threw, or null.
  void run(const std::function<void(Fleet&)>& part) {
    problems.assign(static_cast<std::size_t>(size_), nullptr);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size_; ++rank)
      threads.emplace_back([this, rank, &part] {
        Rank mine(*this, rank);
        try {
          part(mine);
        } catch (...) {
          problems[static_cast<std::size_t>(rank)] = std::current_exception();
        }
      });
    for (std::thread& thread : threads) thread.join();
  }

  /// The message of the exception that a rank threw; empty if none.

  std::string problem(int rank) const {
    if (!problems[static_cast<std::size_t>(rank)]) return {};
    try {
      std::rethrow_exception(problems[static_cast<std::size_t>(rank)]);
    } catch (const Dismissed&) {
      return "dismissed";
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  std::vector<std::exception_ptr> problems;
  std::size_t most_waiting = 0;  // messages of one channel in one inbox
  std::size_t bytes_sent = 0;

 private:
  class Rank final : public Fleet {
   public:
    Rank(ThreadFleet& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return all_.size_; }
    int neighbours() const override { return all_.size_; }
    std::int64_t fetch_add(int counter, std::int64_t amount) override {
      const std::lock_guard lock(all_.mutex_);
      const std::int64_t before = all_.counters_[counter];
      all_.counters_[counter] += amount;
      return before;
    }
    void send(int to, int channel, Bytes bytes) override {
      {
        const std::lock_guard lock(all_.mutex_);
        auto& queue = all_.inboxes_[static_cast<std::size_t>(to)][channel];
        all_.bytes_sent += bytes.size();
        queue.push_back({rank_, std::move(bytes)});
        all_.most_waiting = std::max(all_.most_waiting, queue.size());
      }
      all_.changed_.notify_all();
    }
    Message receive(int channel) override {
      std::unique_lock lock(all_.mutex_);
      auto& queue = all_.inboxes_[static_cast<std::size_t>(rank_)][channel];
      all_.changed_.wait(lock, [&] { return !queue.empty(); });
      Message message = std::move(queue.front());
      queue.pop_front();
      return message;
    }
    std::optional<Message> try_receive(int channel) override {
      const std::lock_guard lock(all_.mutex_);
      auto& queue = all_.inboxes_[static_cast<std::size_t>(rank_)][channel];
      if (queue.empty()) return std::nullopt;
      Message message = std::move(queue.front());
      queue.pop_front();
      return message;
    }
    Bytes broadcast(Bytes bytes) override {
      constexpr int channel = 1000;
      if (rank_ != 0) return receive(channel).bytes;
      for (int to = 1; to < size(); ++to) send(to, channel, bytes);
      return bytes;
    }
    void watch(const std::atomic<int>*) override {}
    void abandon() override { std::terminate(); }

   private:
    ThreadFleet& all_;
    int rank_;
  };

  int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::map<int, std::deque<Fleet::Message>>> inboxes_;
  std::map<int, std::int64_t> counters_;
};

}  // namespace politex
