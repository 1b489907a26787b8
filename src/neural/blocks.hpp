// The blocks of logical environments of a neural run, and their observations as inputs of a network.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "politex/env/block.hpp"
#include "politex/replay/observation_store.hpp"

namespace politex::neural {

/// What a network sees of an observation: bytes over 255, the index of a state as a vector with a single 1. Throws
/// Error where a picture does not fit the observation.
Observation input_of(const Space& space);
/// Whether an input differs from the observation.
bool prepares_input(const Space& space) noexcept;
/// `input` begins with the observation and becomes what the network sees.
void prepare_input(const Space& space, std::span<float> input);

/// Makes the blocks of a run.
struct BlockMaker {
  Space space;
  std::function<std::shared_ptr<EnvironmentBlock>(EnvironmentRange)> make;
  int together = 0;   // environments of a block; 0: any number, and a range may be stepped in part
  bool spare = true;  // make() also gives a single environment beyond those of the run
  /// Where `together` > 0: blocks in place of those that other ranks step (kept_block). Null: one process has all.
  std::function<std::shared_ptr<EnvironmentBlock>(EnvironmentRange)> keep = {};
};

/// Blocks of environments of this program.
template <Environment E>
BlockMaker blocks_of(const E& environment, std::uint64_t seed) {
  return {.space = space_of(environment), .make = [=](EnvironmentRange range) -> std::shared_ptr<EnvironmentBlock> {
            return std::make_shared<BlockOf<E>>(environment, seed, range);
          }};
}

/// `make` gives the block of a range of `together` environments. How they are divided is part of the configuration: a
/// saved run resumes with the same blocks.
BlockMaker external_blocks(const Space& space, int together,
                           std::function<std::shared_ptr<EnvironmentBlock>(EnvironmentRange)> make);
/// All environments of a run in one block.
BlockMaker external_blocks(std::shared_ptr<EnvironmentBlock> all);

/// Remembers the saved state of a block that another process steps, at first that of `made`: save() writes what
/// restore() was given. `copy` reads what the block saved and writes it again.
std::unique_ptr<EnvironmentBlock> kept_block(const EnvironmentBlock& made,
                                             std::function<void(ByteReader&, ByteWriter&)> copy);

}  // namespace politex::neural
