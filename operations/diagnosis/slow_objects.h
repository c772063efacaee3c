#pragma once

// Finds the cable, adapter or node that explains lower rates than the tables alone.

#include <cstdint>
#include <span>
#include <vector>

#include "operations/diagnosis/flow_alternatives.h"
#include "operations/diagnosis/full_rate.h"

namespace pssp {

/// A measured rate of one flow, or of several simultaneous flows (the rails of a pair of nodes,
/// both directions of it).
struct RateMeasurement {
  std::vector<Flow> flows;
  double rate = 0;          ///< positive; the same unit for all
  double width = 1;         ///< number of links whose rates are summed
  std::uint32_t round = 0;  ///< measurements of one round are simultaneous
};

/// An object that can be slow.
struct SuspectObject {
  enum class Kind : std::uint8_t {
    direction,  ///< index: a link (FlowAlternatives) of a cable or adapter
    cable,      ///< index: the lower one of its links; between switches, or an adapter's
    node,       ///< index: as in RateDiagnosis' nodes; all adapters of a node with several
  };
  Kind kind = Kind::direction;
  std::uint32_t index = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const SuspectObject&, const SuspectObject&) = default;
};

struct Suspect {
  SuspectObject object;
  double speed = 1;              ///< remaining part of its capacity
  double evidence = 0;           ///< log of the likelihood ratio of the rates if it is slow
  std::uint32_t slow_flows = 0;  ///< measurements over it that are as slow as it makes them
  std::uint32_t fast_flows = 0;  ///< measurements over it that are faster than possible
  /// Objects that explain the same rates nearly as well, including itself, ascending.
  std::vector<SuspectObject> group;
};

/// The measurements whose narrowest link has the same capacity.
struct LinkSpeedClass {
  double capacity = 0;  ///< relative to the fabric's reference capacity
  std::uint32_t rates = 0;
  FullRate fastest;          ///< estimate for a link of reference capacity
  bool is_all_slow = false;  ///< far below DiagnosisOptions::full_rate, or else link_rate
};

struct RateDiagnosis {
  double full_rate = 0;  ///< of a link of reference capacity, used for expected rates
  FullRate measured;     ///< the same, estimated from the rates
  std::vector<LinkSpeedClass> classes;  ///< fastest links first
  double noise = 0;             ///< standard deviation of the logarithm of rates of unshared flows
  double noise_shared = 0;      ///< of flows that share a link
  double threshold = 0;         ///< required evidence
  std::vector<Suspect> faults;  ///< by descending evidence
  /// Objects with some, but insufficient evidence; their speeds are uncertain.
  std::vector<Suspect> suspects;
  /// By measurement: expected rates from the tables alone, and with the faults.
  std::vector<double> expected, explained;
  /// By measurement: the largest number of flows of its round on a link of its path, and that link.
  std::vector<std::uint32_t> sharing, shared_link;
  /// Measurements far below the expected rate that no fault explains.
  std::vector<std::uint32_t> outliers;
  /// Measurements of unshared flows that are faster than a link at full speed: too few to determine
  /// full speed, but if they are right, the others are slow.
  std::vector<std::uint32_t> above_full;
  bool has_many_outliers = false;  ///< more than single disturbances explain
  bool is_cut_off = false;         ///< there are more faults than DiagnosisOptions::most_faults

  bool is_all_slow() const;  ///< for all capacities
  /// Whether something is or may be slow, with or without an explanation.
  bool is_slow() const;
};

struct DiagnosisOptions {
  double full_rate = 0;  ///< of a link of reference capacity; 0: estimate it
  double link_rate = 0;  ///< the speed of such a link in the topology; 0: unknown
  std::uint32_t most_faults = 64;
};

/// `nodes`: ranks of each node. Throws Error(mismatch) for measurements of flows without a route,
/// and Error(usage) if rates exceed a given full rate. O(measurements * length of a path * log) per
/// fault.
RateDiagnosis find_slow_objects(const FlowAlternatives& alternatives,
                                std::span<const std::vector<std::uint32_t>> nodes,
                                std::span<const RateMeasurement> measurements,
                                const DiagnosisOptions& options = {});

/// The links of an object.
std::vector<std::uint32_t> links_of(const FlowAlternatives& alternatives,
                                    std::span<const std::vector<std::uint32_t>> nodes,
                                    SuspectObject object);

/// Max-min fair rates of all measurements, round by round, relative to the reference capacity,
/// times their width. `capacity` is by link.
std::vector<double> expected_rates(const FlowAlternatives& alternatives,
                                   std::span<const RateMeasurement> measurements,
                                   std::span<const double> capacity);

/// By measurement, the largest number of measured flows of its round on a link of its path.
std::vector<std::uint32_t> largest_sharing(const FlowAlternatives& alternatives,
                                           std::span<const RateMeasurement> measurements);

/// Whether a flow can cross some of these objects and not the others. `prints`: crossing_prints().
/// O(links).
bool can_be_distinguished(const FlowAlternatives& alternatives,
                          std::span<const std::uint64_t> prints,
                          std::span<const std::vector<std::uint32_t>> nodes,
                          std::span<const SuspectObject> group);

}  // namespace pssp
