// Any bytes as pictures.jsonl: nothing, or JSON that cannot end the script of the page it stands in.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "politex/lab/picture_page.hpp"
#include "politex/lab/run_record.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string page = politex::lab::pictures_json(text);
  if (page.find('<') != std::string::npos) std::abort();
  if (!page.empty() && (page.front() != '{' || page.back() != '}')) std::abort();
  politex::lab::settings_of(text);
  return 0;
}
