// Messages between the processes (ranks) of one job, independent of the launcher. Only rank 0 prints.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "politex/base/error.hpp"

namespace politex::inline base {

using Bytes = std::vector<std::byte>;

/// A process of the job has died, so the ranks cannot communicate any more.
class LostRank : public Error {
 public:
  using Error::Error;
};

/// Thrown on the other ranks when rank 0 reports why the job ends: they end silently.
class Dismissed : public Error {
 public:
  Dismissed() : Error("the job ends for the reason that rank 0 reports") {}
};

/// Thread-safe. Every call throws LostRank if a process of the job has died.
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

  /// Adds to a counter shared by all ranks and returns its previous value. All counters start at 0.
  virtual std::int64_t fetch_add(int counter, std::int64_t amount) = 0;
  /// Does not block. Between two ranks, messages of one channel arrive in order.
  virtual void send(int to, int channel, Bytes bytes) = 0;
  /// Waits for the next message of a channel, from any rank.
  virtual Message receive(int channel) = 0;
  virtual std::optional<Message> try_receive(int channel) = 0;
  /// Returns rank 0's bytes on every rank; all ranks must call it.
  virtual Bytes broadcast(Bytes bytes) = 0;
  /// While *stop is not 0, waiting calls also check that the other ranks are alive: when a rank dies, the launcher
  /// sends a signal to the others.
  virtual void watch(const std::atomic<int>* stop) = 0;
  /// Aborts the whole job, this process included, for a rank that can neither continue nor report its failure.
  virtual void abandon() = 0;
};

/// One channel per protocol, so that messages of different protocols are not confused.
enum FleetChannel : int { status_channel = 1, results_channel, blocks_channel, credits_channel };

/// Calls `part` on every rank. If it fails on one, it fails on all: rank 0 throws its own exception or else that of the
/// lowest failed rank, the others throw Dismissed. Without a fleet it is a plain call.
void together(Fleet* fleet, const std::function<void()>& part);

/// Throws ConfigError{what, ...} on rank 0 and Dismissed on the others if a rank's text differs from rank 0's.
void require_same(Fleet* fleet, const std::string& what, const std::string& text);

Bytes to_bytes(const std::string& text);
std::string to_text(const Bytes& bytes);

}  // namespace politex::inline base
