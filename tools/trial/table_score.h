#pragma once

// The results of eval_lft and opensm's log for one set of tables.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

struct Interval {
  double low = 0, high = 0;
};

/// The difference from the first table of the comparison, paired with the same bisections.
struct TableDifference {
  double mean = 0, adjusted_p = 1;
  std::string json;  ///< the complete data of eval_lft
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

  /// None if the fabric has no such pattern.
  std::optional<double> time_of(const std::string& pattern) const {
    for (const PatternFigure& each : patterns) {
      if (each.name == pattern) return each.time;
    }
    return std::nullopt;
  }
};

/// For flows striped over several LIDs of each host; their slowest part decides.
struct StripedFigures {
  unsigned lids = 1;
  std::optional<double> bandwidth, standard_error;
  std::optional<double> slowdown, score;  ///< S, and both in one number
};

/// Bandwidth is effective bisection bandwidth, as a share of the link bandwidth.
struct TableScore {
  std::uint64_t hosts = 0;  ///< with traffic, to which all figures refer
  std::uint64_t end_ports = 0, end_ports_without_lid = 0, switches = 0;
  std::uint64_t lids = 0;                           ///< of all ports
  std::optional<double> bandwidth, standard_error;  ///< none: fewer than two hosts
  std::optional<Interval> interval;
  std::uint64_t patterns = 0, seed = 0;
  std::optional<StructuredFigures> structured;
  std::optional<StripedFigures> striped;     ///< if hosts have several LIDs
  std::optional<double> index, index_bound;  ///< edge forwarding index, and its lower bound
  std::optional<double> hops_mean, hops_max;
  bool usable = false;
  std::uint64_t unreachable_pairs = 0, separated_pairs = 0, unreachable_switch_pairs = 0,
                forwarding_loops = 0, dead_port_entries = 0;
  std::string defect;               ///< an example of a defect of the tables; empty: none
  std::optional<bool> credit_loop;  ///< of the routes, ignoring lanes
  std::optional<unsigned> lanes;    ///< required for deadlock freedom
  double routing_ms = 0;            ///< routing phase of opensm
  long peak_memory_kib = 0;         ///< of opensm

  /// The quality in one number: the score, or bandwidth if structured traffic is unknown; lowest if
  /// neither is known.
  double merit() const { return structured ? structured->score : bandwidth.value_or(-1); }
};

/// "24 pairs do not reach each other, 3 forwarding loops": numbers of the tables' defects. Empty:
/// none.
std::string defects_of(const TableScore& score);

}  // namespace pssp
