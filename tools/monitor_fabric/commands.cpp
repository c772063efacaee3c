#include "tools/monitor_fabric/commands.h"

#include <utility>
#include <vector>

#include "tools/monitor_fabric/advise.h"
#include "tools/monitor_fabric/capacity.h"
#include "tools/monitor_fabric/check.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/export_history.h"
#include "tools/monitor_fabric/fit.h"
#include "tools/monitor_fabric/history_lists.h"
#include "tools/monitor_fabric/job_commands.h"
#include "tools/monitor_fabric/once.h"
#include "tools/monitor_fabric/plan.h"
#include "tools/monitor_fabric/record.h"
#include "tools/monitor_fabric/report.h"
#include "tools/monitor_fabric/serve.h"

namespace pssp {
namespace {

/// In the order of --help.
std::vector<MonitorCommandPointer> all_commands() {
  std::vector<MonitorCommandPointer> all;
  all.push_back(make_serve_command());
  all.push_back(make_once_command());
  all.push_back(make_record_command());
  all.push_back(make_check_command());
  all.push_back(make_fit_command());
  all.push_back(make_links_command());
  all.push_back(make_ports_command());
  all.push_back(make_nodes_command());
  all.push_back(make_events_command());
  all.push_back(make_report_command());
  all.push_back(make_advise_command());
  all.push_back(make_capacity_command());
  all.push_back(make_jobs_command());
  all.push_back(make_who_command());
  all.push_back(make_job_command());
  all.push_back(make_export_command());
  all.push_back(make_plan_command());
  return all;
}

}  // namespace

int run_command(int argc, const char* const* argv) {
  const std::vector<MonitorCommandPointer> commands = all_commands();
  CommandLine line("monitor_fabric",
                   "Monitors an InfiniBand fabric by its port counters. It only reads: it changes "
                   "no setting and clears no counter.");
  line.require_command();
  std::vector<std::pair<CommandLine*, MonitorCommand*>> lines;
  for (const MonitorCommandPointer& command : commands) {
    CommandLine& of_command = line.command(command->name(), command->summary());
    command->add_options(of_command);
    lines.emplace_back(&of_command, command.get());
  }
  if (!line.parse(argc, argv)) return 0;
  for (const auto& [of_command, command] : lines) {
    if (of_command->chosen()) return command->run(*of_command);
  }
  return 0;
}

}  // namespace pssp
