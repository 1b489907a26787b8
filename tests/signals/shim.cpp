// Loaded before the C library, it raises a signal before the k-th of the calls that change files:
//   POLITEX_SIGNAL_AT=k POLITEX_SIGNAL=number POLITEX_SIGNAL_TIMES=n;   POLITEX_SIGNAL_COUNT=FILE: writes their number
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

long number(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atol(text);
}

std::atomic<long> calls = 0;

void count() {
  static const long at = number("POLITEX_SIGNAL_AT");
  if (++calls != at) return;
  for (long i = number("POLITEX_SIGNAL_TIMES"); i > 0; --i) std::raise(static_cast<int>(number("POLITEX_SIGNAL")));
}

template <class F>
F next(F, const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

struct Report {
  ~Report() {
    const char* name = std::getenv("POLITEX_SIGNAL_COUNT");
    FILE* file = name == nullptr ? nullptr : std::fopen(name, "w");
    if (file == nullptr) return;
    std::fprintf(file, "%ld\n", calls.load());
    std::fclose(file);
  }
} report;

}  // namespace

extern "C" {

ssize_t write(int to, const void* bytes, size_t size) {
  static const auto real = next(&write, "write");
  count();
  return real(to, bytes, size);
}
int fsync(int file) {
  static const auto real = next(&fsync, "fsync");
  count();
  return real(file);
}
int fdatasync(int file) {
  static const auto real = next(&fdatasync, "fdatasync");
  count();
  return real(file);
}
int rename(const char* from, const char* to) noexcept {
  static const auto real = next(&rename, "rename");
  count();
  return real(from, to);
}
int unlink(const char* name) noexcept {
  static const auto real = next(&unlink, "unlink");
  count();
  return real(name);
}
int mkdir(const char* name, mode_t mode) noexcept {
  static const auto real = reinterpret_cast<int (*)(const char*, mode_t)>(dlsym(RTLD_NEXT, "mkdir"));
  count();
  return real(name, mode);
}
int ftruncate(int file, off_t size) noexcept {
  static const auto real = next(&ftruncate, "ftruncate");
  count();
  return real(file, size);
}
int open(const char* name, int flags, ...) {
  static const auto real = next(&open, "open");
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  count();
  return real(name, flags, mode);
}
int close(int file) {
  static const auto real = next(&close, "close");
  count();
  return real(file);
}

}  // extern "C"
