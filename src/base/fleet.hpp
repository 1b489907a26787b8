// The processes of one job, for those who need not know what started them. Rank 0 speaks for all.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "politex/base/error.hpp"

namespace politex {

using Bytes = std::vector<std::byte>;

/// A process of the job is gone: nothing can be agreed upon any more.
class LostRank : public Error {
 public:
  using Error::Error;
};

/// Rank 0 has told the user why the job ends; the other ranks end without a word.
class Dismissed : public Error {
 public:
  Dismissed() : Error("rank 0 has told why the job ends") {}
};

/// Calls may come from any thread. All of them throw LostRank when a process of the job is gone.
class Fleet {
 public:
  struct Message {
    int from = 0;
    Bytes bytes;
  };
  static constexpr int counters = 4;

  virtual ~Fleet() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Ranks on this machine, this one included.
  virtual int neighbours() const = 0;

  /// Adds to a counter that all ranks share, and returns what it was before. All counters begin at 0.
  virtual std::int64_t fetch_add(int counter, std::int64_t amount) = 0;
  /// Returns at once. Between two ranks, messages of one channel arrive in order.
  virtual void send(int to, int channel, Bytes bytes) = 0;
  /// The next message of a channel, whoever sent it; waits for it.
  virtual Message receive(int channel) = 0;
  virtual std::optional<Message> try_receive(int channel) = 0;
  /// Rank 0's bytes, for everybody; all ranks must call it.
  virtual Bytes broadcast(Bytes bytes) = 0;
  /// While *stop is not 0, whoever waits makes sure that the others are still alive: the launcher of a job whose rank
  /// dies tells the rest with a signal.
  virtual void watch(const std::atomic<int>* stop) = 0;
  /// Ends the whole job at once, this process included: for a rank that cannot go on and cannot say so in order.
  virtual void abandon() = 0;
};

/// Channels of the functions below and of their callers; one each, so that no message is taken for another.
enum FleetChannel : int { opinions_channel = 1, results_channel, blocks_channel, credits_channel };

/// Every rank does its part; where one fails, all do: rank 0 throws what went wrong (its own first, then that of the
/// lowest rank), the others Dismissed. Without a fleet it is a plain call.
void together(Fleet* fleet, const std::function<void()>& part);

/// Throws ConfigError on rank 0, Dismissed on the others, where a rank's text differs from rank 0's. `what` names it.
void require_same(Fleet* fleet, const std::string& what, const std::string& text);

Bytes to_bytes(const std::string& text);
std::string to_text(const Bytes& bytes);

}  // namespace politex
