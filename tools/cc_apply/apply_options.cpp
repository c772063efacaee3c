// Operands depend on the task: `cc_apply PROFILE TOPOLOGY` sets, `cc_apply --restore FILE
// [TOPOLOGY]` restores, `cc_apply --confirm FILE` needs neither. The command line library does not
// support this, so operands are counted here.

#include "tools/cc_apply/apply_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "base/error.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

/// In the current folder, and different each time.
std::string default_save_file() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("cc_apply-{:04}{:02}{:02}T{:02}{:02}{:02}Z-{}.saved", utc.tm_year + 1900,
                     utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, getpid());
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::usage, what + "; see --help");
}

void check_set(ApplyOptions& options) {
  if (options.profile.empty()) refuse("PROFILE is missing");
  if (options.fabric.topology.empty()) refuse("TOPOLOGY is missing");
  if (options.confirm_within != 0 && options.save == "none") {
    refuse("--confirm-within needs saved settings; leave out --save none");
  }
  if (options.confirm_within != 0 && options.dry_run) {
    refuse("--confirm-within cannot be used with --dry-run, which sets nothing");
  }
  if (options.save == "-") refuse("--save: expected a file, or none");
  if (options.save.empty()) options.save = default_save_file();
}

/// The only operand is then the topology.
void check_restore(ApplyOptions& options) {
  if (!options.fabric.topology.empty()) refuse("--restore FILE takes no profile");
  options.fabric.topology = std::move(options.profile);
  options.profile = options.restore;
  if (options.dry_run) refuse("--dry-run cannot be used with --restore");
  if (!options.save.empty()) refuse("--save cannot be used with --restore");
  if (options.confirm_within != 0) refuse("--confirm-within cannot be used with --restore");
}

void check_confirm(const ApplyOptions& options) {
  if (!options.profile.empty() || !options.restore.empty()) {
    refuse("--confirm FILE takes no other argument");
  }
}

void add_options(CommandLine& line, ApplyOptions& options) {
  line.option("PROFILE", options.profile,
              "Profile (see pssp cc params list) or parameter file; - for standard input")
      .reads();
  line.option("TOPOLOGY", options.fabric.topology,
              "Topology with LIDs (output of ibnetdiscover); - for standard input")
      .reads();
  line.flag("--dry-run", options.dry_run, "Print what would be sent, without sending it");
  line.option("--save", options.save,
              "New file for the earlier settings; none: do not save (default: "
              "cc_apply-TIME-PROCESS.saved in the current folder)")
      .writes();
  line.option("--restore", options.restore,
              "Restore the settings in a saved file; with a topology, use its current LIDs")
      .reads();
  line.option(
          "--confirm-within", options.confirm_within,
          "Restore the earlier settings after N seconds unless they are confirmed with --confirm")
      .range(1, 86'400);
  line.option("--confirm", options.confirm,
              "Keep the settings that were made after saving this file")
      .reads();
  options.fabric.add_options(line);
}

}  // namespace

std::optional<ApplyOptions> parse_apply_options(int argc, const char* const* argv) {
  ApplyOptions options;
  CommandLine line("cc_apply",
                   "Sets congestion control parameters in the switches and adapters of an "
                   "InfiniBand fabric, with the victim mask that fits each switch");
  add_options(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  if (line.given("--confirm")) {
    options.task = ApplyOptions::Task::confirm;
    check_confirm(options);
  } else if (line.given("--restore")) {
    options.task = ApplyOptions::Task::restore;
    check_restore(options);
  } else {
    check_set(options);
  }
  return options;
}

}  // namespace pssp
