// Joining the other processes of an MPI job. Only mpi/ includes MPI's headers, so everything else builds without MPI.
#pragma once

#include <memory>
#include <string>

#include "politex/base/fleet.hpp"

namespace politex::mpi {

/// Returns the job of this process, or null without initialising MPI if no launcher such as mpirun started it. Throws
/// ConfigError if the job has several ranks but the program was built without MPI.
std::unique_ptr<Fleet> join();

/// The rank of this process according to the launcher's environment variables; 0 without a launcher.
int launched_rank();

/// "Open MPI 4.1.4", or "no MPI".
std::string library();

}  // namespace politex::mpi
