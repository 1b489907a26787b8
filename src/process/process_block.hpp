// Environments in other processes, behind the interface of env/block.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "politex/base/picture.hpp"
#include "politex/env/block.hpp"
#include "politex/process/child.hpp"
#include "politex/process/handshake.hpp"

namespace politex::inline process {

struct ProcessSettings {
  std::vector<std::string> command;  // the server: a program, looked up in PATH, and its arguments
  std::string script;                // if not empty, source of the server, available as the file Child::script_path
  std::string name;                  // of the environments, for messages
  std::uint64_t seed = 1;            // of the run
  int first = 0;                     // number of the first environment in the run; the numbers determine the seeds
  int count = 1;
  int processes = 1;      // number of processes that share the environments; does not affect results
  double seconds = 60.0;  // a child that takes longer to answer is treated as hung
};

/// All children are started, asked and waited for in parallel.
class ProcessBlock : public EnvironmentBlock {
 public:
  /// Starts the children. Throws ConfigError if a setting is out of range, the program cannot be started, or a server
  /// refuses its configuration; ExternalError if a server uses another protocol version or its environments differ.
  explicit ProcessBlock(ProcessSettings settings);
  ~ProcessBlock() override;

  const Space& space() const override { return hello_.space; }
  int count() const override { return settings_.count; }
  void step(int first, std::span<const Action> actions, std::span<StepResult> into) override;
  void observe(int which, std::span<double> into) const override;
  void observe(int which, std::span<float> into) const override;
  void last(int which, std::span<double> into) const override;
  void last(int which, std::span<float> into) const override;
  bool can_save() const override { return hello_.can_save; }
  void save(int which, ByteWriter& to) const override;
  void restore(int which, ByteReader& from) override;
  /// Copies the output of save() of a block of `count` environments.
  static void copy_saved(ByteReader& from, ByteWriter& to, int count);

  /// Whether the servers can render their environments.
  bool has_pictures() const { return hello_.has_pictures; }
  /// Renders the current state of environment `which`; after an episode's end, the new start. Does not affect results.
  /// Throws Error if there are no pictures, ExternalError if the answer is not a picture of 1 to 4096 pixels per side.
  Picture picture(int which);

  /// Process ids of the children.
  std::vector<int> processes() const;

 private:
  struct Server;
  /// One environment: its server and its index there.
  struct Place {
    Server* server;
    std::size_t index;
  };

  void start_servers();
  void greet();
  Place place(int which) const;
  void read_steps(Server& server, std::span<StepResult> into);
  void check_observation(Server& server, std::size_t index, std::size_t part, const char* what);
  template <class T>
  void copy(int which, std::size_t MemoryLayout::*part, std::span<T> into) const;

  ProcessSettings settings_;
  ServerHello hello_;
  std::vector<std::unique_ptr<Server>> servers_;
};

}  // namespace politex::inline process
