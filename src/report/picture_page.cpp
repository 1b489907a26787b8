#include "politex/report/picture_page.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/report/curves.hpp"

namespace politex::inline report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_text = std::size_t{1} << 20;             // for all pictures of a page
constexpr std::uint64_t largest_pictures = std::uint64_t{1} << 23;  // larger files are not ours
constexpr std::size_t most_runs = 8;
constexpr std::int64_t largest_frame = 100'000;  // states, actions, columns

bool are_numbers(const Json& list, std::size_t count) {
  return list.is_array() && list.size() == count &&
         std::ranges::all_of(list, [](const Json& each) { return each.is_number(); });
}

bool are_words(const Json& list, std::size_t count) {
  return list.is_array() && list.size() == count &&
         std::ranges::all_of(list, [](const Json& each) { return each.is_string(); });
}

// -k repeats the number before it k more times.
bool are_runs(const Json& list, std::size_t count) {
  if (!list.is_array()) return false;
  std::size_t there = 0;
  for (const Json& each : list) {
    if (!each.is_number_integer()) return false;
    if (each.is_number_unsigned() && each.get<std::uint64_t>() > std::numeric_limits<std::int32_t>::max()) return false;
    const auto number = each.get<std::int64_t>();
    if (number < -largest_frame || (number < 0 && there == 0)) return false;
    there += number < 0 ? static_cast<std::size_t>(-number) : 1;
    if (there > count) return false;
  }
  return there == count;
}

bool is_frame(const Json& frame) {
  if (!frame.is_object() || !frame.contains("states") || !frame.contains("arrows")) return false;
  for (const char* key : {"states", "actions", "columns"})
    if (!frame.contains(key) || !frame[key].is_number_unsigned() || frame[key] < 1 || frame[key] > largest_frame)
      return false;
  for (const char* key : {"row", "column"})
    if (frame.contains(key) && !frame[key].is_string()) return false;
  if (frame.contains("action_names") && !are_words(frame["action_names"], frame["actions"].get<std::size_t>()))
    return false;
  const auto pairs = frame["states"].get<std::size_t>() * frame["actions"].get<std::size_t>();
  return frame["arrows"].is_null() || are_numbers(frame["arrows"], 2 * pairs);
}

bool is_picture(const Json& picture, std::size_t states) {
  if (!picture.is_object()) return false;
  for (const char* key : {"phase", "steps"})
    if (!picture.contains(key) || !picture[key].is_number()) return false;
  return std::ranges::all_of(std::array{"visits", "policy"},
                             [&](const char* key) { return picture.contains(key) && are_runs(picture[key], states); });
}

/// The text of a run's pictures; empty if there are none or the file is larger than `largest`, so that files that do
/// not fit on the page are not read.
std::string text_of(const RunRecord& run, std::uint64_t largest) {
  const auto file = run.directory / "pictures.jsonl";
  std::error_code failure;
  if (std::filesystem::symlink_status(file, failure).type() != std::filesystem::file_type::regular) return {};
  if (const auto size = std::filesystem::file_size(file, failure); failure || size > largest) return {};
  try {
    return read_file("pictures", file.string(), largest_pictures);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::string pictures_json(const std::string& file_text) {
  Json frame;
  Json pictures = Json::array();
  for (std::size_t begin = 0; begin < file_text.size();) {
    const std::size_t end = file_text.find('\n', begin);
    if (end == std::string::npos) break;
    Json line = Json::parse(file_text.begin() + static_cast<std::ptrdiff_t>(begin),
                            file_text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    begin = end + 1;
    if (frame.is_null()) {
      if (!is_frame(line)) return {};
      frame = std::move(line);
    } else if (is_picture(line, frame["states"].get<std::size_t>())) {
      pictures.push_back(std::move(line));
    }
  }
  if (pictures.empty()) return {};
  std::string text = Json{{"frame", frame}, {"pictures", pictures}}.dump(-1, ' ', true, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

void add_pictures(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  std::string list;
  std::size_t count = 0;
  for (const RunGroup& group : groups) {
    const RunRecord& run = runs[group.runs.front()];
    const std::uint64_t limit = count == 0 ? largest_pictures : most_text - std::min(most_text, list.size());
    const std::string one = pictures_json(text_of(run, limit));
    if (one.empty() || (count > 0 && list.size() + one.size() > most_text)) continue;
    list += fmt::format("{}{{\"run\":{},{}", count > 0 ? "," : "", json_text(run.name), one.substr(1));
    if (++count == most_runs) break;
  }
  if (count == 0) return;
  page.heading("What was learned");
  page.paragraph(
      "Left: the states visited in a phase; stronger colour means more visits. Right: the actions of the policy after "
      "that phase; stronger colour means higher probability.");
  page.add(Html::markup("<div id=\"pictures\"></div>"));
  page.add(Html::markup(fmt::format("<script type=\"application/json\" id=\"pictures-data\">[{}]</script>", list)));
}

}  // namespace politex::inline report
