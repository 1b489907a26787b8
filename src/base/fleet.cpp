#include "politex/base/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <string_view>
#include <utility>

#include "politex/base/bytes.hpp"

namespace politex::inline base {
namespace {

enum class StatusCode : std::uint8_t { ok, bad_input, failed };

struct RankStatus {
  StatusCode code = StatusCode::ok;
  std::string text;
};

Bytes pack(const RankStatus& status) {
  ByteWriter writer;
  writer.put(status.code);
  writer.put(status.text);
  return writer.bytes();
}

RankStatus unpack(const Bytes& bytes) {
  ByteReader reader(bytes);
  RankStatus status;
  reader.get(status.code);
  reader.get(status.text);
  return status;
}

// On rank 0, the status of every other rank; empty on the others.
std::map<int, RankStatus> collect(Fleet& fleet, const RankStatus& mine) {
  std::map<int, RankStatus> others;
  if (fleet.rank() != 0) {
    fleet.send(0, status_channel, pack(mine));
    return others;
  }
  for (int i = 1; i < fleet.size(); ++i) {
    const Fleet::Message message = fleet.receive(status_channel);
    others[message.from] = unpack(message.bytes);
  }
  return others;
}

// Rank 0 decides for all ranks whether to continue.
void dismiss_unless(Fleet& fleet, bool ok) {
  const Bytes decision = fleet.broadcast({std::byte{ok}});
  if (fleet.rank() != 0 && decision.front() == std::byte{0}) throw Dismissed();
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
  RankStatus mine;
  std::exception_ptr problem;
  try {
    part();
  } catch (const LostRank&) {
    throw;
  } catch (const ConfigError& error) {
    mine = {StatusCode::bad_input, error.what()};
    problem = std::current_exception();
  } catch (const std::exception& error) {
    mine = {StatusCode::failed, error.what()};
    problem = std::current_exception();
  }
  const std::map<int, RankStatus> others = collect(*fleet, mine);
  const auto bad = std::ranges::find_if(others, [](const auto& one) { return one.second.code != StatusCode::ok; });
  dismiss_unless(*fleet, problem == nullptr && bad == others.end());
  if (fleet->rank() != 0) return;
  if (problem) std::rethrow_exception(problem);
  if (bad == others.end()) return;
  const std::string who = fmt::format("rank {}", bad->first);
  if (bad->second.code == StatusCode::bad_input) throw ConfigError{who, bad->second.text};
  throw Error(fmt::format("{}: {}", who, bad->second.text));
}

void require_same(Fleet* fleet, const std::string& what, const std::string& text) {
  if (fleet == nullptr) return;
  const std::map<int, RankStatus> others = collect(*fleet, {StatusCode::ok, text});
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

}  // namespace politex::inline base
