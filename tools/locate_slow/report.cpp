#include "tools/locate_slow/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/untrusted_text.h"
#include "base/version.h"

namespace pssp {
namespace {

using SlowJson = nlohmann::ordered_json;

constexpr std::size_t most_listed = 10;
/// Rates that the tables alone reduce below this part of full speed are mentioned.
constexpr double slow_by_tables = .7;

std::string object_text(const SlowReport& report, SuspectObject object) {
  return report.fabric.nodes->text(*report.fabric.alternatives, object);
}

/// "symbol errors" from symbol_errors.
std::string subject_text(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string speed_text(const Suspect& fault) {
  return fmt::format("at about {:.0f} % of its speed", 100 * fault.speed);
}

const char* kind_text(SuspectObject object) {
  switch (object.kind) {
    case SuspectObject::Kind::direction:
      return "one direction";
    case SuspectObject::Kind::cable:
      return "both directions";
    case SuspectObject::Kind::node:
      break;
  }
  return "all its adapters";
}

std::string pair_text(const SlowReport& report, std::uint32_t m) {
  const Flow flow = report.measurements[m].flows.front();
  const MeasuredNodes& nodes = *report.fabric.nodes;
  return fmt::format("{} to {}", nodes.label(flow.source), nodes.label(flow.destination));
}

/// "1 rate", "2 rates".
std::string rates_text(std::size_t count) {
  return fmt::format("{} rate{}", count, count == 1 ? "" : "s");
}

/// At least four digits, and no exponent for slightly larger numbers.
std::string number_text(double value) {
  constexpr double four_digits = 1000, too_long = 1e9;
  return value >= four_digits && value < too_long ? fmt::format("{:.0f}", value)
                                                  : fmt::format("{:.4g}", value);
}

/// "196.7 Gbit/s"; only the number if the unit is unknown.
std::string value_text(const SlowReport& report, double value) {
  return number_text(value) + (report.unit.is_known() ? " " + report.unit.name : "");
}

double full_rate(const SlowReport& report) {
  return report.given_rate > 0 ? report.given_rate : report.diagnosis.full_rate;
}

/// "200 Gbit/s", for links with this capacity.
std::string link_speed_text(const SlowReport& report, double capacity) {
  constexpr double megabits_of_gigabit = 1000;
  return fmt::format(
      "{:.4g} Gbit/s",
      capacity * report.fabric.alternatives->fabric().reference_capacity() / megabits_of_gigabit);
}

/// Capacity of the narrowest link of a measurement.
double narrowest_link(const SlowReport& report, const RateMeasurement& measurement) {
  std::vector<std::uint32_t> links;
  for (const Flow flow : measurement.flows) report.fabric.alternatives->append(flow, links);
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t link : links) {
    least = std::min(least, report.fabric.alternatives->capacity(link));
  }
  return least;
}

std::string_view basis_name(FullRateBasis basis) {
  switch (basis) {
    case FullRateBasis::given:
      return "given";
    case FullRateBasis::unshared:
      return "unshared paths";
    case FullRateBasis::shared:
      break;
  }
  return "shared paths";
}

/// The source of full speed, and its ratio to the speed of the links.
std::string basis_text(const SlowReport& report) {
  const FullRate& measured = report.diagnosis.measured;
  const bool is_unshared = measured.basis == FullRateBasis::unshared;
  const std::string rates =
      measured.rates == 1
          ? fmt::format("1 rate, of a flow that shares {}", is_unshared ? "no link" : "links")
          : fmt::format("{} rates close together, of flows that share {}", measured.rates,
                        is_unshared ? "no link" : "links, because too few flows share none");
  std::string text = report.given_rate > 0
                         ? fmt::format("full speed is given by --full; measured is {} ({})",
                                       value_text(report, measured.rate), rates)
                         : fmt::format("full speed is estimated from the fastest rates: {}", rates);
  if (report.fabric.alternatives->fabric().reference_capacity() == 0) {
    return text + "; the topology states no link speeds\n";
  }
  if (report.link_rate == 0) {
    return text +
           "; not compared with the link speed: the unit of the rates is not known (--unit)\n";
  }
  const auto percent = [&](double rate) { return 100 * rate / report.link_rate; };
  const std::vector<LinkSpeedClass>& classes = report.diagnosis.classes;
  if (classes.size() == 1) {
    return text + fmt::format("; {:.0f} % of the link speed of {}\n", percent(measured.rate),
                              link_speed_text(report, classes[0].capacity));
  }
  text += "\n";
  for (const LinkSpeedClass& each : classes) {
    text += fmt::format("  paths of {}: {}, the fastest at about {:.0f} % of that speed\n",
                        link_speed_text(report, each.capacity), rates_text(each.rates),
                        percent(each.fastest.rate));
  }
  return text;
}

/// All rates, or all over links of one speed, are far below the possible rates.
std::string all_slow_text(const SlowReport& report) {
  const RateDiagnosis& diagnosis = report.diagnosis;
  const bool is_given = report.given_rate > 0;
  const double should = is_given ? report.given_rate : report.link_rate;
  std::string text;
  for (const LinkSpeedClass& each : diagnosis.classes) {
    if (!each.is_all_slow) continue;
    const std::string all =
        each.rates == 1 ? "the only rate" : fmt::format("all {}", rates_text(each.rates));
    const char* reach = each.rates == 1 ? "reaches" : "reach at most";
    const std::string where =
        diagnosis.classes.size() == 1 && each.rates == report.measurements.size()
            ? ""
            : fmt::format(" over paths of {}", link_speed_text(report, each.capacity));
    const std::string reference =
        is_given ? "full speed (--full)"
                 : fmt::format("the link speed ({})", link_speed_text(report, each.capacity));
    text += fmt::format("SLOW: {}{} {} about {:.0f} % of {}\n", all, where, reach,
                        100 * each.fastest.rate / should, reference);
  }
  if (text.empty()) return text;
  const auto widest = std::ranges::max_element(report.measurements, {}, &RateMeasurement::width);
  if (widest->width > 1) {
    text += fmt::format("  a rate is compared with all {:.0f} rails of a node together\n",
                        widest->width);
  }
  return text +
         "  look for a common cause: PCIe slower than the link, small messages, too few "
         "processes\n" +
         (is_given ? "" : "  if the nodes cannot be faster, state what they reach with --full\n");
}

/// There are more low rates than single disturbances explain, and no object explains them.
std::string many_outliers_text(const SlowReport& report) {
  const RateDiagnosis& diagnosis = report.diagnosis;
  if (!diagnosis.has_many_outliers) return {};
  std::vector<double> parts;
  for (const std::uint32_t m : diagnosis.outliers) {
    parts.push_back(report.measurements[m].rate / diagnosis.explained[m]);
  }
  const auto middle = parts.begin() + static_cast<std::ptrdiff_t>(parts.size() / 2);
  std::ranges::nth_element(parts, middle);
  return fmt::format(
      "SLOW: {} of {} low, about {:.0f} % of what is expected, and no cable, adapter or node alone "
      "explains {}\n  measure these pairs again, and more pairs with these nodes\n",
      parts.size(), rates_text(report.measurements.size()) + (parts.size() == 1 ? " is" : " are"),
      100 * *middle, parts.size() == 1 ? "it" : "them");
}

std::string verdict_text(const SlowReport& report) {
  const RateDiagnosis& diagnosis = report.diagnosis;
  if (diagnosis.is_slow()) return {};
  if (diagnosis.outliers.empty()) return "nothing is slow\n";
  return fmt::format(
      "nothing is slow: {} of {} low, no more than temporary disturbances cause\n",
      diagnosis.outliers.size(),
      rates_text(report.measurements.size()) + (diagnosis.outliers.size() == 1 ? " is" : " are"));
}

std::string above_full_text(const SlowReport& report) {
  const std::vector<std::uint32_t>& above = report.diagnosis.above_full;
  if (above.empty()) return {};
  const auto fastest = std::ranges::max_element(
      above, {}, [&](std::uint32_t m) { return report.measurements[m].rate; });
  return fmt::format(
      "UNDECIDED: {} of {} far above all others, up to {} ({}): if this rate is correct, all "
      "others are slow; measure this pair again\n",
      above.size(), rates_text(report.measurements.size()) + (above.size() == 1 ? " is" : " are"),
      value_text(report, report.measurements[*fastest].rate), pair_text(report, *fastest));
}

/// Whether a further round could distinguish the objects of a group.
class GroupEvaluator {
 public:
  explicit GroupEvaluator(const SlowReport& report) : report_(report) {
    const bool is_needed = std::ranges::any_of(
        report.diagnosis.faults, [](const Suspect& each) { return each.group.size() > 1; });
    if (!is_needed) return;
    prints_ = crossing_prints(*report.fabric.alternatives,
                              report.fabric.nodes->units(report.fabric.chosen, false));
  }
  bool can_be_distinguished(const Suspect& fault) const {
    return pssp::can_be_distinguished(*report_.fabric.alternatives, prints_,
                                      report_.fabric.nodes->ranks(), fault.group);
  }

 private:
  const SlowReport& report_;
  std::vector<std::uint64_t> prints_;
};

/// Verdicts and errors of a port as text; empty if there are none.
std::string count_text(const CountedPort& port) {
  std::vector<std::string> words;
  for (const VerdictRecord& each : port.verdicts) {
    words.push_back(fmt::format("{}, {}: {}", name_of(each.level), subject_text(each.what),
                                untrusted_text(each.reason)));
  }
  for (const auto& [counter, times] : port.events) {
    words.push_back(fmt::format("{} {}", times, subject_text(counter)));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

/// The monitor's information about an object, one line per affected port.
std::string counted_text(const SlowReport& report, SuspectObject object, std::string_view indent) {
  if (report.counted == nullptr) return {};
  std::string text;
  std::size_t known = 0;
  for (const CountedPort& port : report.counted->of(report.fabric, object)) {
    known += port.is_known ? 1 : 0;
    const std::string words = count_text(port);
    if (!words.empty()) text += fmt::format("{}the monitor: {}: {}\n", indent, port.name, words);
  }
  if (!text.empty()) return text;
  return fmt::format(
      "{}the monitor {}\n", indent,
      known == 0 ? "has no data for these ports" : "counted no error at these ports");
}

std::string faults_text(const SlowReport& report) {
  const GroupEvaluator evaluate(report);
  std::string text;
  for (const Suspect& fault : report.diagnosis.faults) {
    text += fmt::format("SLOW: {}, {}, {}: {} slow and {} fast rates cross it\n",
                        object_text(report, fault.object), kind_text(fault.object),
                        speed_text(fault), fault.slow_flows, fault.fast_flows);
    text += counted_text(report, fault.object, "  ");
    if (fault.group.size() == 1) {
      text += "  no other object explains the slow rates\n";
      continue;
    }
    text += fmt::format("  nearly as likely ({}):\n", evaluate.can_be_distinguished(fault)
                                                          ? "--next can distinguish them"
                                                          : "no flow can distinguish them");
    std::size_t listed = 0;
    for (const SuspectObject object : fault.group) {
      if (object == fault.object) continue;
      if (listed++ == most_listed) {
        text += fmt::format("    ... and {} more\n", fault.group.size() - 1 - most_listed);
        break;
      }
      text += fmt::format("    {}, {}\n", object_text(report, object), kind_text(object));
      text += counted_text(report, object, "      ");
    }
  }
  return text;
}

/// Measurements that are slow because of the tables alone, by their shared channel.
std::map<std::uint32_t, std::vector<std::uint32_t>> shared_channels(const SlowReport& report) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> found;
  for (std::uint32_t m = 0; m < report.measurements.size(); ++m) {
    const double full = report.diagnosis.full_rate * report.measurements[m].width;
    const bool is_low = report.measurements[m].rate < part_low * full;
    if (is_low && report.diagnosis.sharing[m] > 1 &&
        report.diagnosis.expected[m] < slow_by_tables * full) {
      found[report.diagnosis.shared_link[m]].push_back(m);
    }
  }
  return found;
}

std::string tables_text(const SlowReport& report) {
  const auto shared = shared_channels(report);
  if (shared.empty()) return {};
  std::size_t pairs = 0;
  std::vector<std::pair<std::size_t, std::uint32_t>> by_count;
  for (const auto& [link, measured] : shared) {
    pairs += measured.size();
    by_count.emplace_back(measured.size(), link);
  }
  std::ranges::stable_sort(by_count,
                           [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = fmt::format(
      "{} rates are lower because the tables route their flows over shared channels, which is not "
      "a fault:\n",
      pairs);
  for (std::size_t i = 0; i < std::min(most_listed, by_count.size()); ++i) {
    text += fmt::format(
        "  {:>4} over {}\n", by_count[i].first,
        report.fabric.nodes->link_text(*report.fabric.alternatives, by_count[i].second, "->"));
  }
  if (by_count.size() > most_listed) {
    text += fmt::format("  ... and {} more channels\n", by_count.size() - most_listed);
  }
  return text;
}

std::string outliers_text(const SlowReport& report) {
  const std::vector<std::uint32_t>& outliers = report.diagnosis.outliers;
  if (outliers.empty()) return {};
  std::string text = fmt::format("{} low rate{} that nothing explains:\n", outliers.size(),
                                 outliers.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(most_listed, outliers.size()); ++i) {
    const std::uint32_t m = outliers[i];
    text += fmt::format("  {}: {}, expected {}\n", pair_text(report, m),
                        number_text(report.measurements[m].rate),
                        number_text(report.diagnosis.explained[m]));
  }
  if (outliers.size() > most_listed) {
    text += fmt::format("  ... and {} more\n", outliers.size() - most_listed);
  }
  return text;
}

/// An object, with its ports if the monitor's history is used.
SlowJson object_json(const SlowReport& report, SuspectObject object) {
  SlowJson json{{"what", object_text(report, object)}, {"kind", kind_text(object)}};
  if (report.counted == nullptr) return json;
  json["ports"] = SlowJson::array();
  for (const CountedPort& port : report.counted->of(report.fabric, object)) {
    SlowJson events = SlowJson::object();
    for (const auto& [counter, times] : port.events) events[counter] = times;
    SlowJson verdicts = SlowJson::array();
    for (const VerdictRecord& each : port.verdicts) {
      verdicts.push_back({{"level", name_of(each.level)},
                          {"what", each.what},
                          {"reason", untrusted_text(each.reason)},
                          {"since", each.since_ms}});
    }
    json["ports"].push_back({{"port", port.name},
                             {"guid", fmt::format("0x{:016x}", port.key.node)},
                             {"number", port.key.number},
                             {"known", port.is_known},
                             {"events", std::move(events)},
                             {"verdicts", std::move(verdicts)}});
  }
  return json;
}

SlowJson suspect_json(const SlowReport& report, const Suspect& fault,
                      const GroupEvaluator& evaluate) {
  const SlowJson suspected = object_json(report, fault.object);
  SlowJson json = suspected;
  json["speed"] = fault.speed;
  json["evidence"] = fault.evidence;
  json["slow_rates"] = fault.slow_flows;
  json["fast_rates"] = fault.fast_flows;
  json["group"] = SlowJson::array();
  for (const SuspectObject object : fault.group) {
    json["group"].push_back(object == fault.object ? suspected : object_json(report, object));
  }
  json["next_tells_more"] = fault.group.size() > 1 && evaluate.can_be_distinguished(fault);
  return json;
}

}  // namespace

std::vector<std::string> impossible_rates(const SlowReport& report) {
  constexpr double rounding = 1.05;  // the link's data rate may be rounded
  if (report.link_rate == 0) return {};
  std::size_t count = 0;
  std::uint32_t first = 0;
  for (std::uint32_t m = 0; m < report.measurements.size(); ++m) {
    const RateMeasurement& each = report.measurements[m];
    const double possible = narrowest_link(report, each) * report.link_rate * each.width;
    if (each.rate <= rounding * possible) continue;
    if (count++ == 0) first = m;
  }
  if (count == 0) return {};
  const RateMeasurement& each = report.measurements[first];
  const double possible = narrowest_link(report, each) * report.link_rate * each.width;
  return {fmt::format(
      "{} higher than the links of {} path allow: the first is {} of {}, where {} is possible: "
      "check the topology, the unit (--unit), and whether the rates are sums of both directions "
      "(--both-directions)",
      rates_text(count) + (count == 1 ? " is" : " are"), count == 1 ? "its" : "their",
      value_text(report, each.rate), pair_text(report, first), value_text(report, possible))};
}

std::string to_text(const SlowReport& report) {
  const RateDiagnosis& diagnosis = report.diagnosis;
  std::string text =
      fmt::format("{}; full speed {}; noise {:.1f} %, of flows that share a channel {:.1f} %\n",
                  rates_text(report.measurements.size()), value_text(report, full_rate(report)),
                  100 * diagnosis.noise, 100 * diagnosis.noise_shared);
  text += basis_text(report) + verdict_text(report) + all_slow_text(report) + faults_text(report) +
          many_outliers_text(report) + above_full_text(report);
  if (diagnosis.is_cut_off) {
    text +=
        fmt::format("more objects are slow than the {} that are listed\n", diagnosis.faults.size());
  } else if (!diagnosis.suspects.empty()) {
    const std::size_t count = diagnosis.suspects.size();
    text += fmt::format("{} {}suspect{} with too little evidence: measure the pairs of --next\n",
                        count, diagnosis.faults.empty() ? "" : "more ", count == 1 ? "" : "s");
  }
  return text + tables_text(report) + outliers_text(report);
}

std::string to_json(const SlowReport& report) {
  const RateDiagnosis& diagnosis = report.diagnosis;
  const GroupEvaluator evaluate(report);
  SlowJson json;
  json["rates"] = report.measurements.size();
  json["is_slow"] = diagnosis.is_slow();
  json["unit"] = report.unit.is_known() ? SlowJson(report.unit.name) : SlowJson();
  json["full_rate"] = full_rate(report);
  json["full_rate_basis"] =
      basis_name(report.given_rate > 0 ? FullRateBasis::given : diagnosis.measured.basis);
  json["measured_full_rate"] = diagnosis.measured.rate;
  json["measured_full_rate_rates"] = diagnosis.measured.rates;
  json["link_rate"] = report.link_rate > 0 ? SlowJson(report.link_rate) : SlowJson();
  json["paths"] = SlowJson::array();
  for (const LinkSpeedClass& each : diagnosis.classes) {
    SlowJson path{{"link_rate", SlowJson()},
                  {"rates", each.rates},
                  {"fastest", each.capacity * each.fastest.rate},
                  {"all_slow", each.is_all_slow}};
    if (report.link_rate > 0) path["link_rate"] = each.capacity * report.link_rate;
    json["paths"].push_back(std::move(path));
  }
  json["noise"] = diagnosis.noise;
  json["noise_shared"] = diagnosis.noise_shared;
  json["threshold"] = diagnosis.threshold;
  json["slow"] = SlowJson::array();
  for (const Suspect& each : diagnosis.faults) {
    json["slow"].push_back(suspect_json(report, each, evaluate));
  }
  json["suspects"] = SlowJson::array();
  for (const Suspect& each : diagnosis.suspects) {
    json["suspects"].push_back(suspect_json(report, each, evaluate));
  }
  json["slow_by_tables"] = SlowJson::array();
  for (const auto& [link, measured] : shared_channels(report)) {
    SlowJson pairs = SlowJson::array();
    for (const std::uint32_t m : measured) pairs.push_back(pair_text(report, m));
    json["slow_by_tables"].push_back(
        {{"channel", report.fabric.nodes->link_text(*report.fabric.alternatives, link, "->")},
         {"flows", diagnosis.sharing[measured.front()]},
         {"pairs", std::move(pairs)}});
  }
  json["above_full_rate"] = diagnosis.above_full.size();
  json["many_unexplained"] = diagnosis.has_many_outliers;
  json["unexplained"] = SlowJson::array();
  for (const std::uint32_t m : diagnosis.outliers) {
    json["unexplained"].push_back({{"pair", pair_text(report, m)},
                                   {"rate", report.measurements[m].rate},
                                   {"expected", diagnosis.explained[m]}});
  }
  json["version"] = version();
  return dump_json(json);
}

}  // namespace pssp
