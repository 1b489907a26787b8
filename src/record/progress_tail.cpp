#include "politex/record/progress_tail.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>

#include "politex/base/unknown.hpp"

namespace politex::inline record {

namespace {

constexpr std::uintmax_t block_size = std::uintmax_t{1} << 20;
constexpr std::size_t longest_line = std::size_t{1} << 16;  // a longer line means that this is not a progress.csv

}  // namespace

void ProgressTail::reset() {
  offset_ = 0;
  partial_.clear();
  last_line_.clear();
  names_.clear();
  kept_.clear();
  newest_.clear();
  seen_ = 0;
  stride_ = 1;
}

bool ProgressTail::parse(std::string_view line, std::vector<double>& cells) const {
  cells.clear();
  while (true) {
    const std::size_t comma = line.find(',');
    const std::string_view cell = line.substr(0, comma);
    double value = unknown;
    const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (!cell.empty() && (failure != std::errc() || end != cell.data() + cell.size())) return false;
    cells.push_back(value);
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  // One wrong step number would spoil the axis of the whole chart.
  constexpr double most_steps = 9e15;
  return cells.size() == names_.size() && (steps_at_ >= cells.size() || std::abs(cells[steps_at_]) < most_steps);
}

void ProgressTail::read_names(std::string_view line) {
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t comma = std::min(line.find(',', begin), line.size());
    names_.emplace_back(line.substr(begin, comma - begin));
    begin = comma + 1;
  }
  steps_at_ = static_cast<std::size_t>(std::ranges::find(names_, "steps") - names_.begin());
}

// Reads evenly spaced rows of a large file and then its end: reading hundreds of long runs completely takes a minute.
void ProgressTail::sample(std::ifstream& in, std::uintmax_t size) {
  std::string line;
  if (!std::getline(in, line) || line.size() > longest_line) return;
  const std::uintmax_t begin = line.size() + 1;
  read_names(line);
  std::vector<double> cells;
  std::uintmax_t bytes = 0;
  for (std::size_t i = 0; i < most_rows_ && in; ++i) {
    in.seekg(static_cast<std::streamoff>(begin + (size - begin - longest_line) / most_rows_ * i));
    if (i > 0) std::getline(in, line);  // skip the rest of the current line
    const std::streamoff at = in.tellg();
    if (!std::getline(in, line) || in.eof()) break;
    offset_ = static_cast<std::uintmax_t>(at) + line.size() + 1;
    if (!parse(line, cells) || (!kept_.empty() && !(cells.front() > kept_.back().front()))) continue;
    bytes += line.size() + 1;
    kept_.push_back(cells);
  }
  if (kept_.empty()) {
    reset();
    in.clear();
    in.seekg(0);
    return;
  }
  // The gap between the last sample and the end is skipped, up to the start of a line.
  in.clear();
  in.seekg(static_cast<std::streamoff>(std::max<std::uintmax_t>(offset_, size - longest_line)));
  if (size - longest_line > offset_) {
    std::getline(in, line);
    offset_ = static_cast<std::uintmax_t>(in.tellg());
  }
  seen_ = static_cast<std::int64_t>((offset_ - begin) * kept_.size() / bytes);
  while (seen_ / stride_ > static_cast<std::int64_t>(most_rows_)) stride_ *= 2;
}

void ProgressTail::take_line(std::string_view line) {
  if (names_.empty()) {
    read_names(line);
    return;
  }
  if (seen_++ % stride_ != 0) return;
  std::vector<double> cells;
  if (!parse(line, cells)) return;
  kept_.push_back(std::move(cells));
  if (kept_.size() <= 2 * most_rows_) return;
  std::size_t to = 0;
  for (std::size_t from = 0; from < kept_.size(); from += 2) std::swap(kept_[to++], kept_[from]);
  kept_.resize(to);
  stride_ *= 2;
}

bool ProgressTail::update() {
  std::error_code failure;
  const bool there = std::filesystem::symlink_status(file_, failure).type() == std::filesystem::file_type::regular;
  const std::uintmax_t size = there ? std::filesystem::file_size(file_, failure) : 0;
  if (!there || failure) {
    const bool lost = offset_ > 0;
    reset();
    return lost;
  }
  if (size < offset_) reset();
  if (size == offset_) return false;
  std::ifstream in(file_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(offset_));
  if (offset_ == 0 && size > large_file_ && size > 2 * longest_line) sample(in, size);
  std::string block(std::clamp<std::uintmax_t>(size - offset_, 4096, block_size), '\0');
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    const std::string_view read(block.data(), static_cast<std::size_t>(in.gcount()));
    if (read.empty()) break;
    offset_ += read.size();
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = read.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
      std::string_view line = read.substr(begin, end - begin);
      if (!partial_.empty()) {
        partial_ += line;
        last_line_.swap(partial_);
        partial_.clear();
        line = last_line_;
      }
      take_line(line);
      if (line.data() != last_line_.data()) last_line_.assign(line);
    }
    if (partial_.size() + read.size() - begin < longest_line) partial_ += read.substr(begin);
  }
  std::vector<double> cells;
  // The rows must not depend on when the file was read.
  newest_.clear();
  if (seen_ > 0 && parse(last_line_, cells)) newest_ = std::move(cells);
  return true;
}

std::vector<std::vector<double>> ProgressTail::rows() const {
  std::vector<std::vector<double>> rows = kept_;
  if (!newest_.empty() && (rows.empty() || rows.back().front() < newest_.front())) rows.push_back(newest_);
  return rows;
}

}  // namespace politex::inline record
