#pragma once

// Reads the current cables, tables and managers of a fabric by directed routes, with Get requests
// only.

#include <memory>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "monitor/live/fabric_session.h"
#include "tools/kit/port_options.h"

namespace pssp {

/// The tables of the switches, in the numbering of `fabric`.
struct HeldTables {
  std::shared_ptr<const Fabric> fabric;
  ForwardingTables tables;
};

class LiveFabric {
 public:
  /// Opens the port. `m_key_file` may be empty. Throws Error(fabric_access), also if a device that
  /// hangs is not open after 20 s; Error(unreadable_input).
  LiveFabric(const PortOptions& port, const std::string& m_key_file);

  /// Discovers the fabric. Throws Error(fabric_access), also if it cannot be routed.
  std::shared_ptr<const Fabric> walk();
  /// Discovers the fabric, and reads the tables of all switches along directed routes. Throws
  /// Error(fabric_access), also if a switch does not answer.
  HeldTables read();
  /// Throws Error(verification_failed), naming all, if more than one subnet manager answers.
  void require_one_manager();

 private:
  DiscoveredFabric discover();

  std::uint64_t m_key_ = 0;
  std::unique_ptr<FabricSession> session_;
};

/// Different entries for the LIDs of the fabric; both tables have its numbering.
struct HeldDifference {
  std::uint64_t entries = 0;
  std::vector<std::string> switches;  ///< names of switches with such an entry
  /// "12 entries of 2 switches (A, B)"
  std::string text() const;
};
HeldDifference difference_of(const Fabric& fabric, const ForwardingTables& expected,
                             const ForwardingTables& held);

}  // namespace pssp
