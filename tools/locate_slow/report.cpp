#include "tools/locate_slow/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/foreign_text.h"
#include "base/json_text.h"
#include "base/version.h"

namespace pssp {
namespace {

using SlowJson = nlohmann::ordered_json;

constexpr std::size_t most_listed = 10;
/// Rates that the tables alone make lower than this part of full speed are worth a word.
constexpr double slow_by_tables = .7;

std::string object_text(const SlowReport& report, SuspectObject object) {
  return report.fabric.nodes->text(*report.fabric.ways, object);
}

/// "symbol errors" of symbol_errors.
std::string subject_words(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string speed_text(const Accusation& fault) {
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

/// Whether a further round could tell the objects of a group apart.
class GroupJudge {
 public:
  explicit GroupJudge(const SlowReport& report) : report_(report) {
    const bool is_needed = std::ranges::any_of(
        report.diagnosis.faults, [](const Accusation& each) { return each.group.size() > 1; });
    if (!is_needed) return;
    prints_ = crossing_prints(*report.fabric.ways,
                              report.fabric.nodes->units(report.fabric.chosen, false));
  }
  bool can_be_told_apart(const Accusation& fault) const {
    return pssp::can_be_told_apart(*report_.fabric.ways, prints_, report_.fabric.nodes->ranks(),
                                   fault.group);
  }

 private:
  const SlowReport& report_;
  std::vector<std::uint64_t> prints_;
};

/// Verdicts and errors of a port, in words; empty where there is nothing to say.
std::string counted_words(const CountedPort& port) {
  std::vector<std::string> words;
  for (const VerdictRecord& each : port.verdicts) {
    words.push_back(fmt::format("{}, {}: {}", name_of(each.level), subject_words(each.what),
                                foreign_text(each.reason)));
  }
  for (const auto& [counter, times] : port.events) {
    words.push_back(fmt::format("{} {}", times, subject_words(counter)));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

/// What the monitor has of an object, a line for each port of which there is something.
std::string counted_text(const SlowReport& report, SuspectObject object, std::string_view indent) {
  if (report.counted == nullptr) return {};
  std::string text;
  std::size_t known = 0;
  for (const CountedPort& port : report.counted->of(report.fabric, object)) {
    known += port.is_known ? 1 : 0;
    const std::string words = counted_words(port);
    if (!words.empty()) text += fmt::format("{}the monitor: {}: {}\n", indent, port.name, words);
  }
  if (!text.empty()) return text;
  return fmt::format("{}the monitor {}\n", indent,
                     known == 0 ? "does not know its ports" : "counted no error there");
}

std::string faults_text(const SlowReport& report) {
  const GroupJudge judge(report);
  std::string text;
  for (const Accusation& fault : report.diagnosis.faults) {
    text += fmt::format("SLOW: {}, {}, {}: {} slow rates cross it, {} that cross it are fast\n",
                        object_text(report, fault.object), kind_text(fault.object),
                        speed_text(fault), fault.slow_flows, fault.fast_flows);
    text += counted_text(report, fault.object, "  ");
    if (fault.group.size() == 1) {
      text += "  nothing else explains them\n";
      continue;
    }
    text += fmt::format("  explained nearly as well, {}, by\n",
                        judge.can_be_told_apart(fault) ? "and --next tells more"
                                                       : "and no flow can tell them apart");
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

/// Measurements that the tables alone make slow, by the channel that they share.
std::map<std::uint32_t, std::vector<std::uint32_t>> shared_channels(const SlowReport& report) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> found;
  for (std::uint32_t m = 0; m < report.measurements.size(); ++m) {
    const double full = report.diagnosis.full_rate * report.measurements[m].width;
    if (report.diagnosis.sharing[m] > 1 && report.diagnosis.expected[m] < slow_by_tables * full) {
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
      "{} rates are lower because their flows share channels by routing, which is no fault:\n",
      pairs);
  for (std::size_t i = 0; i < std::min(most_listed, by_count.size()); ++i) {
    text +=
        fmt::format("  {:>4} over {}\n", by_count[i].first,
                    report.fabric.nodes->link_text(*report.fabric.ways, by_count[i].second, "->"));
  }
  if (by_count.size() > most_listed) {
    text += fmt::format("  ... and {} more channels\n", by_count.size() - most_listed);
  }
  return text;
}

std::string outliers_text(const SlowReport& report) {
  const std::vector<std::uint32_t>& outliers = report.diagnosis.outliers;
  if (outliers.empty()) return {};
  std::string text = fmt::format("{} low rates that nothing explains:\n", outliers.size());
  for (std::size_t i = 0; i < std::min(most_listed, outliers.size()); ++i) {
    const std::uint32_t m = outliers[i];
    text += fmt::format("  {}: {:.4g}, expected {:.4g}\n", pair_text(report, m),
                        report.measurements[m].rate, report.diagnosis.explained[m]);
  }
  if (outliers.size() > most_listed) {
    text += fmt::format("  ... and {} more\n", outliers.size() - most_listed);
  }
  return text;
}

/// An object, and its ports where the monitor was asked.
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
                          {"reason", foreign_text(each.reason)},
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

SlowJson accusation_json(const SlowReport& report, const Accusation& fault,
                         const GroupJudge& judge) {
  const SlowJson accused = object_json(report, fault.object);
  SlowJson json = accused;
  json["speed"] = fault.speed;
  json["evidence"] = fault.evidence;
  json["slow_rates"] = fault.slow_flows;
  json["fast_rates"] = fault.fast_flows;
  json["group"] = SlowJson::array();
  for (const SuspectObject object : fault.group) {
    json["group"].push_back(object == fault.object ? accused : object_json(report, object));
  }
  json["next_tells_more"] = fault.group.size() > 1 && judge.can_be_told_apart(fault);
  return json;
}

}  // namespace

std::string to_text(const SlowReport& report) {
  const RateDiagnosis& diagnosis = report.diagnosis;
  std::string text = fmt::format(
      "{} rates; full speed {:.4g}; noise {:.1f} %, of flows that share a channel {:.1f} %\n",
      report.measurements.size(), diagnosis.full_rate, 100 * diagnosis.noise,
      100 * diagnosis.noise_shared);
  text += diagnosis.faults.empty() ? "nothing is slow\n" : faults_text(report);
  if (!diagnosis.suspects.empty()) {
    text += fmt::format("{} more with too little evidence: --next asks again\n",
                        diagnosis.suspects.size());
  }
  return text + tables_text(report) + outliers_text(report);
}

std::string to_json(const SlowReport& report) {
  const RateDiagnosis& diagnosis = report.diagnosis;
  const GroupJudge judge(report);
  SlowJson json;
  json["rates"] = report.measurements.size();
  json["full_rate"] = diagnosis.full_rate;
  json["noise"] = diagnosis.noise;
  json["noise_shared"] = diagnosis.noise_shared;
  json["threshold"] = diagnosis.threshold;
  json["slow"] = SlowJson::array();
  for (const Accusation& each : diagnosis.faults) {
    json["slow"].push_back(accusation_json(report, each, judge));
  }
  json["suspects"] = SlowJson::array();
  for (const Accusation& each : diagnosis.suspects) {
    json["suspects"].push_back(accusation_json(report, each, judge));
  }
  json["slow_by_tables"] = SlowJson::array();
  for (const auto& [link, measured] : shared_channels(report)) {
    SlowJson pairs = SlowJson::array();
    for (const std::uint32_t m : measured) pairs.push_back(pair_text(report, m));
    json["slow_by_tables"].push_back(
        {{"channel", report.fabric.nodes->link_text(*report.fabric.ways, link, "->")},
         {"flows", diagnosis.sharing[measured.front()]},
         {"pairs", std::move(pairs)}});
  }
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
