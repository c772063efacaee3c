#pragma once

// Files that give hosts their node types:
//
//   # comment
//   storage oss[01-16] mds1            a node type, and hosts by name, by ranges of names,
//   storage 0x0002c90300000101         or by the GUID of a port or node
//   login   login[1-4,7]
//
// and the same from OpenSM's cn_guid_file and io_guid_file: a GUID a line, what follows is a
// remark.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/guarded_files.h"
#include "fabric/builder.h"

namespace pssp {

struct HostOfType {
  std::string type = {};
  std::string host = {};  ///< name; empty where a GUID is given
  Guid guid = 0;          ///< of a port or a node; 0 where a name is given
  std::size_t line = 0;
  std::string file = {};
};

/// Throws Error(unreadable_input) with file:line: a node type without hosts, a range that is none,
/// a word of more than 256 bytes, more than 100,000 hosts. A name with ranges becomes as many
/// names, numbers padded to the digits of the first one. O(size + hosts).
std::vector<HostOfType> parse_node_types(std::string_view text, std::string_view name);
/// Hosts of one node type from a file of OpenSM's. Throws Error(unreadable_input) with file:line on
/// what OpenSM would not read either.
std::vector<HostOfType> parse_guids_of_type(std::string_view text, std::string_view name,
                                            std::string_view type);
/// Read files of at most 16 MiB by `source`.
std::vector<HostOfType> read_node_types(const std::filesystem::path& path,
                                        const FileSource& source = from_anywhere);
std::vector<HostOfType> read_guids_of_type(const std::filesystem::path& path, std::string_view type,
                                           const FileSource& source);

enum class UnknownHosts : std::uint8_t {
  refused,  ///< for a fabric as it is meant to be
  counted,  ///< for a living one: a host that is off keeps its node type for when it is back
};

struct NodeTypesEffect {
  std::size_t node_types = 0;
  std::size_t hosts = 0;    ///< adapters that have a node type now
  std::size_t unknown = 0;  ///< entries that no adapter fits
};

/// Gives node types to the adapters of a builder. A name fits the description of a node, the first
/// word of it ("node12" of "node12 mlx5_0") and its name in the topology, of all nodes that have
/// it. Throws Error(mismatch) with file:line, and changes nothing, where a host would be of two
/// node types, and where unknown hosts are refused, for the first of them. O(nodes + entries).
NodeTypesEffect apply_node_types(const std::vector<HostOfType>& hosts, UnknownHosts unknown,
                                 FabricBuilder& builder);

/// "512 hosts of 3 node types; 2 hosts are not there"
std::string to_string(const NodeTypesEffect& effect);

}  // namespace pssp
