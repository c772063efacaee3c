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
  std::string host = {};  ///< name; empty with a GUID
  Guid guid = 0;          ///< of a port or a node; 0 with a name
  std::size_t line = 0;
  std::string file = {};
};

/// Throws Error(unreadable_input) with file:line for a node type without hosts, an invalid range, a
/// word of more than 256 bytes, and more than 100,000 hosts. A name with ranges is expanded;
/// numbers are padded to the digits of the first one. O(size + hosts).
std::vector<HostOfType> parse_node_types(std::string_view text, std::string_view name);
/// Hosts of one node type from a file of OpenSM. Throws Error(unreadable_input) with file:line for
/// lines that OpenSM would not read either.
std::vector<HostOfType> parse_guids_of_type(std::string_view text, std::string_view name,
                                            std::string_view type);
/// Read files of at most 16 MiB with `source`.
std::vector<HostOfType> read_node_types(const std::filesystem::path& path,
                                        const FileSource& source = from_anywhere);
std::vector<HostOfType> read_guids_of_type(const std::filesystem::path& path, std::string_view type,
                                           const FileSource& source);

enum class UnknownHosts : std::uint8_t {
  refused,  ///< for a planned fabric
  counted,  ///< for a running fabric: hosts that are off keep their node type
};

struct NodeTypesEffect {
  std::size_t node_types = 0;
  std::size_t hosts = 0;    ///< adapters with a node type
  std::size_t unknown = 0;  ///< entries without a matching adapter
};

/// Sets the node types of adapters in a builder. A name matches the description of a node, its
/// first word ("node12" of "node12 mlx5_0") and its name in the topology, of all such nodes. Throws
/// Error(mismatch) with file:line, and changes nothing, if a host would have two node types, and if
/// unknown hosts are refused, for the first of them. O(nodes + entries).
NodeTypesEffect apply_node_types(const std::vector<HostOfType>& hosts, UnknownHosts unknown,
                                 FabricBuilder& builder);

/// "512 hosts of 3 node types; 2 hosts are not there"
std::string to_string(const NodeTypesEffect& effect);

}  // namespace pssp
