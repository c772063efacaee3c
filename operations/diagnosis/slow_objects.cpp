// Each object with each speed is a hypothesis: the rates of the flows that cross the object are
// then the minimum of the expected rate and the object's share. Its evidence is the sum over these
// measurements of log p(rate | hypothesis) - log p(rate | expected). p is a mixture of a log-normal
// and a uniform distribution, so that a single disturbed measurement causes no finding; the width
// of the former is estimated from the rates.
//
// The best object is accepted if its evidence exceeds the maximum that chance produces for this
// number of hypotheses; then its links are made slow, all expected rates are computed again, and
// the search continues. A measurement over both directions of an object counts once, with its
// smallest share, because its two shares are not independent.

#include "operations/diagnosis/slow_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/no_index.h"
#include "base/random.h"
#include "evaluator/flows/max_min_shares.h"

namespace pssp {
namespace {

/// Five per factor of two: .03 to .76.
constexpr std::array<double, 24> tried_speeds{
    .03125, .0359, .0412, .0474, .0544, .0625, .0718, .0825, .0947, .1088, .125,  .1436,
    .1649,  .1895, .2176, .25,   .2872, .3299, .3789, .4353, .5,    .5743, .6598, .7579};
/// Deviation of the logarithm of a speed from the nearest tried one.
constexpr double speed_deviation = .04;
constexpr double part_disturbed = .03;
/// Jobs reach at least this part of a link's speed unless something slows all flows.
constexpr double part_all_slow = .6;
/// Two damaged directions are more frequent than one, and a whole adapter than one direction of it.
constexpr double bonus_of_cable = 1;
/// Differences in evidence up to this are insignificant.
constexpr double group_margin = 3;
/// Evidence from which --next measures an object, even if it is not yet a fault.
constexpr double suspect_evidence = 5;

/// Calls each(positions of the measurements of a round) for each round, in ascending order.
template <class Each>
void each_round(std::span<const RateMeasurement> measurements, const Each& each) {
  std::vector<std::uint32_t> order(measurements.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto round_of = [&](std::uint32_t m) { return measurements[m].round; };
  std::ranges::stable_sort(order, {}, round_of);
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::ranges::upper_bound(first, order.end(), round_of(*first), {}, round_of);
    each(std::span<const std::uint32_t>(first, last));
    first = last;
  }
}

class SlowObjectSearch {
 public:
  SlowObjectSearch(const FlowAlternatives& alternatives,
                   std::span<const std::vector<std::uint32_t>> nodes,
                   std::span<const RateMeasurement> measurements, const DiagnosisOptions& options)
      : alternatives_(alternatives),
        nodes_(nodes),
        measurements_(measurements),
        options_(options),
        node_of_rank_(alternatives.endpoint_count(), no_index) {
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      for (const std::uint32_t rank : nodes[n]) {
        if (nodes[n].size() > 1) node_of_rank_[rank] = n;
      }
    }
    for (std::uint32_t link = 0; link < alternatives.link_count(); ++link) {
      capacity_.push_back(alternatives.capacity(link));
    }
    collect_links();
  }

  RateDiagnosis run() {
    // Without measurements, there is no best object and no threshold.
    if (measurements_.empty()) return std::move(found_);
    found_.expected = expected_rates(alternatives_, measurements_, capacity_);
    explained_ = found_.expected;
    estimate_full_rate();
    estimate_noise();
    find_above_full();
    evidence_ = weigh_all();
    // Neighboring speeds explain nearly the same: about seven are independent.
    constexpr double independent_speeds = 7, margin = 4;
    found_.threshold = std::log(independent_speeds * static_cast<double>(objects_seen_)) + margin;
    Best best = best_of(evidence_);
    for (; best.score >= found_.threshold && found_.faults.size() < options_.most_faults;
         best = best_of(evidence_)) {
      found_.faults.push_back(accuse(best));
    }
    found_.is_cut_off = best.score >= found_.threshold;
    std::stable_sort(found_.faults.begin(), found_.faults.end(),
                     [](const Suspect& a, const Suspect& b) { return a.evidence > b.evidence; });
    find_outliers();
    found_.explained = explained_;
    // Treats each suspect as a fault, so that the next one is different.
    for (; best.score >= suspect_evidence && found_.suspects.size() < most_suspects;
         best = best_of(evidence_)) {
      found_.suspects.push_back(accuse(best));
    }
    for (double& rate : found_.expected) rate *= found_.full_rate;
    for (double& rate : found_.explained) rate *= found_.full_rate;
    return std::move(found_);
  }

 private:
  static constexpr std::size_t most_suspects = 8;
  using Evidence = std::array<double, tried_speeds.size()>;
  struct Best {
    std::uint32_t object = no_index;
    std::size_t speed = 0;
    double score = -std::numeric_limits<double>::infinity();
  };
  struct Touch {
    std::uint32_t object;
    double share;
  };

  std::uint32_t object_count() const {
    return 2 * alternatives_.link_count() + static_cast<std::uint32_t>(nodes_.size());
  }
  std::uint32_t number_of_cable(std::uint32_t link) const {
    return alternatives_.link_count() + std::min(link, alternatives_.reverse(link));
  }
  std::uint32_t number_of_node(std::uint32_t node) const {
    return 2 * alternatives_.link_count() + node;
  }
  SuspectObject object_of(std::uint32_t number) const {
    const std::uint32_t links = alternatives_.link_count();
    if (number < links) return {SuspectObject::Kind::direction, number};
    if (number < 2 * links) return {SuspectObject::Kind::cable, number - links};
    return {SuspectObject::Kind::node, number - 2 * links};
  }

  /// Collects the distinct links of each measurement, and the number of flows of the round on each.
  void collect_links() {
    links_.resize(measurements_.size());
    flows_on_.resize(measurements_.size());
    found_.sharing.resize(measurements_.size());
    found_.shared_link.resize(measurements_.size());
    std::vector<std::uint32_t> count(alternatives_.link_count(), 0);
    each_round(measurements_, [&](std::span<const std::uint32_t> round) {
      for (const std::uint32_t m : round) {
        for (const Flow flow : measurements_[m].flows) {
          if (!alternatives_.append(flow, links_[m])) {
            throw Error(ErrorKind::mismatch,
                        "a measured flow has no route in these tables: " +
                            alternatives_.fabric().label(alternatives_.port_of(flow.source)) +
                            " to " +
                            alternatives_.fabric().label(alternatives_.port_of(flow.destination)) +
                            "; use the tables that were in force during the measurement");
          }
        }
        for (const std::uint32_t link : links_[m]) ++count[link];
      }
      for (const std::uint32_t m : round) note_sharing(m, count);
      for (const std::uint32_t m : round) {
        for (const std::uint32_t link : links_[m]) count[link] = 0;
      }
    });
  }

  void note_sharing(std::uint32_t m, const std::vector<std::uint32_t>& count) {
    std::vector<std::uint32_t>& links = links_[m];
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (const std::uint32_t link : links) {
      flows_on_[m].push_back(count[link]);
      if (count[link] > found_.sharing[m]) {
        found_.sharing[m] = count[link];
        found_.shared_link[m] = link;
      }
    }
  }

  double relative(std::size_t m) const {
    return std::log(measurements_[m].rate / (found_.full_rate * explained_[m]));
  }

  void estimate_full_rate() {
    std::map<double, std::vector<RelativeRate>, std::greater<>> by_capacity;
    std::vector<RelativeRate> all;
    for (std::size_t m = 0; m < measurements_.size(); ++m) {
      const RelativeRate& each = all.emplace_back(relative_rate(m));
      by_capacity[path_capacity(m)].push_back(each);
    }
    found_.measured = pssp::estimate_full_rate(all);
    const double given = options_.full_rate;
    if (given > 0) refuse_exceeded(given, all);
    const double should = given > 0 ? given : options_.link_rate;
    for (const auto& [capacity, rates] : by_capacity) {
      LinkSpeedClass& each = found_.classes.emplace_back();
      each.capacity = capacity;
      each.rates = static_cast<std::uint32_t>(rates.size());
      each.fastest = pssp::estimate_full_rate(rates);
      each.is_all_slow = each.fastest.rate < part_all_slow * should;
    }
    // If all rates are slow, objects are distinguished by the observed speed; the nominal speed
    // would make every adapter suspect.
    const bool is_given = given > 0 && !found_.is_all_slow();
    found_.full_rate = is_given ? given : found_.measured.rate;
  }

  RelativeRate relative_rate(std::size_t m) const {
    const double rate = measurements_[m].rate;
    return {.of_path = rate / (measurements_[m].width * path_capacity(m)),
            .of_share = rate / explained_[m],
            .is_shared = found_.sharing[m] > 1};
  }

  /// Capacity of the narrowest link of a measurement.
  double path_capacity(std::size_t m) const {
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t link : links_[m]) least = std::min(least, capacity_[link]);
    return least;
  }

  void refuse_exceeded(double given, std::span<const RelativeRate> all) const {
    if (part_low * found_.measured.rate <= given) return;
    const auto fastest = std::ranges::max_element(all, {}, &RelativeRate::of_path);
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "the given rate at full speed is {:.6g}, but {} rates show about {:.6g} for such a "
            "link, and the fastest rate {:.6g}: state it in the unit of the rates, or omit it",
            given, found_.measured.rates, found_.measured.rate, fastest->of_path));
  }

  void estimate_noise() {
    std::vector<double> alone, shared;
    for (std::size_t m = 0; m < measurements_.size(); ++m) {
      (found_.sharing[m] == 1 ? alone : shared).push_back(relative(m));
    }
    constexpr double unknown_noise = .1;
    found_.noise = deviation_without_slow(alone, unknown_noise);
    found_.noise_shared = std::max(found_.noise, deviation_of_rates(shared, found_.noise));
  }

  /// Logarithm of the probability density of a rate.
  double log_density(double log_rate, double log_expected, double noise) const {
    constexpr double root_of_two_pi = 2.5066282746310002;
    // Uniform over rates up to a little above full speed, as a density of the logarithm.
    constexpr double largest = 1.25;
    const double log_largest = std::log(largest);
    const double log_uniform = std::min(log_rate, log_largest) - log_largest;
    const double off = (log_rate - log_expected) / noise;
    constexpr double far = 8;
    if (std::abs(off) > far) return log_uniform + std::log(part_disturbed);
    const double normal = std::exp(-.5 * off * off) / (noise * root_of_two_pi);
    return std::log((1 - part_disturbed) * normal + part_disturbed * std::exp(log_uniform));
  }

  double noise_of(std::size_t m) const {
    return found_.sharing[m] == 1 ? found_.noise : found_.noise_shared;
  }
  double log_rate(std::size_t m) const {
    return std::log(measurements_[m].rate / (found_.full_rate * measurements_[m].width));
  }

  /// Objects of a measurement, with the smallest share of a flow on their links.
  void touch(std::size_t m, std::vector<Touch>& touches) const {
    touches.clear();
    for (std::size_t i = 0; i < links_[m].size(); ++i) {
      const std::uint32_t link = links_[m][i];
      const double share = capacity_[link] / flows_on_[m][i];
      touches.push_back({link, share});
      touches.push_back({number_of_cable(link), share});
      if (link < alternatives_.channel_count()) continue;
      const std::uint32_t node = node_of_rank_[(link - alternatives_.channel_count()) / 2];
      if (node != no_index) touches.push_back({number_of_node(node), share});
    }
    std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
      return a.object != b.object ? a.object < b.object : a.share < b.share;
    });
    const auto is_same = [](const Touch& a, const Touch& b) { return a.object == b.object; };
    touches.erase(std::unique(touches.begin(), touches.end(), is_same), touches.end());
  }

  std::vector<Evidence> weigh_all() {
    std::vector<Evidence> evidence(object_count(), Evidence{});
    std::vector<std::uint8_t> is_seen(object_count(), 0);
    std::vector<Touch> touches;
    for (std::size_t m = 0; m < measurements_.size(); ++m) {
      touch(m, touches);
      const double is = log_rate(m);
      const double expected = explained_[m] / measurements_[m].width;
      const double as_expected = log_density(is, std::log(expected), noise_of(m));
      const double slow_noise =
          std::sqrt(noise_of(m) * noise_of(m) + speed_deviation * speed_deviation);
      for (const Touch& each : touches) {
        is_seen[each.object] = 1;
        for (std::size_t v = 0; v < tried_speeds.size(); ++v) {
          const double slow = tried_speeds[v] * each.share;
          if (slow >= expected) break;
          evidence[each.object][v] += log_density(is, std::log(slow), slow_noise) - as_expected;
        }
      }
    }
    objects_seen_ = std::max<std::size_t>(
        objects_seen_, static_cast<std::size_t>(std::count(is_seen.begin(), is_seen.end(), 1)));
    return evidence;
  }

  double bonus(std::uint32_t object) const {
    const bool is_cable =
        object >= alternatives_.link_count() && object < 2 * alternatives_.link_count();
    return is_cable ? bonus_of_cable : 0;
  }

  Best best_speed(const std::vector<Evidence>& evidence, std::uint32_t object) const {
    Best best;
    for (std::size_t v = 0; v < tried_speeds.size(); ++v) {
      if (evidence[object][v] > best.score) best = {object, v, evidence[object][v]};
    }
    // Objects without evidence get no bonus.
    if (best.score > 0) best.score += bonus(object);
    return best;
  }

  Best best_of(const std::vector<Evidence>& evidence) const {
    Best best;
    for (std::uint32_t object = 0; object < object_count(); ++object) {
      if (std::ranges::binary_search(suspected_, object)) continue;
      const Best each = best_speed(evidence, object);
      if (each.score > best.score) best = each;
    }
    return best;
  }

  /// Makes the object slow, and finds the objects that explain the same.
  Suspect accuse(const Best& best) {
    Suspect suspect;
    suspect.object = object_of(best.object);
    suspect.speed = tried_speeds[best.speed];
    suspect.evidence = best.score;
    count_flows(best, suspect);
    for (const std::uint32_t link : links_of(alternatives_, nodes_, suspect.object)) {
      capacity_[link] *= suspect.speed;
    }
    explained_ = expected_rates(alternatives_, measurements_, capacity_);
    suspected_.insert(std::ranges::upper_bound(suspected_, best.object), best.object);
    const std::vector<Evidence> after = weigh_all();
    for (std::uint32_t object = 0; object < object_count(); ++object) {
      const double before = best_speed(evidence_, object).score;
      if (before < best.score - group_margin) continue;
      // An object that still explains as much as before explains something else.
      const bool is_itself = object == best.object;
      if (is_itself || best_speed(after, object).score < before / 2) {
        suspect.group.push_back(object_of(object));
      }
    }
    std::sort(suspect.group.begin(), suspect.group.end());
    evidence_ = after;
    return suspect;
  }

  void count_flows(const Best& best, Suspect& suspect) const {
    std::vector<Touch> touches;
    for (std::size_t m = 0; m < measurements_.size(); ++m) {
      touch(m, touches);
      const auto found = std::ranges::find(touches, best.object, &Touch::object);
      if (found == touches.end()) continue;
      const double expected = explained_[m] / measurements_[m].width;
      const double slow = suspect.speed * found->share;
      if (slow >= expected) continue;
      // Whether the rate is nearer to the slow than to the expected one.
      const bool is_slow = 2 * log_rate(m) < std::log(slow) + std::log(expected);
      ++(is_slow ? suspect.slow_flows : suspect.fast_flows);
    }
  }

  /// Must be called before any fault is found.
  void find_above_full() {
    constexpr double many_deviations = 6;
    const double far = std::exp(std::max(many_deviations * found_.noise, -std::log(part_low)));
    for (std::uint32_t m = 0; m < measurements_.size(); ++m) {
      const RelativeRate each = relative_rate(m);
      if (!each.is_shared && each.of_path > far * found_.full_rate) found_.above_full.push_back(m);
    }
  }

  void find_outliers() {
    constexpr double many_deviations = 3;
    for (std::uint32_t m = 0; m < measurements_.size(); ++m) {
      const double far = std::max(many_deviations * noise_of(m), -std::log(part_low));
      if (relative(m) < -far) found_.outliers.push_back(m);
    }
    // Three standard deviations above the expected number; none for eight measurements or fewer.
    const double disturbed = part_disturbed * static_cast<double>(measurements_.size());
    constexpr double deviations = 3, few = .8;
    found_.has_many_outliers = static_cast<double>(found_.outliers.size()) >
                               std::max(0.0, disturbed + deviations * std::sqrt(disturbed) - few);
  }

  const FlowAlternatives& alternatives_;
  std::span<const std::vector<std::uint32_t>> nodes_;
  std::span<const RateMeasurement> measurements_;
  const DiagnosisOptions& options_;
  std::vector<std::uint32_t> node_of_rank_;
  std::vector<double> capacity_;                              // by link, with the faults found
  std::vector<std::vector<std::uint32_t>> links_, flows_on_;  // by measurement
  std::vector<double> explained_;
  std::vector<Evidence> evidence_;
  std::vector<std::uint32_t> suspected_;  // ascending
  std::size_t objects_seen_ = 0;
  RateDiagnosis found_;
};

}  // namespace

bool RateDiagnosis::is_all_slow() const {
  return !classes.empty() && std::ranges::all_of(classes, &LinkSpeedClass::is_all_slow);
}

bool RateDiagnosis::is_slow() const {
  return !faults.empty() || has_many_outliers || !above_full.empty() ||
         std::ranges::any_of(classes, &LinkSpeedClass::is_all_slow);
}

RateDiagnosis find_slow_objects(const FlowAlternatives& alternatives,
                                std::span<const std::vector<std::uint32_t>> nodes,
                                std::span<const RateMeasurement> measurements,
                                const DiagnosisOptions& options) {
  return SlowObjectSearch(alternatives, nodes, measurements, options).run();
}

std::vector<std::uint32_t> links_of(const FlowAlternatives& alternatives,
                                    std::span<const std::vector<std::uint32_t>> nodes,
                                    SuspectObject object) {
  switch (object.kind) {
    case SuspectObject::Kind::direction:
      return {object.index};
    case SuspectObject::Kind::cable:
      return {object.index, alternatives.reverse(object.index)};
    case SuspectObject::Kind::node:
      break;
  }
  std::vector<std::uint32_t> links;
  for (const std::uint32_t rank : nodes[object.index]) {
    links.push_back(alternatives.link_from(rank));
    links.push_back(alternatives.link_to(rank));
  }
  return links;
}

std::vector<double> expected_rates(const FlowAlternatives& alternatives,
                                   std::span<const RateMeasurement> measurements,
                                   std::span<const double> capacity) {
  std::vector<double> expected(measurements.size(), std::numeric_limits<double>::infinity());
  each_round(measurements, [&](std::span<const std::uint32_t> round) {
    std::vector<SharingFlow> flows;
    std::vector<std::uint32_t> owner;
    for (const std::uint32_t m : round) {
      for (const Flow flow : measurements[m].flows) {
        alternatives.append(flow, flows.emplace_back().links);
        owner.push_back(m);
      }
    }
    const std::vector<double> rates = max_min_shares(flows, capacity);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      expected[owner[i]] = std::min(expected[owner[i]], rates[i]);
    }
  });
  for (std::size_t m = 0; m < measurements.size(); ++m) expected[m] *= measurements[m].width;
  return expected;
}

bool can_be_distinguished(const FlowAlternatives& alternatives,
                          std::span<const std::uint64_t> prints,
                          std::span<const std::vector<std::uint32_t>> nodes,
                          std::span<const SuspectObject> group) {
  std::vector<std::uint64_t> seen;
  for (const SuspectObject object : group) {
    for (const std::uint32_t link : links_of(alternatives, nodes, object)) {
      // Links without flows get no evidence; links of hosts have separate flows.
      const std::uint64_t print = link < prints.size() ? prints[link] : mix64(link);
      if (print != 0) seen.push_back(print);
    }
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  return seen.size() > 1;
}

std::vector<std::uint32_t> largest_sharing(const FlowAlternatives& alternatives,
                                           std::span<const RateMeasurement> measurements) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> flows_on;  // by round and link
  std::vector<std::uint32_t> links;
  const auto each_link = [&](const RateMeasurement& measurement, const auto& take) {
    links.clear();
    for (const Flow flow : measurement.flows) alternatives.append(flow, links);
    for (const std::uint32_t link : links) take(flows_on[{measurement.round, link}]);
  };
  for (const RateMeasurement& each : measurements) {
    each_link(each, [](std::uint32_t& count) { ++count; });
  }
  std::vector<std::uint32_t> sharing(measurements.size(), 0);
  for (std::size_t m = 0; m < measurements.size(); ++m) {
    each_link(measurements[m],
              [&](std::uint32_t count) { sharing[m] = std::max(sharing[m], count); });
  }
  return sharing;
}

}  // namespace pssp
