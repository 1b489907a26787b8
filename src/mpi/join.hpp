// Joining the other processes of an MPI job. MPI's headers stay in this room; without MPI everything else builds.
#pragma once

#include <memory>
#include <string>

#include "politex/base/fleet.hpp"

namespace politex::mpi {

/// The job that this process was started in; null where mpirun (or another launcher) did not start it: then MPI is not
/// even initialised. Throws ConfigError where there is a job of several ranks, and the program was built without MPI.
std::unique_ptr<Fleet> join();

/// This process's number as the launcher's environment tells it, 0 where there is none.
int launched_rank();

/// "Open MPI 4.1.4", or "no MPI".
std::string library();

}  // namespace politex::mpi
