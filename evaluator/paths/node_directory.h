#pragma once

// Who is meant by what an administrator types: a host or a switch by its name, its description, its
// GUID or a LID.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Where a path begins or ends: a port that has LIDs, and one of these.
struct PathEnd {
  LidOwner owner;    ///< an end port, or the port 0 of a switch
  Lid lid = no_lid;  ///< the base LID unless another one was asked for
};

/// Finds end ports and switches by text. Immutable; safe to read from any number of threads. The
/// fabric must outlive it.
class NodeDirectory {
 public:
  /// O(end ports + switches).
  explicit NodeDirectory(const Fabric& fabric);

  /// The one port that `text` stands for:
  /// - a name of the topology file ("H00012"), or a whole node description ("node12 mlx5_0"), or,
  ///   where no node has either, the first word of a description ("node12");
  /// - a GUID of a port, an adapter or a switch: "0x" and hexadecimal digits, or 16 of them;
  /// - a LID, decimal or hexadecimal after "0x", up to 0xBFFF.
  /// "name:", "guid:" or "lid:" before it says which. Ports without a cable are passed over where
  /// others fit too. Throws Error(usage) when nothing fits (with names that resemble it), when
  /// several ports do (with the list of them), and when the port has no LID.
  PathEnd find(std::string_view text) const;

  /// All ports that a text names, and all with a GUID ("0x" and hexadecimal digits, or 16 of them),
  /// as find() understands them; none where nothing fits.
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
