// Each counter has a row of limits, and one function evaluates all rows that count events. Other
// quantities have functions of their own: symbol errors are a rate of bits, discards a share of
// packets, waiting a share of time, and width and speed a comparison of both ends of the cable.
//
// The limits come from the InfiniBand specification (a bit error rate of 1e-12) and from the
// thresholds that infiniband-diags ships. There they apply to totals, here to counts in a window.

#include "monitor/analysis/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "base/duration_text.h"
#include "base/error.h"
#include "base/text_lines.h"
#include "base/untrusted_text.h"

namespace pssp {
namespace {

/// From this rate on, lanes correct errors before they count them.
constexpr std::uint32_t corrects_from_mbits = 50'000;
/// Lanes up to this rate use 8b/10b coding, faster lanes 64b/66b.
constexpr std::uint32_t coded_8b10b_to_mbits = 8'000;
constexpr double bytes_a_word = 4;

/// Limits for the events in a window; 0 means that the level is never reached.
struct EventLimits {
  std::uint64_t watch = 0, bad = 0;
};

class PortEvaluator {
 public:
  PortEvaluator(const FabricMap& map, std::uint32_t port, const VerdictSettings& limits)
      : map_(map), port_(port), limits_(limits) {}

  std::vector<Verdict> take() {
    sort_verdicts(verdicts_);
    return std::move(verdicts_);
  }

  void events(const PortWindow& window, Counter counter, const EventLimits& limits,
              std::string_view advice) {
    if (!has(window, counter)) return;
    const std::uint64_t count = window.counted[static_cast<std::size_t>(counter)];
    const bool is_bad = limits.bad != 0 && count >= limits.bad;
    if (!is_bad && (limits.watch == 0 || count < limits.watch)) return;
    const std::uint64_t limit = is_bad ? limits.bad : limits.watch;
    add(is_bad ? Level::bad : Level::watch, info_of(counter).name,
        fmt::format("{} in {}, limit {}: {}", count, duration_text(window.seconds), limit, advice),
        static_cast<double>(count), static_cast<double>(limit));
  }

  void symbol_errors(const PortWindow& window) {
    const LinkRate rate = map_.ports[port_].rate;
    if (!has(window, Counter::symbol_errors) || !rate.stated() || window.seconds <= 0) return;
    const std::uint64_t count = window.counted[static_cast<std::size_t>(Counter::symbol_errors)];
    const bool corrects = rate.megabits_per_lane >= corrects_from_mbits;
    const double coding = rate.megabits_per_lane <= coded_8b10b_to_mbits ? 10.0 / 8 : 66.0 / 64;
    const double bits = rate.capacity() * 1e6 * coding * window.seconds;
    const double errors = static_cast<double>(count) / bits;
    const double limit = 1e-15 * static_cast<double>(corrects ? limits_.corrected_bit_errors_bad
                                                              : limits_.bit_errors_bad);
    const bool enough = count >= limits_.symbol_errors_least;
    const bool is_bad = enough && errors > limit;
    const bool is_watched =
        corrects ? count >= limits_.corrected_symbol_errors_watch
                 : enough && errors > limit * limits_.symbol_errors_watch_percent / 100;
    if (!is_bad && !is_watched) return;
    add(is_bad ? Level::bad : Level::watch, info_of(Counter::symbol_errors).name,
        fmt::format("{} in {}, a bit error rate of {:.1e}, limit {:.0e}: reseat the cable, then "
                    "swap it",
                    count, duration_text(window.seconds), errors, limit),
        errors, limit);
  }

  void discards(const PortWindow& window) {
    const auto of = [&window](Counter c) { return window.counted[static_cast<std::size_t>(c)]; };
    const std::uint64_t count = of(Counter::transmit_discards);
    const std::uint64_t packets = of(Counter::transmit_packets);
    constexpr std::string_view advice =
        "packets were discarded: look for a port downstream that is down or accepts no packets";
    const bool is_few = limits_.discards_bad == 0 || count < limits_.discards_bad;
    if (is_few && has(window, Counter::transmit_packets) && packets != 0 &&
        count >= limits_.discards_least) {
      const double per_million = 1e6 * static_cast<double>(count) / static_cast<double>(packets);
      const auto limit = static_cast<double>(limits_.discards_per_million_bad);
      if (per_million > limit) {
        add(Level::bad, info_of(Counter::transmit_discards).name,
            fmt::format("{} in {}, {:.1f} per million packets, limit {:.0f} per million packets: "
                        "{}",
                        count, duration_text(window.seconds), per_million, limit, advice),
            per_million, limit);
        return;
      }
    }
    events(window, Counter::transmit_discards, {limits_.discards_watch, limits_.discards_bad},
           advice);
  }

  void waiting(const PortWindow& window) {
    if (!has(window, Counter::transmit_wait) || !has(window, Counter::transmit_bytes)) return;
    const auto of = [&window](Counter c) {
      return static_cast<double>(window.counted[static_cast<std::size_t>(c)]);
    };
    const double waited = of(Counter::transmit_wait);
    const double sent = of(Counter::transmit_bytes) / bytes_a_word;
    const double share = waited == 0 ? 0 : waited / (waited + sent);
    const double limit = limits_.waiting_watch_percent / 100.0;
    if (share <= limit) return;
    add(Level::watch, info_of(Counter::transmit_wait).name,
        fmt::format("waited {:.0f} % of the time in {}, limit {:.0f} %: congestion, not a fault; "
                    "check the destinations of its traffic",
                    100 * share, duration_text(window.seconds), 100 * limit),
        share, limit);
  }

  void saturation(const PortWindow& window) {
    for (const CounterInfo& info : counter_table()) {
      if (info.unit == CounterUnit::ticks || (window.saturated & mask_of(info.counter)) == 0) {
        continue;
      }
      const MapPort& port = map_.ports[port_];
      add(Level::unknown, info.name,
          fmt::format("{} is at its largest value: clear it to count again: {}", info.wire_name,
                      clear_command(info.counter, port.lid, port.number)),
          0, 0);
    }
  }

  void readings(const PortWindow& window) {
    switch (window.status) {
      case PortStatus::silent:
      case PortStatus::backed_off:
        add(Level::unknown, "readings", "the node does not respond: check its power and its links",
            0, 0);
        break;
      case PortStatus::doubtful:
        add(Level::unknown, "readings", "another node responds at its LID", 0, 0);
        break;
      case PortStatus::refused:
        add(Level::unknown, "readings", "the node reports that it has no counters", 0, 0);
        break;
      case PortStatus::read:
        // A node that has just joined has only one reading, which is no fault.
        if (window.known == 0 && window.seconds > 0) {
          add(Level::unknown, "readings",
              "no two readings can be compared: find the program that clears the counters", 0, 0);
        }
        break;
      default:
        break;
    }
  }

  void width_and_speed();

 private:
  static bool has(const PortWindow& window, Counter counter) {
    return (window.known & mask_of(counter)) != 0;
  }

  void add(Level level, std::string_view what, std::string reason, double value, double limit) {
    verdicts_.push_back({port_, level, std::string(what), std::move(reason), value, limit});
  }

  const FabricMap& map_;
  std::uint32_t port_;
  const VerdictSettings& limits_;
  std::vector<Verdict> verdicts_;
};

struct Step {
  std::uint8_t bit;
  std::uint32_t value;
};

/// The largest value that is supported and enabled at both ends; 0 if an end is unknown.
std::uint32_t largest_common(std::span<const Step> steps, unsigned a, unsigned b) {
  std::uint32_t largest = 0;
  for (const Step& step : steps) {
    if ((a & b & step.bit) != 0) largest = std::max(largest, step.value);
  }
  return largest;
}

constexpr std::array width_steps{Step{1, 1}, Step{16, 2}, Step{2, 4}, Step{4, 8}, Step{8, 12}};
constexpr std::array speed_steps{Step{1, 2000}, Step{2, 4000}, Step{4, 8000}};
constexpr std::array extended_steps{Step{1, 13636}, Step{2, 25000}, Step{4, 50000},
                                    Step{8, 100000}};

/// Reported once for each cable, at the port with the smaller index.
void PortEvaluator::width_and_speed() {
  const MapPort& a = map_.ports[port_];
  if (a.peer == MapPort::no_peer || a.peer < port_ || !a.rate.stated()) return;
  const MapPort& b = map_.ports[a.peer];
  const std::uint32_t lanes = largest_common(width_steps, a.width_supported & a.width_enabled,
                                             b.width_supported & b.width_enabled);
  const std::uint32_t speed =
      std::max(largest_common(speed_steps, a.speed_supported & a.speed_enabled,
                              b.speed_supported & b.speed_enabled),
               largest_common(extended_steps, a.extended_speed_supported & a.extended_speed_enabled,
                              b.extended_speed_supported & b.extended_speed_enabled));
  if (a.rate.lanes < lanes) {
    add(Level::bad, "width",
        fmt::format("width {}x, but both ends support {}x: reseat the cable, then swap it",
                    a.rate.lanes, lanes),
        a.rate.lanes, lanes);
  }
  if (a.rate.megabits_per_lane < speed) {
    add(Level::bad, "speed",
        fmt::format("{} Mbit/s per lane, but both ends support {}: reseat the cable, then swap it",
                    a.rate.megabits_per_lane, speed),
        a.rate.megabits_per_lane, speed);
  }
}

constexpr std::string_view cable_advice = "reseat the cable, then swap it";
constexpr std::string_view behind_advice =
    "the cause is a link upstream of this port: look for receive_errors there";

}  // namespace

void sort_verdicts(std::vector<Verdict>& verdicts) {
  std::ranges::stable_sort(verdicts, [](const Verdict& a, const Verdict& b) {
    const unsigned ours = urgency(a.level, a.what), theirs = urgency(b.level, b.what);
    return ours != theirs ? ours > theirs : a.port < b.port;
  });
}

std::vector<Verdict> evaluate_port(const FabricMap& map, std::uint32_t port,
                                   const PortWindow& brief, const PortWindow& lasting,
                                   const VerdictSettings& limits) {
  PortEvaluator evaluate(map, port, limits);
  using enum Counter;
  evaluate.readings(brief);
  evaluate.symbol_errors(lasting);
  evaluate.events(lasting, link_error_recoveries, {limits.recoveries_watch, limits.recoveries_bad},
                  cable_advice);
  evaluate.events(
      lasting, link_downed, {limits.downs_watch, limits.downs_bad},
      "the link went down: check the cable and the adapter, and whether the link was unplugged");
  for (const Counter counter :
       {receive_errors, local_link_integrity_errors, excessive_buffer_overruns}) {
    evaluate.events(brief, counter, {limits.receive_errors_watch, limits.receive_errors_bad},
                    cable_advice);
  }
  evaluate.events(brief, receive_remote_physical_errors, {limits.remote_errors_watch, 0},
                  behind_advice);
  evaluate.events(brief, receive_switch_relay_errors, {limits.relay_errors_watch, 0},
                  "the switch could not forward packets; a few are normal with multicast");
  for (const Counter counter : {transmit_constraint_errors, receive_constraint_errors}) {
    evaluate.events(
        brief, counter, {limits.constraint_errors_watch, 0},
        "the partition of the packets is not allowed here: check the configuration of partitions");
  }
  evaluate.discards(brief);
  evaluate.events(
      brief, vl15_dropped, {limits.vl15_dropped_watch, limits.vl15_dropped_bad},
      "management packets were lost: find the program that sends too many to this node");
  evaluate.waiting(brief);
  evaluate.width_and_speed();
  evaluate.saturation(brief);
  return evaluate.take();
}

std::vector<PortWindow> windows_of(const Snapshot& after,
                                   const std::vector<PortDifference>& differences) {
  std::vector<PortWindow> windows(differences.size());
  for (std::uint32_t p = 0; p < windows.size(); ++p) {
    const PortDifference& difference = differences[p];
    windows[p] = {static_cast<double>(difference.ns) / 1e9, difference.delta, difference.known,
                  after.saturated[p], after.status[p]};
  }
  return windows;
}

// ---- totals ----

std::vector<Threshold> parse_thresholds(std::string_view text, std::string_view name) {
  std::vector<Threshold> thresholds;
  for (const CounterInfo& info : counter_table()) {
    const bool is_waiting = info.counter == Counter::transmit_wait;
    if (info.unit == CounterUnit::events || is_waiting) thresholds.push_back({info.counter, 0});
  }
  for (std::size_t line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = text.find('\n');
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t equals = line.find('=');
    const std::string_view key = trimmed(line.substr(0, equals));
    std::string_view number =
        equals == std::string_view::npos ? std::string_view{} : trimmed(line.substr(equals + 1));
    const auto threshold = std::ranges::find_if(thresholds, [key](const Threshold& each) {
      return info_of(each.counter).wire_name == key;
    });
    const std::optional<std::uint64_t> most = take_number(number);
    if (threshold == thresholds.end() || !most || !number.empty()) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}:{}: invalid threshold '{}': expected the name of a counter in "
                              "perfquery, = and a number",
                              name, line_number, untrusted_text(line)));
    }
    threshold->most = *most;
  }
  return thresholds;
}

std::vector<Verdict> evaluate_totals(const Snapshot& snapshot,
                                     const std::vector<Threshold>& thresholds) {
  std::vector<Verdict> verdicts;
  const VerdictSettings no_limits;
  for (std::uint32_t p = 0; p < snapshot.status.size(); ++p) {
    PortEvaluator evaluate(*snapshot.map, p, no_limits);
    evaluate.readings({.known = snapshot.known[p], .status = snapshot.status[p]});
    std::ranges::move(evaluate.take(), std::back_inserter(verdicts));
    if (snapshot.status[p] != PortStatus::read) continue;
    for (const Threshold& threshold : thresholds) {
      const CounterInfo& info = info_of(threshold.counter);
      const std::uint64_t value = snapshot.counters(p)[static_cast<std::size_t>(threshold.counter)];
      const bool known = (snapshot.known[p] & mask_of(threshold.counter)) != 0;
      if (!known || value <= threshold.most) continue;
      verdicts.push_back({p, Level::bad, std::string(info.name),
                          fmt::format("{} in total, threshold {}", value, threshold.most),
                          static_cast<double>(value), static_cast<double>(threshold.most)});
    }
  }
  sort_verdicts(verdicts);
  return verdicts;
}

}  // namespace pssp
