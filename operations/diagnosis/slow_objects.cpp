// Each object and each speed is a hypothesis: the rates of the flows that cross it are then the
// smaller one of what was expected and of the object's share. Its evidence is the sum over these
// measurements of log p(rate | hypothesis) - log p(rate | expected). p is a mixture of a log-normal
// distribution and a uniform one, so that a single disturbed measurement accuses nobody, and the
// width of the first is taken from the rates themselves.
//
// The best object is believed if its evidence is beyond what chance gives to the best of so many;
// then its links are made slow, all expected rates are computed anew, and the search goes on for
// the next one. A measurement that crosses both directions of an object counts once, by its
// smallest share: counted twice it would be two witnesses that say the same because they are one.

#include "operations/diagnosis/slow_objects.h"

#include <algorithm>
#include <array>
#include <cmath>
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

constexpr std::array<double, 7> tried_speeds{.03, .12, .25, .4, .5, .65, .8};
constexpr double part_disturbed = .03;
constexpr double least_noise = .02;
/// Two damaged directions are commoner than one, and a whole adapter than one direction of it.
constexpr double bonus_of_cable = 1;
/// Evidence this close to the best is as good.
constexpr double group_margin = 3;
/// What --next should look at, though it is no fault yet.
constexpr double suspect_evidence = 5;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The middle of the interval of this width that holds the most values, of equals the last one.
double densest(std::vector<double> values, double width) {
  std::sort(values.begin(), values.end());
  std::size_t best = 0, best_first = 0;
  for (std::size_t first = 0, last = 0; first < values.size(); ++first) {
    while (last < values.size() && values[last] <= values[first] + width) ++last;
    if (last - first >= best) {
      best = last - first;
      best_first = first;
    }
  }
  return values[best_first + best / 2];
}

/// Calls each(positions of the measurements of a round) round by round, by their numbers.
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
  SlowObjectSearch(const FlowWays& ways, std::span<const std::vector<std::uint32_t>> nodes,
                   std::span<const RateMeasurement> measurements, const DiagnosisOptions& options)
      : ways_(ways),
        nodes_(nodes),
        measurements_(measurements),
        options_(options),
        node_of_rank_(ways.endpoint_count(), no_index) {
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      for (const std::uint32_t rank : nodes[n]) {
        if (nodes[n].size() > 1) node_of_rank_[rank] = n;
      }
    }
    for (std::uint32_t link = 0; link < ways.link_count(); ++link) {
      capacity_.push_back(ways.capacity(link));
    }
    collect_links();
  }

  RateDiagnosis run() {
    // Of nothing no object would be the best, and the evidence that is asked for would be none.
    if (measurements_.empty()) return std::move(found_);
    found_.expected = expected_rates(ways_, measurements_, capacity_);
    explained_ = found_.expected;
    estimate_full_rate();
    estimate_noise();
    evidence_ = weigh_all();
    found_.threshold = std::log(7.0 * static_cast<double>(objects_seen_)) + 4;
    Best best = best_of(evidence_);
    for (; best.score >= found_.threshold && found_.faults.size() < options_.most_faults;
         best = best_of(evidence_)) {
      found_.faults.push_back(accuse(best));
    }
    std::stable_sort(
        found_.faults.begin(), found_.faults.end(),
        [](const Accusation& a, const Accusation& b) { return a.evidence > b.evidence; });
    find_outliers();
    found_.explained = explained_;
    // As if each of them were one, so that the next is another.
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
    return 2 * ways_.link_count() + static_cast<std::uint32_t>(nodes_.size());
  }
  std::uint32_t number_of_cable(std::uint32_t link) const {
    return ways_.link_count() + std::min(link, ways_.reverse(link));
  }
  std::uint32_t number_of_node(std::uint32_t node) const { return 2 * ways_.link_count() + node; }
  SuspectObject object_of(std::uint32_t number) const {
    const std::uint32_t links = ways_.link_count();
    if (number < links) return {SuspectObject::Kind::direction, number};
    if (number < 2 * links) return {SuspectObject::Kind::cable, number - links};
    return {SuspectObject::Kind::node, number - 2 * links};
  }

  /// Links of each measurement, each once, and how many flows of the round share each.
  void collect_links() {
    links_.resize(measurements_.size());
    flows_on_.resize(measurements_.size());
    found_.sharing.resize(measurements_.size());
    found_.shared_link.resize(measurements_.size());
    std::vector<std::uint32_t> count(ways_.link_count(), 0);
    each_round(measurements_, [&](std::span<const std::uint32_t> round) {
      for (const std::uint32_t m : round) {
        for (const Flow flow : measurements_[m].flows) {
          if (!ways_.append(flow, links_[m])) {
            throw Error(ErrorKind::mismatch,
                        "a measured flow has no route in these tables: " +
                            ways_.fabric().label(ways_.port_of(flow.source)) + " to " +
                            ways_.fabric().label(ways_.port_of(flow.destination)) +
                            "; take the tables of the time of the measurement");
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
    found_.full_rate = options_.full_rate;
    if (found_.full_rate > 0 || measurements_.empty()) return;
    // Flows that are alone say it best; where there are none, all.
    std::vector<double> alone, all;
    for (std::size_t m = 0; m < measurements_.size(); ++m) {
      const double value = std::log(measurements_[m].rate / explained_[m]);
      all.push_back(value);
      if (found_.sharing[m] == 1) alone.push_back(value);
    }
    constexpr std::size_t enough = 8;
    constexpr double width = .1;
    found_.full_rate = std::exp(densest(alone.size() >= enough ? alone : all, width));
  }

  void estimate_noise() {
    std::vector<double> alone, shared;
    for (std::size_t m = 0; m < measurements_.size(); ++m) {
      (found_.sharing[m] == 1 ? alone : shared).push_back(std::abs(relative(m)));
    }
    constexpr std::size_t enough = 8;
    constexpr double unknown_noise = .1;
    constexpr double deviation_of_median = 1.4826;  // of a normal distribution
    const auto noise = [&](const std::vector<double>& values, double otherwise) {
      if (values.size() < enough) return otherwise;
      return std::max(least_noise, deviation_of_median * median_of(values));
    };
    found_.noise = noise(alone, unknown_noise);
    found_.noise_shared = std::max(found_.noise, noise(shared, found_.noise));
  }

  double log_density(double log_rate, double log_expected, double noise) const {
    constexpr double root_of_two_pi = 2.5066282746310002;
    const double off = (log_rate - log_expected) / noise;
    const double normal = std::exp(-.5 * off * off) / (noise * root_of_two_pi);
    // Uniform over rates up to a little above full speed, as a density of the logarithm.
    constexpr double largest = 1.25;
    const double uniform = std::exp(std::min(log_rate, std::log(largest))) / largest;
    return std::log((1 - part_disturbed) * normal + part_disturbed * uniform);
  }

  double noise_of(std::size_t m) const {
    return found_.sharing[m] == 1 ? found_.noise : found_.noise_shared;
  }
  double log_rate(std::size_t m) const {
    return std::log(measurements_[m].rate / (found_.full_rate * measurements_[m].width));
  }

  /// Objects that a measurement crosses, with the smallest share that their links leave to a flow.
  void touch(std::size_t m, std::vector<Touch>& touches) const {
    touches.clear();
    for (std::size_t i = 0; i < links_[m].size(); ++i) {
      const std::uint32_t link = links_[m][i];
      const double share = capacity_[link] / flows_on_[m][i];
      touches.push_back({link, share});
      touches.push_back({number_of_cable(link), share});
      if (link < ways_.channel_count()) continue;
      const std::uint32_t node = node_of_rank_[(link - ways_.channel_count()) / 2];
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
      for (const Touch& each : touches) {
        is_seen[each.object] = 1;
        for (std::size_t v = 0; v < tried_speeds.size(); ++v) {
          const double slow = tried_speeds[v] * each.share;
          if (slow >= expected) break;
          evidence[each.object][v] += log_density(is, std::log(slow), noise_of(m)) - as_expected;
        }
      }
    }
    objects_seen_ = std::max<std::size_t>(
        objects_seen_, static_cast<std::size_t>(std::count(is_seen.begin(), is_seen.end(), 1)));
    return evidence;
  }

  double bonus(std::uint32_t object) const {
    const bool is_cable = object >= ways_.link_count() && object < 2 * ways_.link_count();
    return is_cable ? bonus_of_cable : 0;
  }

  Best best_speed(const std::vector<Evidence>& evidence, std::uint32_t object) const {
    Best best;
    for (std::size_t v = 0; v < tried_speeds.size(); ++v) {
      if (evidence[object][v] > best.score) best = {object, v, evidence[object][v]};
    }
    // What no measurement speaks for has no bonus either.
    if (best.score > 0) best.score += bonus(object);
    return best;
  }

  Best best_of(const std::vector<Evidence>& evidence) const {
    Best best;
    for (std::uint32_t object = 0; object < object_count(); ++object) {
      if (std::ranges::binary_search(accused_, object)) continue;
      const Best each = best_speed(evidence, object);
      if (each.score > best.score) best = each;
    }
    return best;
  }

  /// Makes the object slow, and says who else explains the same.
  Accusation accuse(const Best& best) {
    Accusation accusation;
    accusation.object = object_of(best.object);
    accusation.speed = tried_speeds[best.speed];
    accusation.evidence = best.score;
    count_flows(best, accusation);
    for (const std::uint32_t link : links_of(ways_, nodes_, accusation.object)) {
      capacity_[link] *= accusation.speed;
    }
    explained_ = expected_rates(ways_, measurements_, capacity_);
    accused_.insert(std::ranges::upper_bound(accused_, best.object), best.object);
    const std::vector<Evidence> after = weigh_all();
    for (std::uint32_t object = 0; object < object_count(); ++object) {
      const double before = best_speed(evidence_, object).score;
      if (before < best.score - group_margin) continue;
      // Who has as much to explain as before explains something else.
      const bool is_itself = object == best.object;
      if (is_itself || best_speed(after, object).score < before / 2) {
        accusation.group.push_back(object_of(object));
      }
    }
    std::sort(accusation.group.begin(), accusation.group.end());
    evidence_ = after;
    return accusation;
  }

  void count_flows(const Best& best, Accusation& accusation) const {
    std::vector<Touch> touches;
    for (std::size_t m = 0; m < measurements_.size(); ++m) {
      touch(m, touches);
      const auto found = std::ranges::find(touches, best.object, &Touch::object);
      if (found == touches.end()) continue;
      const double expected = explained_[m] / measurements_[m].width;
      const double slow = accusation.speed * found->share;
      if (slow >= expected) continue;
      // Nearer to the one or to the other?
      const bool is_slow = 2 * log_rate(m) < std::log(slow) + std::log(expected);
      ++(is_slow ? accusation.slow_flows : accusation.fast_flows);
    }
  }

  void find_outliers() {
    constexpr double many_deviations = 5;
    for (std::uint32_t m = 0; m < measurements_.size(); ++m) {
      if (relative(m) < -many_deviations * noise_of(m)) found_.outliers.push_back(m);
    }
  }

  const FlowWays& ways_;
  std::span<const std::vector<std::uint32_t>> nodes_;
  std::span<const RateMeasurement> measurements_;
  const DiagnosisOptions& options_;
  std::vector<std::uint32_t> node_of_rank_;
  std::vector<double> capacity_;  // by link, with the faults that were found
  std::vector<std::vector<std::uint32_t>> links_, flows_on_;  // by measurement
  std::vector<double> explained_;
  std::vector<Evidence> evidence_;
  std::vector<std::uint32_t> accused_;  // ascending
  std::size_t objects_seen_ = 0;
  RateDiagnosis found_;
};

}  // namespace

RateDiagnosis find_slow_objects(const FlowWays& ways,
                                std::span<const std::vector<std::uint32_t>> nodes,
                                std::span<const RateMeasurement> measurements,
                                const DiagnosisOptions& options) {
  return SlowObjectSearch(ways, nodes, measurements, options).run();
}

std::vector<std::uint32_t> links_of(const FlowWays& ways,
                                    std::span<const std::vector<std::uint32_t>> nodes,
                                    SuspectObject object) {
  switch (object.kind) {
    case SuspectObject::Kind::direction:
      return {object.index};
    case SuspectObject::Kind::cable:
      return {object.index, ways.reverse(object.index)};
    case SuspectObject::Kind::node:
      break;
  }
  std::vector<std::uint32_t> links;
  for (const std::uint32_t rank : nodes[object.index]) {
    links.push_back(ways.link_from(rank));
    links.push_back(ways.link_to(rank));
  }
  return links;
}

std::vector<double> expected_rates(const FlowWays& ways,
                                   std::span<const RateMeasurement> measurements,
                                   std::span<const double> capacity) {
  std::vector<double> expected(measurements.size(), std::numeric_limits<double>::infinity());
  each_round(measurements, [&](std::span<const std::uint32_t> round) {
    std::vector<SharingFlow> flows;
    std::vector<std::uint32_t> owner;
    for (const std::uint32_t m : round) {
      for (const Flow flow : measurements[m].flows) {
        ways.append(flow, flows.emplace_back().links);
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

bool can_be_told_apart(const FlowWays& ways, std::span<const std::uint64_t> prints,
                       std::span<const std::vector<std::uint32_t>> nodes,
                       std::span<const SuspectObject> group) {
  std::vector<std::uint64_t> seen;
  for (const SuspectObject object : group) {
    for (const std::uint32_t link : links_of(ways, nodes, object)) {
      // What no flow crosses bears no witness; links of hosts have flows of their own.
      const std::uint64_t print = link < prints.size() ? prints[link] : mix64(link);
      if (print != 0) seen.push_back(print);
    }
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  return seen.size() > 1;
}

std::vector<std::uint32_t> largest_sharing(const FlowWays& ways,
                                           std::span<const RateMeasurement> measurements) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> flows_on;  // by round and link
  std::vector<std::uint32_t> links;
  const auto each_link = [&](const RateMeasurement& measurement, const auto& take) {
    links.clear();
    for (const Flow flow : measurement.flows) ways.append(flow, links);
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
