// Loaded before the C library, it moves the clock of one rank: POLITEX_CLOCK_OFFSET=seconds.
#include <dlfcn.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace {

long offset() {
  static const long seconds = [] {
    const char* text = std::getenv("POLITEX_CLOCK_OFFSET");
    return text == nullptr ? 0L : std::atol(text);
  }();
  return seconds;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  static const auto real = reinterpret_cast<int (*)(clockid_t, timespec*)>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec += offset();
  return result;
}
int gettimeofday(timeval* now, void*) noexcept {
  timespec exact{};
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}
time_t time(time_t* now) noexcept {
  timespec exact{};
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now != nullptr) *now = exact.tv_sec;
  return exact.tv_sec;
}

}  // extern "C"
