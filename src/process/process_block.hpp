// Environments that live in other processes, behind the seam of env/outside.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "politex/base/picture.hpp"
#include "politex/env/outside.hpp"
#include "politex/process/child.hpp"
#include "politex/process/handshake.hpp"

namespace politex {

struct ProcessSettings {
  std::vector<std::string> command;  // the server: a program, looked up in PATH, and its arguments
  std::string script;                // where not empty: the server's source, shown to it as the file Child::script_path
  std::string name;                  // of the environments, for messages
  std::uint64_t seed = 1;            // of the run
  int first = 0;  // the environments' numbers in the run are first, first + 1, ...: they name the seeds
  int count = 1;
  int processes = 1;      // that share the environments; no bit depends on it
  double seconds = 60.0;  // a child that takes longer to answer hangs
};

/// The children are started together, asked together and waited for together.
class ProcessBlock : public OutsideBlock {
 public:
  /// Starts the children. Throws ConfigError where a setting is out of range, the program cannot be started, or a
  /// server refuses what it was asked to serve; OutsideError where one speaks another version, or its environments
  /// differ.
  explicit ProcessBlock(ProcessSettings settings);
  ~ProcessBlock() override;

  const OutsideSpace& space() const override { return hello_.space; }
  int count() const override { return settings_.count; }
  void step(std::span<const Action> actions, std::span<OutsideStep> into) override;
  void observe(int which, std::span<double> into) const override;
  void observe(int which, std::span<float> into) const override;
  void last(int which, std::span<double> into) const override;
  void last(int which, std::span<float> into) const override;
  bool can_save() const override { return hello_.can_save; }
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;
  /// Reads what save() wrote for a block of so many environments, and writes it again.
  static void copy_saved(ByteReader& from, ByteWriter& to, int count);

  /// Whether the servers can show their environments as a person would see them.
  bool has_pictures() const { return hello_.has_pictures; }
  /// Of environment `which` as it stands: after an end, at its new start. No bit of what comes depends on it. Throws
  /// Error where there are none, OutsideError where what came is no picture of 1 to 4096 pixels a side.
  Picture picture(int which);

  /// Of the children, for tests and for telling the user.
  std::vector<int> processes() const;

 private:
  struct Server;
  /// One environment: the server it lives in and its index there.
  struct Place {
    Server* server;
    std::size_t index;
  };

  void start_servers();
  void greet();
  Place place(int which) const;
  void read_steps(Server& server, std::span<OutsideStep> into);
  void check_observation(Server& server, std::size_t index, std::size_t part, const char* what);
  template <class T>
  void copy(int which, std::size_t MemoryLayout::*part, std::span<T> into) const;

  ProcessSettings settings_;
  ServerHello hello_;
  std::vector<std::unique_ptr<Server>> servers_;
};

}  // namespace politex
