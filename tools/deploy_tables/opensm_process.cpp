#include "tools/deploy_tables/opensm_process.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <system_error>

#include "base/child_process.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

constexpr std::size_t largest_proc_file = std::size_t{1} << 20;
constexpr std::size_t largest_configuration = std::size_t{16} << 20;

pid_t number_in(const std::string& text, const std::string& where) {
  const long number = std::strtol(text.c_str(), nullptr, 10);
  if (number > 0) return static_cast<pid_t>(number);
  throw Error(ErrorKind::fabric_access,
              fmt::format("{}: expected the process ID of opensm, found '{}': start opensm, or "
                          "name its process with --opensm-pid, --pid-file or --unit",
                          where, trimmed(excerpt(text))));
}

/// The message if the link to a process's program cannot be read. This can happen even to root: it
/// requires CAP_SYS_PTRACE for processes of other users, which containers lack.
std::string hidden_program(pid_t id, std::error_code problem) {
  const std::string link = fmt::format("/proc/{}/exe", id);
  if (problem == std::errc::no_such_file_or_directory) {
    const bool runs = ::access(fmt::format("/proc/{}", id).c_str(), F_OK) == 0;
    return fmt::format(
        "{}: start opensm, or name its process with --opensm-pid, --pid-file or "
        "--unit",
        runs ? "it is a kernel thread or has just ended, and is not opensm"
             : "no such process runs");
  }
  const std::string text =
      fmt::format("cannot see which program it runs: {}: {}: ", link, problem.message());
  if (::geteuid() != 0) return text + "run pssp deploy as root, or as the user that runs opensm";
  return text +
         "root needs the capability CAP_SYS_PTRACE for that, which containers lack: run "
         "pssp deploy where opensm runs, and with the same rights";
}

std::filesystem::path program_of(pid_t id, std::error_code& problem,
                                 const std::filesystem::path& proc = "/proc") {
  return std::filesystem::read_symlink(proc / std::to_string(id) / "exe", problem);
}

bool is_opensm(const std::filesystem::path& program) {
  std::string name = program.filename().string();
  constexpr std::string_view after_upgrade = " (deleted)";
  if (name.ends_with(after_upgrade)) name.resize(name.size() - after_upgrade.size());
  return name == "opensm";
}

void require_opensm(pid_t id) {
  std::error_code problem;
  const std::filesystem::path program = program_of(id, problem);
  if (problem) {
    throw Error(ErrorKind::fabric_access,
                fmt::format("process {}: {}", id, hidden_program(id, problem)));
  }
  if (is_opensm(program)) return;
  throw Error(ErrorKind::fabric_access,
              fmt::format("process {} runs {} and not opensm, and gets no signal: name opensm's "
                          "process with --opensm-pid, or use --reload with the command that makes "
                          "another manager reread its file",
                          id, printable(program.string())));
}

std::vector<std::string> arguments_of(pid_t id) {
  const std::string text = read_file(fmt::format("/proc/{}/cmdline", id), largest_proc_file);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// Processes of root and of this user.
std::vector<pid_t> trusted_processes(const std::filesystem::path& proc) {
  std::vector<pid_t> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(proc, none)) {
    const auto id = static_cast<pid_t>(std::strtol(entry.path().filename().c_str(), nullptr, 10));
    struct stat status {};
    if (id <= 0 || ::stat(entry.path().c_str(), &status) != 0) continue;
    if (status.st_uid == 0 || status.st_uid == ::geteuid()) found.push_back(id);
  }
  std::ranges::sort(found);
  return found;
}

/// Processes that run opensm with exactly this command line.
std::vector<pid_t> find_by_command_line(const std::string& digest) {
  std::vector<pid_t> found;
  for (const pid_t id : trusted_processes("/proc")) {
    std::error_code problem;
    if (!is_opensm(program_of(id, problem)) || problem) continue;
    try {
      if (command_line_digest(arguments_of(id)) == digest) found.push_back(id);
    } catch (const Error&) {
      continue;  // it has just ended
    }
  }
  return found;
}

/// Content of a small file of a process; empty if the process has ended.
std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The unit of a process from its file `cgroup`; empty if systemd did not start it. The path to a
/// unit of this machine contains only slices, so units within a container or of a user's own
/// systemd do not count.
std::string unit_of(const std::string& cgroup) {
  std::istringstream lines(cgroup);
  for (std::string line; std::getline(lines, line);) {
    // HIERARCHY:CONTROLLERS:PATH. systemd's hierarchy has the number 0, or the name systemd.
    const std::size_t root = line.find(":/");
    if (root == std::string::npos) continue;
    if (!line.starts_with("0:") && !line.substr(0, root).ends_with(":name=systemd")) continue;
    std::istringstream path(line.substr(root + 2));
    std::string part;
    while (std::getline(path, part, '/') && part.ends_with(".slice")) {
    }
    if (part.ends_with(".service")) return part;
  }
  return "";
}

bool is_usual_unit(const std::string& unit) {
  return unit == "opensm.service" || unit == "opensmd.service" || unit.starts_with("opensm@");
}

pid_t process_of_unit(const std::string& unit) {
  const std::vector<OpensmOfUnit> found = find_opensm_of_unit(unit);
  if (found.size() == 1) return found.front().id;
  if (found.empty()) {
    throw Error(ErrorKind::fabric_access,
                fmt::format("no opensm runs in {}: start opensm, or name its process with "
                            "--opensm-pid, --pid-file or --unit",
                            unit.empty() ? "the systemd unit opensm.service, opensm@GUID.service "
                                           "or opensmd.service"
                                         : "the systemd unit " + unit));
  }
  std::string processes;
  for (const OpensmOfUnit& each : found) {
    processes += fmt::format("{}process {} in {}", processes.empty() ? "" : ", ", each.id,
                             printable(each.unit));
  }
  throw Error(ErrorKind::fabric_access, fmt::format("several opensm processes run: {}: name the "
                                                    "one of the fabric with --unit or --opensm-pid",
                                                    processes));
}

/// The process that replaced one that ended.
pid_t find_restarted(const ManagerOptions& options) {
  if (!options.command_line.empty()) {
    const std::vector<pid_t> found = find_by_command_line(options.command_line);
    if (found.size() == 1) return found.front();
    if (found.size() > 1) {
      throw Error(ErrorKind::fabric_access,
                  fmt::format("process {} has ended, and {} processes run opensm with its command "
                              "line, {} and {} among them; name one with --opensm-pid",
                              options.process, found.size(), found[0], found[1]));
    }
  }
  try {
    const pid_t id = process_of_unit(options.unit);
    require_opensm(id);
    return id;
  } catch (const Error&) {
    throw Error(ErrorKind::fabric_access,
                fmt::format("opensm (process {}) has ended since the tables were applied, and no "
                            "opensm with its command line runs, nor one in {}; once it runs again, "
                            "name its process with --opensm-pid",
                            options.process,
                            options.unit.empty() ? "a systemd unit of OpenSM" : options.unit));
  }
}

struct ConfigurationLine {
  std::string value;
  std::size_t number = 0;
};

std::map<std::string, ConfigurationLine> read_configuration(const std::filesystem::path& file) {
  std::map<std::string, ConfigurationLine> lines;
  const std::string text = read_file(file, largest_configuration);
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = trimmed(std::string_view(text).substr(at, end - at));
    at = end + 1;
    ++number;
    const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
    const std::string key(line.substr(0, blank));
    if (key.empty() || key.front() == '#') continue;
    const auto [known, is_new] =
        lines.try_emplace(key, ConfigurationLine{std::string(trimmed(line.substr(blank))), number});
    if (is_new || (key != "routing_engine" && key != "lfts_file")) continue;
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}:{}: {} is set in line {} already: delete one of the two lines",
                            file.string(), number, key, known->second.number));
  }
  return lines;
}

}  // namespace

std::string OpensmProcess::option(char letter, const std::string& word) const {
  const std::string shorter{'-', letter}, longer = "--" + word;
  std::string value;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& each = arguments[i];
    if (each == shorter || each == longer) {
      if (i + 1 < arguments.size()) value = arguments[i + 1];
    } else if (each.starts_with(longer + "=")) {
      value = each.substr(longer.size() + 1);
    } else if (each.starts_with(shorter) && !each.starts_with("--")) {
      value = each.substr(shorter.size());
    }
  }
  return value;
}

std::filesystem::path OpensmProcess::path(const std::string& name) const {
  return name.empty() ? std::filesystem::path() : directory / name;
}

OpensmProcess find_opensm(const ManagerOptions& options) {
  OpensmProcess found;
  if (options.process != 0) {
    found.id = static_cast<pid_t>(options.process);
    const bool has_ended = !options.start.empty() && options.start != start_of_process(found.id);
    if (has_ended) found.id = find_restarted(options);
  } else if (!options.pid_file.empty()) {
    found.id = number_in(read_file(options.pid_file, largest_proc_file), options.pid_file);
  } else {
    found.id = process_of_unit(options.unit);
  }
  require_opensm(found.id);
  found.start = start_of_process(found.id);
  found.arguments = arguments_of(found.id);
  std::error_code none;
  found.directory = std::filesystem::read_symlink(fmt::format("/proc/{}/cwd", found.id), none);
  return found;
}

std::vector<OpensmOfUnit> find_opensm_of_unit(const std::string& unit,
                                              const std::filesystem::path& proc) {
  const std::string wanted = unit.empty() || unit.ends_with(".service") ? unit : unit + ".service";
  std::vector<OpensmOfUnit> found;
  for (const pid_t id : trusted_processes(proc)) {
    const std::filesystem::path folder = proc / std::to_string(id);
    // Other users can see this name, but not the program, which is checked later.
    if (text_of(folder / "comm") != "opensm\n") continue;
    std::error_code problem;
    const std::filesystem::path program = program_of(id, problem, proc);
    if (!problem && !is_opensm(program)) continue;  // a script that starts opensm
    std::string runs_in = unit_of(text_of(folder / "cgroup"));
    const bool is_it = wanted.empty() ? is_usual_unit(runs_in) : runs_in == wanted;
    if (is_it) found.push_back({id, std::move(runs_in)});
  }
  return found;
}

std::filesystem::path usual_log(const std::filesystem::path& folder) {
  std::filesystem::path upstream = folder / "opensm.log";
  std::error_code none;
  if (std::filesystem::exists(upstream, none)) return upstream;
  std::vector<std::filesystem::path> of_ports;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("opensm.") && name.ends_with(".log")) of_ports.push_back(entry.path());
  }
  return of_ports.size() == 1 ? of_ports.front() : upstream;
}

std::string command_line_digest(const std::vector<std::string>& arguments) {
  Digest digest;
  for (const std::string& each : arguments) digest.add_text(each);
  return fmt::format("{:016x}{:016x}", digest.value()[0], digest.value()[1]);
}

double time_of_start(const OpensmProcess& process) {
  timespec now{}, since_boot{};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  const auto seconds = [](const timespec& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  };
  const double ticks = std::strtod(process.start.c_str(), nullptr);
  return seconds(now) - seconds(since_boot) + ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::string start_of_process(pid_t id) {
  const std::string file = fmt::format("/proc/{}/stat", id);
  if (::access(file.c_str(), R_OK) != 0) return "";
  std::string text;
  try {
    text = read_file(file, largest_proc_file);
  } catch (const Error&) {
    return "";  // it ended in between
  }
  // Field 22; the second is a name in parentheses with any content. Field 3 is the state.
  std::size_t at = text.rfind(')');
  if (at == std::string::npos || text.size() < at + 3) return "";
  if (text[at + 2] == 'Z' || text[at + 2] == 'X') return "";
  constexpr int fields_behind_the_name = 20;
  for (int field = 0; field < fields_behind_the_name && at != std::string::npos; ++field) {
    at = text.find(' ', at + 1);
  }
  if (at == std::string::npos) return "";
  return text.substr(at + 1, text.find(' ', at + 1) - at - 1);
}

std::optional<std::string> output_of(const std::vector<std::string>& words) {
  ProgramAnswer answer;
  try {
    answer = run_program({.arguments = words});
  } catch (const Error&) {
    return std::nullopt;
  }
  if (!answer.failure.empty()) return std::nullopt;
  while (answer.output.ends_with('\n')) answer.output.pop_back();
  return std::move(answer.output);
}

OpensmSettings settings_of(const OpensmProcess* process, const std::string& configuration) {
  constexpr const char* usual_configuration = "/etc/opensm/opensm.conf";
  OpensmSettings settings;
  settings.configuration = configuration.empty() ? usual_configuration : configuration;
  if (process != nullptr && configuration.empty()) {
    const std::string given = process->option('F', "config");
    if (!given.empty()) settings.configuration = process->path(given);
  }
  std::map<std::string, ConfigurationLine> lines;
  if (::access(settings.configuration.c_str(), F_OK) == 0) {
    lines = read_configuration(settings.configuration);
  }
  const auto value = [&lines](const char* key) {
    std::string text = lines[key].value;
    return text == "(null)" ? std::string() : text;
  };
  settings.routing_engine = value("routing_engine");
  settings.lfts_file = value("lfts_file");
  settings.log_file = value("log_file");
  settings.flushes_log = value("force_log_flush") == "TRUE";
  if (process == nullptr) return settings;
  struct stat file_status {};
  if (::stat(settings.configuration.c_str(), &file_status) == 0) {
    constexpr double a_tick_and_more = 0.02;
    const double written = static_cast<double>(file_status.st_mtim.tv_sec) +
                           static_cast<double>(file_status.st_mtim.tv_nsec) / 1e9;
    settings.is_younger = written > time_of_start(*process) + a_tick_and_more;
  }
  const std::string engine = process->option('R', "routing_engine");
  const std::string file = process->option('U', "lfts_file");
  const std::string log = process->option('f', "log_file");
  settings.engine_by_option = !engine.empty();
  settings.file_by_option = !file.empty();
  if (!engine.empty()) settings.routing_engine = engine;
  if (!file.empty()) settings.lfts_file = process->path(file).string();
  if (!log.empty()) settings.log_file = process->path(log).string();
  return settings;
}

}  // namespace pssp
