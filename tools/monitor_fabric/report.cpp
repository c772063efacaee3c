#include "base/file_io.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "monitor/report/fabric_report.h"
#include "tools/monitor_fabric/command.h"

namespace pssp {
namespace {

class ReportCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "report"; }
  std::string summary() const override {
    return "Writes a report of a week as one HTML file: availability, cables, congestion, routing";
  }

  void add_options(CommandLine& line) override {
    line.option("-d,--database", database_, "Database written by serve").required().reads();
    line.option("--since", since_, "Start of the period").type_name("TIME").show_default();
    line.option("--until", until_, "End of the period").type_name("TIME").show_default();
    line.output(output_);
  }

  int run(const CommandLine&) override {
    const std::int64_t now = wall_clock_ms();
    write_file(output_, report_html(read_fabric_report(
                            database_, {parse_time(since_, now), parse_time(until_, now)})));
    return 0;
  }

 private:
  std::string database_, since_ = "-7d", until_ = "now", output_ = "-";
};

}  // namespace

MonitorCommandPointer make_report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace pssp
