// A program in a process of its own that answers messages, and some memory shared with it. Nothing outlives this one:
// not the child, nor what it started in its process group, nor the memory, whatever ends us (kill -9 included).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace politex {

/// An open file descriptor, closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }
  int get() const noexcept { return number_; }
  int release() noexcept;
  void reset() noexcept;

 private:
  int number_;
};

struct ChildSettings {
  std::vector<std::string> command;  // the program, looked up in PATH, and its arguments
  std::string script;                // where not empty: shown to the child as the file `script_path`
  std::string label;                 // for messages: "CartPole-v1, environments 0 to 3"
  double seconds = 60.0;             // an answer that takes longer is a hang
};

/// The child finds the socket of messages at descriptor 3 and the shared memory at 4; docs/environment-processes.md.
class Child {
 public:
  static constexpr const char* script_path = "/dev/fd/6";
  static constexpr std::size_t most_bytes = 1 << 16;  // of one message

  /// Throws Error where the program cannot be started.
  explicit Child(ChildSettings settings);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Closes the socket, which asks the child to end; ends it and its group where it does not within a second.
  ~Child();

  /// Every message is answered: what became of a child that is gone is told by receive().
  void send(std::string_view message);
  /// Throws OutsideError that names the child where it died or hung (it is dead then), ConfigError
  /// where there is no such program. Valid until the next call.
  std::string_view receive();
  /// Ends the child at once and says why, in a sentence that names it.
  [[noreturn]] void fail(const std::string& why);

  /// Gives the shared memory its size, once, and shows it here.
  std::byte* share(std::size_t bytes);
  int process() const noexcept { return process_; }

 private:
  void start();
  void end_now() noexcept;
  [[noreturn]] void report_death();

  ChildSettings settings_;
  int process_ = -1;
  bool heard_ = false;  // anything at all
  Descriptor socket_, memory_, life_line_;
  std::byte* shared_ = nullptr;
  std::size_t shared_bytes_ = 0;
  std::vector<char> message_;
};

}  // namespace politex
