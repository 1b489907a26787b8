#include "politex/report/assets.hpp"

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

#include "politex/base/picture.hpp"

namespace politex::inline report {

namespace {

std::string bytes_of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace

std::string csp_hash(const Asset& asset) { return "'sha256-" + base64(bytes_of_hex(asset.sha256)) + "'"; }

std::string csp_meta(std::initializer_list<Asset> scripts) {
  std::string allowed;
  for (const Asset& script : scripts) allowed += ' ' + csp_hash(script);
  return "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src" +
         (allowed.empty() ? " 'none'" : allowed) +
         "; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n";
}

}  // namespace politex::inline report
