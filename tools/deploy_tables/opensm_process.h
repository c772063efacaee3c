#pragma once

// The running opensm: which process it is, and how it was started.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/deploy_tables/manager_options.h"

namespace pssp {

struct OpensmProcess {
  pid_t id = 0;
  std::string start;  ///< in the kernel's ticks: with it the number cannot be another process's
  std::vector<std::string> arguments;
  std::filesystem::path directory;  ///< where it runs

  /// The value of an option that takes one, as getopt_long has them: `-F x`, `-Fx`, `--config x`,
  /// `--config=x`; of several the last. Empty where it was not given.
  std::string option(char letter, const std::string& word) const;
  /// A path of its command line or configuration, seen from here.
  std::filesystem::path path(const std::string& name) const;
};

/// By number, file or unit, in this order; without any of them, by the units in which packages
/// start OpenSM. The process must run a program of the name opensm: it is never looked for by a
/// pattern. One whose number is known from before and that was restarted is found by its command
/// line, which must be the same, or by the unit. Throws Error(fabric_access) where there is none,
/// or several could be meant.
OpensmProcess find_opensm(const ManagerOptions& options);

/// A process of opensm that systemd started.
struct OpensmOfUnit {
  pid_t id = 0;
  std::string unit;
};

/// The processes of opensm that belong to root or to the calling user and run in `unit`, by their
/// control groups below `proc`. Where `unit` is empty, those in opensm.service, in
/// opensm@GUID.service (Debian, one for each port) and in opensmd.service (MLNX_OFED).
std::vector<OpensmOfUnit> find_opensm_of_unit(const std::string& unit,
                                              const std::filesystem::path& proc = "/proc");

/// The log of an opensm that names none: opensm.log, or Debian's opensm.GUID.log where `folder` has
/// one of these and no opensm.log.
std::filesystem::path usual_log(const std::filesystem::path& folder = "/var/log");

/// Digest of the command line of a process, as text.
std::string command_line_digest(const std::vector<std::string>& arguments);

/// When it was started, by the wall clock, to a hundredth of a second: seconds since 1970.
double time_of_start(const OpensmProcess& process);

/// Start of a process in the kernel's ticks; empty where there is none.
std::string start_of_process(pid_t id);

/// What a program printed, without the line's end; nothing where it failed. `words`: the program,
/// looked for in PATH, and its arguments.
std::optional<std::string> output_of(const std::vector<std::string>& words);

/// What opensm.conf says and the command line says otherwise.
struct OpensmSettings {
  std::filesystem::path configuration;
  std::string routing_engine;  ///< empty: opensm's own choice
  std::string lfts_file;
  std::string log_file;
  bool flushes_log = false;
  bool engine_by_option = false, file_by_option = false;  ///< on the command line
  /// The configuration was written after the process had started: what it says is not in force.
  bool is_younger = false;
};
/// Throws Error(unreadable_input) with file:line where a key stands twice that matters here.
/// `configuration` may be empty: as opensm was started, or OpenSM's own.
OpensmSettings settings_of(const OpensmProcess* process, const std::string& configuration);

}  // namespace pssp
