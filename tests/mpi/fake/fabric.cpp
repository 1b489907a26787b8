#include "fabric.hpp"

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "mpi.h"

struct FakeRequest {
  enum class Kind { done, never, broadcast, barrier } kind = Kind::done;
  std::size_t number = 0;
  void* into = nullptr;
};

namespace politex::fake_mpi {
namespace {

using Bytes = std::vector<char>;
struct Sent {
  int from, tag;
  Bytes bytes;
};
struct Rank {
  std::deque<Sent> inbox;
  std::size_t broadcasts = 0, barriers = 0;
  int messages = 0;
};
struct Job {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Rank> ranks;
  std::deque<Bytes> broadcasts;
  std::deque<FakeRequest> requests;  // until the next job: a rank that dies completes none of its own
  std::vector<std::int64_t> counters;
  int begun = 0, dies = -1, at = 0;
  bool dead = false;
  std::function<void()> died;
};

Job job;
thread_local int self = -1;

/// Whether this rank is dead; called with every message.
bool lost() {
  if (self != job.dies) return false;
  if (job.ranks[static_cast<std::size_t>(self)].messages++ >= job.at && !std::exchange(job.dead, true)) job.died();
  return job.dead;
}
bool is_dead() { return self == job.dies && job.dead; }
Rank& mine() { return job.ranks[static_cast<std::size_t>(self)]; }
bool all_joined(std::size_t barrier) {
  for (const Rank& rank : job.ranks)
    if (rank.barriers < barrier) return false;
  return true;
}
MPI_Request request(FakeRequest::Kind kind, std::size_t number = 0, void* into = nullptr) {
  return &job.requests.emplace_back(FakeRequest{kind, number, into});
}

}  // namespace

void begin_job(int size, int dies, int at, std::function<void()> died) {
  const std::lock_guard lock(job.mutex);
  job.ranks.assign(static_cast<std::size_t>(size), {});
  job.broadcasts.clear();
  job.requests.clear();
  job.counters.clear();
  job.begun = 0;
  job.dies = dies;
  job.at = at;
  job.dead = false;
  job.died = std::move(died);
}

int messages(int rank) {
  const std::lock_guard lock(job.mutex);
  return job.ranks[static_cast<std::size_t>(rank)].messages;
}

}  // namespace politex::fake_mpi

using namespace politex::fake_mpi;  // NOLINT: MPI's names are global
using Kind = FakeRequest::Kind;

int MPI_Init_thread(int*, char***, int required, int* provided) {
  const std::lock_guard lock(job.mutex);
  self = job.begun++;
  *provided = required;
  return MPI_SUCCESS;
}
int MPI_Finalize() { return MPI_SUCCESS; }
int MPI_Abort(MPI_Comm, int) { std::abort(); }
int MPI_Comm_rank(MPI_Comm, int* rank) { return *rank = self, MPI_SUCCESS; }
int MPI_Comm_size(MPI_Comm, int* size) {
  const std::lock_guard lock(job.mutex);
  *size = static_cast<int>(job.ranks.size());
  return MPI_SUCCESS;
}
int MPI_Comm_split_type(MPI_Comm, int, int, int, MPI_Comm* made) { return *made = 1, MPI_SUCCESS; }
int MPI_Comm_free(MPI_Comm*) { return MPI_SUCCESS; }
int MPI_Win_allocate(MPI_Aint bytes, int, int, MPI_Comm, void* base, MPI_Win*) {
  const std::lock_guard lock(job.mutex);
  if (bytes > 0) job.counters.resize(static_cast<std::size_t>(bytes) / sizeof(std::int64_t));
  auto* memory = job.counters.data();
  std::memcpy(base, &memory, sizeof memory);
  return MPI_SUCCESS;
}
int MPI_Win_lock_all(int, MPI_Win) { return MPI_SUCCESS; }
int MPI_Win_unlock_all(MPI_Win) { return MPI_SUCCESS; }
int MPI_Win_free(MPI_Win*) { return MPI_SUCCESS; }
int MPI_Barrier(MPI_Comm) {
  std::unique_lock lock(job.mutex);
  const std::size_t number = ++mine().barriers;
  job.changed.notify_all();
  job.changed.wait(lock, [&] { return all_joined(number); });
  return MPI_SUCCESS;
}
int MPI_Ibarrier(MPI_Comm, MPI_Request* made) {
  const std::lock_guard lock(job.mutex);
  *made = is_dead() ? request(Kind::never) : request(Kind::barrier, ++mine().barriers);
  return MPI_SUCCESS;
}
int MPI_Ibcast(void* bytes, int count, MPI_Datatype, int root, MPI_Comm, MPI_Request* made) {
  const std::lock_guard lock(job.mutex);
  if (lost()) return *made = request(Kind::never), MPI_SUCCESS;
  const std::size_t number = mine().broadcasts++;
  if (self == root) {
    const char* first = static_cast<const char*>(bytes);
    job.broadcasts.emplace_back(first, first + count);
  }
  *made = self == root ? request(Kind::done) : request(Kind::broadcast, number, bytes);
  return MPI_SUCCESS;
}
int MPI_Isend(const void* bytes, int count, MPI_Datatype, int to, int tag, MPI_Comm, MPI_Request* made) {
  const std::lock_guard lock(job.mutex);
  if (lost()) return *made = request(Kind::never), MPI_SUCCESS;
  const char* first = static_cast<const char*>(bytes);
  job.ranks[static_cast<std::size_t>(to)].inbox.push_back({self, tag, Bytes(first, first + count)});
  *made = request(Kind::done);
  return MPI_SUCCESS;
}
int MPI_Rget_accumulate(const void* amount, int, MPI_Datatype, void* before, int, MPI_Datatype, int, MPI_Aint place,
                        int, MPI_Datatype, int, MPI_Win, MPI_Request* made) {
  const std::lock_guard lock(job.mutex);
  if (lost()) return *made = request(Kind::never), MPI_SUCCESS;
  std::int64_t& counter = job.counters[static_cast<std::size_t>(place)];
  std::int64_t more = 0;
  std::memcpy(&more, amount, sizeof more);
  std::memcpy(before, &counter, sizeof counter);
  counter += more;
  *made = request(Kind::done);
  return MPI_SUCCESS;
}
int MPI_Test(MPI_Request* tested, int* complete, MPI_Status*) {
  const std::lock_guard lock(job.mutex);
  const FakeRequest& it = **tested;
  *complete = 0;
  if (it.kind == Kind::never || is_dead()) return MPI_SUCCESS;
  if (it.kind == Kind::barrier && !all_joined(it.number)) return MPI_SUCCESS;
  if (it.kind == Kind::broadcast) {
    if (job.broadcasts.size() <= it.number) return MPI_SUCCESS;
    const Bytes& bytes = job.broadcasts[it.number];
    if (!bytes.empty()) std::memcpy(it.into, bytes.data(), bytes.size());
  }
  *tested = MPI_REQUEST_NULL;
  *complete = 1;
  return MPI_SUCCESS;
}
int MPI_Improbe(int, int, MPI_Comm, int* found, MPI_Message* message, MPI_Status* status) {
  const std::lock_guard lock(job.mutex);
  *found = 0;
  if (is_dead() || mine().inbox.empty() || lost()) return MPI_SUCCESS;
  auto* taken = new Sent(std::move(mine().inbox.front()));
  mine().inbox.pop_front();
  *found = 1;
  *message = taken;
  *status = {taken->from, taken->tag, taken->bytes.size()};
  return MPI_SUCCESS;
}
int MPI_Get_count(const MPI_Status* status, MPI_Datatype, int* count) {
  return *count = static_cast<int>(status->bytes), MPI_SUCCESS;
}
int MPI_Mrecv(void* bytes, int, MPI_Datatype, MPI_Message* message, MPI_Status*) {
  const auto* sent = static_cast<Sent*>(*message);
  if (!sent->bytes.empty()) std::memcpy(bytes, sent->bytes.data(), sent->bytes.size());
  delete sent;
  *message = MPI_MESSAGE_NULL;
  return MPI_SUCCESS;
}
