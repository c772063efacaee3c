// One table of what the first bytes of a file, and one of what words within it give away. First
// match wins, so the specific stands before the general.

#include "routing/formats/content_kind.h"

#include <array>

namespace pssp {
namespace {

struct Clue {
  std::string_view token;
  std::string_view kind;
};

constexpr std::array first_bytes{
    Clue{"\x1F\x8B", "a gzip archive: unpack it first"},
    Clue{"\xFD"
         "7zXZ",
         "an xz archive: unpack it first"},
    Clue{"BZh", "a bzip2 archive: unpack it first"},
    Clue{"\x28\xB5\x2F\xFD", "a zstd archive: unpack it first"},
    Clue{"PK\x03\x04", "a zip archive: unpack it first"},
    Clue{"\x7F"
         "ELF",
         "a program"},
    Clue{"%PDF", "a PDF document"},
    Clue{"<", "an XML or HTML document"},
    Clue{"digraph", "a Graphviz file"},
    Clue{"graph", "a Graphviz file"},
};

constexpr std::array words{
    Clue{"Multicast mlids", "multicast forwarding tables"},
    Clue{"valid lids dumped", "forwarding tables (dump_fts)"},
    Clue{"Unicast lids [0x", "forwarding tables (dump_fts)"},
    Clue{"Unicast lids [", "forwarding tables (opensm-lfts.dump)"},
    Clue{"dump_ucast_routes: Switch", "forwarding tables (opensm.fdbs)"},
    Clue{"==(", "the output of iblinkinfo; ibnetdiscover without options prints a topology"},
    Clue{"NodeGUID:", "a link list (opensm-subnet.lst); ibnetdiscover prints a topology"},
    Clue{": Optimal", "forwarding tables (opensm.fdbs)"},
    Clue{" devid 0x", "a list of nodes; ibnetdiscover without options prints a topology"},
    Clue{"# Topology file", "a topology (ibnetdiscover)"},
    Clue{"Switch\t", "a topology (ibnetdiscover or ibsim)"},
    Clue{"switchguid=", "a topology (ibnetdiscover)"},
    Clue{"SDR - ", "a port list; ibnetdiscover without options prints a topology"},
};

}  // namespace

std::string describe_content(std::string_view text) {
  constexpr std::size_t looked_at = std::size_t{64} << 10;
  const std::string_view head = text.substr(0, looked_at);
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return text.size() == head.size() ? "an empty file" : "a file that begins with blanks only";
  }
  for (const Clue& clue : first_bytes) {
    if (head.starts_with(clue.token)) return std::string(clue.kind);
  }
  if (head.find('\0') != std::string_view::npos) return "binary data";
  for (const Clue& clue : words) {
    if (head.find(clue.token) != std::string_view::npos) return std::string(clue.kind);
  }
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (head[first] == '{' || head[first] == '[') return "a JSON document";
  return "text of a kind that is not known";
}

}  // namespace pssp
