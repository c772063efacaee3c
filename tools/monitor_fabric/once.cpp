#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/file_io.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/live_options.h"
#include "tools/monitor_fabric/port_rows.h"

namespace pssp {
namespace {

class OnceCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "once"; }
  std::string summary() const override {
    return "Measures rates, waiting and errors of all ports with two sweeps";
  }

  void add_options(CommandLine& line) override {
    line.option("--interval", interval_s_, "Seconds between the two sweeps")
        .range(0.05, 3600)
        .type_name("S")
        .show_default();
    line.option("--top", top_, "Print only the N busiest ports").range(1, 1e9).type_name("N");
    line.flag("--all", all_, "Also print idle ports; --json and --csv always contain them");
    line.flag("--json", json_, "Write JSON with all counters");
    line.option("--csv", csv_, "Also write all counters to FILE as CSV").writes();
    line.output(output_);
    live_.add_options(line);
  }

  int run(const CommandLine&) override {
    const FabricOptions options = live_.fabric();
    const TwoSweeps sweeps = sweep_twice(options, interval_s_);
    std::vector<PortRow> rows = port_rows(sweeps);
    if (!csv_.empty()) write_file(csv_, rows_csv(sweeps, first_rows(rows)));
    if (!json_ && !all_) std::erase_if(rows, [](const PortRow& row) { return row.idle; });
    const std::size_t idle = sweeps.differences.size() - rows.size();
    rows = first_rows(std::move(rows));
    const Report report("monitor_fabric");
    for (const std::string& remark : sweeps.remarks) report.print_line(remark);
    write_answer(
        output_, json_, [&] { return rows_text(sweeps, rows) + rest(idle, sweeps); },
        [&] { return rows_json(sweeps, rows); });
    return 0;
  }

 private:
  std::vector<PortRow> first_rows(std::vector<PortRow> rows) const {
    if (top_) rows.resize(std::min<std::size_t>(rows.size(), *top_));
    return rows;
  }

  std::string rest(std::size_t idle, const TwoSweeps& sweeps) const {
    std::string text = figures_text(sweeps);
    if (!all_ && idle != 0) {
      text += fmt::format(
          "{} ports are idle or have no cable; --all also prints idle ports with a cable\n", idle);
    }
    return text;
  }

  LiveOptions live_;
  double interval_s_ = 5;
  std::optional<unsigned> top_;
  bool all_ = false, json_ = false;
  std::string csv_, output_ = "-";
};

}  // namespace

MonitorCommandPointer make_once_command() { return std::make_unique<OnceCommand>(); }

}  // namespace pssp
