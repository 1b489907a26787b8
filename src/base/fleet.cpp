#include "politex/base/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <string_view>
#include <utility>

#include "politex/base/bytes.hpp"

namespace politex {
namespace {

enum class Verdict : std::uint8_t { fine, bad_input, failed };

struct Opinion {
  Verdict verdict = Verdict::fine;
  std::string text;
};

Bytes pack(const Opinion& opinion) {
  ByteWriter writer;
  writer.put(opinion.verdict);
  writer.put(opinion.text);
  return writer.bytes();
}

Opinion unpack(const Bytes& bytes) {
  ByteReader reader(bytes);
  Opinion opinion;
  reader.get(opinion.verdict);
  reader.get(opinion.text);
  return opinion;
}

// On rank 0 the opinions of all the others, by rank.
std::map<int, Opinion> collect(Fleet& fleet, const Opinion& mine) {
  std::map<int, Opinion> others;
  if (fleet.rank() != 0) {
    fleet.send(0, opinions_channel, pack(mine));
    return others;
  }
  for (int i = 1; i < fleet.size(); ++i) {
    const Fleet::Message message = fleet.receive(opinions_channel);
    others[message.from] = unpack(message.bytes);
  }
  return others;
}

// Rank 0 says whether to go on.
void dismiss_unless(Fleet& fleet, bool fine) {
  const Bytes verdict = fleet.broadcast({std::byte{fine}});
  if (fleet.rank() != 0 && verdict.front() == std::byte{0}) throw Dismissed();
}

std::pair<std::string, std::string> first_difference(std::string_view a, std::string_view b) {
  const auto line = [](std::string_view& rest) {
    const std::string_view found = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(found.size() + 1, rest.size()));
    return std::string(found);
  };
  while (!a.empty() || !b.empty()) {
    std::pair<std::string, std::string> lines{line(a), line(b)};
    if (lines.first != lines.second) return lines;
  }
  return {};
}

}  // namespace

void together(Fleet* fleet, const std::function<void()>& part) {
  if (fleet == nullptr) {
    part();
    return;
  }
  Opinion mine;
  std::exception_ptr problem;
  try {
    part();
  } catch (const LostRank&) {
    throw;
  } catch (const ConfigError& error) {
    mine = {Verdict::bad_input, error.what()};
    problem = std::current_exception();
  } catch (const std::exception& error) {
    mine = {Verdict::failed, error.what()};
    problem = std::current_exception();
  }
  const std::map<int, Opinion> others = collect(*fleet, mine);
  const auto bad = std::ranges::find_if(others, [](const auto& one) { return one.second.verdict != Verdict::fine; });
  dismiss_unless(*fleet, problem == nullptr && bad == others.end());
  if (fleet->rank() != 0) return;
  if (problem) std::rethrow_exception(problem);
  if (bad == others.end()) return;
  const std::string who = fmt::format("rank {}", bad->first);
  if (bad->second.verdict == Verdict::bad_input) throw ConfigError{who, bad->second.text};
  throw Error(fmt::format("{}: {}", who, bad->second.text));
}

void require_same(Fleet* fleet, const std::string& what, const std::string& text) {
  if (fleet == nullptr) return;
  const std::map<int, Opinion> others = collect(*fleet, {Verdict::fine, text});
  const auto other = std::ranges::find_if(others, [&](const auto& one) { return one.second.text != text; });
  dismiss_unless(*fleet, other == others.end());
  if (other == others.end()) return;
  const auto [here, there] = first_difference(text, other->second.text);
  throw ConfigError{what, fmt::format("rank {} has \"{}\", rank 0 has \"{}\"; accepted: the same on every rank",
                                      other->first, there, here)};
}

Bytes to_bytes(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

std::string to_text(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace politex
