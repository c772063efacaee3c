#include "tools/deploy_tables/options.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* deploy_description =
    "Deploys forwarding tables to a fabric through OpenSM's file engine, for subnet managers that "
    "cannot load the plugin. Like 'commit confirmed' on routers, the previous tables return unless "
    "the new ones are confirmed in time.";

/// Declares the commands, one function each, and finds the given one.
class DeployCommands {
 public:
  DeployCommands(CommandLine& line, DeployOptions& options) : line_(line), options_(options) {
    line.require_command();
    add_plan();
    add_apply();
    add(DeployCommand::confirm, "confirm", "Keep the tables that were applied");
    add_back_out();
    CommandLine& status = add(DeployCommand::status, "status",
                              "Print the tables in force and the change that awaits confirmation");
    status.flag("--json", options_.json, "Print JSON");
    add_guard();
    add_check_setup();
  }

  /// Completes the options after parsing.
  void complete() {
    for (const auto& [command, line] : commands_) {
      if (!line->chosen()) continue;
      options_.command = command;
      options_.unconfirmed = command == DeployCommand::back_out && line->given("--unconfirmed");
      if (options_.change == any_change) options_.change.clear();
    }
    if (options_.command == DeployCommand::apply) {
      options_.confirm_within_ms = parse_duration_ms(confirm_within_, "--confirm-within");
    }
    options_.wait_until_ns = static_cast<std::int64_t>(wait_until_);
    const std::array<std::pair<const char*, OnChange>, 3> words{{{"alarm", OnChange::alarm},
                                                                 {"fallback", OnChange::fallback},
                                                                 {"reroute", OnChange::reroute}}};
    for (const auto& [word, value] : words) {
      if (on_change_ == word) options_.on_change = value;
    }
  }

 private:
  static constexpr const char* any_change = "any";

  CommandLine& add(DeployCommand command, const char* name, const char* help) {
    CommandLine& line = line_.command(name, help);
    line.option("--state", options_.state,
                "Folder that keeps the deployed tables and their history")
        .type_name("FOLDER")
        .show_default();
    commands_.emplace_back(command, &line);
    return line;
  }

  void add_fabric(CommandLine& line) {
    line.option("--mkey-file", options_.m_key_file, "File with the M_Key of a protected fabric")
        .reads();
    options_.port.add_options(line);
  }

  void add_tables(CommandLine& line) {
    line.option("TABLES", options_.tables,
                "New tables, from pssp route, dump_fts or opensm-lfts.dump")
        .required()
        .reads();
    line.option("TOPOLOGY", options_.topology, "Topology that the tables were computed for")
        .required()
        .reads();
    line.flag("--accept-credit-loop", options_.plan.accept_credit_loop,
              "Accept tables whose routes can deadlock");
    add_max_moved(line);
  }

  void add_max_moved(CommandLine& line) {
    line.option("--max-moved", options_.plan.max_moved,
                "Refuse tables that move more than PERCENT of the flows to another path")
        .range(0, 100)
        .type_name("PERCENT")
        .show_default();
  }

  void add_plan() {
    CommandLine& line = add(DeployCommand::plan, "plan",
                            "Check the tables and print what they would change; changes nothing");
    add_tables(line);
    line.option("--against", options_.against,
                "Compare with the tables of the fabric, or with those of a file")
        .type_name("fabric|OLD.lft")
        .mentions()
        .show_default();
    line.option("-n,--patterns", options_.plan.patterns, "Number of random bisections")
        .range(1, 100'000'000)
        .show_default();
    line.option("--orders", options_.plan.orders, "Number of random write orders to simulate")
        .range(0, 100'000)
        .show_default();
    line.option("--seed", options_.plan.seed, "Seed of the bisections and write orders")
        .show_default();
    line.flag("--json", options_.json, "Print JSON");
    add_fabric(line);
  }

  void add_apply() {
    CommandLine& line = add(DeployCommand::apply, "apply",
                            "Give the tables to the subnet manager and verify the switches");
    add_tables(line);
    line.option("--confirm-within", confirm_within_,
                "Revert unless confirmed within TIME, such as 90 (seconds), 20s, 10m or 2h")
        .required()
        .type_name("TIME");
    options_.manager.add_options(line);
    add_fabric(line);
  }

  void add_back_out() {
    CommandLine& line = add(DeployCommand::back_out, "back-out", "Return to the previous tables");
    line.option("--unconfirmed", options_.change,
                "Return only from this change, or any, and only if it was not confirmed in time "
                "(for timers and system start)")
        .type_name("CHANGE|any");
    line.option("--wait-until", wait_until_,
                "Wait until this time of CLOCK_BOOTTIME in nanoseconds (for the timer)")
        .type_name("NS");
    options_.manager.add_options(line);
    add_fabric(line);
  }

  void add_guard() {
    CommandLine& line = add(DeployCommand::guard, "guard",
                            "Watch the fabric for changes that the tables do not cover");
    line.option("--on-change", on_change_,
                "Reaction to a change. alarm: report it; fallback: remove the file, so that opensm "
                "uses its next engine; reroute: repair the tables as pssp route --stable does")
        .one_of({"alarm", "fallback", "reroute"})
        .show_default();
    line.option("--interval", options_.interval_s, "Seconds between two checks")
        .range(0.1, 86400)
        .show_default();
    line.flag("--once", options_.once, "Check once and print one line with a status for Nagios");
    line.flag("--accept-credit-loop", options_.plan.accept_credit_loop,
              "With reroute: accept tables whose routes can deadlock");
    add_max_moved(line);
    options_.manager.add_options(line);
    add_fabric(line);
  }

  void add_check_setup() {
    CommandLine& line =
        add(DeployCommand::check_setup, "check-setup",
            "Check whether opensm reads its tables from the file, and print the missing steps");
    line.flag("--write", options_.write,
              "Write the two lines to opensm.conf, after a copy, and the tables in force to the "
              "file");
    line.option("--opensm-conf", options_.configuration,
                "Configuration of OpenSM (default: the one that opensm was started with)")
        .type_name("FILE");
    options_.manager.add_options(line);
    add_fabric(line);
  }

  CommandLine& line_;
  DeployOptions& options_;
  std::vector<std::pair<DeployCommand, CommandLine*>> commands_;
  std::string confirm_within_, on_change_ = "alarm";
  std::uint64_t wait_until_ = 0;
};

}  // namespace

std::int64_t parse_duration_ms(const std::string& text, const std::string& option) {
  constexpr double most_s = 7 * 24 * 3600;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit(end);
  double seconds = -1;
  if (unit.empty() || unit == "s") seconds = number;
  if (unit == "m" || unit == "min") seconds = number * 60;
  if (unit == "h") seconds = number * 3600;
  if (end != text.c_str() && std::isfinite(seconds) && seconds >= 1 && seconds <= most_s) {
    return static_cast<std::int64_t>(seconds * 1e3);
  }
  throw Error(ErrorKind::usage,
              fmt::format("{} '{}': expected a time from 1s to a week, such as 90, 20s, 10m or 2h",
                          option, excerpt(text)));
}

std::optional<DeployOptions> parse_deploy_options(int argc, const char* const* argv) {
  DeployOptions options;
  CommandLine line("deploy_tables", deploy_description);
  DeployCommands commands(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  commands.complete();
  return options;
}

}  // namespace pssp
