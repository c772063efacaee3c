#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "monitor/analysis/capacity_feedback.h"
#include "monitor/configuration/configuration.h"
#include "monitor/store/history_reader.h"
#include "monitor/store/verdict_rows.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/history_arguments.h"

namespace pssp {
namespace {

class CapacityCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "capacity"; }
  std::string summary() const override {
    return "Writes the remaining capacities of faulty links for pssp route, pssp eval and the "
           "plugin";
  }

  void add_options(CommandLine& line) override {
    line.option("-d,--database", database_, "Database written by serve").required().reads();
    line.option("--at", at_, "Use the verdicts of this time; default: the newest sweep")
        .type_name("TIME");
    line.option("--config", config_,
                "Configuration file whose section [verdicts] sets the percentages; default: 50, "
                "and 0 for links that went down")
        .reads();
    line.flag("--force", force_,
              "Write the file even if it lowers the capacity of more than one link in ten");
    line.output(output_);
  }

  int run(const CommandLine&) override {
    VerdictSettings settings;
    if (!config_.empty()) settings = read_monitor_configuration(config_).verdicts;
    const HistoryReader reader(database_);
    const std::int64_t time_ms =
        at_.empty() ? reader.status().newest_ms : parse_time(at_, wall_clock_ms());
    const std::shared_ptr<const FabricMap> map = reader.map_at(time_ms);
    if (map == nullptr) {
      throw Error(ErrorKind::unreadable_input, database_ + ": no topology is stored for that time");
    }
    const std::vector<VerdictRecord> standing =
        read_verdict_rows(database_, {time_ms, time_ms + 1});
    const CapacityPlan plan = plan_capacities(*map, standing, settings);
    if (plan.is_too_much() && !force_) {
      throw Error(
          ErrorKind::mismatch,
          too_much_text(plan) + "; --force writes the file, but its readers will refuse it");
    }
    write_file(output_, capacity_text(plan, time_ms));
    Report("monitor_fabric")
        .print_line(fmt::format("{} of {} links between switches have less capacity", plan.lowered,
                                plan.cables));
    return 0;
  }

 private:
  std::string database_, at_, config_, output_ = "-";
  bool force_ = false;
};

}  // namespace

MonitorCommandPointer make_capacity_command() { return std::make_unique<CapacityCommand>(); }

}  // namespace pssp
