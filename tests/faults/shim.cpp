// Loaded before the C library (LD_PRELOAD): counts the calls of a program that touch files in one directory, and makes
// one of them fail. By environment variables:
//   POLITEX_FAULT_IN     a part of the names of the files whose calls count
//   POLITEX_FAULT_AT     the number of the call that fails, from 1; 0: none
//   POLITEX_FAULT_KIND   the name of an error (ENOSPC, EIO, ...), "short" (half of a write), or "kill_before" and
//                        "kill_after": the process dies before or after the call
//   POLITEX_FAULT_STAYS  1: the calls of that kind after it fail too, as on a full disk
//   POLITEX_FAULT_LOG    a file that gets a line per call: its number and name
//   POLITEX_FAULT_JOURNAL  a file that gets every successful change with its bytes, for power_loss_test.py
//   POLITEX_FAULT_NEW    the number of the allocation (operator new) that fails, from 1; 0: they are only counted, and
//                        their number is the last line of the log
//
// Nothing here allocates by operator new: it would be counted, and could fail. Processes that the program starts are
// left alone.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace {

constexpr std::size_t most_files = 4096;
std::array<std::atomic<bool>, most_files> counted;  // by descriptor
std::atomic<long> calls = 0;

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool is_watched(const char* path) {
  const char* part = setting("POLITEX_FAULT_IN");
  return path != nullptr && *part != '\0' && std::strstr(path, part) != nullptr;
}
bool is_watched(int file) {
  return file >= 0 && static_cast<std::size_t>(file) < most_files && counted[static_cast<std::size_t>(file)];
}

int number_of(std::string_view kind) {
  constexpr std::pair<std::string_view, int> known[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EDQUOT", EDQUOT},
                                                        {"EINTR", EINTR},   {"EROFS", EROFS},   {"EMFILE", EMFILE},
                                                        {"EACCES", EACCES}, {"ENOENT", ENOENT}, {"ENOMEM", ENOMEM}};
  for (const auto& [name, number] : known)
    if (name == kind) return number;
  return 0;
}

void log(long number, const char* name) {
  const char* file = setting("POLITEX_FAULT_LOG");
  if (*file == '\0') return;
  const auto at = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND, 0666);
  std::array<char, 64> line{};
  const int size = std::snprintf(line.data(), line.size(), "%ld %s\n", number, name);
  syscall(SYS_write, at, line.data(), static_cast<std::size_t>(size));
  syscall(SYS_close, at);
}

[[noreturn]] void die() {
  syscall(SYS_kill, getpid(), SIGKILL);
  while (true) pause();
}

/// What happens to a call.
struct Fate {
  int error = 0;  // it fails with this one
  bool half = false, dies_after = false;
};

Fate next(const char* name, bool writes = false) {
  const long number = ++calls;
  log(number, name);
  const long at = std::atol(setting("POLITEX_FAULT_AT"));
  const std::string_view kind = setting("POLITEX_FAULT_KIND");
  const bool stays = *setting("POLITEX_FAULT_STAYS") == '1';
  if (at == 0 || number < at || (number > at && !stays)) return {};
  if (kind == "kill_before") die();
  return {number_of(kind), kind == "short" && writes, kind == "kill_after"};
}

/// A line of the journal: words with tabs between them.
class Line {
 public:
  template <class... Parts>
  explicit Line(const Parts&... parts) {
    (add(parts), ...);
  }
  std::string_view text() const { return {text_.data(), size_}; }

 private:
  void add(std::string_view word) {
    if (size_ > 0) put("\t");
    put(word);
  }
  void add(const char* word) { add(std::string_view(word)); }
  template <class Number>
    requires std::is_integral_v<Number>
  void add(Number number) {
    std::array<char, 24> digits{};
    const int size = std::snprintf(digits.data(), digits.size(), "%lld", static_cast<long long>(number));
    add(std::string_view(digits.data(), static_cast<std::size_t>(size)));
  }
  void put(std::string_view text) {
    const std::size_t size = std::min(text.size(), text_.size() - size_);
    std::memcpy(text_.data() + size_, text.data(), size);
    size_ += size;
  }

  std::array<char, 9000> text_{};
  std::size_t size_ = 0;
};

/// One line per change of the watched files, with the bytes of writes, in the order of the changes.
void journal(const Line& line, const void* bytes = nullptr, std::size_t size = 0) {
  const char* name = setting("POLITEX_FAULT_JOURNAL");
  if (*name == '\0') return;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static const auto at = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND, 0666);
  syscall(SYS_write, at, line.text().data(), line.text().size());
  syscall(SYS_write, at, "\n", 1);
  if (size > 0) syscall(SYS_write, at, bytes, size);
}

/// A name relative to an open directory, as the program would write it: without the working directory.
class Name {
 public:
  Name(int directory, const char* path) : text_(path) {
    if (directory == AT_FDCWD || path == nullptr || *path == '/') return;
    std::array<char, 64> link{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", directory);
    std::array<char, PATH_MAX> here{}, there{};
    if (readlink(link.data(), there.data(), there.size() - 1) < 0 || getcwd(here.data(), here.size()) == nullptr)
      return;
    const std::size_t size = std::strlen(here.data());
    const bool below = std::strncmp(there.data(), here.data(), size) == 0 && there[size] == '/';
    std::snprintf(whole_.data(), whole_.size(), "%s/%s", there.data() + (below ? size + 1 : 0), path);
    text_ = whole_.data();
  }
  const char* get() const { return text_; }

 private:
  std::array<char, 2 * PATH_MAX> whole_{};
  const char* text_;
};

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// The call itself, unless its fate is another.
template <class Result, class Call>
Result meet(const Fate& fate, Result failed, Call&& call) {
  if (fate.error != 0) {
    errno = fate.error;
    return failed;
  }
  const Result result = call();
  if (fate.dies_after) die();
  return result;
}

/// The result of a call; what it changed is written into the journal.
int noted(int result, const Line& line) {
  if (result == 0) journal(line);
  return result;
}

int opened(int file) {
  if (file >= 0 && static_cast<std::size_t>(file) < most_files) counted[static_cast<std::size_t>(file)] = true;
  return file;
}

void note_open(int file, int flags, const char* path) {
  if (file < 0) return;
  journal(Line("open", opened(file), (flags & O_CREAT) != 0 ? "create" : "", (flags & O_TRUNC) != 0 ? "truncate" : "",
               path));
}

int open_by(const char* name, int directory, const char* path, int flags, mode_t mode) {
  static const auto call = real<int (*)(int, const char*, int, ...)>("openat64");
  const Name whole(directory, path);
  if (!is_watched(whole.get())) {
    const int file = call(directory, path, flags, mode);
    if (is_watched(file))
      counted[static_cast<std::size_t>(file)] = false;  // closed inside the C library, and used again
    return file;
  }
  return meet(next(name), -1, [&] {
    const int file = call(directory, path, flags, mode);
    note_open(file, flags, whole.get());
    return file;
  });
}

/// Where the next write goes.
off_t place_of(int file) {
  const int flags = fcntl(file, F_GETFL);
  return lseek(file, 0, flags >= 0 && (flags & O_APPEND) != 0 ? SEEK_END : SEEK_CUR);
}

void note_write(int file, off_t at, const void* bytes, ssize_t done) {
  if (done <= 0) return;
  journal(Line("write", file, at, done), bytes, static_cast<std::size_t>(done));
}

mode_t mode_of(int flags, va_list more) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0; }

/// Allocations of the program; those before main() are not counted.
class Allocations {
 public:
  Allocations() : active_(std::getenv("POLITEX_FAULT_NEW") != nullptr), at_(std::atol(setting("POLITEX_FAULT_NEW"))) {
    unsetenv("LD_PRELOAD");  // for the processes that this one starts
  }
  ~Allocations() {
    if (std::exchange(active_, false)) log(count_, "allocations");
  }
  bool fails() { return active_ && ++count_ == at_; }

 private:
  bool active_;
  long at_;
  std::atomic<long> count_ = 0;
};
Allocations allocations;

void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations.fails()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size > 0 ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* made = allocate(size, alignment);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

}  // namespace

extern "C" {

#define POLITEX_OPEN(NAME)                               \
  int NAME(const char* path, int flags, ...) {           \
    va_list more;                                        \
    va_start(more, flags);                               \
    const mode_t mode = mode_of(flags, more);            \
    va_end(more);                                        \
    return open_by("open", AT_FDCWD, path, flags, mode); \
  }                                                      \
  static_assert(true)
POLITEX_OPEN(open);
POLITEX_OPEN(open64);
#define POLITEX_OPENAT(NAME)                                  \
  int NAME(int directory, const char* path, int flags, ...) { \
    va_list more;                                             \
    va_start(more, flags);                                    \
    const mode_t mode = mode_of(flags, more);                 \
    va_end(more);                                             \
    return open_by("openat", directory, path, flags, mode);   \
  }                                                           \
  static_assert(true)
POLITEX_OPENAT(openat);
POLITEX_OPENAT(openat64);
DIR* opendir(const char* path) {
  static const auto call = real<DIR* (*)(const char*)>("opendir");
  if (!is_watched(path)) return call(path);
  return meet(next("opendir"), static_cast<DIR*>(nullptr), [&] { return call(path); });
}
FILE* fopen64(const char* path, const char* mode) {
  static const auto call = real<FILE* (*)(const char*, const char*)>("fopen64");
  if (!is_watched(path)) return call(path, mode);
  return meet(next("fopen"), static_cast<FILE*>(nullptr), [&] {
    FILE* file = call(path, mode);
    const int flags = *mode == 'r' ? 0 : *mode == 'w' ? O_CREAT | O_TRUNC : O_CREAT;
    if (file != nullptr) note_open(fileno(file), flags, path);
    return file;
  });
}
FILE* fopen(const char* path, const char* mode) { return fopen64(path, mode); }
int fclose(FILE* file) {
  static const auto call = real<int (*)(FILE*)>("fclose");
  const int number = fileno(file);
  if (!is_watched(number)) return call(file);
  counted[static_cast<std::size_t>(number)] = false;
  const Fate fate = next("fclose");
  const int result = call(file);
  return meet(fate, EOF, [&] { return result; });
}
int close(int file) {
  static const auto call = real<int (*)(int)>("close");
  if (!is_watched(file)) return call(file);
  counted[static_cast<std::size_t>(file)] = false;
  const Fate fate = next("close");
  const int result = call(file);  // as on Linux: it is closed in any case
  return meet(fate, -1, [&] { return result; });
}
ssize_t read(int file, void* bytes, size_t size) {
  static const auto call = real<ssize_t (*)(int, void*, size_t)>("read");
  if (!is_watched(file)) return call(file, bytes, size);
  const Fate fate = next("read", true);
  return meet(fate, ssize_t{-1}, [&] { return call(file, bytes, fate.half && size > 1 ? size / 2 : size); });
}
ssize_t pread64(int file, void* bytes, size_t size, off64_t at) {
  static const auto call = real<ssize_t (*)(int, void*, size_t, off64_t)>("pread64");
  if (!is_watched(file)) return call(file, bytes, size, at);
  const Fate fate = next("pread", true);
  return meet(fate, ssize_t{-1}, [&] { return call(file, bytes, fate.half && size > 1 ? size / 2 : size, at); });
}
ssize_t pread(int file, void* bytes, size_t size, off_t at) { return pread64(file, bytes, size, at); }
ssize_t write(int file, const void* bytes, size_t size) {
  static const auto call = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (!is_watched(file)) return call(file, bytes, size);
  const Fate fate = next("write", true);
  return meet(fate, ssize_t{-1}, [&] {
    const off_t at = place_of(file);
    const ssize_t done = call(file, bytes, fate.half && size > 1 ? size / 2 : size);
    note_write(file, at, bytes, done);
    return done;
  });
}
ssize_t writev(int file, const iovec* parts, int count) {
  static const auto call = real<ssize_t (*)(int, const iovec*, int)>("writev");
  if (!is_watched(file)) return call(file, parts, count);
  const Fate fate = next("writev", true);
  return meet(fate, ssize_t{-1}, [&] {
    off_t at = place_of(file);
    const ssize_t done = call(file, parts, fate.half ? 1 : count);
    auto left = done;
    for (int i = 0; i < count && left > 0; ++i) {
      const auto here = std::min(left, static_cast<ssize_t>(parts[i].iov_len));
      note_write(file, at, parts[i].iov_base, here);
      at += here;
      left -= here;
    }
    return done;
  });
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  static const auto call = real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
  if (!is_watched(file)) return call(file, bytes, size, at);
  const Fate fate = next("pwrite", true);
  return meet(fate, ssize_t{-1}, [&] {
    const ssize_t done = call(file, bytes, fate.half && size > 1 ? size / 2 : size, at);
    note_write(file, at, bytes, done);
    return done;
  });
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) { return pwrite64(file, bytes, size, at); }
// Copies inside the kernel have bytes that the journal cannot see: the C++ library then copies by read and write.
ssize_t sendfile64(int to, int from, off64_t* at, size_t size) noexcept {
  static const auto call = real<ssize_t (*)(int, int, off64_t*, size_t)>("sendfile64");
  if (!is_watched(to)) return call(to, from, at, size);
  next("sendfile", true);
  errno = EINVAL;
  return -1;
}
ssize_t sendfile(int to, int from, off_t* at, size_t size) noexcept { return sendfile64(to, from, at, size); }
ssize_t copy_file_range(int from, off64_t* from_at, int to, off64_t* to_at, size_t size, unsigned flags) {
  static const auto call = real<ssize_t (*)(int, off64_t*, int, off64_t*, size_t, unsigned)>("copy_file_range");
  if (!is_watched(to)) return call(from, from_at, to, to_at, size, flags);
  next("copy_file_range", true);
  errno = EXDEV;
  return -1;
}
void* mmap64(void* at, size_t size, int may, int flags, int file, off64_t from) noexcept {
  static const auto call = real<void* (*)(void*, size_t, int, int, int, off64_t)>("mmap64");
  if ((flags & MAP_ANONYMOUS) != 0 || !is_watched(file)) return call(at, size, may, flags, file, from);
  return meet(next("mmap"), MAP_FAILED, [&] { return call(at, size, may, flags, file, from); });
}
void* mmap(void* at, size_t size, int may, int flags, int file, off_t from) noexcept {
  return mmap64(at, size, may, flags, file, from);
}
int fsync(int file) {
  static const auto call = real<int (*)(int)>("fsync");
  if (!is_watched(file)) return call(file);
  return meet(next("fsync"), -1, [&] { return noted(call(file), Line("sync", file)); });
}
int fdatasync(int file) {
  static const auto call = real<int (*)(int)>("fdatasync");
  if (!is_watched(file)) return call(file);
  return meet(next("fdatasync"), -1, [&] { return noted(call(file), Line("sync", file)); });
}
int ftruncate64(int file, off64_t size) noexcept {
  static const auto call = real<int (*)(int, off64_t)>("ftruncate64");
  if (!is_watched(file)) return call(file, size);
  return meet(next("ftruncate"), -1, [&] { return noted(call(file, size), Line("resize", file, size)); });
}
int ftruncate(int file, off_t size) noexcept { return ftruncate64(file, size); }
int renameat(int from_directory, const char* from, int to_directory, const char* to) noexcept {
  static const auto call = real<int (*)(int, const char*, int, const char*)>("renameat");
  const Name old_name(from_directory, from), new_name(to_directory, to);
  if (!is_watched(new_name.get())) return call(from_directory, from, to_directory, to);
  return meet(next("rename"), -1, [&] {
    return noted(call(from_directory, from, to_directory, to), Line("rename", old_name.get(), new_name.get()));
  });
}
int rename(const char* from, const char* to) noexcept { return renameat(AT_FDCWD, from, AT_FDCWD, to); }
int link(const char* from, const char* to) noexcept {
  static const auto call = real<int (*)(const char*, const char*)>("link");
  if (!is_watched(to)) return call(from, to);
  return meet(next("link"), -1, [&] { return noted(call(from, to), Line("link", from, to)); });
}
int unlinkat(int directory, const char* path, int flags) noexcept {
  static const auto call = real<int (*)(int, const char*, int)>("unlinkat");
  const Name whole(directory, path);
  if (!is_watched(whole.get())) return call(directory, path, flags);
  return meet(next("unlink"), -1, [&] { return noted(call(directory, path, flags), Line("remove", whole.get())); });
}
int unlink(const char* path) noexcept { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char* path) noexcept { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char* path) noexcept {
  static const auto call = real<int (*)(const char*)>("remove");
  if (!is_watched(path)) return call(path);
  return meet(next("remove"), -1, [&] { return noted(call(path), Line("remove", path)); });
}
int mkdirat(int directory, const char* path, mode_t mode) noexcept {
  static const auto call = real<int (*)(int, const char*, mode_t)>("mkdirat");
  const Name whole(directory, path);
  if (!is_watched(whole.get())) return call(directory, path, mode);
  return meet(next("mkdir"), -1, [&] { return noted(call(directory, path, mode), Line("mkdir", whole.get())); });
}
int mkdir(const char* path, mode_t mode) noexcept { return mkdirat(AT_FDCWD, path, mode); }
}

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t at) {
  return allocate_or_throw(size, static_cast<std::size_t>(at));
}
void* operator new[](std::size_t size, std::align_val_t at) {
  return allocate_or_throw(size, static_cast<std::size_t>(at));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* made) noexcept { std::free(made); }
void operator delete[](void* made) noexcept { std::free(made); }
void operator delete(void* made, std::size_t) noexcept { std::free(made); }
void operator delete[](void* made, std::size_t) noexcept { std::free(made); }
void operator delete(void* made, std::align_val_t) noexcept { std::free(made); }
void operator delete[](void* made, std::align_val_t) noexcept { std::free(made); }
void operator delete(void* made, std::size_t, std::align_val_t) noexcept { std::free(made); }
void operator delete[](void* made, std::size_t, std::align_val_t) noexcept { std::free(made); }
