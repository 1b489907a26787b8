// In place of std::atomic, std::thread and their kind, in the copies of the sources that tests/interleaved compiles.
#pragma once

#include <atomic>
#include <bit>
#include <cstring>

#include "interleaved/schedule.hpp"

namespace politex::interleaved {

template <class T>
std::uint64_t bits_of(T value) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
class atomic {
 public:
  atomic() noexcept : atomic(T{}) {}
  atomic(T value) noexcept : value_(value), object_(now().new_object(bits_of(value))) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  ~atomic() {
    now().end_object(object_, bits_of(value_));
    object_ = ended;
  }

  T load(std::memory_order = std::memory_order_seq_cst) const {
    before("load");
    if (!now().private_atomics) now().read(bits_of(value_));
    return value_;
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) {
    before("store");
    become(value);
  }
  T exchange(T value, std::memory_order = std::memory_order_seq_cst) {
    before("exchange");
    return become(value);
  }
  T fetch_add(T more, std::memory_order = std::memory_order_seq_cst) {
    before("fetch_add");
    return become(static_cast<T>(value_ + more));
  }
  T fetch_sub(T less, std::memory_order = std::memory_order_seq_cst) {
    before("fetch_sub");
    return become(static_cast<T>(value_ - less));
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order = std::memory_order_seq_cst) {
    before("compare_exchange");
    now().read(bits_of(value_));
    if (bits_of(value_) != bits_of(expected)) {
      expected = value_;
      return false;
    }
    become(desired);
    return true;
  }
  operator T() const { return load(); }
  T operator=(T value) {
    store(value);
    return value;
  }
  T operator++(int) { return fetch_add(T{1}); }

  void wait(T old, std::memory_order = std::memory_order_seq_cst) const {
    while (load() == old) {
      const std::uint64_t notified = notified_;
      now().before("wait", object_, [this, notified] { return notified_ != notified; });
    }
  }
  void notify_all() {
    before("notify_all");
    ++notified_;
  }

 private:
  static constexpr std::int64_t ended = -2;
  static Schedule& now() { return *Schedule::current(); }
  void before(const char* what) const {
    now().require(object_ != ended, "an atomic is used after its end");
    if (!now().private_atomics) now().before(what, object_);
  }
  T become(T value) {
    const T old = value_;
    if (now().private_atomics) return std::exchange(value_, value);
    now().read(bits_of(old));
    value_ = value;
    now().wrote(object_, bits_of(old), bits_of(value));
    return old;
  }

  T value_;
  std::int64_t object_;
  mutable std::uint64_t notified_ = 0;
};

/// A plain word that several threads use.
template <class T>
class atomic_ref {
 public:
  explicit atomic_ref(T& word) : word_(word) {}
  T load(std::memory_order = std::memory_order_seq_cst) const {
    Schedule& now = *Schedule::current();
    const std::int64_t object = now.word(&word_, bits_of(word_));
    now.before("load word", object);
    now.read(bits_of(word_));
    return word_;
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) {
    Schedule& now = *Schedule::current();
    const std::int64_t object = now.word(&word_, bits_of(word_));
    now.before("store word", object);
    const T old = std::exchange(word_, value);
    now.word_is(object, bits_of(value));
    now.wrote(object, bits_of(old), bits_of(value));
  }

 private:
  T& word_;
};

class mutex {
 public:
  mutex() : object_(now().new_object(0)) {}
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  ~mutex() { now().end_object(object_, locked_ ? 1 : 0); }
  void lock() {
    if (now().private_atomics) return;
    now().before("lock", object_, [this] { return !locked_; });
    locked_ = true;
    now().wrote(object_, 0, 1);
  }
  void unlock() {
    if (now().private_atomics) return;
    now().before("unlock", object_);
    locked_ = false;
    now().wrote(object_, 1, 0);
  }

 private:
  static Schedule& now() { return *Schedule::current(); }
  std::int64_t object_;
  bool locked_ = false;
};

class thread {
 public:
  template <class F>
  explicit thread(F body) : number_(Schedule::current()->start(std::move(body))) {}
  thread(thread&& other) noexcept : number_(std::exchange(other.number_, none)) {}
  thread& operator=(thread&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~thread() { Schedule::current()->require(!joinable(), "a thread is not joined"); }
  bool joinable() const noexcept { return number_ != none; }
  void join() { Schedule::current()->join(std::exchange(number_, none)); }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t number_;
};

/// Joins where it ends.
class jthread : public thread {
 public:
  using thread::thread;
  jthread(jthread&&) noexcept = default;
  ~jthread() {
    if (joinable()) join();
  }
};

namespace this_thread {
[[gnu::noinline]] inline void yield() { Schedule::current()->yield(__builtin_return_address(0)); }
template <class Duration>
[[gnu::noinline]] void sleep_for(const Duration&) {
  Schedule::current()->yield(__builtin_return_address(0));
}
}  // namespace this_thread

/// The mistakes that tests/interleaved/copies.cmake builds into the copies: this one is made now.
inline const char*& mistake() {
  static const char* name = "";
  return name;
}
inline bool makes(const char* name) { return std::strcmp(mistake(), name) == 0; }

}  // namespace politex::interleaved
