#include "politex/base/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#include "politex/base/error.hpp"

namespace politex::inline base {

std::string read_file(const std::string& key, const std::string& file, std::uint64_t most_bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) throw ConfigError{key, fmt::format("\"{}\": no such file", file)};
  if (fs::is_directory(status)) throw ConfigError{key, fmt::format("\"{}\" is a directory; accepted: a file", file)};
  std::ifstream in(file, std::ios::binary);
  std::string bytes;
  std::string chunk(std::size_t{1} << 16, '\0');
  while (in) {
    in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    bytes.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > most_bytes)
      throw ConfigError{key, fmt::format("\"{}\" is too large; accepted: at most {} bytes", file, most_bytes)};
  }
  if (!in.eof()) throw ConfigError{key, fmt::format("\"{}\" cannot be read", file)};
  return bytes;
}

void write_file(const std::string& file, std::string_view bytes) {
  const std::string temporary = file + ".part";
  const auto fail = [&](int code) {
    throw Error(file + ": cannot be written: " + std::generic_category().message(code));
  };
  const int descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(errno);
  int code = 0;
  for (std::size_t done = 0; done < bytes.size() && code == 0;) {
    const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      code = errno;
    }
  }
  if (code == 0 && fsync(descriptor) != 0) code = errno;
  if (close(descriptor) != 0 && code == 0) code = errno;
  if (code == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) code = errno;
  if (code != 0) {
    unlink(temporary.c_str());
    fail(code);
  }
}

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> entries;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(directory.c_str()), ::closedir);
  if (!open && errno != ENOENT && errno != ENOTDIR)
    throw Error(fmt::format("{}: cannot be read: {}", directory.string(), std::strerror(errno)));
  while (const dirent* entry = open ? ::readdir(open.get()) : nullptr)
    if (const std::string_view name = entry->d_name; name != "." && name != "..") entries.push_back(directory / name);
  return entries;
}

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=:,./@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace politex::inline base
