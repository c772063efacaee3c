// When the file is replaced, a sweep may have read the old one, and opensm then reports that the
// subnet is up before the next sweep. So a difference after a sweep is not a failure: the next
// sweep is awaited for a while. The log shows which engine was used; the tables of the switches
// decide.

#include "tools/deploy_tables/manager.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "ibsim_harness/opensm_log.h"
#include "tools/deploy_tables/handed_over.h"

namespace pssp {
namespace {

constexpr std::chrono::milliseconds poll_interval{50};
/// For a sweep after one that had already read the file: opensm checks for signals every ten
/// seconds if another of its threads got them.
constexpr std::chrono::seconds next_sweep{15};
/// After this time without new lines, the log is assumed to be written with a delay.
constexpr std::chrono::seconds silence{10}, between_readings{3};

std::filesystem::path log_of(const ManagerOptions& options, const OpensmSettings& settings) {
  if (!options.log.empty()) return options.log;
  if (!settings.log_file.empty()) return settings.log_file;
  return usual_log();
}

ManagerOptions with_process(ManagerOptions options, const std::optional<OpensmProcess>& process) {
  // A unit or a file identifies the new process after a restart; a number only one process.
  if (options.process == 0 || !process) return options;
  options.process = static_cast<unsigned>(process->id);
  options.start = process->start;
  options.command_line = command_line_digest(process->arguments);
  return options;
}

std::optional<OpensmProcess> process_for(const ManagerOptions& options) {
  if (!options.reload.empty()) return std::nullopt;
  if (!options.by_command) return find_opensm(options);
  throw Error(ErrorKind::fabric_access,
              "the tables were applied with --reload, whose command is not stored; give it again "
              "with --reload");
}

}  // namespace

Manager::Manager(const ManagerOptions& options)
    : process_(process_for(options)),
      settings_(process_ ? settings_of(&*process_, "") : OpensmSettings{}),
      log_file_(log_of(options, settings_)),
      log_(log_file_) {
  options_ = with_process(options, process_);
  options_.log = log_file_.string();
}

std::string Manager::engine_in_force() const {
  std::ifstream log(log_file_, std::ios::binary | std::ios::ate);
  constexpr std::streamoff most = std::streamoff{4} << 20;
  const std::streamoff size = log.tellg();
  if (size <= 0) return "";
  log.seekg(std::max<std::streamoff>(0, size - most));
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  return used_engine(text);
}

void Manager::reload() {
  log_.read_more();
  log_.forget();
  if (!options_.reload.empty()) {
    // The administrator's own command, with the administrator's privileges.
    const int status =
        std::system(options_.reload.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
    if (status == 0) return;
    const std::string how = status == -1 ? "cannot be started"
                            : WIFEXITED(status)
                                ? fmt::format("failed with code {}", WEXITSTATUS(status))
                                : fmt::format("was ended by signal {}", WTERMSIG(status));
    throw Error(ErrorKind::fabric_access,
                fmt::format("--reload '{}' {}", excerpt(options_.reload), how));
  }
  process_ = find_opensm(options_);
  if (::kill(process_->id, SIGHUP) == 0) return;
  throw Error(ErrorKind::fabric_access, fmt::format("opensm (process {}) cannot be sent SIGHUP: {}",
                                                    process_->id, reason(errno)));
}

bool Manager::sweep_is_over() {
  log_.read_more();
  return !engine_of_last_sweep(log_.text()).empty();
}

std::string Manager::errors() const {
  std::string text;
  for (const std::string& line : logged_errors(log_.text())) text += "\n  " + printable(line);
  return text;
}

void Manager::wait_for(const LftFile& file, LiveFabric& fabric) {
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::seconds(options_.patience_s);
  auto next_reading = begin + silence;
  std::optional<Clock::time_point> swept;  // a sweep is over, but the tables differ
  std::string difference = "opensm's log shows no sweep";
  while (Clock::now() < end) {
    const bool is_over = sweep_is_over();
    if (is_over) {
      const std::string engine = engine_of_last_sweep(log_.text());
      if (engine != "file") {
        throw Error(ErrorKind::verification_failed,
                    fmt::format("opensm did not read the file, and routes with {}; check the line "
                                "`routing_engine file,..` with pssp deploy check-setup{}",
                                engine, errors()));
      }
      log_.forget();
    }
    const bool is_due = Clock::now() >= next_reading;
    if (is_over || is_due) {
      next_reading = Clock::now() + between_readings;
      const HeldTables held = fabric.read();
      const HeldDifference found =
          difference_of(*held.fabric, handed_over(file, *held.fabric), held.tables);
      if (found.entries == 0) return;
      difference = "the switches hold other tables than the file: " + found.text();
      if (is_over && !swept) swept = Clock::now();
    }
    if (swept && Clock::now() > *swept + next_sweep) break;
    if (process_ && start_of_process(process_->id) != process_->start) {
      throw Error(ErrorKind::verification_failed, "opensm ended before it had read the file");
    }
    std::this_thread::sleep_for(poll_interval);
  }
  throw Error(ErrorKind::verification_failed, difference + errors());
}

std::string Manager::wait_for_another_engine() {
  const auto end = Clock::now() + std::chrono::seconds(options_.patience_s);
  while (Clock::now() < end) {
    if (sweep_is_over()) {
      std::string engine = engine_of_last_sweep(log_.text());
      if (engine != "file") return engine;
    }
    std::this_thread::sleep_for(poll_interval);
  }
  throw Error(ErrorKind::verification_failed,
              fmt::format("opensm's log {} names no other engine after {} s{}", log_file_.string(),
                          options_.patience_s, errors()));
}

}  // namespace pssp
