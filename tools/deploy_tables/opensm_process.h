#pragma once

// Finds the running opensm, and how it was started.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/deploy_tables/manager_options.h"

namespace pssp {

struct OpensmProcess {
  pid_t id = 0;
  std::string start;  ///< in the kernel's ticks; identifies the process together with its number
  std::vector<std::string> arguments;
  std::filesystem::path directory;  ///< its working directory

  /// The value of an option with a value, in the forms of getopt_long: `-F x`, `-Fx`, `--config x`,
  /// `--config=x`; the last one if there are several. Empty if it was not given.
  std::string option(char letter, const std::string& word) const;
  /// A path in its command line or configuration, as seen by this process.
  std::filesystem::path path(const std::string& name) const;
};

/// By number, file or unit, in this order; else by the units in which packages start OpenSM. The
/// process must run a program named opensm, and is never found by a pattern. A restarted process
/// with a known number is found by its command line, which must be equal, or by the unit. Throws
/// Error(fabric_access) if there is none, or several candidates.
OpensmProcess find_opensm(const ManagerOptions& options);

/// A process of opensm started by systemd.
struct OpensmOfUnit {
  pid_t id = 0;
  std::string unit;
};

/// The processes of opensm that belong to root or to the calling user and run in `unit`, according
/// to their control groups below `proc`. If `unit` is empty, those in opensm.service, in
/// opensm@GUID.service (Debian, one per port) and in opensmd.service (MLNX_OFED).
std::vector<OpensmOfUnit> find_opensm_of_unit(const std::string& unit,
                                              const std::filesystem::path& proc = "/proc");

/// The default log of opensm: opensm.log, or Debian's opensm.GUID.log if `folder` contains one of
/// these and no opensm.log.
std::filesystem::path usual_log(const std::filesystem::path& folder = "/var/log");

/// Digest of the command line of a process, as text.
std::string command_line_digest(const std::vector<std::string>& arguments);

/// Its start time on the wall clock, to a hundredth of a second: seconds since 1970.
double time_of_start(const OpensmProcess& process);

/// Start of a process in the kernel's ticks; empty if it does not exist.
std::string start_of_process(pid_t id);

/// The output of a program, without the final line end; none if it failed. `words`: the program,
/// found in PATH, and its arguments.
std::optional<std::string> output_of(const std::vector<std::string>& words);

/// The settings in opensm.conf, overridden by the command line.
struct OpensmSettings {
  std::filesystem::path configuration;
  std::string routing_engine;  ///< empty: opensm's own choice
  std::string lfts_file;
  std::string log_file;
  bool flushes_log = false;
  bool engine_by_option = false, file_by_option = false;  ///< on the command line
  /// The configuration was written after the process started, so it is not in effect.
  bool is_younger = false;
};
/// Throws Error(unreadable_input) with file:line if a relevant key is repeated. `configuration` may
/// be empty: the file that opensm was started with, or OpenSM's default.
OpensmSettings settings_of(const OpensmProcess* process, const std::string& configuration);

}  // namespace pssp
