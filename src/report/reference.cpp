#include "politex/report/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "politex/heuristics/heuristic.hpp"
#include "politex/run/catalogue.hpp"

namespace politex::inline report {
namespace {

// A bar would end the cell of a table.
std::string table_cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

template <class Entries>
std::string entries_table(std::string_view title, std::string_view key, const Entries& entries) {
  std::string text = fmt::format("## {}\n\nChosen by `{}`.\n\n| name | what it is |\n|---|---|\n", title, key);
  for (const auto* entry : entries) text += fmt::format("| `{}` | {} |\n", entry->name, table_cell(entry->help));
  return text + "\n";
}

std::string row_of(const Key& key, std::string_view where) {
  std::string meaning = table_cell(key.help);
  for (const Choice& choice : key.accepts.choices)
    meaning += fmt::format("<br>`{}`: {}", choice.name, table_cell(choice.help));
  const bool named = key.accepts.kind == Kind::word;
  return fmt::format("| `{}` | {} | `{}` | {} | {} |\n", key.name, meaning, value_text(key, key.fallback),
                     named ? "one of these names" : table_cell(accepted(key)), where);
}

std::string conditions(const Key& key) {
  std::string text;
  for (const When& when : key.when) text += fmt::format(" and `{}` = {}", when.key, joined(when.values));
  return text;
}

/// Entries that agree on a key share a row.
std::string rows_of(const KnownKey& known) {
  std::string text;
  std::vector<const Key*> written;
  const auto same = [](const Key& a, const Key& b) {
    return a.help == b.help && accepted(a) == accepted(b) && a.fallback == b.fallback;
  };
  for (const KeyOwner& owner : known.owners) {
    if (std::ranges::any_of(written, [&](const Key* one) { return same(*one, *owner.key); })) continue;
    written.push_back(owner.key);
    std::vector<std::string_view> names;
    for (const KeyOwner& other : known.owners)
      if (same(*other.key, *owner.key)) names.push_back(other.name);
    std::string where = owner.by.empty() ? "" : fmt::format("`{}` = {}", owner.by, joined(names));
    where += conditions(*owner.key);
    if (where.starts_with(" and ")) where.erase(0, 5);
    text += row_of(*owner.key, where.empty() ? "everywhere" : where);
  }
  return text;
}

std::string key_tables() {
  std::string text;
  std::string_view table = "?";  // of no key
  for (const KnownKey& known : known_keys()) {
    if (known.word() == "name") continue;
    if (known.table() != table) {
      table = known.table();
      text += fmt::format("{}### {}\n\n| key | meaning | default | accepted | applies where |\n|---|---|---|---|---|\n",
                          text.empty() ? "" : "\n", table.empty() ? "top of the file" : fmt::format("[{}]", table));
    }
    text += rows_of(known);
  }
  return text;
}

}  // namespace

std::string reference_markdown(std::span<const Choice> figures) {
  std::string text =
      "# Reference of all names and keys\n\nMade by `politex list --markdown`; do not edit. A test keeps it "
      "current.\n\n";
  text += entries_table("Environments", "environment.name", environments());
  text += entries_table("Learners", "algorithm.name", learners());
  text += entries_table("Explorers", "explorer.name", explorers());
  text += entries_table("Heuristics", "explorer.policy", all_heuristics());
  text += entries_table("Feature maps", "features.name", feature_maps());
  text += "## Figures\n\nMade by `politex reproduce FIGURE`.\n\n| name | what it is |\n|---|---|\n";
  for (const Choice& figure : figures) text += fmt::format("| `{}` | {} |\n", figure.name, table_cell(figure.help));
  return text + "\n## Keys\n\n" + key_tables();
}

}  // namespace politex::inline report
