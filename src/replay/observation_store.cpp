#include "politex/replay/observation_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "politex/base/error.hpp"
#include "politex/base/machine.hpp"
#include "politex/base/saved.hpp"

namespace politex::neural::inline replay {
namespace {

constexpr std::array<float, 256> over_255 = [] {
  std::array<float, 256> table{};
  for (std::size_t b = 0; b < 256; ++b) table[b] = static_cast<float>(b) / 255.0F;
  return table;
}();

void to_bytes(std::span<const float> from, std::uint8_t* to) noexcept {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<std::uint8_t>(std::lrint(from[i] * 255.0F));
}
void to_floats(const std::uint8_t* from, std::size_t count, float* to) noexcept {
  for (std::size_t i = 0; i < count; ++i) to[i] = over_255[from[i]];
}

std::uint64_t hash_bytes(const std::uint8_t* bytes, std::size_t count) noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (std::size_t i = 0; i < count; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, std::min<std::size_t>(8, count - i));
    hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

ObservationStore::ObservationStore(const Observation& observation, std::int64_t rows) : observation_(observation) {
  const auto inputs = static_cast<std::size_t>(observation.inputs);
  packed_.resize(inputs);
  words_ = observation.bytes ? (inputs + 3) / 4 : inputs;
  if (observation.picture.channels == 0) return;
  words_ = static_cast<std::size_t>(observation.picture.channels);
  frame_bytes_ = inputs / words_;
  // A window usually adds one new frame. If windows add more, the store grows beyond this.
  const double most = 0.8 * machine_memory() / static_cast<double>(frame_bytes_);
  if (static_cast<double>(rows) > most)
    throw ConfigError("replay.capacity",
                      fmt::format("{} windows need {:.1f} GB for frames of {} bytes; accepted here: at most {}", rows,
                                  1e-9 * static_cast<double>(rows) * static_cast<double>(frame_bytes_), frame_bytes_,
                                  static_cast<std::int64_t>(most)));
  chunks_.resize(2 * words_ * static_cast<std::size_t>(rows) / chunk + 2);
}

std::uint32_t ObservationStore::fresh() {
  if (!free_.empty()) {
    const std::uint32_t id = free_.back();
    free_.pop_back();
    return id;
  }
  if (next_ % chunk == 0) chunks_[next_ / chunk] = std::make_unique<std::uint8_t[]>(chunk * frame_bytes_);
  users_.push_back(0);
  hash_of_.push_back(0);
  return next_++;
}

std::uint32_t ObservationStore::keep(const std::uint8_t* bytes) {
  const std::uint64_t hash = hash_bytes(bytes, frame_bytes_);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (std::memcmp(frame(it->second), bytes, frame_bytes_) == 0) {
      ++users_[it->second];
      return it->second;
    }
  const std::uint32_t id = fresh();
  std::memcpy(frame(id), bytes, frame_bytes_);
  users_[id] = 1;
  hash_of_[id] = hash;
  by_hash_.emplace(hash, id);
  return id;
}

void ObservationStore::put(std::span<const float> observation, std::uint32_t* into) {
  if (!observation_.bytes) {
    std::memcpy(into, observation.data(), observation.size_bytes());
    return;
  }
  to_bytes(observation, packed_.data());
  if (frame_bytes_ == 0) {
    std::memcpy(into, packed_.data(), packed_.size());
    return;
  }
  for (std::size_t k = 0; k < words_; ++k) into[k] = keep(&packed_[k * frame_bytes_]);
}

void ObservationStore::get(const std::uint32_t* from, float* into) const noexcept {
  if (!observation_.bytes) {
    std::memcpy(into, from, packed_.size() * sizeof(float));
  } else if (frame_bytes_ == 0) {
    to_floats(reinterpret_cast<const std::uint8_t*>(from), packed_.size(), into);
  } else {
    for (std::size_t k = 0; k < words_; ++k) to_floats(frame(from[k]), frame_bytes_, into + k * frame_bytes_);
  }
}

void ObservationStore::drop(const std::uint32_t* row) {
  for (std::size_t k = 0; frame_bytes_ > 0 && k < words_; ++k) {
    const std::uint32_t id = row[k];
    if (--users_[id] > 0) continue;
    auto it = by_hash_.lower_bound(hash_of_[id]);
    while (it->second != id) ++it;
    by_hash_.erase(it);
    free_.push_back(id);
  }
}

void ObservationStore::save(ByteWriter& to) const {
  if (frame_bytes_ == 0) return;
  to.put(next_);
  to.put(free_);
  to.put(users_);
  std::vector<std::uint8_t> all;
  for (std::uint32_t id = 0; id < next_; ++id)
    if (users_[id] > 0) all.insert(all.end(), frame(id), frame(id) + frame_bytes_);
  to.put(all);
}

void ObservationStore::restore(ByteReader& from, std::span<const std::uint32_t> rows, std::size_t stride) {
  if (frame_bytes_ == 0) {
    for (std::size_t at = 0; !observation_.bytes && at < rows.size(); at += stride)
      for (std::size_t k = 0; k < 2 * words_; ++k)
        check_saved(std::isfinite(std::bit_cast<float>(rows[at + k])), "observations of the replay");
    return;
  }
  std::uint32_t count = 0;
  std::vector<std::uint8_t> all;
  from.get(count);
  from.get(free_);
  from.get(users_);
  from.get(all);
  constexpr const char* what = "frames of the replay";
  check_saved(users_.size() == count && count <= (chunks_.size() - 1) * chunk, what);
  std::vector<std::uint32_t> uses(count, 0);
  for (std::size_t at = 0; at < rows.size(); at += stride)
    for (std::size_t k = 0; k < 2 * words_; ++k) {
      check_saved(rows[at + k] < count, what);
      ++uses[rows[at + k]];
    }
  check_saved(uses == users_, what);
  for (const std::uint32_t id : free_) {
    check_saved(id < count && uses[id] == 0, what);
    uses[id] = 1;  // each is free once
  }
  check_saved(std::ranges::count(uses, 0U) == 0, what);
  const auto held = static_cast<std::size_t>(count) - free_.size();
  check_saved(all.size() == held * frame_bytes_, what);
  next_ = count;
  hash_of_.assign(count, 0);
  by_hash_.clear();
  for (std::size_t c = 0; c < (count + chunk - 1) / chunk; ++c)
    if (!chunks_[c]) chunks_[c] = std::make_unique<std::uint8_t[]>(chunk * frame_bytes_);
  const std::uint8_t* next = all.data();
  for (std::uint32_t id = 0; id < count; ++id) {
    if (users_[id] == 0) continue;
    std::memcpy(frame(id), next, frame_bytes_);
    next += frame_bytes_;
    hash_of_[id] = hash_bytes(frame(id), frame_bytes_);
    by_hash_.emplace(hash_of_[id], id);
  }
}

}  // namespace politex::neural::inline replay
