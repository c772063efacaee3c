#pragma once

// Recognizes the kind of a file: the only registry of kinds of content. Readers use it for messages
// about wrong files, read_fabric_input() to select the reader.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pssp {

/// The kinds with a reader.
enum class ContentKind : std::uint8_t {
  other,               ///< none of the following
  net_file,            ///< a topology: ibsim net file, output of ibnetdiscover
  subnet_list,         ///< a topology: opensm-subnet.lst, ibdiagnet.lst
  port_report,         ///< a topology: ibnetdiscover -p
  link_info,           ///< a topology: iblinkinfo
  ibdiagnet_database,  ///< a topology: ibdiagnet2.db_csv
  lft_dump,            ///< tables: dump_fts, opensm-lfts.dump, opensm.fdbs, ibdiagnet.fdbs
  dot_graph,           ///< a topology, with routes or without
  omnet_ned,           ///< a topology: network of the OMNeT++ model
  omnet_fdbs,          ///< tables of the OMNeT++ model
  ufm_answer,          ///< a topology or a part of it: JSON of UFM's REST interface
  cable_list,          ///< a plan: cabling list (CSV), as UFM's NDT files
  archive,             ///< several files: tar, or anything compressed by gzip
};

/// Number of bytes from which the kind is recognized.
constexpr std::size_t content_looked_at = std::size_t{64} << 10;

/// Uses the first content_looked_at bytes. The first line with the structure of a kind decides;
/// text in quotes, braces or parentheses after the beginning of a line never does. Console output
/// may precede the content, except for graphs and the files of OMNeT++.
ContentKind content_kind(std::string_view text);

/// A topology in a format that read_topology() does not read, but convert_fabric converts.
constexpr bool is_convertible_topology(ContentKind kind) {
  using enum ContentKind;
  return kind == subnet_list || kind == port_report || kind == link_info ||
         kind == ibdiagnet_database || kind == dot_graph || kind == omnet_ned || kind == ufm_answer;
}

/// For example "forwarding tables (dump_fts)", "a gzip archive: unpack it first", "text of a kind
/// that is not known". Uses the first content_looked_at bytes; one more shows that the file is
/// longer.
std::string describe_content(std::string_view text);
/// The same with the deciding line, as "forwarding tables (dump_fts) (NAME:12: 'Unicast lids ..')".
std::string describe_content(std::string_view text, std::string_view name);

}  // namespace pssp
