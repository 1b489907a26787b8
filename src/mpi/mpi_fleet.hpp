// A fleet over MPI. One thread of the process makes all MPI calls on behalf of the others and makes progress while they
// compute.
#pragma once

#include <memory>
#include <string>

#include "politex/base/fleet.hpp"

namespace politex::mpi {

/// Initialises MPI. The destructor waits for all ranks and finalises MPI. Throws Error if MPI fails.
std::unique_ptr<Fleet> make_mpi_fleet();

std::string mpi_version();

}  // namespace politex::mpi
