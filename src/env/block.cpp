#include "politex/env/block.hpp"

namespace politex::inline env {
namespace {

void narrow(std::span<const double> from, std::span<float> into) {
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = static_cast<float>(from[i]);
}

}  // namespace

void EnvironmentBlock::observe(int which, std::span<float> into) const {
  std::vector<double> seen(into.size());
  observe(which, seen);
  narrow(seen, into);
}

void EnvironmentBlock::last(int which, std::span<float> into) const {
  std::vector<double> seen(into.size());
  last(which, seen);
  narrow(seen, into);
}

void EnvironmentBlock::reset(int, std::optional<std::uint64_t>) {
  throw Error(space().name + " restarts by itself and cannot be reset by its caller");
}

void save_all(const EnvironmentBlock& block, ByteWriter& to) {
  for (int which = 0; which < block.count(); ++which) block.save(which, to);
}

void restore_all(EnvironmentBlock& block, ByteReader& from) {
  for (int which = 0; which < block.count(); ++which) block.restore(which, from);
}

}  // namespace politex::inline env
