#pragma once

// Which cable, adapter or node explains rates that are lower than the tables alone make them.

#include <cstdint>
#include <span>
#include <vector>

#include "operations/diagnosis/flow_alternatives.h"
#include "operations/diagnosis/full_rate.h"

namespace pssp {

/// A rate that was measured, of one flow or of several that go on in step (the rails of a pair of
/// nodes, both directions of it).
struct RateMeasurement {
  std::vector<Flow> flows;
  double rate = 0;          ///< positive; in one unit for all
  double width = 1;         ///< of how many links the rate is the sum
  std::uint32_t round = 0;  ///< those of one round went on at once
};

/// What can be slow.
struct SuspectObject {
  enum class Kind : std::uint8_t {
    direction,  ///< index: a link (FlowAlternatives), of a cable or of an adapter
    cable,      ///< index: the lower one of its links; between switches, or an adapter's
    node,       ///< index: as in RateDiagnosis' nodes; all adapters of one that has several
  };
  Kind kind = Kind::direction;
  std::uint32_t index = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const SuspectObject&, const SuspectObject&) = default;
};

struct Suspect {
  SuspectObject object;
  double speed = 1;              ///< part of its capacity that is left
  double evidence = 0;           ///< log of how many times likelier the rates are if it is slow
  std::uint32_t slow_flows = 0;  ///< measurements that cross it and are as slow as it makes them
  std::uint32_t fast_flows = 0;  ///< that cross it and are not, though they would have to be
  /// Objects that explain the same rates nearly as well, itself among them, ascending.
  std::vector<SuspectObject> group;
};

/// The measurements whose narrowest link has one capacity.
struct LinkSpeedClass {
  double capacity = 0;  ///< relative to the fabric's reference capacity
  std::uint32_t rates = 0;
  FullRate fastest;          ///< that they show, for a link of reference capacity
  bool is_all_slow = false;  ///< it is far below DiagnosisOptions::full_rate, or else link_rate
};

struct RateDiagnosis {
  double full_rate = 0;  ///< of a link of reference capacity, that expected rates are computed with
  FullRate measured;     ///< the same, as the rates show it
  std::vector<LinkSpeedClass> classes;  ///< fastest links first
  double noise = 0;             ///< deviation of the logarithm of rates of flows that are alone
  double noise_shared = 0;      ///< of those that share a link
  double threshold = 0;         ///< evidence that an object needs
  std::vector<Suspect> faults;  ///< by evidence, largest first
  /// What has some evidence and not enough of it; without an object's speed being certain.
  std::vector<Suspect> suspects;
  /// By measurement: rates as the tables alone, and as tables and faults make them.
  std::vector<double> expected, explained;
  /// By measurement: the largest number of flows of its round on a link of its way, and that link.
  std::vector<std::uint32_t> sharing, shared_link;
  /// Measurements far below what is expected, and no fault explains them.
  std::vector<std::uint32_t> outliers;
  /// Measurements of flows that share no link, and are faster than a link at full speed: too few to
  /// be the full speed, and yet, if they are right, the others are slow.
  std::vector<std::uint32_t> above_full;
  bool has_many_outliers = false;  ///< more than single disturbances explain
  bool is_cut_off = false;         ///< there are more faults than DiagnosisOptions::most_faults

  bool is_all_slow() const;  ///< whatever their links' capacity
  /// Something is slow, or may be, whether an object explains it or not.
  bool is_slow() const;
};

struct DiagnosisOptions {
  double full_rate = 0;  ///< of a link of reference capacity; 0: estimated
  double link_rate = 0;  ///< the speed of such a link in the topology; 0: not known
  std::uint32_t most_faults = 64;
};

/// `nodes`: ranks of each node. Measurements whose flows have no route throw Error(mismatch), a
/// given full rate that the rates exceed Error(usage).
/// O(measurements * length of a way * log) for each fault.
RateDiagnosis find_slow_objects(const FlowAlternatives& alternatives,
                                std::span<const std::vector<std::uint32_t>> nodes,
                                std::span<const RateMeasurement> measurements,
                                const DiagnosisOptions& options = {});

/// The links of an object.
std::vector<std::uint32_t> links_of(const FlowAlternatives& alternatives,
                                    std::span<const std::vector<std::uint32_t>> nodes,
                                    SuspectObject object);

/// Max-min fair rates of all measurements, round by round, in parts of the reference capacity and
/// times their width. `capacity` is by link.
std::vector<double> expected_rates(const FlowAlternatives& alternatives,
                                   std::span<const RateMeasurement> measurements,
                                   std::span<const double> capacity);

/// By measurement the largest number of measured flows of its round on a link of its way.
std::vector<std::uint32_t> largest_sharing(const FlowAlternatives& alternatives,
                                           std::span<const RateMeasurement> measurements);

/// Whether a flow can cross some of these objects and not the others. `prints`:
/// crossing_prints(). O(links).
bool can_be_distinguished(const FlowAlternatives& alternatives,
                          std::span<const std::uint64_t> prints,
                          std::span<const std::vector<std::uint32_t>> nodes,
                          std::span<const SuspectObject> group);

}  // namespace pssp
