// The timer starts before the change: it knows the change's name, and does nothing if the change
// never began or is over.

#include "tools/deploy_tables/timer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/child_process.h"
#include "base/error.h"
#include "base/file_io.h"
#include "tools/deploy_tables/opensm_process.h"

namespace pssp {
namespace {

constexpr std::string_view of_unit = "unit ", of_process = "process ";
constexpr std::int64_t ns_per_ms = 1'000'000;

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

bool has_systemd() { return ::geteuid() == 0 && ::access("/run/systemd/system", F_OK) == 0; }

/// The command of the timer.
std::vector<std::string> back_out_command(const StateFolder& state, const std::string& id,
                                          const std::string& reload) {
  std::vector<std::string> words{own_program(),          "back-out", "--unconfirmed", id, "--state",
                                 state.folder().string()};
  if (!reload.empty()) words.insert(words.end(), {"--reload", reload});
  return words;
}

/// systemd replaces $NAME in the command of a unit; $$ is a dollar.
std::string without_variables(const std::string& word) {
  std::string text;
  for (const char c : word) text += c == '$' ? std::string("$$") : std::string(1, c);
  return text;
}

std::string start_unit(const StateFolder& state, const std::string& id, const BootTime& deadline,
                       const std::string& reload) {
  const std::int64_t left_ms =
      std::max<std::int64_t>(0, (deadline.ns - BootTime::now().ns) / ns_per_ms);
  const std::string unit = "deploy_tables-" + id;
  std::vector<std::string> words{"systemd-run",
                                 "--quiet",
                                 "--collect",
                                 "--unit=" + unit,
                                 fmt::format("--on-active={}ms", left_ms),
                                 "--timer-property=AccuracySec=100ms",
                                 "--"};
  for (const std::string& each : back_out_command(state, id, reload)) {
    words.push_back(without_variables(each));
  }
  return output_of(words) ? std::string(of_unit) + unit + ".timer" : "";
}

/// Returns true when the child reports readiness; false if it ended, or did not report within ten
/// seconds.
bool is_ready(int end) {
  constexpr int patience_ms = 10'000;
  pollfd waiting{end, POLLIN, 0};
  char word = 0;
  return ::poll(&waiting, 1, patience_ms) == 1 && ::read(end, &word, 1) == 1;
}

std::string start_process(const StateFolder& state, const std::string& id, const BootTime& deadline,
                          const std::string& reload) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  std::vector<std::string> words = back_out_command(state, id, reload);
  words.insert(words.end(), {"--wait-until", std::to_string(deadline.ns)});
  std::optional<pid_t> child;
  try {
    child = start_child({.arguments = std::move(words),
                         .input = ChildSetup::no_stream,
                         .output = ends[1],
                         .errors = ChildSetup::no_stream,
                         .is_session_leader = true});
  } catch (const Error&) {
    child.reset();  // the caller handles the failure
  }
  ::close(ends[1]);
  const bool is_there = child && is_ready(ends[0]);
  ::close(ends[0]);
  if (!is_there) return "";
  return fmt::format("{}{} {}", of_process, *child, start_of_process(*child));
}

/// Number and start of "process PID START".
std::optional<std::pair<pid_t, std::string>> process_of(const std::string& timer) {
  if (!timer.starts_with(of_process)) return std::nullopt;
  const std::string rest = timer.substr(of_process.size());
  const std::size_t blank = rest.find(' ');
  if (blank == std::string::npos) return std::nullopt;
  return std::pair{static_cast<pid_t>(std::strtol(rest.c_str(), nullptr, 10)),
                   rest.substr(blank + 1)};
}

}  // namespace

std::string start_timer(const StateFolder& state, const std::string& id, const BootTime& deadline,
                        const std::string& reload) {
  std::string timer;
  if (has_systemd()) timer = start_unit(state, id, deadline, reload);
  if (timer.empty()) timer = start_process(state, id, deadline, reload);
  if (!timer.empty()) return timer;
  throw Error(ErrorKind::output,
              "the timer that reverts the change cannot be started; nothing was changed");
}

bool timer_is_in_force(const std::string& timer) {
  if (timer.starts_with(of_unit)) {
    return output_of({"systemctl", "is-active", timer.substr(of_unit.size())}) == "active";
  }
  const auto process = process_of(timer);
  return process && start_of_process(process->first) == process->second;
}

void stop_timer(const std::string& timer) {
  if (timer.starts_with(of_unit)) {
    static_cast<void>(output_of({"systemctl", "stop", timer.substr(of_unit.size())}));
    return;
  }
  const auto process = process_of(timer);
  if (process && process->first != ::getpid() && timer_is_in_force(timer)) {
    static_cast<void>(::kill(process->first, SIGTERM));
  }
}

bool wait_as_timer(const StateFolder& state, const std::string& id, const BootTime& deadline) {
  // There is no user who could have ended the process with one of these.
  static_cast<void>(std::signal(SIGINT, SIG_IGN));
  static_cast<void>(std::signal(SIGHUP, SIG_IGN));
  static_cast<void>(!::write(STDOUT_FILENO, "r", 1));
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDOUT_FILENO);
  ::close(nothing);
  bool was_seen = false;
  constexpr std::int64_t poll_interval_ms = 200;
  while (true) {
    const std::optional<Pending> pending = state.pending();
    const bool is_ours = pending && pending->id == id;
    if (was_seen && !is_ours) return false;
    was_seen = was_seen || is_ours;
    const std::int64_t left_ms = (deadline.ns - BootTime::now().ns) / ns_per_ms;
    if (left_ms <= 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(left_ms + 1, poll_interval_ms)));
  }
}

}  // namespace pssp
