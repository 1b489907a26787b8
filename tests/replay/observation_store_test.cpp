#include "politex/replay/observation_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/replay/replay.hpp"

namespace politex::neural {
namespace {

/// Stacks of `channels` frames of 3 x 5 from a film that cuts now and then.
struct Film {
  Picture picture{4, 3, 5};
  std::vector<std::vector<float>> frames;
  Rng rng{9};
  std::vector<float> shoot() {
    const bool cut = frames.empty() || rng.below(10) == 0;
    std::vector<float> frame(15);
    for (float& x : frame) x = static_cast<float>(rng.below(256)) / 255.0F;
    for (int k = 0; k < (cut ? 4 : 1); ++k) frames.push_back(frame);
    std::vector<float> stack;
    for (std::size_t k = frames.size() - 4; k < frames.size(); ++k)
      stack.insert(stack.end(), frames[k].begin(), frames[k].end());
    return stack;
  }
};

TEST(ObservationStore, KeepsEveryFrameOnceAndForgetsUnusedOnes) {
  Film film;
  constexpr std::size_t kept = 40;
  Replay replay(kept, {60, true, film.picture}, 2);
  std::vector<std::pair<std::vector<float>, std::vector<float>>> windows;
  const std::vector<float> policy = {0.5F, 0.5F};
  std::vector<float> before = film.shoot();
  const auto check = [&](const Replay& from) {
    Batch batch;
    batch.resize(static_cast<int>(kept), 60, 2);
    for (std::uint32_t r = 0; r < kept; ++r) batch.rows[r] = r;
    from.gather(batch, 1);
    for (std::size_t k = windows.size() - kept; k < windows.size(); ++k) {
      const std::size_t r = k % kept;
      ASSERT_TRUE(std::ranges::equal(std::span(batch.states).subspan(r * 60, 60), windows[k].first));
      ASSERT_TRUE(std::ranges::equal(std::span(batch.nexts).subspan(r * 60, 60), windows[k].second));
    }
  };
  for (int t = 0; t < 300; ++t) {
    std::vector<float> next = film.shoot();
    replay.add({.state = before, .next = next}, policy, 1);
    windows.emplace_back(before, next);
    before = next;
    // One new frame a window, and three more at either end.
    EXPECT_LE(replay.frames(), static_cast<std::int64_t>(kept) + 4);
    if (t > 50 && t % 50 == 0) check(replay);
  }
  ByteWriter bytes;
  replay.save(bytes);
  Replay other(kept, {60, true, film.picture}, 2);
  ByteReader reader(bytes.bytes());
  other.restore(reader);
  EXPECT_TRUE(reader.empty());
  EXPECT_EQ(other.frames(), replay.frames());
  for (int t = 0; t < 100; ++t) {  // continues, and frees what is no longer shown
    std::vector<float> next = film.shoot();
    other.add({.state = before, .next = next}, policy, 1);
    windows.emplace_back(before, next);
    before = next;
  }
  check(other);
  EXPECT_LE(other.frames(), static_cast<std::int64_t>(kept) + 4);
  EXPECT_THROW(ObservationStore({28'224, true, {4, 84, 84}}, 4'000'000'000), ConfigError);
}

}  // namespace
}  // namespace politex::neural
