// One table of clues. The first that is found decides, so the specific stands before the general,
// and what a file begins with before what occurs somewhere in it.

#include "fabric/formats/content_kind.h"

#include <array>

#include "base/text_lines.h"
#include "fabric/formats/cable_list.h"

namespace pssp {
namespace {

using namespace std::string_view_literals;

bool begins(std::string_view head, std::string_view token) { return head.starts_with(token); }
bool contains(std::string_view head, std::string_view token) {
  return head.find(token) != std::string_view::npos;
}

/// Without blanks, line ends and the comments of C++ and of the C preprocessor at the front. A
/// comment that does not end leaves nothing.
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

bool begins_with_keyword(std::string_view head, std::string_view keyword) {
  std::string_view text = without_comments(head);
  constexpr auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  for (const char c : keyword) {
    if (text.empty() || lower(text.front()) != c) return false;
    text.remove_prefix(1);
  }
  return text.empty() || " \t\r\n{\"/"sv.find(text.front()) != std::string_view::npos;
}

/// A line such as `Switch 36 "S-0002c90200405060"`.
bool has_node_line(std::string_view head, std::string_view keyword) {
  for (std::size_t at = 0; at < head.size(); ++at) {
    const std::size_t end = std::min(head.find('\n', at), head.size());
    std::string_view line = without_indent(head.substr(at, end - at));
    at = end;
    // The blanks get lost on the way through consoles; the number and the quote do not.
    if (!take(line, keyword)) continue;
    line = without_indent(line);
    if (take_number(line) && without_indent(line).starts_with('"')) return true;
  }
  return false;
}

/// `11: 255 0 1 3 3`: a number, the entry of LID 0, which does not exist, and at least one more.
bool begins_with_vector(std::string_view head, std::string_view /*token*/) {
  std::string_view line = without_comments(head);
  line = line.substr(0, line.find('\n'));
  if (!take_number(line)) return false;
  line = without_indent(line);
  if (!take(line, ":")) return false;
  for (unsigned numbers = 0; numbers < 2; ++numbers) {
    line = without_indent(line);
    if (!take_number(line)) return false;
  }
  return true;
}

bool has_cable_list_header(std::string_view head, std::string_view /*token*/) {
  return is_cable_list(head);
}

struct Clue {
  bool (*is_there)(std::string_view head, std::string_view token);
  std::string_view token;
  std::string_view description;
  ContentKind kind = ContentKind::other;
};

constexpr std::string_view some_topology = "a topology (ibnetdiscover or ibsim)";

// ORCS's own files may end in a NUL byte: graphs stand above binary data. A token of bytes is split
// in two where the letter behind it would be read as a hexadecimal digit.
constexpr std::array clues{
    Clue{begins, "\x1F\x8B", "a gzip archive: unpack it first"},
    Clue{begins,
         "\xFD"
         "7zXZ",
         "an xz archive: unpack it first"},
    Clue{begins, "BZh", "a bzip2 archive: unpack it first"},
    Clue{begins, "\x28\xB5\x2F\xFD", "a zstd archive: unpack it first"},
    Clue{begins, "PK\x03\x04", "a zip archive: unpack it first"},
    Clue{begins,
         "\x7F"
         "ELF",
         "a program"},
    Clue{begins, "%PDF", "a PDF document"},
    Clue{begins, "<", "an XML or HTML document"},
    Clue{begins_with_keyword, "digraph", "a directed graph (dot)", ContentKind::dot_graph},
    Clue{begins_with_keyword, "graph", "a graph (dot)", ContentKind::dot_graph},
    Clue{begins_with_keyword, "strict", "a graph (dot)", ContentKind::dot_graph},
    // get_network_graph of ORCS lists all LIDs in comments above the graph.
    Clue{begins, "/* LID: ", "a directed graph (dot)", ContentKind::dot_graph},
    Clue{contains, "\0"sv, "binary data"},
    Clue{has_cable_list_header, "", "a cabling list (CSV): a plan for compare_fabric",
         ContentKind::cable_list},
    Clue{begins_with_vector, "", "forwarding tables (OMNeT++)", ContentKind::omnet_fdbs},
    Clue{contains, "submodules:", "a network of OMNeT++ (NED)", ContentKind::omnet_ned},
    Clue{contains, "Multicast mlids", "multicast forwarding tables"},
    Clue{contains, "valid lids dumped", "forwarding tables (dump_fts)", ContentKind::lft_dump},
    Clue{contains, "Unicast lids [0x", "forwarding tables (dump_fts)", ContentKind::lft_dump},
    Clue{contains, "Unicast lids [", "forwarding tables (opensm-lfts.dump)", ContentKind::lft_dump},
    Clue{contains, "dump_ucast_routes: Switch", "forwarding tables (opensm.fdbs)",
         ContentKind::lft_dump},
    Clue{contains, "==(",
         "the output of iblinkinfo; ibnetdiscover without options prints a topology"},
    Clue{contains, "NodeGUID:", "a link list (opensm-subnet.lst)", ContentKind::subnet_list},
    Clue{contains, ": Optimal", "forwarding tables (opensm.fdbs)", ContentKind::lft_dump},
    Clue{contains, " devid 0x", "a list of nodes; ibnetdiscover without options prints a topology"},
    Clue{contains, "# Topology file", "a topology (ibnetdiscover)", ContentKind::net_file},
    Clue{has_node_line, "Switch", some_topology, ContentKind::net_file},
    Clue{contains, "switchguid=", "a topology (ibnetdiscover)", ContentKind::net_file},
    Clue{contains, "SDR - ", "a port list; ibnetdiscover without options prints a topology"},
    Clue{has_node_line, "Ca", some_topology, ContentKind::net_file},
    Clue{has_node_line, "Hca", some_topology, ContentKind::net_file},
};

const Clue* find_clue(std::string_view head) {
  for (const Clue& clue : clues) {
    if (clue.is_there(head, clue.token)) return &clue;
  }
  return nullptr;
}

}  // namespace

ContentKind content_kind(std::string_view text) {
  const Clue* const clue = find_clue(text.substr(0, content_looked_at));
  return clue == nullptr ? ContentKind::other : clue->kind;
}

std::string describe_content(std::string_view text) {
  const std::string_view head = text.substr(0, content_looked_at);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return text.size() == head.size() ? "an empty file" : "a file that begins with blanks only";
  }
  if (const Clue* const clue = find_clue(head)) return std::string(clue->description);
  if (head[first] == '{' || head[first] == '[') return "a JSON document";
  return "text of a kind that is not known";
}

}  // namespace pssp
