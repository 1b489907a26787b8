// A fleet over MPI. Of this process only one thread ever calls MPI: it carries out what the others ask for, and makes
// progress while they compute.
#pragma once

#include <memory>
#include <string>

#include "politex/base/fleet.hpp"

namespace politex::mpi {

/// Initialises MPI; the fleet's end finalises it, when all ranks have come to theirs. Throws Error where MPI cannot.
std::unique_ptr<Fleet> make_mpi_fleet();

std::string mpi_version();

}  // namespace politex::mpi
