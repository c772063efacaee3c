#pragma once

// The conditions that forwarding tables must meet before use: every end port reaches every other
// end port, no packet loops, and no entry leads to a dead port. The report also shows whether the
// channel dependency graph has a cycle (a credit loop).
//
// Accepts tables from any source.

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

struct VerifyOptions {
  bool credit_loops = true;  ///< build the channel dependency graph (about two thirds of the work)
  std::size_t max_examples = 5;  ///< number of examples kept for each type of defect
};

struct VerifyReport {
  /// Ordered pairs (end port, LID of another end port) without a route, for all cabled end ports
  /// (including aggregation nodes and routers).
  std::uint64_t unreachable_pairs = 0;
  /// The pairs among these whose ends are on different islands of the fabric, which no tables can
  /// connect.
  std::uint64_t separated_pairs = 0;
  /// Ordered pairs (end port, LID of a switch on the same island) without a route, which lose
  /// management traffic.
  std::uint64_t unreachable_switch_pairs = 0;
  /// Distinct cycles of switches in which packets for one LID would loop, summed over the LIDs.
  std::uint64_t forwarding_loops = 0;
  /// Entries for LIDs in use that lead to a port without a live link, or to an end port or port 0
  /// that does not own the LID.
  std::uint64_t dead_port_entries = 0;
  /// The shortest cycle found in the channel dependency graph of the routes between end ports;
  /// empty if there is none.
  std::vector<ChannelId> credit_loop;
  std::uint64_t channel_dependencies = 0;  ///< edges of the channel dependency graph
  std::vector<std::string> examples;       ///< human-readable, one line each

  /// All routes that tables can provide exist. Credit loops and islands do not make tables
  /// unusable.
  bool usable() const noexcept {
    return unreachable_pairs == separated_pairs && unreachable_switch_pairs == 0 &&
           forwarding_loops == 0 && dead_port_entries == 0;
  }
  bool has_credit_loop() const noexcept { return !credit_loop.empty(); }
};

/// O(LIDs * switches). Throws Error(mismatch) if the tables have another number of switches than
/// the fabric.
VerifyReport verify(const Fabric& fabric, const ForwardingTables& tables,
                    const VerifyOptions& options = {});

/// "3 unreachable pairs, 0 unreachable pairs of end port and switch, ...": all counts of defects
/// that make tables unusable. Pairs on different islands do not count.
std::string describe_defects(const VerifyReport& report);

/// For tables to be used elsewhere: throws Error(verification_failed) with the defects and examples
/// unless the tables are usable.
void require_writable(const VerifyReport& report);

/// One line per channel of report.credit_loop: "S1[3] -> S2[4] waits for the next channel".
std::string describe_credit_loop(const Fabric& fabric, const VerifyReport& report);

}  // namespace pssp
