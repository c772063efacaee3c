// The range in the head of a table, `[0x0-0x40]`, contains the highest LID. If this LID is a
// multiple of 64 and no line of the table has it, dump_fts stopped one block early. The port is
// then requested by block (simulated_fabric.cpp), and the destination comment is made from the
// output of ibnetdiscover, so that the line is the same as one of dump_fts.

#include "ibsim_harness/table_dump.h"

#include <fmt/format.h>

#include <optional>

#include "base/text_lines.h"

namespace pssp {
namespace {

constexpr unsigned lids_per_block = 64;
constexpr std::string_view table_head = "Unicast lids ";

template <class Function>
void for_each_line(std::string_view text, Function&& function) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    function(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

/// The directed route in the head of a table: between `dlid 0; ` and ` guid `.
std::string route_in(std::string_view head) {
  constexpr std::string_view before = "dlid 0; ", behind = " guid ";
  const std::size_t begin = head.find(before);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = head.substr(begin + before.size());
  return std::string(rest.substr(0, rest.find(behind)));
}

unsigned highest_lid_in(std::string_view head) {
  const std::size_t begin = head.find("-0x");
  if (begin == std::string_view::npos) return 0;
  std::string_view digits = head.substr(begin + 3);
  return static_cast<unsigned>(take_number(digits, 16).value_or(0));
}

/// `24 valid lids dumped `. A node name after an entry may contain the same words.
bool is_table_end(std::string_view line) {
  return take_number(line) && trimmed(line) == "valid lids dumped";
}

/// The number after a separate word: `lid 7`.
std::optional<unsigned> number_after(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    if (at > 0 && !is_blank(line[at - 1])) continue;
    std::string_view rest = line.substr(at + word.size());
    if (!take(rest, " ")) continue;
    if (const std::optional<std::uint64_t> number = take_number(rest))
      return static_cast<unsigned>(*number);
  }
  return std::nullopt;
}

/// The description: from the first `# "` to the last quote.
std::string_view description_in(std::string_view line) {
  const std::size_t begin = line.find("# \"");
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = line.substr(begin + 3);
  return rest.substr(0, rest.rfind('"'));
}

/// The hexadecimal digits in the first parentheses after `from`.
std::string_view guid_in(std::string_view line, std::size_t from = 0) {
  const std::size_t begin = line.find('(', from);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = line.substr(begin + 1);
  return rest.substr(0, rest.find(')'));
}

/// `lid 60 lmc 2` of a line without its quoted texts, because descriptions may contain any text.
bool owns(std::string_view line, unsigned lid) {
  std::string plain;
  // The text before the comment, and the text after the description.
  const std::size_t first =
      line.find('"', line.find('#') == std::string_view::npos ? 0 : line.find('#'));
  const std::size_t last = line.rfind('"');
  plain = std::string(line.substr(0, first));
  if (last != std::string_view::npos) plain += line.substr(last + 1);
  // The LID of an adapter is before the description of the far node; the LID of a switch is after
  // its own description.
  const std::optional<unsigned> base = number_after(plain, "lid");
  const unsigned lmc = number_after(plain, "lmc").value_or(0);
  return base && *base > 0 && lmc < 8 && lid >= *base && lid < *base + (1U << lmc);
}

std::string owner_text(std::string_view kind, std::string_view guid, std::string_view description) {
  return fmt::format("{} portguid 0x{:0>16}: '{}'", kind, guid, description);
}

}  // namespace

bool is_whole_dump(std::string_view dump) {
  long open = 0, tables = 0;
  for_each_line(dump, [&](std::string_view line) {
    if (line.starts_with(table_head)) ++open;
    if (!is_table_end(line)) return;
    --open;
    ++tables;
  });
  return tables > 0 && open == 0;
}

std::vector<LostEntry> lost_entries(std::string_view dump) {
  std::vector<LostEntry> lost;
  std::string route;
  unsigned highest = 0, last = 0;
  const auto finish = [&] {
    if (!route.empty() && highest > 0 && highest % lids_per_block == 0 && last < highest)
      lost.push_back({route, highest});
  };
  for_each_line(dump, [&](std::string_view line) {
    if (line.starts_with(table_head)) {
      finish();
      last = 0;
      highest = highest_lid_in(line);
      route = route_in(line);
    } else if (take(line, "0x")) {
      last = static_cast<unsigned>(take_number(line, 16).value_or(last));
    }
  });
  finish();
  return lost;
}

std::string lid_owner(std::string_view discovered, unsigned lid) {
  std::string owner, switch_guid, kind, description;
  for_each_line(discovered, [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!owner.empty()) return;
    if (line.starts_with("switchguid=")) {
      switch_guid = guid_in(line);
    } else if (line.starts_with("Switch")) {
      kind.clear();
      if (owns(line, lid)) owner = owner_text("Switch", switch_guid, description_in(line));
    } else if (line.starts_with("Ca") || line.starts_with("Rt")) {
      kind = line.starts_with("Ca") ? "Channel Adapter" : "Router";
      description = description_in(line);
    } else if (trimmed(line).empty()) {
      kind.clear();
    } else if (!kind.empty() && line.starts_with('[') && owns(line, lid)) {
      owner = owner_text(kind, guid_in(line), description);
    }
  });
  return owner;
}

std::string with_entries(std::string_view dump, unsigned lid, const std::string& owner,
                         const std::map<std::string, unsigned>& ports) {
  std::string result, route;
  result.reserve(dump.size() + ports.size() * 80);
  for_each_line(dump, [&](std::string_view line) {
    if (line.starts_with(table_head)) route = route_in(line);
    const auto port = is_table_end(line) ? ports.find(route) : ports.end();
    if (port == ports.end()) {
      result += line;
      result += '\n';
      return;
    }
    std::string_view count = line;
    fmt::format_to(std::back_inserter(result), "0x{:04x} {:03} : ({})\n{} valid lids dumped \n",
                   lid, port->second, owner, take_number(count).value_or(0) + 1);
  });
  return result;
}

}  // namespace pssp
