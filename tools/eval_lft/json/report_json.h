#pragma once

// The parts of an evaluation as JSON. docs/reference/eval.md and docs/reference/metrics.md list the
// members.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "evaluator/metrics/application_time.h"
#include "evaluator/metrics/host_fairness.h"
#include "evaluator/metrics/worst_pairs.h"
#include "evaluator/paths/path.h"
#include "evaluator/report/adaptive_report.h"
#include "evaluator/scoring/comparison.h"
#include "evaluator/scoring/evaluation.h"
#include "evaluator/scoring/lane_proof.h"
#include "evaluator/scoring/simulation_report.h"
#include "evaluator/scoring/structured_traffic.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/bounds/cuts.h"

namespace pssp {

// Whole reports, with a line end; `warnings` are those of the readers. Undefined values (the
// bandwidth of a fabric with a single endpoint) are null.

std::string to_json_report(const Fabric& fabric, const ForwardingTables& tables,
                           const Evaluation& evaluation, const std::vector<std::string>& warnings);
/// `structured`: of all tables, or empty.
std::string to_json_report(const Comparison& comparison,
                           std::span<const StructuredTraffic> structured,
                           const std::vector<std::string>& warnings);
std::string to_json_report(const SimulationReport& report,
                           const std::vector<std::string>& warnings);
/// The estimate of an application's time. All bandwidths must be set.
std::string to_json_report(std::span<const CommunicationPart> parts,
                           const std::vector<std::string>& warnings);
std::string to_json_report(const AdaptiveReport& report, const std::vector<std::string>& warnings);

// Objects in reports. `loads` are those of channel_loads().

nlohmann::ordered_json to_json(const Comparison& comparison);
nlohmann::ordered_json to_json(const StructuredTraffic& traffic);
/// With the `top` worst-off hosts.
nlohmann::ordered_json to_json(const Fabric& fabric, const HostFairness& fairness, std::size_t top);
nlohmann::ordered_json to_json(const Fabric& fabric, const AssignedLanes& lanes);
nlohmann::ordered_json to_json(const Fabric& fabric, const Path& path,
                               std::span<const std::uint64_t> loads);
nlohmann::ordered_json to_json(const Fabric& fabric, const ForwardingTables& tables,
                               const WorstPairs& worst, std::span<const std::uint64_t> loads);
/// The cut that bounds the edge forwarding index, with at most this many names; null without a cut.
nlohmann::ordered_json cut_to_json(const Fabric& fabric, const Cut& cut, std::size_t names);

}  // namespace pssp
