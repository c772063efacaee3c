// ibsim_files: file operations for the scripts around opensm and ibsim. See
// docs/reference/ibsim_files.md.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "ibsim_harness/bounded_log.h"
#include "ibsim_harness/playable_topology.h"
#include "ibsim_harness/table_dump.h"
#include "tools/ibsim_files/options.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"

namespace pssp {
namespace {

void show_playable(const IbsimFilesOptions& options) {
  const PlayableTopology playable = make_playable(options.topology, options.copy, options.host);
  Report("ibsim_files").warn(playable.notes);
  const TopologySurvey& survey = playable.survey;
  write_file("-", fmt::format("{} {} {} {}\n{}\n{}\n{} {}\n", survey.nodes, survey.switches,
                              survey.ports, survey.adapters, survey.host, playable.file.string(),
                              playable.lmc, playable.switches_have_lmc ? "TRUE" : "FALSE"));
}

void show_lost_entries(const IbsimFilesOptions& options) {
  std::string answer;
  for (const LostEntry& each : lost_entries(read_file(options.dump))) {
    answer += fmt::format("{} {}\n", each.route, each.lid);
  }
  write_file("-", answer);
}

std::map<std::string, unsigned> read_ports(const std::string& file) {
  std::map<std::string, unsigned> ports;
  const std::string text = read_file(file);
  for (std::string_view rest = without_indent(text); !rest.empty(); rest = without_indent(rest)) {
    const std::string_view route = take_word(rest);
    rest = without_indent(rest);
    const std::optional<std::uint64_t> port = take_number(rest);
    if (!port || *port > 0xFF) {
      throw Error(
          ErrorKind::unreadable_input,
          fmt::format("{}: invalid port after directed route {}; expected lines such as 0,1,5 7",
                      file, excerpt(route)));
    }
    ports.emplace(route, static_cast<unsigned>(*port));
    if (!rest.empty() && rest.front() == '\r') rest.remove_prefix(1);
    if (!rest.empty() && rest.front() == '\n') rest.remove_prefix(1);
  }
  return ports;
}

void add_entries(const IbsimFilesOptions& options) {
  std::string owner = lid_owner(read_file(options.discovered), options.lid);
  if (owner.empty()) owner = "Unknown node and type";
  write_file(options.output,
             with_entries(read_file(options.dump), options.lid, owner, read_ports(options.ports)));
}

void keep_last(const IbsimFilesOptions& options) {
  constexpr mode_t for_all = 0666;
  const int log =
      open(options.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, for_all);
  if (log < 0) {
    throw Error(ErrorKind::output,
                fmt::format("cannot write '{}': {}", options.log, std::strerror(errno)));
  }
  // Ends with the writer of its input, not before, because the last lines are most important.
  for (const int signal : {SIGINT, SIGHUP}) static_cast<void>(std::signal(signal, SIG_IGN));
  const std::string part = options.log + ".part";
  relay_bounded(STDIN_FILENO, log, options.log.c_str(), part.c_str());
  close(log);
}

/// Writes to standard output, and to the given files. Returns the exit code 0.
int run_command(const IbsimFilesOptions& options) {
  using Command = IbsimFilesOptions::Command;
  switch (options.command) {
    case Command::playable:
      show_playable(options);
      break;
    case Command::lost_entries:
      show_lost_entries(options);
      break;
    case Command::add_entries:
      add_entries(options);
      break;
    case Command::keep_last:
      keep_last(options);
      break;
  }
  return 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("ibsim_files", argc, argv, parse_ibsim_files_options, run_command);
}
