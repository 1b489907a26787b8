// The control of the fake MPI.
#pragma once

#include <functional>

namespace politex::fake_mpi {

/// The ranks of the next job: threads get their numbers in the order in which they initialise MPI. Rank `dies` (-1:
/// none) is dead from its `at`-th message on, counted from 0: sends, broadcasts, accesses to counters, received
/// messages. Then `died` is called, once.
void begin_job(int size, int dies = -1, int at = 0, std::function<void()> died = {});
/// Messages of a rank in the job so far.
int messages(int rank);

}  // namespace politex::fake_mpi
