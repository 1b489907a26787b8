#include "politex/mpi/join.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#ifdef POLITEX_WITH_MPI
#include "politex/mpi/mpi_fleet.hpp"
#endif

namespace politex::mpi {
namespace {

// Environment variables of the launchers: Open MPI's mpirun, then PMIx (srun --mpi=pmix), then PMI.
int launcher_variable(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* text = std::getenv(name);
    if (text == nullptr) continue;
    const std::string_view digits = text;
    int value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc()) return value;
  }
  return -1;
}

}  // namespace

int launched_rank() {
  const int rank = launcher_variable({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
  return rank < 0 ? 0 : rank;
}

#ifdef POLITEX_WITH_MPI

std::unique_ptr<Fleet> join() {
  if (launcher_variable({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) < 0) return nullptr;
  return make_mpi_fleet();
}

std::string library() { return mpi_version(); }

#else

std::unique_ptr<Fleet> join() {
  if (launcher_variable({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}) > 1 &&
      launcher_variable({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) >= 0)
    throw ConfigError{
        "mpirun",
        "this politex was built without MPI; accepted: one process. For several, install libopenmpi-dev and rebuild"};
  return nullptr;
}

std::string library() { return "no MPI"; }

#endif

}  // namespace politex::mpi
