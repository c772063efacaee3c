#pragma once

// What must hold before forwarding tables may be used: every end port reaches every other, nothing
// loops, nothing is sent to a dead port. And what an administrator should know: whether the channel
// dependency graph has a cycle (a credit loop).
//
// Works on any tables, ours or not.

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

struct VerifyOptions {
  bool credit_loops = true;  ///< build the channel dependency graph (about two thirds of the work)
  std::size_t max_examples = 5;  ///< examples kept of each kind of finding
};

struct VerifyReport {
  /// Ordered pairs (end port, LID of another end port) without a route, all cabled end ports
  /// counted (aggregation nodes and routers too).
  std::uint64_t unreachable_pairs = 0;
  /// Those of them whose ends lie on different islands of the fabric, so that no tables could join
  /// them.
  std::uint64_t separated_pairs = 0;
  /// Ordered pairs (end port, LID of a switch on the same island) without a route: management
  /// traffic that would be lost.
  std::uint64_t unreachable_switch_pairs = 0;
  /// Distinct cycles of switches that packets for one LID would circle in, summed over the LIDs.
  std::uint64_t forwarding_loops = 0;
  /// Entries for LIDs in use that point to a port without a live link, or to an end port or port 0
  /// that does not own the LID.
  std::uint64_t dead_port_entries = 0;
  /// A cycle in the channel dependency graph of the routes between end ports, shortest found; empty
  /// when there is none.
  std::vector<ChannelId> credit_loop;
  std::uint64_t channel_dependencies = 0;  ///< edges of that graph
  std::vector<std::string> examples;       ///< human-readable, one line each

  /// Everything that tables can provide is there. A credit loop is no reason to refuse, nor are
  /// islands.
  bool usable() const noexcept {
    return unreachable_pairs == separated_pairs && unreachable_switch_pairs == 0 &&
           forwarding_loops == 0 && dead_port_entries == 0;
  }
  bool has_credit_loop() const noexcept { return !credit_loop.empty(); }
};

/// O(LIDs * switches). Throws Error(mismatch) when the tables have another number of switches than
/// the fabric.
VerifyReport verify(const Fabric& fabric, const ForwardingTables& tables,
                    const VerifyOptions& options = {});

/// "3 unreachable pairs, 0 unreachable pairs of end port and switch, ...": all counts of what makes
/// tables unusable. Pairs on different islands do not count.
std::string describe_defects(const VerifyReport& report);

/// For tables that are to be handed on: throws Error(verification_failed), with what is wrong and
/// the examples, unless they are usable.
void require_writable(const VerifyReport& report);

/// One line per channel of report.credit_loop: "S1[3] -> S2[4], waits for the next".
std::string describe_credit_loop(const Fabric& fabric, const VerifyReport& report);

}  // namespace pssp
