// The rates are generated with the same model (max-min fair) that the search uses, but the search
// must estimate full speed, noise, the number of disturbed measurements, and the deviation from
// max-min of flows that share a link.

#include "operations/diagnosis/rehearsal.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/random.h"
#include "operations/diagnosis/next_round.h"

namespace pssp {
namespace {

enum RehearsalPurpose : std::uint64_t { of_noise = 0x706c6179, of_faults, of_rounds };

double uniform(RandomGenerator& random) { return unit_interval(random()); }

/// Box-Muller transform; returns one of the two numbers.
double normal(RandomGenerator& random) {
  const double radius = std::sqrt(-2 * std::log(1 - uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform(random));
}

std::vector<UnitPair> pairs_of(const std::vector<std::uint32_t>& to) {
  std::vector<UnitPair> pairs;
  for (std::uint32_t u = 0; u < to.size(); ++u) {
    if (to[u] != u) pairs.push_back({u, to[u]});
  }
  return pairs;
}

RoundPlan rounds_to_compare(std::span<const MeasuredUnit> units, const RoundPlanOptions& options,
                            RoundChoice choice) {
  const auto count = static_cast<std::uint32_t>(units.size());
  RandomGenerator random = random_stream(options.seed, of_rounds, 0);
  RoundPlan plan;
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    std::vector<std::uint32_t> to = random_permutation(count, random);
    if (choice == RoundChoice::shifts) {
      const std::uint32_t by = 1 + random.below(count - 1);
      for (std::uint32_t u = 0; u < count; ++u) to[u] = (u + by) % count;
    }
    plan.rounds.push_back(pairs_of(to));
  }
  return plan;
}

std::vector<SimulatedFault> draw_faults(std::span<const SuspectObject> candidates,
                                        const RehearsalOptions& options, std::uint32_t trial) {
  RandomGenerator random = random_stream(options.simulation.seed, of_faults, trial);
  std::vector<SimulatedFault> faults;
  while (faults.size() < std::min<std::size_t>(options.faults, candidates.size())) {
    const SuspectObject object =
        candidates[random.below(static_cast<std::uint32_t>(candidates.size()))];
    if (std::ranges::find(faults, object, &SimulatedFault::object) == faults.end()) {
      faults.push_back({object, options.speed});
    }
  }
  return faults;
}

}  // namespace

RehearsalResult& RehearsalResult::operator+=(const RehearsalResult& other) {
  simulated += other.simulated;
  alone += other.alone;
  in_group += other.in_group;
  inseparable += other.inseparable;
  missed += other.missed;
  wrong += other.wrong;
  alarms += other.alarms;
  return *this;
}

void simulate_rates(const FlowAlternatives& alternatives,
                    std::span<const std::vector<std::uint32_t>> nodes,
                    std::span<const SimulatedFault> faults, const RateSimulationOptions& options,
                    std::span<RateMeasurement> measurements) {
  std::vector<double> capacity;
  for (std::uint32_t link = 0; link < alternatives.link_count(); ++link) {
    capacity.push_back(alternatives.capacity(link));
  }
  for (const SimulatedFault& fault : faults) {
    for (const std::uint32_t link : links_of(alternatives, nodes, fault.object)) {
      capacity[link] *= fault.speed;
    }
  }
  const std::vector<double> expected = expected_rates(alternatives, measurements, capacity);
  const std::vector<std::uint32_t> sharing = largest_sharing(alternatives, measurements);
  for (std::size_t m = 0; m < measurements.size(); ++m) {
    RandomGenerator random = random_stream(options.seed, of_noise, m);
    double off = options.noise * normal(random);
    if (sharing[m] > 1) off += options.sharing_noise * normal(random);
    constexpr double slowest_disturbed = .2;
    if (uniform(random) < options.disturbed) {
      off += std::log(slowest_disturbed + (1 - slowest_disturbed) * uniform(random));
    }
    measurements[m].rate = options.full_rate * expected[m] * std::exp(off);
  }
}

std::vector<RateMeasurement> measurements_of(std::span<const MeasuredUnit> units,
                                             const RoundPlan& plan, RoundShape shape) {
  std::vector<RateMeasurement> measurements;
  for (std::uint32_t round = 0; round < plan.rounds.size(); ++round) {
    for (const UnitPair pair : plan.rounds[round]) {
      RateMeasurement each{
          .flows = flows_of(units, pair, shape), .rate = 0, .width = 1, .round = round};
      if (each.flows.empty()) continue;
      each.width =
          static_cast<double>(each.flows.size()) / (shape == RoundShape::both_ways ? 2 : 1);
      measurements.push_back(std::move(each));
    }
  }
  return measurements;
}

Rehearsal::Rehearsal(const FlowAlternatives& alternatives, std::span<const MeasuredUnit> units,
                     std::span<const std::vector<std::uint32_t>> nodes,
                     const RoundPlanOptions& plan, RoundChoice choice)
    : alternatives_(alternatives),
      nodes_(nodes),
      rounds_(plan.rounds),
      prints_(crossing_prints(alternatives, units)) {
  for (const MeasuredUnit& unit : units) {
    for (const MeasuredUnit::Port& port : unit.ports) ranks_.push_back(port.rank);
  }
  const RoundPlan rounds = choice == RoundChoice::planned ? plan_rounds(alternatives, units, plan)
                                                          : rounds_to_compare(units, plan, choice);
  planned_ = measurements_of(units, rounds, plan.shape);
  std::vector<std::uint32_t> path;
  std::erase_if(planned_, [&](const RateMeasurement& each) {
    return !std::ranges::all_of(each.flows,
                                [&](Flow flow) { return alternatives.append(flow, path); });
  });
}

RehearsalResult Rehearsal::run(const RehearsalOptions& options, const Progress& progress) const {
  const std::vector<SuspectObject> possible = candidates(options);
  if (possible.empty()) return {};
  ProgressCounter counter(progress, options.trials);
  std::vector<RehearsalResult> results(options.trials);
  tbb::parallel_for(std::uint32_t{0}, options.trials, [&](std::uint32_t trial) {
    const std::vector<SimulatedFault> faults = draw_faults(possible, options, trial);
    results[trial] = evaluate(faults, diagnose(faults, options, trial));
    counter.add(1);
  });
  RehearsalResult all;
  for (const RehearsalResult& each : results) all += each;
  return all;
}

bool Rehearsal::is_possible(std::uint32_t link) const {
  return link < alternatives_.channel_count() && prints_[link] != 0;
}

std::vector<SuspectObject> Rehearsal::candidates(const RehearsalOptions& options) const {
  using Kind = SuspectObject::Kind;
  std::vector<SuspectObject> found;
  if (options.kind == Kind::node) {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].size() > 1) found.push_back({Kind::node, n});
    }
  } else if (options.of_adapters) {
    for (const std::uint32_t rank : ranks_)
      found.push_back({options.kind, alternatives_.link_from(rank)});
  } else {
    for (std::uint32_t link = 0; link < alternatives_.channel_count(); ++link) {
      const bool is_lower = link < alternatives_.reverse(link);
      const bool is_seen = is_possible(link) || (options.kind == Kind::cable &&
                                                 is_possible(alternatives_.reverse(link)));
      if (is_seen && (options.kind == Kind::direction || is_lower)) {
        found.push_back({options.kind, link});
      }
    }
  }
  return found;
}

RateDiagnosis Rehearsal::diagnose(std::span<const SimulatedFault> faults,
                                  const RehearsalOptions& options, std::uint32_t trial) const {
  RateSimulationOptions simulation = options.simulation;
  simulation.seed = mix64(options.simulation.seed + trial * golden_ratio_64);
  std::vector<RateMeasurement> measured = planned_;
  simulate_rates(alternatives_, nodes_, faults, simulation, measured);
  RateDiagnosis diagnosis = find_slow_objects(alternatives_, nodes_, measured);
  if (!options.with_next) return diagnosis;
  std::vector<RateMeasurement> next;
  std::uint32_t round = rounds_;
  for (const auto& flows : plan_next_rounds(alternatives_, nodes_, ranks_, diagnosis, trial)) {
    for (const Flow flow : flows) {
      next.push_back({.flows = {flow}, .rate = 0, .width = 1, .round = round});
    }
    ++round;
  }
  if (next.empty()) return diagnosis;
  simulation.seed = mix64(simulation.seed);
  simulate_rates(alternatives_, nodes_, faults, simulation, next);
  measured.insert(measured.end(), next.begin(), next.end());
  return find_slow_objects(alternatives_, nodes_, measured);
}

RehearsalResult Rehearsal::evaluate(std::span<const SimulatedFault> faults,
                                    const RateDiagnosis& diagnosis) const {
  RehearsalResult result;
  std::vector<std::uint8_t> is_found(faults.size(), 0);
  for (const Suspect& each : diagnosis.faults) {
    bool is_right = false;
    for (std::size_t f = 0; f < faults.size(); ++f) {
      if (!std::ranges::binary_search(each.group, faults[f].object)) continue;
      is_right = true;
      if (is_found[f] != 0) continue;
      is_found[f] = 1;
      const bool is_alone = each.group.size() == 1;
      ++(is_alone ? result.alone : result.in_group);
      if (!is_alone && !can_be_distinguished(alternatives_, prints_, nodes_, each.group)) {
        ++result.inseparable;
      }
    }
    if (!is_right) ++result.wrong;
  }
  result.simulated = static_cast<std::uint32_t>(faults.size());
  result.missed = static_cast<std::uint32_t>(std::ranges::count(is_found, 0));
  // On a healthy fabric any finding is false.
  const bool is_false = result.wrong != 0 || (faults.empty() && diagnosis.is_slow());
  result.alarms = is_false ? 1 : 0;
  return result;
}

}  // namespace pssp
