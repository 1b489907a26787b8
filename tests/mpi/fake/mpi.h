// The calls of MPI that src/mpi/mpi_fleet.cpp makes, for ranks that are threads of one process (fabric.cpp). So that
// file runs under the thread sanitizer, and a rank can die at any message.
#pragma once

#include <cstddef>
#include <cstdint>

struct FakeRequest;
using MPI_Request = FakeRequest*;
using MPI_Comm = int;
using MPI_Win = int;
using MPI_Aint = std::ptrdiff_t;
using MPI_Datatype = int;
using MPI_Message = void*;
struct MPI_Status {
  int MPI_SOURCE = 0, MPI_TAG = 0;
  std::size_t bytes = 0;
};

constexpr int MPI_SUCCESS = 0, MPI_THREAD_SINGLE = 0, MPI_THREAD_FUNNELED = 1;
constexpr int MPI_COMM_NULL = -1, MPI_COMM_WORLD = 0, MPI_COMM_TYPE_SHARED = 0, MPI_INFO_NULL = 0, MPI_WIN_NULL = -1;
constexpr int MPI_BYTE = 1, MPI_INT64_T = 8, MPI_SUM = 0, MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -1;
constexpr MPI_Request MPI_REQUEST_NULL = nullptr;
constexpr MPI_Message MPI_MESSAGE_NULL = nullptr;
constexpr MPI_Status* MPI_STATUS_IGNORE = nullptr;
#define OMPI_MAJOR_VERSION 0
#define OMPI_MINOR_VERSION 0
#define OMPI_RELEASE_VERSION 0

int MPI_Init_thread(int*, char***, int required, int* provided);
int MPI_Finalize();
int MPI_Abort(MPI_Comm, int code);
int MPI_Comm_rank(MPI_Comm, int* rank);
int MPI_Comm_size(MPI_Comm, int* size);
int MPI_Comm_split_type(MPI_Comm, int, int, int, MPI_Comm* made);
int MPI_Comm_free(MPI_Comm*);
int MPI_Win_allocate(MPI_Aint bytes, int, int, MPI_Comm, void* base, MPI_Win*);
int MPI_Win_lock_all(int, MPI_Win);
int MPI_Win_unlock_all(MPI_Win);
int MPI_Win_free(MPI_Win*);
int MPI_Barrier(MPI_Comm);
int MPI_Ibarrier(MPI_Comm, MPI_Request*);
int MPI_Ibcast(void* bytes, int count, MPI_Datatype, int root, MPI_Comm, MPI_Request*);
int MPI_Isend(const void* bytes, int count, MPI_Datatype, int to, int tag, MPI_Comm, MPI_Request*);
int MPI_Rget_accumulate(const void* amount, int, MPI_Datatype, void* before, int, MPI_Datatype, int, MPI_Aint place,
                        int, MPI_Datatype, int, MPI_Win, MPI_Request*);
int MPI_Test(MPI_Request*, int* complete, MPI_Status*);
int MPI_Improbe(int, int, MPI_Comm, int* found, MPI_Message*, MPI_Status*);
int MPI_Get_count(const MPI_Status*, MPI_Datatype, int* count);
int MPI_Mrecv(void* bytes, int count, MPI_Datatype, MPI_Message*, MPI_Status*);
