// Any bytes as a network of queues, in JSON and in TOML: rejected, or a network whose tables can be made where they are
// small.
// reader: src/env/queues.cpp
// runs: 20000
#include <cstdint>
#include <string_view>

#include "politex/base/error.hpp"
#include "politex/env/queues.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* origin : {"fuzz.json", "fuzz.toml"}) {
    try {
      // With buffers of two places a network of a few classes is small.
      const politex::QueueNetwork network = politex::parse_queue_network(text, origin, 2);
      if (network.classes.size() <= 4 && network.servers.size() <= 3 && network.parts <= 3)
        politex::network_model(network, "fuzz");
    } catch (const politex::ConfigError&) {
    }
  }
  return 0;
}
