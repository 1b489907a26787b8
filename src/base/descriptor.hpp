// An open file descriptor that closes itself.
#pragma once

namespace politex::inline base {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  int get() const noexcept { return number_; }
  /// Passes ownership to the caller.
  int release() noexcept;
  /// Closes the descriptor if it is open.
  void reset() noexcept;

 private:
  int number_;
};

}  // namespace politex::inline base
