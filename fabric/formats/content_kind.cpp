// A kind is recognized by the structure of lines: how a line begins, from its first nonblank
// character, in the grammar of the program that prints it. The first line with such a structure
// decides. Names of nodes, which root on any node can choose, are in quotes, braces or parentheses
// after the beginning of a line, so names never decide: ibnetdiscover, infiniband-diags and opensm
// replace control characters in a name by blanks, so a name cannot begin a line.
//
// Archives, documents, JSON, graphs and the files of OMNeT++ are recognized by the beginning of the
// text.

#include "fabric/formats/content_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text_lines.h"
#include "fabric/formats/cable_list.h"
#include "fabric/formats/json_beginning.h"
#include "fabric/formats/lft_lines.h"
#include "fabric/formats/topology_lines.h"

namespace pssp {
namespace {

using namespace std::string_view_literals;

/// The kind of a text, and the line that decides.
struct Finding {
  std::string_view description;
  ContentKind kind = ContentKind::other;
  std::size_t offset = npos;     ///< of the deciding line; npos: the whole text decides
  std::string_view advice = {};  ///< what to run instead
  static constexpr std::size_t npos = std::string_view::npos;
};

/// Removes blanks, line ends and comments of C++ and of the C preprocessor from the front. After an
/// unclosed comment nothing remains.
std::string_view without_comments(std::string_view text) {
  for (;;) {
    const std::size_t first = text.find_first_not_of(" \t\r\n\v\f");
    if (first == std::string_view::npos) return {};
    text.remove_prefix(first);
    const bool to_line_end = text.starts_with("//") || text.front() == '#';
    if (!to_line_end && !text.starts_with("/*")) return text;
    const std::size_t end = to_line_end ? text.find('\n') : text.find("*/", 2);
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + (to_line_end ? 1 : 2));
  }
}

bool is_latin_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Removes one of the words from the front of the line if it is there.
template <std::size_t size>
bool take_one_of(std::string_view& line, const std::array<std::string_view, size>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&line](std::string_view word) { return take(line, word); });
}

/// Removes blanks and then the token from the front of the line if it is there.
bool take_next(std::string_view& line, std::string_view token) {
  line = without_indent(line);
  return take(line, token);
}

bool take_next_number(std::string_view& line) {
  line = without_indent(line);
  return take_number(line).has_value();
}

/// `0x000000000010001f`
bool take_next_hexadecimal(std::string_view& line) {
  return take_next(line, "0x") && take_number(line, 16).has_value();
}

bool is_dump_fts_header(std::string_view line) { return line.starts_with("Unicast lids [0x"); }
bool is_lfts_header(std::string_view line) { return line.starts_with(lft_header); }
bool is_multicast_header(std::string_view line) { return line.starts_with(multicast_header); }
bool is_fdbs_header(std::string_view line) { return take_fdbs_header(line); }

/// `LID    : Port : Hops : Optimal`
bool is_fdbs_title(std::string_view line) {
  return take(line, "LID") && take_next(line, ":") && take_next(line, "Port") &&
         take_next(line, ":") && take_next(line, "Hops");
}

/// `24 valid lids dumped`
bool is_dump_fts_footer(std::string_view line) {
  return take_number(line) && trimmed(line) == "valid lids dumped";
}

/// `24 lids dumped`
bool is_lfts_footer(std::string_view line) {
  return take_number(line) && trimmed(line) == "lids dumped";
}

/// `0x0012`, followed by the rest of an entry of any dump.
bool take_lid(std::string_view& line) {
  constexpr std::size_t digits = 4;
  if (!take(line, "0x")) return false;
  const std::size_t before = line.size();
  return take_number(line, 16) && before - line.size() == digits;
}

/// `0x0012 007 : (Channel Adapter portguid 0x..: 'H1')`, `0x0012 007 # Switch portguid ..`
bool is_entry(std::string_view line) {
  if (!take_lid(line) || line.empty() || !is_blank(line.front()) || !take_next_number(line)) {
    return false;
  }
  line = without_indent(line);
  return line.empty() || line.front() == ':' || line.front() == '#';
}

/// `0x0012 : 007  : 01   : yes`, `0x0012 : UNREACHABLE`
bool is_fdbs_entry(std::string_view line) {
  if (!take_lid(line) || !take_next(line, ":")) return false;
  return trimmed(line) == "UNREACHABLE" || (take_next_number(line) && take_next(line, ":"));
}

/// `{ SW Ports:24 SystemGUID:..`
bool is_link_of_list(std::string_view line) {
  if (!take(line, "{")) return false;
  constexpr std::array types{"SW"sv, "CA"sv, "Rt"sv};
  const std::string_view type = take_word(line);
  return std::ranges::any_of(types, [type](std::string_view t) { return type.starts_with(t); }) &&
         take_next(line, "Ports:");
}

/// `     24    1[  ] ==( 4X   2.5 Gbps Active/  LinkUp)==>`, from the LID on.
bool is_link_state(std::string_view line) {
  for (unsigned numbers = 0; numbers < 2; ++numbers) {
    if (!take_next_number(line)) return false;
  }
  if (!take(line, "[")) return false;
  const std::size_t end = line.find_first_not_of(" 0123456789");
  line.remove_prefix(std::min(end, line.size()));
  return take(line, "]") && take_next(line, "==(");
}

/// A port of iblinkinfo; `iblinkinfo -l` has GUID and name of the node before the LID.
bool is_link_info(std::string_view line) {
  take_next_hexadecimal(line);
  line = without_indent(line);
  if (!line.starts_with('"')) return is_link_state(line);
  for (std::size_t at = line.find('"', 1); at != std::string_view::npos;
       at = line.find('"', at + 1)) {
    if (is_link_state(line.substr(at + 1))) return true;
  }
  return false;
}

/// `Switch: 0x0002c90200405060 leaf 1:`, `CA: node1 HCA-1:` of iblinkinfo.
bool is_link_info_header(std::string_view line) {
  constexpr std::array adapters{"CA: "sv, "Router: "sv};
  if (!trimmed(line).ends_with(':')) return false;
  return take_one_of(line, adapters) || (take(line, "Switch: ") && take_next_hexadecimal(line));
}

/// `Switch : 0x0002c90200405060 ports 36 "leaf 1" ..`
bool is_listed_node(std::string_view line) {
  constexpr std::array words{"Switch"sv, "Ca"sv, "Hca"sv, "Router"sv, "Rt"sv, "???"sv};
  // iblinkinfo has no blank before the colon, and the name of an adapter after it.
  return take_one_of(line, words) && !line.empty() && is_blank(line.front()) &&
         take_next(line, ":") && take_next_hexadecimal(line) && take_next(line, "ports") &&
         take_next_number(line);
}

/// `CA    24  1 0x000000000010001f 4x SDR - SW     6  4 0x0000000000200003 ( 'a' - 'b' )`
bool is_reported_port(std::string_view line) {
  constexpr std::array words{"SW "sv, "CA "sv, "RT "sv, "?? "sv};
  return take_one_of(line, words) && take_next_number(line) && take_next_number(line) &&
         take_next_hexadecimal(line) && line.starts_with(' ') && take_next_number(line) &&
         line.starts_with('x');
}

/// `START_NODES`
bool is_csv_section(std::string_view line) {
  if (!take(line, "START_")) return false;
  line = trimmed(line);
  return !line.empty() &&
         line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

/// `submodules:`
bool is_ned_section(std::string_view line) {
  return take(line, "submodules") && take_next(line, ":");
}

struct LineClue {
  bool (*has_structure)(std::string_view line);
  std::string_view description;
  ContentKind kind = ContentKind::other;
  std::string_view advice = {};
};

constexpr std::string_view some_topology = "a topology (ibnetdiscover or ibsim)";
constexpr std::string_view run_ibnetdiscover =
    "; run 'ibnetdiscover' without options instead, which prints a topology";

/// No line has two of these structures, except that the more specific one of two dumps comes first.
constexpr std::array line_clues{
    LineClue{begins_node_line, some_topology, ContentKind::net_file},
    LineClue{begins_guid_line, "a topology (ibnetdiscover)", ContentKind::net_file},
    LineClue{is_dump_fts_header, "forwarding tables (dump_fts)", ContentKind::lft_dump},
    LineClue{is_lfts_header, "forwarding tables (opensm-lfts.dump)", ContentKind::lft_dump},
    LineClue{is_fdbs_header, "forwarding tables (opensm.fdbs)", ContentKind::lft_dump},
    LineClue{is_fdbs_title, "forwarding tables (opensm.fdbs)", ContentKind::lft_dump},
    LineClue{is_dump_fts_footer, "forwarding tables (dump_fts)", ContentKind::lft_dump},
    LineClue{is_lfts_footer, "forwarding tables (opensm-lfts.dump)", ContentKind::lft_dump},
    LineClue{is_entry, "forwarding tables (dump_fts or opensm-lfts.dump)", ContentKind::lft_dump},
    LineClue{is_fdbs_entry, "forwarding tables (opensm.fdbs)", ContentKind::lft_dump},
    LineClue{is_link_of_list, "a link list (opensm-subnet.lst)", ContentKind::subnet_list},
    LineClue{is_ned_section, "a network of OMNeT++ (NED)", ContentKind::omnet_ned},
    LineClue{is_multicast_header, "multicast forwarding tables", ContentKind::other,
             "; run 'dump_fts' without -M instead, which prints unicast tables"},
    LineClue{is_link_info, "the output of iblinkinfo", ContentKind::link_info},
    LineClue{is_link_info_header, "the output of iblinkinfo", ContentKind::link_info},
    LineClue{is_listed_node,
             "a list of nodes without links (ibswitches, ibhosts, ibnodes, ibnetdiscover -l)",
             ContentKind::other, run_ibnetdiscover},
    LineClue{is_reported_port, "a port list (ibnetdiscover -p)", ContentKind::port_report},
    LineClue{is_csv_section, "the database of ibdiagnet (ibdiagnet2.db_csv)",
             ContentKind::ibdiagnet_database},
};

struct BeginningClue {
  std::string_view beginning;
  std::string_view description;
  ContentKind kind = ContentKind::other;
};

// A byte string is split if the next letter would be read as a hexadecimal digit.
constexpr std::array beginnings{
    BeginningClue{"\x1F\x8B", "a gzip archive: unpack it first", ContentKind::archive},
    BeginningClue{"\xFD"
                  "7zXZ",
                  "an xz archive: unpack it first"},
    BeginningClue{"BZh", "a bzip2 archive: unpack it first"},
    BeginningClue{"\x28\xB5\x2F\xFD", "a zstd archive: unpack it first"},
    BeginningClue{"PK\x03\x04", "a zip archive: unpack it first"},
    BeginningClue{"\x7F"
                  "ELF",
                  "a program"},
    BeginningClue{"%PDF", "a PDF document"},
    BeginningClue{"<", "an XML or HTML document"},
};

/// A header of tar (POSIX.1-2017, pax, "ustar Interchange Format"; GNU's has a blank for the NUL
/// byte). Text never matches, because the header is filled with NUL bytes.
bool is_tar(std::string_view text) {
  constexpr std::size_t header_size = 512, magic_at = 257, padding_at = 500;
  return text.size() >= header_size && text.substr(magic_at).starts_with("ustar") &&
         text[padding_at] == '\0';
}

/// Whether the first word is the keyword, ignoring case.
bool begins_with_keyword(std::string_view text, std::string_view keyword) {
  constexpr auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  for (const char c : keyword) {
    if (text.empty() || lower(text.front()) != c) return false;
    text.remove_prefix(1);
  }
  return text.empty() || " \t\r\n{\"/"sv.find(text.front()) != std::string_view::npos;
}

/// `11: 255 0 1 3 3`: a number, the entry of LID 0, which does not exist, and at least one more.
bool is_vector(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  return take_number(line) && take_next(line, ":") && take_next_number(line) &&
         take_next_number(line);
}

/// A NED file can be on one line: `network small { submodules: ..`. Ignores quoted texts.
bool is_ned_on_one_line(std::string_view text) {
  constexpr std::array words{"network "sv, "package "sv, "import "sv, "module "sv};
  std::string_view rest = text.substr(0, text.find('\n'));
  if (!take_one_of(rest, words)) return false;
  while (!rest.empty()) {
    if (is_ned_section(rest)) return true;
    const std::size_t end =
        rest.front() == '"' ? std::min(rest.find('"', 1), rest.size() - 1) + 1 : 1;
    const bool is_word = is_latin_letter(rest.front());
    rest.remove_prefix(end);
    while (is_word && !rest.empty() && is_latin_letter(rest.front())) rest.remove_prefix(1);
  }
  return false;
}

/// Graphs and the files of OMNeT++, which only comments can precede.
std::optional<Finding> find_by_first_word(std::string_view head) {
  const std::string_view text = without_comments(head);
  // get_network_graph of ORCS lists all LIDs in comments above the graph.
  if (head.starts_with("/* LID: ")) {
    return Finding{"a directed graph (dot)", ContentKind::dot_graph, 0};
  }
  const std::size_t offset = head.size() - text.size();
  if (begins_with_keyword(text, "digraph")) {
    return Finding{"a directed graph (dot)", ContentKind::dot_graph, offset};
  }
  if (begins_with_keyword(text, "graph") || begins_with_keyword(text, "strict")) {
    return Finding{"a graph (dot)", ContentKind::dot_graph, offset};
  }
  // ORCS's own graphs may end with a NUL byte; other texts contain none.
  if (head.find('\0') != std::string_view::npos) return Finding{"binary data"};
  if (is_vector(text)) {
    return Finding{"forwarding tables (OMNeT++)", ContentKind::omnet_fdbs, offset};
  }
  if (is_ned_on_one_line(text)) {
    return Finding{"a network of OMNeT++ (NED)", ContentKind::omnet_ned, offset};
  }
  return std::nullopt;
}

/// JSON, whose lines could look like those of another format if they begin with a quote.
std::optional<Finding> find_json(std::string_view head) {
  const std::size_t first = std::min(head.find_first_not_of(" \t\r\n"), head.size());
  switch (json_kind(head.substr(first))) {
    case JsonKind::ufm_links:
      return Finding{"links of UFM (JSON)", ContentKind::ufm_answer};
    case JsonKind::ufm_ports:
      return Finding{"ports of UFM (JSON)", ContentKind::ufm_answer};
    case JsonKind::ufm_systems:
      return Finding{"systems of UFM (JSON)", ContentKind::ufm_answer};
    case JsonKind::other:
      return Finding{"a JSON document", ContentKind::other, Finding::npos,
                     "; of JSON, only UFM's /ufmRest/resources/links, ports and systems are read"};
    case JsonKind::none:
      break;
  }
  return std::nullopt;
}

std::optional<Finding> find_by_line(std::string_view head) {
  std::optional<Finding> by_comment;
  for (std::size_t at = 0; at < head.size(); at = std::min(head.find('\n', at), head.size()) + 1) {
    const std::string_view line = without_indent(head.substr(at, head.find('\n', at) - at));
    for (const LineClue& clue : line_clues) {
      if (clue.has_structure(line)) return Finding{clue.description, clue.kind, at, clue.advice};
    }
    if (at == 0 && is_cable_list(head)) {
      return Finding{"a cabling list (CSV): a plan for pssp compare-fabric",
                     ContentKind::cable_list, at};
    }
    // A comment decides only if no line does.
    if (!by_comment && line.starts_with("# Topology file")) {
      by_comment = {"a topology (ibnetdiscover)", ContentKind::net_file, at};
    }
  }
  return by_comment;
}

std::optional<Finding> find_kind(std::string_view head) {
  for (const BeginningClue& clue : beginnings) {
    if (head.starts_with(clue.beginning)) return Finding{clue.description, clue.kind};
  }
  if (is_tar(head)) return Finding{"a tar archive: unpack it first", ContentKind::archive};
  if (const auto found = find_json(head)) return found;
  if (const auto found = find_by_first_word(head)) return found;
  return find_by_line(head);
}

std::string_view beginning_of(std::string_view text) {
  text = text.substr(0, content_looked_at);
  take(text, "\xEF\xBB\xBF");
  return text;
}

/// Appends `place` to the description.
std::string describe(std::string_view text, const std::optional<Finding>& found,
                     std::string_view place) {
  const std::string_view head = beginning_of(text);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return text.size() <= content_looked_at ? "an empty file"
                                            : "a file that begins with blanks only";
  }
  if (found) return fmt::format("{}{}{}", found->description, place, found->advice);
  if (head[first] == '{' || head[first] == '[') return "a JSON document";
  return "text of an unknown format";
}

}  // namespace

ContentKind content_kind(std::string_view text) {
  const std::optional<Finding> found = find_kind(beginning_of(text));
  return found ? found->kind : ContentKind::other;
}

std::string describe_content(std::string_view text) {
  return describe(text, find_kind(beginning_of(text)), "");
}

std::string describe_content(std::string_view text, std::string_view name) {
  const std::string_view head = beginning_of(text);
  const std::optional<Finding> found = find_kind(head);
  if (!found || found->offset == Finding::npos) return describe(text, found, "");
  const auto line_number = std::count(head.begin(), head.begin() + found->offset, '\n') + 1;
  const std::string_view line =
      head.substr(found->offset, head.find('\n', found->offset) - found->offset);
  return describe(text, found,
                  fmt::format(" ({}:{}: '{}')", name, line_number, excerpt(trimmed(line))));
}

}  // namespace pssp
