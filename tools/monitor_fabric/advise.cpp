#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "monitor/configuration/configuration.h"
#include "monitor/service/advice_run.h"
#include "tools/monitor_fabric/advice_options.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/history_arguments.h"

namespace pssp {
namespace {

class AdviseCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "advise"; }
  std::string summary() const override {
    return "Compares the tables in use with those of other engines under the observed traffic";
  }

  void add_options(CommandLine& line) override {
    line.option("-d,--database", arguments_.database, "Database written by serve")
        .required()
        .reads();
    line.option("--since", arguments_.since,
                "Start of the period (2026-01-31T12:00:00Z, -6h, ...); default: the busiest ten "
                "minutes of the hour before --until")
        .type_name("TIME");
    line.option("--until", arguments_.until, "End of the period; default: the newest sweep")
        .type_name("TIME");
    line.option("--engines", engines_, "Engines to compare, each also with incremental rerouting")
        .type_name("NAME,...");
    line.option("--channel", channel_,
                "Also report the flows on the channel that leaves this port ('NAME port NUMBER'), "
                "which of them other tables would move, and which new cable would relieve it; "
                "NAME is a description or GUID")
        .type_name("NAME");
    line.option("--bisections", bisections_, "Random bisections").range(30, 1'000'000);
    line.option("--seed", seed_, "Seed of the random numbers").show_default();
    line.option("-j,--threads", threads_, "Threads").range(1, 256);
    line.option("--config", config_,
                "Configuration file whose section [analysis] sets engines, bisections and threads")
        .reads();
    line.option("--write-traffic", traffic_,
                "Also write the traffic of the period as flows with bytes, for pssp reroute-impact "
                "--traffic and pssp eval --ptrn file:")
        .writes();
    line.flag("--json", arguments_.json, "Write JSON");
    line.output(arguments_.output);
  }

  int run(const CommandLine&) override {
    AnalysisSettings settings;
    if (!config_.empty()) settings = read_monitor_configuration(config_).analysis;
    if (!engines_.empty()) settings.engines = engines_;
    if (bisections_) settings.bisections = *bisections_;
    if (threads_) settings.threads = *threads_;
    AdviceOptions options = advice_options(settings);
    options.seed = seed_;
    const HistoryReader reader(arguments_.database);
    const TimeWindow window = wanted_window(reader);
    std::optional<PortKey> link;
    if (!channel_.empty()) link = wanted_link(reader, window);
    const AdviceRun run = run_advice(arguments_.database, window, options, link);
    const std::string text = arguments_.json ? advice_json(run) : advice_text(run);
    std::vector<OutputFile> files{
        {arguments_.output, [&](const ContentSink& sink) { sink(text); }}};
    if (!traffic_.empty()) {
      const auto ranks =
          static_cast<std::uint32_t>(run.window->observed.fabric->endpoints().size());
      files.push_back({traffic_, [&run, ranks](const ContentSink& sink) {
                         sink(traffic_text(run.traffic, ranks));
                       }});
    }
    write_files(files);
    return 0;
  }

 private:
  TimeWindow wanted_window(const HistoryReader& reader) const {
    TimeWindow window = arguments_.window(reader, 1);
    if (arguments_.until.empty()) window.until_ms = reader.status().newest_ms + 1;
    if (!arguments_.since.empty()) return window;
    return busiest_minutes(arguments_.database, window.until_ms);
  }

  PortKey wanted_link(const HistoryReader& reader, const TimeWindow& window) const {
    const auto map = reader.map_at(window.until_ms - 1);
    const PortFilter filter(channel_, map ? *map : FabricMap{});
    if (!filter.node() || !filter.port()) {
      throw Error(
          ErrorKind::usage,
          fmt::format("--channel '{}': expected a port, 'NAME port NUMBER'", excerpt(channel_)));
    }
    return {*filter.node(), *filter.port()};
  }

  HistoryArguments arguments_;
  std::string engines_, channel_, config_, traffic_;
  std::optional<std::uint64_t> bisections_;
  std::optional<unsigned> threads_;
  std::uint64_t seed_ = 1;
};

}  // namespace

MonitorCommandPointer make_advise_command() { return std::make_unique<AdviseCommand>(); }

}  // namespace pssp
