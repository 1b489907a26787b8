#include "politex/mpi/mpi_fleet.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <list>
#include <map>
#include <mutex>
#include <thread>

namespace politex::mpi {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// MPI counts in int: longer messages are sent in parts.
constexpr std::size_t most_at_once = std::size_t{1} << 30;
constexpr int ping_tag = 1000;
constexpr int pong_tag = 1001;
// By default mpirun kills the ranks one second after its signal: the message must be printed before.
constexpr auto answer_time = 400ms;
// The most that one poll adds to the waiting time: a process that does not get a core cannot see answers.
constexpr auto most_per_poll = 20ms;

/// An MPI operation in progress; `bytes` keep their address until it is complete.
struct Task {
  std::function<MPI_Request(Task&)> start;
  Bytes bytes;
  std::promise<void> done;
  MPI_Request request = MPI_REQUEST_NULL;
};

class MpiFleet final : public Fleet {
 public:
  MpiFleet() {
    std::promise<std::string> ready;
    std::future<std::string> problem = ready.get_future();
    // The thread owns the promise: set_value may still be running when get() returns.
    thread_ = std::thread([this, ready = std::move(ready)]() mutable { life(ready); });
    const std::string text = problem.get();
    if (text.empty()) return;
    thread_.join();
    throw Error(text);
  }
  ~MpiFleet() override {
    {
      const std::lock_guard lock(mutex_);
      leaving_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  MpiFleet(const MpiFleet&) = delete;
  MpiFleet& operator=(const MpiFleet&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int neighbours() const override { return neighbours_; }

  std::int64_t fetch_add(int counter, std::int64_t amount) override {
    std::int64_t before = 0;
    finish(ask([this, counter, &amount, &before](Task&) {
      // MPI_Fetch_and_op has no variant with a request; this does the same for one number.
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Rget_accumulate(&amount, 1, MPI_INT64_T, &before, 1, MPI_INT64_T, 0, counter, 1, MPI_INT64_T, MPI_SUM,
                          window_, &request);
      return request;
    }));
    return before;
  }

  void send(int to, int channel, Bytes bytes) override {
    auto task = std::make_unique<Task>();
    task->bytes = std::move(bytes);
    task->start = [to, channel](Task& self) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(self.bytes.data(), static_cast<int>(self.bytes.size()), MPI_BYTE, to, channel, MPI_COMM_WORLD,
                &request);
      return request;
    };
    if (task->bytes.size() > most_at_once) throw Error("a message between ranks is larger than 1 GiB");
    hand_over(std::move(task));
  }

  Message receive(int channel) override {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return !inbox_[channel].empty(); });
    return take(channel);
  }

  std::optional<Message> try_receive(int channel) override {
    const std::lock_guard lock(mutex_);
    if (inbox_[channel].empty()) return std::nullopt;
    return take(channel);
  }

  Bytes broadcast(Bytes bytes) override {
    std::uint64_t size = bytes.size();
    spread(reinterpret_cast<std::byte*>(&size), sizeof size);
    bytes.resize(size);
    for (std::size_t at = 0; at < bytes.size(); at += most_at_once)
      spread(bytes.data() + at, std::min(most_at_once, bytes.size() - at));
    return bytes;
  }

  void watch(const std::atomic<int>* stop) override {
    const std::lock_guard lock(mutex_);
    stop_ = stop;
  }

  void abandon() override {
    finish(ask([](Task&) {
      MPI_Abort(MPI_COMM_WORLD, 1);
      return MPI_REQUEST_NULL;
    }));
  }

 private:
  // --- any thread ---

  std::future<void> hand_over(std::unique_ptr<Task> task) {
    std::future<void> done = task->done.get_future();
    {
      const std::lock_guard lock(mutex_);
      if (lost_ >= 0) throw_lost();
      asked_.push_back(std::move(task));
    }
    wake_.notify_one();
    return done;
  }
  std::future<void> ask(std::function<MPI_Request(Task&)> start) {
    auto task = std::make_unique<Task>();
    task->start = std::move(start);
    return hand_over(std::move(task));
  }
  // The task writes to the caller's stack, so only a lost rank may end the wait early: then no task runs any more.
  void finish(std::future<void> done) {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return done.wait_for(0s) == std::future_status::ready; });
  }
  void spread(std::byte* bytes, std::size_t count) {
    finish(ask([bytes, count](Task&) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Ibcast(bytes, static_cast<int>(count), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
      return request;
    }));
  }
  Message take(int channel) {
    Message message = std::move(inbox_[channel].front());
    inbox_[channel].pop_front();
    return message;
  }
  template <class Ready>
  void wait(std::unique_lock<std::mutex>& lock, const Ready& ready) {
    ++waiting_;
    while (!ready() && lost_ < 0) changed_.wait_for(lock, 100ms);
    --waiting_;
    if (!ready()) throw_lost();
  }
  [[noreturn]] void throw_lost() const { throw LostRank(fmt::format("rank {} of the job was lost", lost_)); }

  // --- the thread that talks to MPI ---

  void life(std::promise<std::string>& ready) {
    int level = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS || level < MPI_THREAD_FUNNELED) {
      ready.set_value("MPI could not be initialised with thread support");
      return;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm near = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Comm_size(near, &neighbours_);
    MPI_Comm_free(&near);
    std::int64_t* memory = nullptr;
    MPI_Win_allocate(rank_ == 0 ? counters * static_cast<MPI_Aint>(sizeof(std::int64_t)) : 0, sizeof(std::int64_t),
                     MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window_);
    for (int i = 0; rank_ == 0 && i < counters; ++i) memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window_);
    ready.set_value({});
    serve();
    if (lost_ >= 0) return;  // finalising would wait for the lost rank
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    MPI_Finalize();
  }

  // Runs until all ranks have finished. Polls without a pause while there is work, and with growing pauses otherwise,
  // to leave the cores to the computing threads.
  void serve() {
    auto pause = 0us;
    while (true) {
      bool active = start_asked();
      active = test_started() || active;
      active = receive_all() || active;
      check_other_ranks();
      std::unique_lock lock(mutex_);
      if (lost_ >= 0) return;
      if (leaving_ && asked_.empty() && started_.empty()) {
        if (left_) return;
        if (!left_task_) {
          left_task_ = true;
          ++waiting_;
          started_.push_back(std::make_unique<Task>());
          MPI_Ibarrier(MPI_COMM_WORLD, &started_.back()->request);
        }
        continue;
      }
      pause = active ? 0us : std::min(pause + 20us, 500us);
      if (!asked_.empty()) continue;
      if (pause > 0us) wake_.wait_for(lock, pause);
    }
  }

  bool start_asked() {
    std::unique_lock lock(mutex_);
    bool any = false;
    while (!asked_.empty()) {
      std::unique_ptr<Task> task = std::move(asked_.front());
      asked_.pop_front();
      lock.unlock();
      task->request = task->start(*task);
      lock.lock();
      started_.push_back(std::move(task));
      any = true;
    }
    return any;
  }

  bool test_started() {
    bool any = false;
    for (auto it = started_.begin(); it != started_.end();) {
      int complete = 0;
      MPI_Test(&(*it)->request, &complete, MPI_STATUS_IGNORE);
      if (complete == 0) {
        ++it;
        continue;
      }
      const std::lock_guard lock(mutex_);
      (*it)->done.set_value();
      it = started_.erase(it);
      if (left_task_ && started_.empty()) left_ = true;
      any = true;
    }
    if (any) changed_.notify_all();
    return any;
  }

  bool receive_all() {
    bool any = false;
    while (true) {
      int found = 0;
      MPI_Message handle = MPI_MESSAGE_NULL;
      MPI_Status status;
      MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &handle, &status);
      if (found == 0) break;
      int count = 0;
      MPI_Get_count(&status, MPI_BYTE, &count);
      Message message{status.MPI_SOURCE, Bytes(static_cast<std::size_t>(count))};
      MPI_Mrecv(message.bytes.data(), count, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
      arrived(status.MPI_TAG, std::move(message));
      any = true;
    }
    if (any) changed_.notify_all();
    return any;
  }

  void arrived(int tag, Message message) {
    if (tag == ping_tag) return signal_to(message.from, pong_tag);
    const std::lock_guard lock(mutex_);
    if (tag == pong_tag)
      unanswered_.erase(message.from);
    else
      inbox_[tag].push_back(std::move(message));
  }

  void signal_to(int to, int tag) {
    started_.push_back(std::make_unique<Task>());
    MPI_Isend(nullptr, 0, MPI_BYTE, to, tag, MPI_COMM_WORLD, &started_.back()->request);
  }

  // Slow ranks answer in time too, because their MPI thread has nothing else to do.
  void check_other_ranks() {
    const Clock::time_point now = Clock::now();
    {
      const std::lock_guard lock(mutex_);
      if (stop_ == nullptr || stop_->load(std::memory_order_relaxed) == 0 || waiting_ == 0) {
        unanswered_.clear();
        return;
      }
      if (!unanswered_.empty()) {
        waited_ += std::min<Clock::duration>(now - looked_at_, most_per_poll);
        looked_at_ = now;
        if (waited_ > answer_time) lost_ = unanswered_.begin()->first;
        if (lost_ >= 0) changed_.notify_all();
        return;
      }
      if (now - asked_at_ < answer_time) return;
      asked_at_ = looked_at_ = now;
      waited_ = {};
      // Rank 0 checks all ranks, the others check rank 0.
      for (int other = 0; other < (rank_ == 0 ? size_ : 1); ++other)
        if (other != rank_) unanswered_[other] = true;
    }
    for (int other = 0; other < (rank_ == 0 ? size_ : 1); ++other)
      if (other != rank_) signal_to(other, ping_tag);
  }

  std::thread thread_;
  int rank_ = 0, size_ = 1, neighbours_ = 1;
  MPI_Win window_ = MPI_WIN_NULL;
  std::list<std::unique_ptr<Task>> started_;

  std::mutex mutex_;  // protects everything below
  std::condition_variable wake_, changed_;
  std::deque<std::unique_ptr<Task>> asked_;
  std::map<int, std::deque<Message>> inbox_;
  const std::atomic<int>* stop_ = nullptr;
  std::map<int, bool> unanswered_;  // ranks with an open ping
  Clock::time_point asked_at_, looked_at_;
  Clock::duration waited_{};  // time spent waiting for their answers
  int waiting_ = 0;
  int lost_ = -1;
  bool leaving_ = false, left_task_ = false, left_ = false;
};

}  // namespace

std::unique_ptr<Fleet> make_mpi_fleet() { return std::make_unique<MpiFleet>(); }

std::string mpi_version() {
  return fmt::format("Open MPI {}.{}.{}", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
}

}  // namespace politex::mpi
