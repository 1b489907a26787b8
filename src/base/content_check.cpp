#include "politex/base/content_check.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "politex/base/descriptor.hpp"
#include "politex/base/error.hpp"

namespace politex::inline base {

std::uint32_t ContentCheck::up_to(std::int64_t bytes) {
  const Descriptor file(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw Error(fmt::format("{}: cannot be read: {}", file_.string(), std::strerror(errno)));
  std::vector<unsigned char> piece(std::size_t{1} << 16);
  while (done_ < bytes) {
    const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(bytes - done_, 1 << 16));
    const ssize_t count = ::pread(file.get(), piece.data(), wanted, done_);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw Error(fmt::format("{}: {}", file_.string(), count < 0 ? std::strerror(errno) : "is shorter than expected"));
    sum_ = static_cast<std::uint32_t>(crc32(sum_, piece.data(), static_cast<uInt>(count)));
    done_ += count;
  }
  return sum_;
}

}  // namespace politex::inline base
