#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "base/untrusted_text.h"
#include "monitor/analysis/error_origin.h"
#include "monitor/analysis/maintenance.h"
#include "monitor/analysis/verdicts.h"
#include "monitor/configuration/configuration.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/live_options.h"
#include "tools/monitor_fabric/nagios_line.h"
#include "tools/monitor_fabric/port_rows.h"
#include "tools/monitor_fabric/saved_sweeps.h"

namespace pssp {
namespace {

using VerdictJson = nlohmann::ordered_json;

/// Whether one end of the cable is in maintenance.
bool is_maintained(const FabricMap& map, std::uint32_t port,
                   const std::vector<MaintainedPort>& maintained, std::int64_t time_ms) {
  const auto covers = [&](const MapPort& at) {
    return maintenance_of(maintained, map.node_of(at).guid, at.number, time_ms) != nullptr;
  };
  const MapPort& at = map.ports[port];
  return covers(at) || (at.peer != MapPort::no_peer && covers(map.ports[at.peer]));
}

std::vector<Verdict> evaluate_all(const TwoSweeps& sweeps, const VerdictSettings& settings,
                                  const std::vector<MaintainedPort>& maintained) {
  const FabricMap& map = *sweeps.after->map;
  const std::vector<PortWindow> windows = windows_of(*sweeps.after, sweeps.differences);
  std::vector<Verdict> all;
  for (std::uint32_t p = 0; p < windows.size(); ++p) {
    if (is_maintained(map, p, maintained, sweeps.after->time_ms)) continue;
    std::vector<Verdict> verdicts = evaluate_port(map, p, windows[p], windows[p], settings);
    std::ranges::move(verdicts, std::back_inserter(all));
  }
  name_origins(
      map, all, [&](std::uint32_t p) { return windows[p]; }, nullptr);
  sort_verdicts(all);
  return all;
}

std::string verdicts_text(const FabricMap& map, const std::vector<Verdict>& verdicts) {
  std::string text;
  for (const Verdict& each : verdicts) {
    const MapPort& port = map.ports[each.port];
    const std::string peer =
        port.peer == MapPort::no_peer ? "nothing" : port_name(map, map.ports[port.peer]);
    text += fmt::format("{:<8} {} - {}: {}: {}\n", name_of(each.level), port_name(map, port), peer,
                        each.what, each.reason);
  }
  return text;
}

std::string verdicts_json(const FabricMap& map, const std::vector<Verdict>& verdicts) {
  VerdictJson list = VerdictJson::array();
  for (const Verdict& each : verdicts) {
    const MapPort& port = map.ports[each.port];
    const MapNode& node = map.node_of(port);
    list.push_back({{"guid", fmt::format("0x{:016x}", node.guid)},
                    {"port", port.number},
                    {"name", untrusted_text(node.description)},
                    {"level", name_of(each.level)},
                    {"what", each.what},
                    {"value", each.value},
                    {"limit", each.limit},
                    {"reason", each.reason}});
  }
  return dump_json({{"verdicts", std::move(list)}});
}

struct Counts {
  std::size_t bad = 0, watch = 0, unknown = 0;
};

Counts count_levels(const std::vector<Verdict>& verdicts) {
  const auto of = [&](Level level) {
    return static_cast<std::size_t>(std::ranges::count(verdicts, level, &Verdict::level));
  };
  return {of(Level::bad), of(Level::watch), of(Level::unknown)};
}

class CheckCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "check"; }
  std::string summary() const override { return "Lists faulty ports and links, the worst first"; }

  void add_options(CommandLine& line) override {
    line.option("--interval", interval_s_,
                "Seconds between the two sweeps; only errors counted in between are reported")
        .range(0.05, 3600)
        .type_name("S")
        .show_default();
    line.option("--config", config_,
                "Configuration file: limits and ports in maintenance in section [verdicts], names "
                "of nodes in [fabric]")
        .reads();
    const Option totals = line.flag(
        "--totals", totals_,
        "Compare the absolute values of counters with --thresholds, as ibqueryerrors does");
    line.option("--thresholds", thresholds_,
                "Largest allowed totals, one NAME=NUMBER per line; 0 for all other counters")
        .needs(totals)
        .reads();
    const Option json = line.flag("--json", json_, "Write JSON");
    const Option nagios =
        line.flag("--nagios", nagios_,
                  "Print one line and exit with status 0, 1, 2 or 3 for good, watch, bad, unknown")
            .excludes(json);
    line.option("-w,--warning", limits_.warning,
                "Number of unknown ports (without answer) above which the status is a warning")
        .range(0, 1e6)
        .type_name("N")
        .needs(nagios)
        .show_default();
    line.option("-c,--critical", limits_.critical,
                "Number of unknown ports above which the status is critical (default: never)")
        .range(0, 1e6)
        .type_name("N")
        .needs(nagios);
    line.output(output_);
    line.option(
            "--from", from_,
            "Read saved counters instead of the fabric: one ibdiagnet2.db_csv, or two that were "
            "saved --interval apart, the older one first")
        .values(1, 2)
        .reads();
    live_.add_options(line);
  }

  int run(const CommandLine& line) override {
    if (!nagios_) return check(line);
    // On any failure, the plugin must print where Nagios reads, with a status that Nagios knows.
    try {
      return check(line);
    } catch (const Error& error) {
      return print_line(nagios_unknown(error.what()));
    }
  }

 private:
  int check(const CommandLine& line) {
    constexpr std::size_t longest_file = 1 << 20;
    const std::vector<Threshold> thresholds = parse_thresholds(
        thresholds_.empty() ? "" : read_file(thresholds_, longest_file), thresholds_);
    VerdictSettings settings;
    if (!config_.empty()) {
      const MonitorConfiguration configuration = read_monitor_configuration(config_);
      settings = configuration.verdicts;
      if (live_.node_name_map.empty()) live_.node_name_map = configuration.fabric.labels;
    }
    const std::vector<MaintainedPort> maintained = read_maintenance(settings.ignore_file);
    const ComparedSweeps taken = take_sweeps(line);
    const TwoSweeps& sweeps = taken.sweeps;
    const FabricMap& map = *sweeps.after->map;
    const std::vector<Verdict> verdicts = taken.has_differences
                                              ? evaluate_all(sweeps, settings, maintained)
                                              : evaluate_totals(*sweeps.after, thresholds);
    if (nagios_) return print_line(nagios_line(*sweeps.after, verdicts, limits_));
    const Counts counts = count_levels(verdicts);
    const Report report("monitor_fabric");
    for (const std::string& remark : sweeps.remarks) report.print_line(remark);
    write_answer(
        output_, json_, [&] { return verdicts_text(map, verdicts) + summary_line(counts, sweeps); },
        [&] { return verdicts_json(map, verdicts); });
    return counts.bad != 0 ? static_cast<int>(ErrorKind::verification_failed) : 0;
  }

  /// From the fabric, or from files.
  ComparedSweeps take_sweeps(const CommandLine& line) const {
    if (from_.empty()) {
      return {sweep_twice(live_.fabric(), totals_ ? 0.0 : interval_s_), !totals_};
    }
    for (const char* const option :
         {"--Ca", "--Port", "--smi-device", "--gsi-device", "--topology", "--mkey-file",
          "--no-hosts", "--mad-timeout", "--retries", "--window"}) {
      if (!line.given(option)) continue;
      throw Error(
          ErrorKind::usage,
          fmt::format("--from reads files, and {} is for a fabric; use only one of them", option));
    }
    std::optional<double> interval_s;
    if (line.given("--interval")) interval_s = interval_s_;
    const NodeNameMap labels =
        live_.node_name_map.empty() ? NodeNameMap{} : read_node_name_map(live_.node_name_map);
    return read_saved_sweeps(from_, interval_s, totals_, labels);
  }

  static std::string summary_line(const Counts& counts, const TwoSweeps& sweeps) {
    const AnsweredPorts ports = answered_ports(*sweeps.after);
    return fmt::format("{} bad, {} to watch, {} unknown; {} of {} ports answered\n", counts.bad,
                       counts.watch, counts.unknown, ports.answered, ports.asked);
  }

  int print_line(const NagiosLine& line) const {
    return answer_as_plugin(Report("monitor_fabric"), output_, line.status, line.text);
  }

  LiveOptions live_;
  double interval_s_ = 5;
  std::vector<std::string> from_;
  bool totals_ = false, json_ = false, nagios_ = false;
  UnknownPortLimits limits_;
  std::string config_, thresholds_, output_ = "-";
};

}  // namespace

MonitorCommandPointer make_check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace pssp
