// One line per port and interval, with the increases of the counters. Unknown values are an empty
// field, or null: the port was not read at this or the previous time, or its counters were cleared.

#include <fmt/format.h>

#include <iterator>

#include "base/error.h"
#include "base/file_io.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "monitor/counters/state_names.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/history_arguments.h"

namespace pssp {
namespace {

constexpr std::size_t piece = std::size_t{1} << 16;

std::string csv_head() {
  std::string line = "sweep,time_ms,node,port,status,covered_ms,rate_mbits";
  for (const CounterInfo& info : counter_table()) line += fmt::format(",{}", info.name);
  return line + ",partly,saturated\n";
}

/// Names of the counters of a mask, separated by blanks.
std::string names_of(CounterMask mask) {
  std::string names;
  for (const CounterInfo& info : counter_table()) {
    if ((mask & mask_of(info.counter)) == 0) continue;
    names += fmt::format("{}{}", names.empty() ? "" : " ", info.name);
  }
  return names;
}

void append_csv(std::string& text, const HistorySample& sample) {
  auto to = std::back_inserter(text);
  fmt::format_to(to, "{},{},0x{:016x},{},{},{},{}", sample.sweep, sample.time_ms, sample.port.node,
                 sample.port.number, name_of(sample.status), sample.covered_ms, sample.rate_mbits);
  for (std::size_t at = 0; at < counter_count; ++at) {
    text += ',';
    if ((sample.known >> at & 1U) != 0) fmt::format_to(to, "{}", sample.delta[at]);
  }
  fmt::format_to(to, ",{},{}\n", names_of(sample.partly), names_of(sample.saturated));
}

std::string json_names(CounterMask mask) {
  std::string names;
  for (const CounterInfo& info : counter_table()) {
    if ((mask & mask_of(info.counter)) == 0) continue;
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ",", info.name);
  }
  return names;
}

void append_json(std::string& text, const HistorySample& sample) {
  auto to = std::back_inserter(text);
  fmt::format_to(to,
                 R"({{"sweep":{},"time_ms":{},"node":"0x{:016x}","port":{},"status":"{}",)"
                 R"("covered_ms":{},"rate_mbits":{},"counters":{{)",
                 sample.sweep, sample.time_ms, sample.port.node, sample.port.number,
                 name_of(sample.status), sample.covered_ms, sample.rate_mbits);
  for (const CounterInfo& info : counter_table()) {
    const auto at = static_cast<std::size_t>(info.counter);
    fmt::format_to(to, R"({}"{}":)", at == 0 ? "" : ",", info.name);
    if ((sample.known >> at & 1U) != 0) {
      fmt::format_to(to, "{}", sample.delta[at]);
    } else {
      text += "null";
    }
  }
  fmt::format_to(to,
                 R"(}},"partly":[{}],"saturated":[{}]}})"
                 "\n",
                 json_names(sample.partly), json_names(sample.saturated));
}

class ExportCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "export"; }
  std::string summary() const override {
    return "Exports the counters of each port, or the topology of a time, from a database";
  }

  void add_options(CommandLine& line) override {
    line.option("-d,--database", database_, "Database written by serve or record")
        .required()
        .reads();
    line.option("--since", arguments_.since, "Start of the period (2026-01-31T12:00:00Z, -6h, ...)")
        .type_name("TIME");
    line.option("--until", arguments_.until, "End of the period").type_name("TIME");
    line.option("--node", arguments_.node,
                "Only this node or port: description, GUID or LID; 'NAME port NUMBER' for a port")
        .type_name("NAME");
    line.option("--level", level_, "Resolution: single sweeps, or sums over five minutes or hours")
        .one_of({"raw", "5min", "hour"})
        .show_default();
    line.option("--format", format_, "Output format").one_of({"csv", "jsonl"}).show_default();
    line.option("--topology-at", topology_at_,
                "Export the topology of this time instead, in the format of ibnetdiscover")
        .type_name("TIME");
    line.output(arguments_.output);
  }

  int run(const CommandLine& line) override {
    const HistoryReader reader(database_);
    if (line.given("--topology-at")) {
      write_topology(reader);
    } else {
      write_samples(reader);
    }
    return 0;
  }

 private:
  void write_topology(const HistoryReader& reader) const {
    const auto net = reader.net_at(parse_time(topology_at_, wall_clock_ms()));
    if (!net) {
      throw Error(ErrorKind::unreadable_input,
                  database_ + ": no complete topology is stored for that time");
    }
    write_file(arguments_.output, *net);
  }

  void write_samples(const HistoryReader& reader) const {
    const TimeWindow window = arguments_.window(reader, 0);
    const std::shared_ptr<const FabricMap> map = reader.map_at(window.until_ms - 1);
    const PortFilter filter(arguments_.node, map ? *map : FabricMap{});
    std::optional<PortKey> only;
    if (filter.port()) only = PortKey{*filter.node(), *filter.port()};
    const HistoryLevel level = level_ == "raw"    ? HistoryLevel::raw
                               : level_ == "5min" ? HistoryLevel::five_minutes
                                                  : HistoryLevel::hour;
    const bool csv = format_ == "csv";
    write_file(arguments_.output, [&](const ContentSink& sink) {
      std::string text = csv ? csv_head() : "";
      reader.for_each_sample(level, window, only, [&](const HistorySample& sample) {
        if (!filter.wants(sample.port.node)) return true;
        csv ? append_csv(text, sample) : append_json(text, sample);
        if (text.size() >= piece) {
          sink(text);
          text.clear();
        }
        return true;
      });
      sink(text);
    });
  }

  HistoryArguments arguments_;
  std::string database_, level_ = "raw", format_ = "csv", topology_at_;
};

}  // namespace

MonitorCommandPointer make_export_command() { return std::make_unique<ExportCommand>(); }

}  // namespace pssp
