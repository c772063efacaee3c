// monitor_fabric: reads and interprets the counters of a live fabric. It sends only Get requests
// and clears nothing. Each command has a file; all_commands() is the list.

#include <utility>
#include <vector>

#include "tools/kit/tool.h"
#include "tools/monitor_fabric/command.h"

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

/// Runs the command named on the command line. Returns the exit code. Throws Error.
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

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  return pssp::run_tool("monitor_fabric", [&] { return pssp::run_command(argc, argv); });
}
