#pragma once

// What eval_lft and opensm's log say of one set of tables.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

struct Interval {
  double low = 0, high = 0;
};

/// To the first table of the comparison, paired under the same bisections.
struct TableDifference {
  double mean = 0, adjusted_p = 1;
  std::string json;  ///< all that eval_lft says of it
};

/// Time of a pattern of structured traffic (docs/explanation/structured-traffic.md).
struct PatternFigure {
  std::string name;
  double time = 0;
};

struct StructuredFigures {
  double slowdown = 1;  ///< S
  double score = 0;     ///< bandwidth and S in one number
  std::vector<PatternFigure> patterns;

  /// Nothing where the fabric has no such pattern.
  std::optional<double> time_of(const std::string& pattern) const {
    for (const PatternFigure& each : patterns) {
      if (each.name == pattern) return each.time;
    }
    return std::nullopt;
  }
};

/// What flows get that are striped over several LIDs of each host; their slowest part decides.
struct StripedFigures {
  unsigned lids = 1;
  std::optional<double> bandwidth, standard_error;
  std::optional<double> slowdown, score;  ///< S, and both in one number
};

/// Bandwidth is effective bisection bandwidth, as a share of the link bandwidth.
struct TableScore {
  std::uint64_t hosts = 0;  ///< in traffic, which all figures are about
  std::uint64_t end_ports = 0, end_ports_without_lid = 0, switches = 0;
  std::uint64_t lids = 0;                           ///< of all ports
  std::optional<double> bandwidth, standard_error;  ///< nothing: fewer than two hosts
  std::optional<Interval> interval;
  std::uint64_t patterns = 0, seed = 0;
  std::optional<StructuredFigures> structured;
  std::optional<StripedFigures> striped;     ///< where hosts were given several LIDs
  std::optional<double> index, index_bound;  ///< edge forwarding index, and what none can be below
  std::optional<double> hops_mean, hops_max;
  bool usable = false;
  std::uint64_t unreachable_pairs = 0, separated_pairs = 0, unreachable_switch_pairs = 0,
                forwarding_loops = 0, dead_port_entries = 0;
  std::string defect;               ///< an example of what the tables lack; empty: none
  std::optional<bool> credit_loop;  ///< of the routes, lanes left aside
  std::optional<unsigned> lanes;    ///< that freedom from deadlocks takes
  double routing_ms = 0;            ///< routing phase of opensm
  long peak_memory_kib = 0;         ///< of opensm

  /// How good it is at traffic, in one number: the score, or bandwidth where structured traffic is
  /// unknown; below all others where neither is known.
  double merit() const { return structured ? structured->score : bandwidth.value_or(-1); }
};

/// "24 pairs do not reach each other, 3 forwarding loops": what the tables lack, in numbers. Empty:
/// nothing.
std::string defects_of(const TableScore& score);

}  // namespace pssp
