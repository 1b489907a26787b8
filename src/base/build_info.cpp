#include "politex/base/build_info.hpp"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace politex::inline base {
namespace {

/// The first digits of the hash that the linker wrote into the program (or the Python module) that holds this code.
/// Parts of a note begin at multiples of four bytes.
std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

int find_build_id(dl_phdr_info* object, std::size_t, void* into) {
  const auto here = reinterpret_cast<std::uintptr_t>(&find_build_id);
  const auto headers = std::span(object->dlpi_phdr, object->dlpi_phnum);
  if (std::ranges::none_of(headers, [&](const ElfW(Phdr) & part) {
        return part.p_type == PT_LOAD && here - (object->dlpi_addr + part.p_vaddr) < part.p_memsz;
      }))
    return 0;
  for (const ElfW(Phdr) & part : headers) {
    if (part.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
    const auto* bytes = reinterpret_cast<const unsigned char*>(object->dlpi_addr + part.p_vaddr);
    for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= part.p_memsz;) {
      ElfW(Nhdr) note;
      std::memcpy(&note, bytes + at, sizeof note);
      const std::size_t name = at + sizeof note, text = name + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz >= 6)
        for (std::size_t k = 0; k < 6; ++k) *static_cast<std::string*>(into) += fmt::format("{:02x}", bytes[text + k]);
      if (note.n_type == NT_GNU_BUILD_ID) return 1;
      at = text + padded(note.n_descsz);
    }
  }
  return 1;
}

}  // namespace

BuildInfo build_info() {
  BuildInfo info;
  info.version = POLITEX_VERSION;
  dl_iterate_phdr(find_build_id, &info.id);
#if defined(__clang__)
  info.compiler = fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  info.compiler = fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#if defined(__x86_64__)
#if defined(__AVX2__) && defined(__FMA__)
  info.instruction_set = "x86-64-v3 on";
#else
  info.instruction_set = "x86-64 on";
#endif
  // glibc picks its exp and log by these at run time, and their last bits differ.
  if (__builtin_cpu_supports("sse4.2")) info.instruction_set += " sse4.2";
  if (__builtin_cpu_supports("avx2")) info.instruction_set += " avx2";
  if (__builtin_cpu_supports("fma")) info.instruction_set += " fma";
  if (__builtin_cpu_supports("avx512f")) info.instruction_set += " avx512f";
#else
  info.instruction_set = "generic";
#endif
  return info;
}

}  // namespace politex::inline base
