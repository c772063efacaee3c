// Whenever this program is interrupted, active.lft is either the old or the new file, because it
// only changes by a rename; before that, `pending` contains the name of the old one, and a timer
// runs. Going back is a rename, too: the file in history/ becomes active.lft. `pending` records
// each step before it is done, and is removed only after the switches were read back, so that the
// next call completes interrupted work.

#include "tools/deploy_tables/state_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <map>
#include <set>
#include <system_error>
#include <thread>

#include "base/digest.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/private_files.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "fabric/formats/net_file_writer.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

constexpr std::string_view pending_head = "deploy_tables: unconfirmed change, version 1";
constexpr std::size_t largest_pending = 65536;
constexpr std::string_view boot_id_file = "/proc/sys/kernel/random/boot_id";

[[noreturn]] void fail_to(std::string_view what, const std::filesystem::path& path) {
  const int error = errno;
  throw Error(ErrorKind::output,
              fmt::format("{}: cannot {}: {}", path.string(), what, reason(error)));
}

constexpr std::array phase_names{"applying", "unconfirmed", "going_back", "handing_over",
                                 "falling_back"};

/// Empty: written by a version without phases.
ChangePhase phase_of(const std::string& name) {
  const auto found = std::ranges::find(phase_names, name);
  if (found == phase_names.end()) return ChangePhase::unconfirmed;
  return static_cast<ChangePhase>(found - phase_names.begin());
}

/// A value may contain any characters except line ends, which become blanks.
std::string line_of(std::string_view key, std::string value) {
  std::ranges::replace(value, '\n', ' ');
  return fmt::format("{} {}\n", key, value);
}

std::map<std::string, std::string> read_lines(const std::filesystem::path& file) {
  const std::string text = read_file(file, largest_pending);
  if (!text.starts_with(pending_head) || !text.ends_with("end\n")) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: not a complete file of pssp deploy; check active.lft and "
                            "history/, then remove this file",
                            file.string()));
  }
  std::map<std::string, std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const std::size_t blank = std::min(line.find(' '), line.size());
    lines[line.substr(0, blank)] = blank < line.size() ? line.substr(blank + 1) : "";
    at = end + 1;
  }
  return lines;
}

/// Opens a file, and creates it if necessary, only for this user regardless of the umask; negative
/// if that fails.
int open_private(const std::filesystem::path& file, int flags) {
  constexpr mode_t for_this_user_alone = 0600;
  flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  int descriptor = ::open(file.c_str(), flags | O_CREAT | O_EXCL, for_this_user_alone);
  if (descriptor < 0 && errno == EEXIST) return ::open(file.c_str(), flags);
  if (descriptor >= 0) static_cast<void>(!::fchmod(descriptor, for_this_user_alone));
  return descriptor;
}

std::int64_t number_of(const std::string& text) {
  return text.empty() ? 0 : std::strtoll(text.c_str(), nullptr, 10);
}

}  // namespace

std::string_view phase_name(ChangePhase phase) {
  return phase_names.at(static_cast<std::size_t>(phase));
}

BootTime BootTime::now() {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  constexpr std::int64_t ns_per_s = 1'000'000'000;
  std::string boot = read_file(std::string(boot_id_file), largest_pending);
  boot.erase(std::min(boot.find('\n'), boot.size()));
  return {boot, time.tv_sec * ns_per_s + time.tv_nsec};
}

bool Pending::is_over() const {
  const BootTime now = BootTime::now();
  return now.boot != deadline.boot || now.ns >= deadline.ns;
}

StateFolder::StateFolder(const std::filesystem::path& folder, IfMissing if_missing)
    : folder_(if_missing == IfMissing::make ? make_private_folder(folder)
                                            : require_private_folder(folder)) {
  if (::access(folder_.c_str(), F_OK) != 0) {
    if (if_missing == IfMissing::go_on && errno == ENOENT) return;
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: {}; nothing was deployed from this folder (--state selects another one)",
                    folder_.string(), reason(errno)));
  }
  require_private();
  if (if_missing != IfMissing::make) return;
  make_private_folder(folder_ / "history");
  make_private_folder(folder_ / "topology");
}

void StateFolder::require_private() const {
  require_private_folder(folder_);
  for (const char* name : {"active.lft", "aside.lft", "next.lft", "pending", "log", "lock"}) {
    require_private_file(folder_ / name);
  }
  for (const char* name : {"history", "topology"}) {
    const std::filesystem::path inner = require_private_folder(folder_ / name);
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(inner, none)) {
      require_private_file(entry.path());
    }
  }
}

std::optional<Pending> StateFolder::pending() const {
  const std::filesystem::path file = folder_ / "pending";
  if (::access(file.c_str(), F_OK) != 0 && errno == ENOENT) return std::nullopt;
  std::map<std::string, std::string> lines = read_lines(file);
  Pending pending;
  pending.phase = phase_of(lines["phase"]);
  pending.id = lines["id"];
  pending.previous = lines["previous"];
  pending.previous_digest = lines["previous_digest"];
  pending.digest = lines["digest"];
  pending.deadline = {lines["boot"], number_of(lines["deadline_ns"])};
  pending.deadline_ms = number_of(lines["deadline_ms"]);
  pending.timer = lines["timer"];
  ManagerOptions& manager = pending.manager;
  manager.unit = lines["unit"];
  manager.pid_file = lines["pid_file"];
  manager.process = static_cast<unsigned>(number_of(lines["process"]));
  manager.start = lines["start"];
  manager.command_line = lines["command_line"];
  manager.by_command = lines["by_command"] == "yes";
  manager.log = lines["opensm_log"];
  manager.patience_s = static_cast<unsigned>(number_of(lines["patience"]));
  pending.adapters = {lines["adapter"], static_cast<unsigned>(number_of(lines["port"])),
                      lines["smi_device"], lines["gsi_device"]};
  pending.m_key_file = lines["m_key_file"];
  return pending;
}

void StateFolder::write(const Pending& pending) const {
  const ManagerOptions& manager = pending.manager;
  std::string text = fmt::format("{}\n", pending_head);
  text +=
      line_of("phase", std::string(phase_name(pending.phase))) + line_of("id", pending.id) +
      line_of("previous", pending.previous) + line_of("previous_digest", pending.previous_digest) +
      line_of("digest", pending.digest) + line_of("boot", pending.deadline.boot) +
      line_of("deadline_ns", std::to_string(pending.deadline.ns)) +
      line_of("deadline_ms", std::to_string(pending.deadline_ms)) +
      line_of("timer", pending.timer) + line_of("unit", manager.unit) +
      line_of("pid_file", manager.pid_file) + line_of("process", std::to_string(manager.process)) +
      line_of("start", manager.start) + line_of("command_line", manager.command_line) +
      line_of("by_command", manager.is_by_command() ? "yes" : "no") +
      line_of("opensm_log", manager.log) + line_of("patience", std::to_string(manager.patience_s)) +
      line_of("adapter", pending.adapters.adapter) +
      line_of("port", std::to_string(pending.adapters.port)) +
      line_of("smi_device", pending.adapters.subnet_device) +
      line_of("gsi_device", pending.adapters.general_device) +
      line_of("m_key_file", pending.m_key_file) + "end\n";
  write_private_file(folder_ / "pending", [&](const ContentSink& sink) { sink(text); });
  flush_folder(folder_);
}

bool StateFolder::is_going_back(const Pending& pending) const {
  if (pending.is_of_guard()) return false;
  if (pending.phase == ChangePhase::going_back) return true;
  if (digest_of_file(active()) == pending.digest) return false;
  // On a full disk, going back begins without a note; the file in history/ has become active.lft.
  return pending.phase == ChangePhase::unconfirmed ||
         ::access(in_history(pending.previous).c_str(), F_OK) != 0;
}

void StateFolder::remove_pending() const {
  const std::filesystem::path file = folder_ / "pending";
  if (::unlink(file.c_str()) != 0 && errno != ENOENT) fail_to("remove it", file);
  flush_folder(folder_);
}

void StateFolder::remove_leftovers() const {
  for (const std::filesystem::path& folder : {folder_, folder_ / "history", folder_ / "topology"}) {
    std::error_code none;
    std::vector<std::filesystem::path> leftovers;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      if (entry.path().extension() == ".tmp") leftovers.push_back(entry.path());
    }
    for (const std::filesystem::path& each : leftovers) std::filesystem::remove(each, none);
  }
}

void StateFolder::remove_old() const {
  std::error_code none;
  const std::vector<std::string> names = history();
  const std::size_t surplus = names.size() - std::min(names.size(), kept_changes);
  for (std::size_t i = 0; i < surplus; ++i) std::filesystem::remove(in_history(names[i]), none);
  std::set<std::filesystem::path> wanted{topology_of(digest_of_file(active())),
                                         topology_of(digest_of_file(aside()))};
  for (std::size_t i = surplus; i < names.size(); ++i) {
    wanted.insert(topology_of(digest_of_file(in_history(names[i]))));
  }
  std::vector<std::filesystem::path> unwanted;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "topology", none)) {
    if (!wanted.contains(entry.path())) unwanted.push_back(entry.path());
  }
  for (const std::filesystem::path& each : unwanted) std::filesystem::remove(each, none);
}

std::vector<std::string> StateFolder::history() const {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "history", none)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".lft") && entry.is_regular_file(none)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::string StateFolder::next_history_name() const {
  const std::vector<std::string> names = history();
  const std::int64_t number = names.empty() ? 1 : number_of(names.back().substr(0, 6)) + 1;
  std::string time = utc_text(wall_clock_ms());
  std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
  return fmt::format("{:06}_{}.lft", number, time);
}

std::string StateFolder::digest_of_file(const std::filesystem::path& file) {
  if (::access(file.c_str(), F_OK) != 0) return "";
  Digest digest;
  FileReader reader(file);
  std::array<char, std::size_t{1} << 16> part{};
  // Parts may have any size, so words can cross their boundaries.
  std::string rest;
  while (const std::size_t size = reader.read(part.data(), part.size())) {
    rest.append(part.data(), size);
    const std::size_t whole = rest.size() / part.size() * part.size();
    if (whole == 0) continue;
    digest.add_text(std::string_view(rest).substr(0, whole));
    rest.erase(0, whole);
  }
  digest.add_text(rest);
  return fmt::format("{:016x}{:016x}", digest.value()[0], digest.value()[1]);
}

std::filesystem::path StateFolder::topology_of(const std::string& digest) const {
  return folder_ / "topology" / (digest + ".topo");
}

void StateFolder::note_topology(const std::string& digest, const Fabric& fabric) const {
  write_private_file(topology_of(digest),
                     [&](const ContentSink& sink) { sink(to_net_file(fabric)); });
}

void StateFolder::note(std::string_view text, bool quiet) const noexcept {
  if (!quiet) Report("deploy_tables").print_line(text);
  try {
    const std::string line = fmt::format("{} {}\n", utc_text(wall_clock_ms()), printable(text));
    const int log = open_private(folder_ / "log", O_WRONLY | O_APPEND);
    if (log < 0) return;
    static_cast<void>(!::write(log, line.data(), line.size()));
    ::close(log);
  } catch (const std::exception&) {
    // Failure to log a message is ignored.
    return;
  }
}

void StateFolder::flush_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail_to("open it", folder);
  const bool is_done = ::fsync(descriptor) == 0;
  ::close(descriptor);
  if (!is_done) fail_to("flush it to the disk", folder);
}

void StateFolder::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail_to("rename it to " + to.string(), from);
  flush_folder(to.parent_path());
  if (from.parent_path() != to.parent_path()) flush_folder(from.parent_path());
}

StateLock::StateLock(const StateFolder& state, std::chrono::seconds patience) {
  const std::filesystem::path file = state.folder() / "lock";
  state.require_private();
  descriptor_ = open_private(file, O_RDWR);
  if (descriptor_ < 0) fail_to("open it", file);
  const auto end = std::chrono::steady_clock::now() + patience;
  constexpr std::chrono::milliseconds between_tries{50};
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (std::chrono::steady_clock::now() >= end) {
      std::array<char, 32> holder{};
      const ssize_t size = ::pread(descriptor_, holder.data(), holder.size() - 1, 0);
      ::close(descriptor_);
      throw Error(
          ErrorKind::output,
          fmt::format("{}: process {} is changing the deployed tables; wait until it ends",
                      file.string(), size > 0 ? printable(holder.data()) : std::string("?")));
    }
    std::this_thread::sleep_for(between_tries);
  }
  const std::string own = std::to_string(::getpid());
  static_cast<void>(!::ftruncate(descriptor_, 0));
  static_cast<void>(!::pwrite(descriptor_, own.data(), own.size(), 0));
}

StateLock::~StateLock() { ::close(descriptor_); }

}  // namespace pssp
