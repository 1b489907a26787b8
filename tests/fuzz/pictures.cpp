// Any bytes as pictures.jsonl: nothing, or JSON that cannot end the script element that contains it.
// reader: src/report/picture_page.cpp
#include <cstdint>
#include <cstdlib>
#include <string>

#include "politex/record/run_record.hpp"
#include "politex/report/picture_page.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string page = politex::pictures_json(text);
  if (page.find('<') != std::string::npos) std::abort();
  if (!page.empty() && (page.front() != '{' || page.back() != '}')) std::abort();
  politex::settings_of(text);
  return 0;
}
