// Any bytes as the .npz file of a finite model: rejected with a ConfigError, or a valid model that is written and read
// back to the same tables.
// reader: src/base/numpy_file.cpp
#include <cstdint>
#include <cstdlib>
#include <string>

#include "politex/base/error.hpp"
#include "politex/tables/finite_mdp.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  politex::FiniteModel model;
  try {
    model = politex::parse_finite_mdp_arrays({reinterpret_cast<const char*>(data), size}, "fuzz.npz");
  } catch (const politex::ConfigError&) {
    return 0;
  }
  politex::check(model);
  const politex::FiniteModel again = politex::parse_finite_mdp_arrays(politex::finite_mdp_arrays(model), "again.npz");
  if (again.next != model.next || again.first != model.first || again.cost != model.cost || again.axes != model.axes)
    std::abort();
  return 0;
}
