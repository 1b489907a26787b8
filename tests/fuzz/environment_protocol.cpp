// Any answers of an environment server after its hello, and any bytes in the shared memory: an Error that says what is
// wrong, or results within the space. The first byte chooses the hello, the rest is the script of scripted_server.cpp.
// reader: src/process/process_block.cpp
// runs: 300
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/process/process_block.hpp"

namespace {

using namespace politex;

std::string deed(int kind, const std::string& text) {
  return fmt::format("{:02x}{:02x}", kind, text.size()) + [&] {
    std::string digits;
    for (const char c : text) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return digits;
  }();
}

void play(ProcessBlock& block) {
  const std::vector<Action> actions(static_cast<std::size_t>(block.count()), 1);
  std::vector<StepResult> results(actions.size());
  std::vector<double> shown(block.space().numbers());
  for (int round = 0; round < 3; ++round) {
    block.step(0, actions, results);
    for (int which = 0; which < block.count(); ++which) {
      if (!std::isfinite(results[static_cast<std::size_t>(which)].cost)) std::abort();
      block.observe(which, std::span(shown));
      for (const double number : shown)
        if (!std::isfinite(number)) std::abort();
      block.last(which, std::span(shown));
    }
  }
  if (block.has_pictures()) {
    const Picture picture = block.picture(0);
    if (picture.rgb.size() != 3 * picture.height * picture.width) std::abort();
  }
  if (!block.can_save()) return;
  ByteWriter saved;
  block.save(0, saved);
  ByteReader from(saved.bytes());
  block.restore(0, from);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string hellos[] = {
      "politex 1\nname ring\nactions 2\nobservation int64 1\nstates 4\nsave 1\n",
      "politex 1\nname arm\nactions 3\nobservation float32 2\nlow -1\nhigh 1\nsave 1\npictures 1\n",
      "politex 1\nname screen\nactions 2\nobservation uint8 1 4 4\nlow 0\nhigh 255\npictures 1\n"};
  if (size == 0) return 0;
  std::string script = deed(0, hellos[data[0] % std::size(hellos)]);
  for (std::size_t i = 1; i < size; ++i) script += fmt::format("{:02x}", data[i]);
  try {
    ProcessSettings settings;
    settings.command = {POLITEX_SCRIPTED_SERVER, script};
    settings.name = "fuzz";
    settings.count = 2;
    settings.seconds = 5.0;
    ProcessBlock block(settings);
    play(block);
  } catch (const Error&) {
  }
  return 0;
}
