// The size of an observation that is a stack of pictures.
#pragma once

namespace politex::inline base {

/// Frames of one size, the oldest first; 0 channels: the observation is not a picture.
struct FrameStack {
  int channels = 0, height = 0, width = 0;
  int numbers() const noexcept { return channels * height * width; }
  friend bool operator==(const FrameStack&, const FrameStack&) = default;
};

}  // namespace politex::inline base
