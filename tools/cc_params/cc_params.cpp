// cc_params: checks, explains and compares parameter sets of InfiniBand congestion control, and
// writes them for OpenSM. See docs/reference/cc-params.md.
//
// Each command of cc_params reads one or two sets and writes one answer.

#include <fmt/format.h>

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
#include "tools/cc_params/cc_params_options.h"
#include "tools/cc_params/difference_text.h"
#include "tools/cc_params/explanation.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"

namespace pssp {
namespace {

constexpr int exit_different = 1;

constexpr Report report("cc_params");

int list_profiles() {
  std::string text;
  for (const CongestionProfile& profile : congestion_profiles()) {
    text += fmt::format("{}: {}\n", profile.name, profile.meaning);
  }
  write_file("-", text);
  return 0;
}

int check_set(const CcParamsOptions& options) {
  const CongestionParameters parameters = load_congestion_parameters(options.set);
  if (options.capacity != 0) {
    try {
      check_capacity(parameters.table, options.capacity);
    } catch (const Error& error) {
      throw Error(ErrorKind::unreadable_input, fmt::format("{}: {}", options.set, error.what()));
    }
  }
  report.warn(remarks(parameters));
  for (const std::string& what : opensm_options(parameters).left_out)
    report.warn("OpenSM: " + what);
  const std::size_t blocks = parameters.table.blocks();
  write_file(
      "-", fmt::format("{}: correct; CCTI_Limit {}, {} block{} of 64 table entries\n", options.set,
                       parameters.table.ccti_limit(), blocks, blocks == 1 ? "" : "s"));
  return 0;
}

int explain(const CcParamsOptions& options) {
  const CongestionParameters parameters = load_congestion_parameters(options.set);
  write_answer(
      "-", options.json, [&] { return explanation_text(parameters); },
      [&] { return dump_json(explanation_json(parameters)); });
  return 0;
}

int print(const CcParamsOptions& options) {
  write_file(options.output, congestion_parameters_text(load_congestion_parameters(options.set)));
  return 0;
}

int emit_opensm_conf(const CcParamsOptions& options) {
  const OpensmCongestionOptions lines = opensm_options(load_congestion_parameters(options.set));
  report.warn(lines.left_out);
  write_file(options.output, opensm_conf_lines(lines));
  return 0;
}

int diff(const CcParamsOptions& options) {
  const std::vector<ParameterDifference> found = differences(
      load_congestion_parameters(options.set), load_congestion_parameters(options.other));
  write_answer(
      "-", options.json, [&] { return difference_text(found, options.all_entries); },
      [&] { return difference_json(found); });
  return found.empty() ? 0 : exit_different;
}

/// The exit code: 1 where `diff` found differences, otherwise 0. Throws Error.
int run_command(const CcParamsOptions& options) {
  using Command = CcParamsOptions::Command;
  switch (options.command) {
    case Command::list:
      return list_profiles();
    case Command::check:
      return check_set(options);
    case Command::explain:
      return explain(options);
    case Command::print:
      return print(options);
    case Command::emit_opensm_conf:
      return emit_opensm_conf(options);
    case Command::diff:
      return diff(options);
  }
  return 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("cc_params", argc, argv, parse_cc_params_options, run_command);
}
