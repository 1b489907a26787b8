#include "politex/neural/world.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"

namespace politex::neural {

OutsideWorlds::OutsideWorlds(std::shared_ptr<OutsideBlock> block) : block_(std::move(block)) {
  actions_.resize(static_cast<std::size_t>(block_->count()));
  steps_.resize(actions_.size());
}

void OutsideWorlds::prepare(std::span<float> seen) const {
  if (block_->space().bytes)
    for (float& x : seen) x /= 255.0F;
  if (block_->space().states == 0) return;
  const auto state = static_cast<std::size_t>(seen[0]);
  std::ranges::fill(seen, 0.0F);
  seen[state] = 1.0F;
}

void OutsideWorlds::observe(int which, std::span<float> into) const {
  block_->observe(which, into.first(block_->space().ranges.size()));
  prepare(into);
}

void OutsideWorlds::last(int which, std::span<float> into) const {
  block_->last(which, into.first(block_->space().ranges.size()));
  prepare(into);
}

void OutsideWorlds::step(int first, std::span<const Action> actions, std::span<OutsideStep> into) {
  if (actions.size() == actions_.size()) return block_->step(actions, into);
  // The last round of a run may ask for a part; what the others do no longer matters.
  std::ranges::fill(actions_, 0);
  std::ranges::copy(actions, actions_.begin() + first);
  block_->step(actions_, steps_);
  std::copy_n(steps_.begin() + first, into.size(), into.begin());
}

void OutsideWorlds::save(int which, ByteWriter& to) const {
  if (which == 0 && can_save()) block_->save(to);
}

void OutsideWorlds::restore(int which, ByteReader& from) {
  if (which == 0 && can_save()) block_->restore(from);
}

namespace {

class KeptWorlds final : public WorldBlock {
 public:
  KeptWorlds(const WorldBlock& made, std::function<void(ByteReader&, ByteWriter&)> copy)
      : can_save_(made.can_save()), copy_(std::move(copy)) {
    if (can_save_) made.save(0, saved_);
  }
  void observe(int, std::span<float>) const override { refuse(); }
  void step(int, std::span<const Action>, std::span<OutsideStep>) override { refuse(); }
  void last(int, std::span<float>) const override { refuse(); }
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

  bool can_save_;
  std::function<void(ByteReader&, ByteWriter&)> copy_;
  ByteWriter saved_;
};

}  // namespace

std::unique_ptr<WorldBlock> kept_worlds(const WorldBlock& made, std::function<void(ByteReader&, ByteWriter&)> copy) {
  return std::make_unique<KeptWorlds>(made, std::move(copy));
}

BlockMaker outside_blocks(const OutsideSpace& space, int together,
                          std::function<std::shared_ptr<OutsideBlock>(EnvironmentRange)> make) {
  const int inputs = space.states > 0 ? space.states : static_cast<int>(space.ranges.size());
  const Picture picture{space.channels, space.height, space.width};
  if (picture.channels > 0 && (!space.bytes || picture.numbers() != inputs))
    throw Error(fmt::format("{}: a picture of {} x {} x {} bytes was told, an observation has {} numbers", space.name,
                            space.channels, space.height, space.width, inputs));
  return {.space = {inputs, space.actions, space.episode, space.bytes, picture},
          .make = [make = std::move(make)](EnvironmentRange range) -> std::unique_ptr<WorldBlock> {
            auto block = make(range);
            if (block->count() != range.end - range.begin)
              throw Error(fmt::format("{}: a block of {} environments where {} belong together", block->space().name,
                                      block->count(), range.end - range.begin));
            return std::make_unique<OutsideWorlds>(std::move(block));
          },
          .together = together};
}

BlockMaker outside_blocks(std::shared_ptr<OutsideBlock> all) {
  const OutsideSpace& space = all->space();
  const int count = all->count();
  BlockMaker maker = outside_blocks(space, count, [all = std::move(all)](EnvironmentRange) { return all; });
  maker.spare = false;
  return maker;
}

}  // namespace politex::neural
