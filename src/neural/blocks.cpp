#include "politex/neural/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"

namespace politex::neural {

Observation input_of(const Space& space) {
  const int inputs = space.states > 0 ? space.states : static_cast<int>(space.numbers());
  const Picture picture{space.channels, space.height, space.width};
  if (picture.channels > 0 && (!space.bytes || picture.numbers() != inputs))
    throw Error(fmt::format("{}: it declares pictures of {} x {} x {} bytes, but an observation has {} numbers",
                            space.name, space.channels, space.height, space.width, inputs));
  return {inputs, space.bytes, picture};
}

bool prepares_input(const Space& space) noexcept { return space.bytes || space.states > 0; }

void prepare_input(const Space& space, std::span<float> input) {
  if (space.bytes)
    for (float& x : input) x /= 255.0F;
  if (space.states == 0) return;
  const auto state = static_cast<std::size_t>(input[0]);
  std::ranges::fill(input, 0.0F);
  input[state] = 1.0F;
}

BlockMaker external_blocks(const Space& space, int together,
                           std::function<std::shared_ptr<EnvironmentBlock>(EnvironmentRange)> make) {
  input_of(space);  // refuses pictures that do not fit
  return {.space = space,
          .make =
              [make = std::move(make)](EnvironmentRange range) {
                auto block = make(range);
                if (block->count() != range.count())
                  throw Error(fmt::format("{}: a block of {} environments where {} belong together",
                                          block->space().name, block->count(), range.count()));
                return block;
              },
          .together = together};
}

BlockMaker external_blocks(std::shared_ptr<EnvironmentBlock> all) {
  const Space& space = all->space();
  const int count = all->count();
  BlockMaker maker = external_blocks(space, count, [all = std::move(all)](EnvironmentRange) { return all; });
  maker.spare = false;
  return maker;
}

namespace {

class KeptBlock final : public EnvironmentBlock {
 public:
  KeptBlock(const EnvironmentBlock& made, std::function<void(ByteReader&, ByteWriter&)> copy)
      : space_(made.space()), count_(made.count()), can_save_(made.can_save()), copy_(std::move(copy)) {
    if (can_save_) made.save(0, saved_);
  }
  const Space& space() const override { return space_; }
  int count() const override { return count_; }
  using EnvironmentBlock::observe;
  void observe(int, std::span<double>) const override { refuse(); }
  void step(int, std::span<const Action>, std::span<StepResult>) override { refuse(); }
  using EnvironmentBlock::last;
  void last(int, std::span<double>) const override { refuse(); }
  bool can_save() const override { return can_save_; }
  void save(int which, ByteWriter& to) const override {
    if (which != 0 || !can_save_) return;
    ByteReader saved(saved_.bytes());
    copy_(saved, to);
  }
  void restore(int which, ByteReader& from) override {
    if (which != 0 || !can_save_) return;
    saved_ = {};
    copy_(from, saved_);
  }

 private:
  [[noreturn]] static void refuse() { throw Error("these environments are stepped by another process"); }

  Space space_;
  int count_;
  bool can_save_;
  std::function<void(ByteReader&, ByteWriter&)> copy_;
  ByteWriter saved_;
};

}  // namespace

std::unique_ptr<EnvironmentBlock> kept_block(const EnvironmentBlock& made,
                                             std::function<void(ByteReader&, ByteWriter&)> copy) {
  return std::make_unique<KeptBlock>(made, std::move(copy));
}

}  // namespace politex::neural
