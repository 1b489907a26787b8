// Any bytes as progress.csv, read while it grows: reading in two parts gives the same rows as reading at once.
// reader: src/record/progress_tail.cpp
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "politex/record/progress_tail.hpp"

namespace {

void write(const std::filesystem::path& file, std::string_view text, std::ios::openmode mode) {
  std::ofstream(file, std::ios::binary | mode) << text;
}

bool same(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].size() != b[i].size()) return false;
    for (std::size_t j = 0; j < a[i].size(); ++j)
      if (a[i][j] != b[i][j] && !(std::isnan(a[i][j]) && std::isnan(b[i][j]))) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("politex-fuzz-" + std::to_string(::getpid()) + ".csv");
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t cut = data[0] % size;
  politex::ProgressTail growing(file, 4), whole(file, 4);
  write(file, text.substr(0, cut), std::ios::trunc);
  growing.update();
  write(file, text.substr(cut), std::ios::app);
  growing.update();
  whole.update();
  std::filesystem::remove(file);
  if (growing.names() != whole.names() || !same(growing.rows(), whole.rows())) std::abort();
  if (whole.rows().size() > 9) std::abort();
  return 0;
}
