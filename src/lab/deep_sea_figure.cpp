#include "politex/base/error.hpp"
#include "politex/lab/reproduce.hpp"

namespace politex::lab {

int reproduce_deep_sea(const ReproduceOptions&) { throw Error("the DeepSea figure is not built yet"); }

}  // namespace politex::lab
