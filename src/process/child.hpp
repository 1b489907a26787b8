// A child process that answers messages, and memory shared with it. The child, its process group and the memory never
// outlive this process, not even after kill -9.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "politex/base/descriptor.hpp"

namespace politex::inline process {

struct ChildSettings {
  std::vector<std::string> command;  // the program, looked up in PATH, and its arguments
  std::string script;                // if not empty, available to the child as the file `script_path`
  std::string label;                 // for messages: "CartPole-v1, environments 0 to 3"
  double seconds = 60.0;             // a child that takes longer to answer is treated as hung
};

/// The child has the message socket at descriptor 3 and the shared memory at 4 (docs/guide/environment-protocol.md).
class Child {
 public:
  static constexpr const char* script_path = "/dev/fd/6";
  static constexpr std::size_t most_bytes = 1 << 16;  // of one message

  /// Throws Error if the process cannot be started.
  explicit Child(ChildSettings settings);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Closes the socket, which asks the child to end; kills it and its group after a second.
  ~Child();

  /// Does not fail if the child has died; receive() reports that.
  void send(std::string_view message);
  /// Throws an ExternalError that names the child if it died or hung (then it is killed), ConfigError if there is no
  /// such program. The result is valid until the next call.
  std::string_view receive();
  /// Kills the child and throws an ExternalError with its name and the reason.
  [[noreturn]] void fail(const std::string& why);

  /// Sets the size of the shared memory and maps it; call it once.
  std::byte* share(std::size_t bytes);
  int process() const noexcept { return process_; }

 private:
  void start();
  void end_now() noexcept;
  [[noreturn]] void report_death();

  ChildSettings settings_;
  int process_ = -1;
  bool heard_ = false;  // whether any message has arrived
  Descriptor socket_, memory_, life_line_;
  std::byte* shared_ = nullptr;
  std::size_t shared_bytes_ = 0;
  std::vector<char> message_;
};

}  // namespace politex::inline process
