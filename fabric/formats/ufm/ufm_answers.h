#pragma once

// Reader of replies of UFM's REST interface that were saved as files: resources/links, which is a
// topology without LIDs and speeds, resources/ports, which adds these, the types of nodes and free
// ports, and resources/systems, which adds types and names.
// Source of the format: UFM's REST API guide and the scripts of Mellanox/ufm_sdk_3.0.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/formats/cases.h"
#include "fabric/formats/json_beginning.h"
#include "fabric/formats/port_statements.h"
#include "fabric/formats/topology_file.h"

namespace pssp {

/// Collects the replies, in any order.
class UfmAnswers {
 public:
  /// Takes one of the three replies. Fields are found by name, and unknown fields skipped. Throws
  /// Error(unreadable_input) with the number of the entry, and Error(usage) for a second reply of
  /// the same kind. O(size).
  void add(std::string_view text, std::string_view name);
  bool empty() const noexcept { return names_.empty(); }

  /// The topology of the links. A node whose type no reply states is a switch if it has several
  /// ports or its description ends with the name of its port, as UFM writes descriptions of
  /// switches; the types that were guessed so are counted in a warning. Throws Error(usage) where
  /// the links are missing, Error(unreadable_input) on a contradiction. O(n log n).
  TopologyFile build();

 private:
  struct End {
    Guid system = 0, guid = 0;  ///< of the system, and of the switch or adapter port
    unsigned port = 0;
    std::string label;        ///< of the port: "19", "1/3/1", "HCA-2/1"
    std::string description;  ///< "leaf 1:19", "node1 mlx5_0"
  };
  struct Link {
    std::size_t entry = 0;
    End source, destination;
    std::string width;
  };
  struct Port {
    std::size_t entry = 0;
    End end;  ///< its GUID is that of the name of the port
    Guid port_guid = 0;
    ReportedType type = ReportedType::unknown;
    unsigned lid = no_lid;
    std::string speed, width;
    bool is_linked = false;
  };
  struct System {
    ReportedType type = ReportedType::unknown;
    std::string name;
  };
  class EntryReader;
  class Builder;
  using PortKey = std::pair<Guid, unsigned>;  ///< GUID and number in the name of a port

  void read_link(const EntryReader& entry);
  void read_port(const EntryReader& entry);
  void read_system(const EntryReader& entry);

  std::map<JsonKind, std::string> names_;  // of the files
  std::vector<Link> links_;
  std::map<PortKey, Port> ports_;
  std::map<Guid, System> systems_;
  Cases repeated_;  // ports and systems
};

}  // namespace pssp
