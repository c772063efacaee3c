#include "tools/cc_params/cc_params_options.h"

#include <utility>
#include <vector>

#include "congestion/parameters.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

using Command = CcParamsOptions::Command;

/// Declares the commands, one function each, and finds the one that was given.
class Commands {
 public:
  Commands(CommandLine& line, CcParamsOptions& options) : line_(line), options_(options) {
    line.require_command();
    add(Command::list, "list", "List the profiles, one per line");
    add_check();
    add_explain();
    add_print(Command::print, "print", "Print the complete set as a parameter file");
    add_print(Command::emit_opensm_conf, "emit-opensm-conf",
              "Print the set as lines of opensm.conf, for an opensm without the plugin");
    add_diff();
  }

  Command chosen() const {
    for (const auto& [command, line] : commands_) {
      if (line->chosen()) return command;
    }
    return Command::list;
  }

 private:
  CommandLine& add(Command command, const char* name, const char* help) {
    CommandLine& line = line_.command(name, help);
    commands_.emplace_back(command, &line);
    return line;
  }

  static void add_set(CommandLine& line, const char* name, std::string& value) {
    line.option(name, value, "Profile or parameter file; - for standard input").required().reads();
  }

  void add_check() {
    CommandLine& line =
        add(Command::check, "check", "Check that the set is valid, and warn of unusual values");
    add_set(line, "SET", options_.set);
    line.option(
            "--table-blocks", options_.capacity,
            "Table size of the adapters (ControlTableCap of ibccquery CI), in blocks of 64 entries")
        .range(1, cc_limits::most_blocks);
  }

  void add_explain() {
    CommandLine& line =
        add(Command::explain, "explain", "Explain each parameter and each entry of the table");
    add_set(line, "SET", options_.set);
    line.flag("--json", options_.json, "Report as JSON");
  }

  void add_print(Command command, const char* name, const char* help) {
    CommandLine& line = add(command, name, help);
    add_set(line, "SET", options_.set);
    line.output(options_.output);
  }

  void add_diff() {
    CommandLine& line = add(Command::diff, "diff",
                            "Compare the settings that two sets give to switches and adapters; "
                            "exit code 1 if they differ");
    add_set(line, "LEFT", options_.set);
    add_set(line, "RIGHT", options_.other);
    line.flag("--json", options_.json, "Report as JSON");
    line.flag("--all", options_.all_entries, "List each table entry that differs");
  }

  CommandLine& line_;
  CcParamsOptions& options_;
  std::vector<std::pair<Command, const CommandLine*>> commands_;
};

}  // namespace

std::optional<CcParamsOptions> parse_cc_params_options(int argc, char** argv) {
  CcParamsOptions options;
  CommandLine line(
      "cc_params",
      "Checks, explains, compares and converts parameter sets of InfiniBand congestion control");
  const Commands commands(line, options);
  if (!line.parse(argc, argv)) return std::nullopt;
  options.command = commands.chosen();
  return options;
}

}  // namespace pssp
