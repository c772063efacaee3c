#pragma once

// The commands of monitor_fabric. A new command needs a file with a class derived from
// MonitorCommand, a factory function that is declared here, and a line in monitor_fabric.cpp.

#include <memory>
#include <string>

#include "tools/kit/command_line.h"

namespace pssp {

class MonitorCommand {
 public:
  virtual ~MonitorCommand() = default;

  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;  ///< a line, for --help
  /// Declares options, bound to members of the command.
  virtual void add_options(CommandLine& line) = 0;
  /// Runs the chosen command. Returns the exit code. `line` contains the given options. Throws
  /// Error.
  virtual int run(const CommandLine& line) = 0;
};

using MonitorCommandPointer = std::unique_ptr<MonitorCommand>;

/// Each factory is defined in the file of its command.
MonitorCommandPointer make_serve_command();
MonitorCommandPointer make_once_command();
MonitorCommandPointer make_record_command();
MonitorCommandPointer make_check_command();
MonitorCommandPointer make_fit_command();
MonitorCommandPointer make_links_command();
MonitorCommandPointer make_ports_command();
MonitorCommandPointer make_nodes_command();
MonitorCommandPointer make_events_command();
MonitorCommandPointer make_report_command();
MonitorCommandPointer make_advise_command();
MonitorCommandPointer make_capacity_command();
MonitorCommandPointer make_jobs_command();
MonitorCommandPointer make_who_command();
MonitorCommandPointer make_job_command();
MonitorCommandPointer make_export_command();
MonitorCommandPointer make_plan_command();

}  // namespace pssp
