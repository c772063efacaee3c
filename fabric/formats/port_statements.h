#pragma once

// Collects the lines of port reports (ibnetdiscover -p, iblinkinfo), and builds the topology. Such
// reports identify ports by LID, port number and one GUID, but have no node GUIDs of adapters, no
// LMCs and no numbers of ports.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/formats/cases.h"
#include "fabric/formats/topology_file.h"
#include "fabric/link_rate.h"

namespace pssp {

enum class ReportedType : std::uint8_t { unknown, switch_node, adapter, router };

/// One end of a link, or a port without a link. The views refer to the text.
struct ReportedPort {
  ReportedType type = ReportedType::unknown;
  Guid guid = 0;  ///< of a switch: its node; of an adapter: the port; 0: unknown
  unsigned lid = no_lid;
  unsigned port = 0;  ///< 1 .. 254
  std::string_view name;
};

class PortStatements {
 public:
  /// `name` stands for the file in messages; `unit` for the numbered elements: "line", "entry".
  explicit PortStatements(std::string_view name, std::string_view unit = "line")
      : name_(name), unit_(unit) {}

  /// `line`: number of the line or entry. `heading`: lines with the same number are ports of one
  /// adapter; 0: unknown.
  void add_link(std::size_t line, const ReportedPort& near, const ReportedPort& far, LinkRate rate,
                std::size_t heading = 0);
  void add_free_port(std::size_t line, const ReportedPort& port, std::size_t heading = 0);
  void add_unknown_rate(const std::string& example) { unknown_rates_.add(example); }
  void add_slow_link(const std::string& example) { slow_links_.add(example); }
  bool empty() const noexcept { return lines_.empty(); }

  /// The topology. Adapter ports belong to one adapter if they are below one heading, or have the
  /// same name and GUIDs that differ as the port numbers do. The node GUID of an adapter is the
  /// GUID of its first port. Warnings list the assumptions. Throws Error(unreadable_input) with the
  /// file and the number for a contradiction. O(lines log lines).
  TopologyFile build();

 private:
  struct Line {
    std::size_t number = 0, heading = 0;
    ReportedPort near, far;
    LinkRate rate;
    bool has_link = false;
  };
  struct Node;
  class Builder;

  std::string name_, unit_;
  std::vector<Line> lines_;
  Cases unknown_rates_, slow_links_;
};

}  // namespace pssp
