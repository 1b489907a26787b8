// Whole resumes: the input chooses a saved run and changes its state, as if the checksum of the checkpoint had been
// computed again. An input is a byte for the run, then changes of ten bytes: the place (2), and a word of 8.
// runs: 20000
#include <cstdint>

#include "fuzz/damage.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<politex::SavedRun> all = politex::saved_runs();
  if (size < 11) return 0;
  const politex::SavedRun& saved = all[data[0] % all.size()];
  std::vector<std::byte> state = saved.state;
  for (std::size_t at = 1; at + 10 <= size; at += 10) {
    std::uint16_t place = 0;
    std::memcpy(&place, data + at, sizeof place);
    // States up to 64 kB are reached word by word; larger ones at multiples.
    const std::size_t words = state.size() / 8;
    const std::size_t word = words <= 65'536 ? place % words : place * (words / 65'536);
    std::memcpy(&state[8 * word], data + at + 2, 8);
  }
  politex::resumes(saved, state);
  return 0;
}
