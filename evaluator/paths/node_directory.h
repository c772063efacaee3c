#pragma once

// Finds the host or switch that an administrator names by its name, description, GUID or LID.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// The end of a path: a port with LIDs, and one of these LIDs.
struct PathEnd {
  LidOwner owner;    ///< an end port, or the port 0 of a switch
  Lid lid = no_lid;  ///< the base LID unless another one was specified
};

/// Finds end ports and switches by text. Immutable; can be read by any number of threads. The
/// fabric must outlive it.
class NodeDirectory {
 public:
  /// O(end ports + switches).
  explicit NodeDirectory(const Fabric& fabric);

  /// The port that `text` identifies:
  /// - a name of the topology file ("H00012"), or a whole node description ("node12 mlx5_0"), or,
  ///   if no node has either, the first word of a description ("node12");
  /// - a GUID of a port, an adapter or a switch: "0x" and hexadecimal digits, or 16 of them;
  /// - a LID, decimal or hexadecimal after "0x", up to 0xBFFF.
  /// The prefix "name:", "guid:" or "lid:" selects one of these. Cabled ports have precedence over
  /// ports without a cable. Throws Error(usage) if nothing matches (with similar names), if several
  /// ports match (with their list), or if the port has no LID.
  PathEnd find(std::string_view text) const;

  /// All ports with a name, and all with a GUID ("0x" and hexadecimal digits, or 16 of them),
  /// matched as in find(); empty if nothing matches.
  std::vector<LidOwner> named(std::string_view text) const;
  std::vector<LidOwner> with_guid(std::string_view text) const;

  /// "H00012 (node12 mlx5_0) port 1, lid 17, guid 0x0002c903000e0b72".
  std::string describe(LidOwner owner) const;

 private:
  using Owners = std::vector<LidOwner>;
  using OwnersByText = std::unordered_map<std::string, Owners>;

  void add(const std::string& name, const std::string& description, LidOwner owner);
  Lid base_lid(LidOwner owner) const;
  bool is_cabled(LidOwner owner) const;
  [[noreturn]] void fail_unknown(std::string_view text) const;
  [[noreturn]] void fail_ambiguous(std::string_view text, const Owners& owners) const;

  const Fabric& fabric_;
  OwnersByText by_name_, by_first_word_;
  std::unordered_map<Guid, Owners> by_node_guid_;
};

}  // namespace pssp
