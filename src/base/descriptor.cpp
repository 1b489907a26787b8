#include "politex/base/descriptor.hpp"

#include <unistd.h>

#include <utility>

namespace politex::inline base {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = other.release();
  }
  return *this;
}

int Descriptor::release() noexcept { return std::exchange(number_, -1); }

void Descriptor::reset() noexcept {
  if (number_ >= 0) ::close(release());
}

}  // namespace politex::inline base
