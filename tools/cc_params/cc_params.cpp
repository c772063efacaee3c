// cc_params: checks, explains and compares parameter sets of InfiniBand congestion control, and
// writes them for OpenSM. See docs/cc_params.md.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "congestion/difference.h"
#include "congestion/opensm_options.h"
#include "congestion/parameter_text.h"
#include "congestion/profiles.h"
#include "congestion/remarks.h"
#include "tools/cc_params/explanation.h"
#include "tools/kit/tool_main.h"

namespace {

using namespace pssp;

constexpr int exit_different = 1;

struct Arguments {
  std::string set, other;
  std::string output = "-";
  unsigned capacity = 0;
  bool json = false;
  bool all_entries = false;
};

void warn(const std::string& what) { fmt::print(stderr, "cc_params: warning: {}\n", what); }

int list(const Arguments& /*arguments*/) {
  std::string text;
  for (const CongestionProfile& profile : congestion_profiles()) {
    text += fmt::format("{}: {}\n", profile.name, profile.meaning);
  }
  write_file("-", text);
  return 0;
}

int check_set(const Arguments& arguments) {
  const CongestionParameters parameters = load_congestion_parameters(arguments.set);
  if (arguments.capacity != 0) {
    try {
      check_capacity(parameters.table, arguments.capacity);
    } catch (const Error& error) {
      throw Error(ErrorKind::unreadable_input, fmt::format("{}: {}", arguments.set, error.what()));
    }
  }
  for (const std::string& remark : remarks(parameters)) warn(remark);
  for (const std::string& what : opensm_options(parameters).left_out) warn("OpenSM: " + what);
  const std::size_t blocks = parameters.table.blocks();
  write_file("-", fmt::format("{}: correct; CCTI_Limit {}, {} block{} of 64 table entries\n",
                              arguments.set, parameters.table.ccti_limit(), blocks,
                              blocks == 1 ? "" : "s"));
  return 0;
}

int explain(const Arguments& arguments) {
  const CongestionParameters parameters = load_congestion_parameters(arguments.set);
  write_file(
      "-", arguments.json ? dump_json(explanation_json(parameters)) : explanation_text(parameters));
  return 0;
}

int print(const Arguments& arguments) {
  write_file(arguments.output,
             congestion_parameters_text(load_congestion_parameters(arguments.set)));
  return 0;
}

int emit_opensm_conf(const Arguments& arguments) {
  const OpensmCongestionOptions options = opensm_options(load_congestion_parameters(arguments.set));
  for (const std::string& what : options.left_out) warn(what);
  write_file(arguments.output, opensm_conf_lines(options));
  return 0;
}

bool is_entry(const ParameterDifference& difference) {
  return difference.name.starts_with("table.entry[");
}

/// Many entries of a table that differ, in a line.
std::string summary_of_entries(const std::vector<ParameterDifference>& found) {
  const auto first = std::find_if(found.begin(), found.end(), is_entry);
  const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
  return fmt::format("table: {} entries differ, first {}: {} | {}, last {}: {} | {} (--all)\n",
                     found.end() - first, first->name, shown(first->left), shown(first->right),
                     found.back().name, shown(found.back().left), shown(found.back().right));
}

std::string difference_text(const std::vector<ParameterDifference>& found, bool all_entries) {
  constexpr std::ptrdiff_t most_entries = 8;
  const auto entries = std::count_if(found.begin(), found.end(), is_entry);
  const bool summarize = !all_entries && entries > most_entries;
  std::string text;
  for (const ParameterDifference& each : found) {
    if (summarize && is_entry(each)) continue;
    text += fmt::format("{}: {} | {}\n", each.name, each.left.empty() ? "none" : each.left,
                        each.right.empty() ? "none" : each.right);
  }
  return summarize ? text + summary_of_entries(found) : text;
}

int diff(const Arguments& arguments) {
  const std::vector<ParameterDifference> found = differences(
      load_congestion_parameters(arguments.set), load_congestion_parameters(arguments.other));
  if (arguments.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const ParameterDifference& each : found) {
      json.push_back({{"name", each.name}, {"left", each.left}, {"right", each.right}});
    }
    write_file("-", dump_json(json));
  } else {
    write_file("-", difference_text(found, arguments.all_entries));
  }
  return found.empty() ? 0 : exit_different;
}

using Command = std::function<int(const Arguments&)>;

/// Binds the subcommands to `arguments`; the one that is given is put into `command`.
void add_commands(CLI::App& app, Arguments& arguments, Command& command) {
  const auto add = [&](const char* name, const char* help, int (*run)(const Arguments&)) {
    CLI::App* const sub = app.add_subcommand(name, help);
    sub->callback([&command, run] { command = run; });
    return sub;
  };
  const auto add_set = [](CLI::App* sub, const char* name, std::string& value) {
    sub->add_option(name, value, "Profile, or parameter file (- is standard input)")->required();
  };
  const auto add_output = [&](CLI::App* sub) {
    sub->add_option("-o,--output", arguments.output, "File to write; - is standard output")
        ->capture_default_str();
  };
  add("list", "The profiles, one line each", list);
  CLI::App* const check_command =
      add("check", "Is the set correct? Says what is odd in it", check_set);
  add_set(check_command, "SET", arguments.set);
  check_command
      ->add_option("--capacity", arguments.capacity,
                   "ControlTableCap of the adapters (ibccquery CI): blocks of 64 entries")
      ->check(CLI::Range(std::size_t{1}, cc_limits::most_blocks));
  CLI::App* const explain_command =
      add("explain", "What each parameter and each entry of the table does", explain);
  add_set(explain_command, "SET", arguments.set);
  explain_command->add_flag("--json", arguments.json, "As JSON");
  CLI::App* const print_command = add("print", "The complete set as a parameter file", print);
  add_set(print_command, "SET", arguments.set);
  add_output(print_command);
  CLI::App* const emit_command =
      add("emit-opensm-conf", "Lines of opensm.conf, for an opensm without the plugin",
          emit_opensm_conf);
  add_set(emit_command, "SET", arguments.set);
  add_output(emit_command);
  CLI::App* const diff_command =
      add("diff", "What switches and adapters would see differ (then the exit code is 1)", diff);
  add_set(diff_command, "LEFT", arguments.set);
  add_set(diff_command, "RIGHT", arguments.other);
  diff_command->add_flag("--json", arguments.json, "As JSON");
  diff_command->add_flag("--all", arguments.all_entries, "Each entry of the table that differs");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("cc_params", [&] {
    Arguments arguments;
    Command command;
    CLI::App app(
        "Parameter sets of InfiniBand congestion control: checks, explains, compares them.");
    app.set_version_flag("--version", "cc_params " PSSP_VERSION);
    app.require_subcommand(1);
    add_commands(app, arguments, command);
    if (!parse_command_line(app, argc, argv)) return 0;
    return command(arguments);
  });
}
