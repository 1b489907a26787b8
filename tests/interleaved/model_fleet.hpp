// A fleet whose ranks are threads of a schedule: each of its calls is a step. As in MPI, messages of one rank and
// channel arrive in order and those of different ranks in any order, at any time after they were sent.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "interleaved/explore.hpp"
#include "politex/base/fleet.hpp"

namespace politex::interleaved {

class ModelFleet {
 public:
  /// `synchronous`: rank 0 leaves a broadcast when all ranks have joined it; else it does not wait for them. MPI may do
  /// either.
  ModelFleet(int size, bool synchronous)
      : size_(size),
        synchronous_(synchronous),
        joined_(static_cast<std::size_t>(size), 0),
        object_(schedule().new_object(0)) {}
  ~ModelFleet() { schedule().end_object(object_, bits_); }
  ModelFleet(const ModelFleet&) = delete;
  ModelFleet& operator=(const ModelFleet&) = delete;

  class Rank final : public Fleet {
   public:
    Rank(ModelFleet& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return all_.size_; }
    int neighbours() const override { return all_.size_; }
    std::int64_t fetch_add(int counter, std::int64_t amount) override {
      schedule().before("fetch_add", counter);
      std::int64_t& value = all_.counters_[static_cast<std::size_t>(counter)];
      const std::int64_t before = std::exchange(value, value + amount);
      schedule().read(static_cast<std::uint64_t>(before));
      all_.changed();
      return before;
    }
    void send(int to, int channel, Bytes bytes) override {
      schedule().before("send", channel);
      auto& queue = all_.queues_[{to, channel, rank_}];
      queue.push_back({std::move(bytes), joined()});
      schedule().require(to != 0 || std::ranges::count(queue, joined(), &Sent::order) <= all_.most_waiting,
                         "too many messages of one order are on their way to rank 0");
      all_.changed();
    }
    Message receive(int channel) override {
      schedule().before("receive", channel, [this, channel] { return !senders(channel).empty(); });
      const std::vector<int> from = senders(channel);
      return take(from[schedule().choose(from.size())], channel);
    }
    std::optional<Message> try_receive(int channel) override {
      schedule().before("try_receive", channel);
      const std::vector<int> from = senders(channel);
      const std::size_t chosen = schedule().choose(from.size() + 1);  // the last: nothing has arrived yet
      if (chosen == from.size()) return std::nullopt;
      return take(from[chosen], channel);
    }
    Bytes broadcast(Bytes bytes) override {
      if (rank_ == 0) {
        schedule().before("broadcast", 0);
        all_.broadcasts_.push_back(bytes);
        ++joined();
        all_.changed();
        if (all_.synchronous_)
          schedule().before("end of broadcast", 0, [this] {
            return std::ranges::all_of(all_.joined_, [&](std::size_t other) { return other >= joined(); });
          });
        return bytes;
      }
      schedule().before("broadcast", rank_, [this] { return all_.broadcasts_.size() > joined(); });
      const Bytes& received = all_.broadcasts_[joined()++];
      schedule().read(all_.hash(received));
      all_.changed();
      return received;
    }
    void watch(const std::atomic<int>*) override {}
    void abandon() override { std::abort(); }

   private:
    std::size_t& joined() const { return all_.joined_[static_cast<std::size_t>(rank_)]; }
    std::vector<int> senders(int channel) const {
      std::vector<int> from;
      for (int rank = 0; rank < all_.size_; ++rank) {
        const auto at = all_.queues_.find({rank_, channel, rank});
        if (at != all_.queues_.end() && !at->second.empty()) from.push_back(rank);
      }
      return from;
    }
    Message take(int from, int channel) {
      auto& queue = all_.queues_[{rank_, channel, from}];
      Message message{from, std::move(queue.front().bytes)};
      queue.pop_front();
      schedule().read(all_.hash(message.bytes));
      all_.changed();
      return message;
    }

    ModelFleet& all_;
    int rank_;
  };

  /// Messages to rank 0 of one rank, channel and order (between two broadcasts) that may be on their way at once.
  std::ptrdiff_t most_waiting = 1000;
  /// False: what is in a message follows from what its sender has done, times apart.
  bool reads_contents = true;

 private:
  struct Sent {
    Bytes bytes;
    std::size_t order;
  };

  std::uint64_t hash(const Bytes& bytes) const {
    if (!reads_contents) return 0;
    std::uint64_t all = bytes.size();
    for (const std::byte b : bytes) all = mixed(all, static_cast<std::uint64_t>(b));
    return all;
  }
  void changed() {
    std::uint64_t now = 1;
    for (const auto& [where, queue] : queues_)
      for (const Sent& sent : queue)
        now = mixed(mixed(now, static_cast<std::uint64_t>(std::get<0>(where) * 100 + std::get<1>(where) * 10 +
                                                          std::get<2>(where))),
                    hash(sent.bytes));
    for (const std::size_t joined : joined_) now = mixed(now, joined);
    for (const std::int64_t counter : counters_) now = mixed(now, static_cast<std::uint64_t>(counter));
    schedule().wrote(object_, bits_, now);
    bits_ = now;
  }

  int size_;
  bool synchronous_;
  std::map<std::tuple<int, int, int>, std::deque<Sent>> queues_;  // by receiver, channel, sender
  std::deque<Bytes> broadcasts_;
  std::vector<std::size_t> joined_;  // broadcasts, by rank
  std::array<std::int64_t, Fleet::counters> counters_{};
  std::int64_t object_;
  std::uint64_t bits_ = 0;
};

}  // namespace politex::interleaved
