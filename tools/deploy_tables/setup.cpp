// The two lines of opensm.conf: `routing_engine file,OLD`, with the previous engine as a fallback
// if the file is missing or rejected, and `lfts_file` with a name that never changes, since opensm
// reads that line only at its start. The file must exist then: initially it contains the tables of
// the switches, so that the restart changes nothing.

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/private_files.h"
#include "base/text_lines.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "fabric/formats/lft_writer.h"
#include "tools/deploy_tables/commands.h"
#include "tools/deploy_tables/live_fabric.h"
#include "tools/deploy_tables/manager.h"
#include "tools/deploy_tables/opensm_process.h"
#include "tools/deploy_tables/state_folder.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

constexpr std::size_t largest_conf = std::size_t{16} << 20;
constexpr const char* usual_engine = "minhop";

struct Finding {
  enum class Kind : std::uint8_t { right, advice, wrong };
  Kind kind = Kind::right;
  std::string text;
};

class Setup {
 public:
  explicit Setup(const DeployOptions& options)
      : options_(options),
        state_(options.state,
               options.write ? StateFolder::IfMissing::make : StateFolder::IfMissing::go_on) {
    look_for_process();
    settings_ = settings_of(process_ ? &*process_ : nullptr, options.configuration);
  }

  int run() {
    if (options_.write) write();
    look_at_settings();
    look_at_file();
    look_at_log();
    std::string text;
    bool is_right = true;
    for (const Finding& each : findings_) {
      const char* word = each.kind == Finding::Kind::right    ? "ok      "
                         : each.kind == Finding::Kind::advice ? "advice  "
                                                              : "TO DO   ";
      is_right = is_right && each.kind != Finding::Kind::wrong;
      text += word + each.text + "\n";
    }
    write_file("-", text);
    return is_right ? 0 : static_cast<int>(ErrorKind::verification_failed);
  }

 private:
  void add(bool is_right, const std::string& right, const std::string& wrong,
           Finding::Kind otherwise = Finding::Kind::wrong) {
    findings_.push_back({is_right ? Finding::Kind::right : otherwise, is_right ? right : wrong});
  }

  void look_for_process() {
    if (!options_.manager.reload.empty()) return;
    try {
      process_ = find_opensm(options_.manager);
      add(true, fmt::format("opensm is process {}", process_->id), "");
    } catch (const Error& error) {
      add(false, "", error.what());
    }
  }

  bool is_first_engine_file() const {
    return settings_.routing_engine.substr(0, settings_.routing_engine.find(',')) == "file";
  }
  bool is_file_ours() const {
    std::error_code none;
    return std::filesystem::weakly_canonical(settings_.lfts_file, none) == state_.active();
  }
  std::string engine_line() const {
    if (is_first_engine_file()) return settings_.routing_engine;
    return "file," + (settings_.routing_engine.empty() ? usual_engine : settings_.routing_engine);
  }

  void look_at_settings() {
    const std::string where = settings_.configuration.string();
    add(is_first_engine_file(), fmt::format("routing_engine is {}", settings_.routing_engine),
        fmt::format("{}: write the line\n          routing_engine {}", where, engine_line()));
    add(is_file_ours(), "lfts_file is " + settings_.lfts_file,
        fmt::format("{}: write the line\n          lfts_file {}", where, state_.active().string()));
    if (settings_.engine_by_option && !is_first_engine_file()) {
      add(false, "", "opensm was started with -R, which overrides this line: remove -R");
    }
    if (settings_.file_by_option && !is_file_ours()) {
      add(false, "", "opensm was started with -U, which overrides this line: remove -U");
    }
    if (is_first_engine_file()) {
      add(settings_.routing_engine.find(',') != std::string::npos,
          "a fallback engine is configured for a missing or refused file",
          "name a fallback engine after `file`, for a missing or refused file; without one, opensm "
          "uses minhop",
          Finding::Kind::advice);
    }
    add(settings_.flushes_log, "opensm writes each line of its log at once",
        fmt::format("{}: set `force_log_flush TRUE`, so that apply reads the log without delay",
                    where),
        Finding::Kind::advice);
    look_at_times();
  }

  /// opensm reads both lines only at its start.
  void look_at_times() {
    if (!process_) return;
    add(!settings_.is_younger, "opensm was started after its configuration was written",
        fmt::format("{} is newer than the running opensm: restart opensm (SIGHUP does not read "
                    "these lines)",
                    settings_.configuration.string()));
  }

  void look_at_file() {
    const std::string active = state_.active().string();
    struct stat found {};
    if (::lstat(active.c_str(), &found) != 0) {
      add(false, "",
          fmt::format(
              "{}: {}; apply writes it, and check-setup --write writes the tables that are in "
              "force",
              active, reason(errno)));
      return;
    }
    // Only its owner and root may read it.
    struct stat opensm {};
    const bool is_known =
        process_ && ::stat(fmt::format("/proc/{}", process_->id).c_str(), &opensm) == 0;
    const bool may_read = !is_known || opensm.st_uid == 0 || opensm.st_uid == found.st_uid;
    add(may_read, fmt::format("{} exists, {} bytes", active, found.st_size),
        fmt::format(
            "{}: opensm runs as user {}, who may not read this file; run pssp deploy as that user",
            active, opensm.st_uid));
    add(::access(state_.topology_of(StateFolder::digest_of_file(active)).c_str(), R_OK) == 0,
        "the topology of the tables is stored, for guard",
        active + ": no topology is stored with these tables, so guard cannot watch the fabric",
        Finding::Kind::advice);
  }

  void look_at_log() {
    if (!process_) return;
    const Manager manager(options_.manager);
    const std::string engine = manager.engine_in_force();
    if (engine.empty()) {
      findings_.push_back(
          {Finding::Kind::advice,
           manager.options().log + ": no engine is logged; name the log with --opensm-log"});
      return;
    }
    const bool has_read_lines = !settings_.is_younger && is_first_engine_file() && is_file_ours();
    add(engine == "file", "opensm routes with the file",
        fmt::format("opensm routes with {}: {}", engine,
                    has_read_lines
                        ? "the file was missing or refused; opensm reads the file of the next apply"
                        : "restart opensm after correcting the lines above"));
  }

  void write() {
    if (::access(state_.active().c_str(), F_OK) != 0) write_tables_in_force();
    if (is_first_engine_file() && is_file_ours()) return;
    write_configuration();
    settings_ = settings_of(process_ ? &*process_ : nullptr, options_.configuration);
  }

  void write_tables_in_force() {
    LiveFabric fabric(options_.port, options_.m_key_file);
    const HeldTables held = fabric.read();
    const std::filesystem::path next = state_.folder() / "next.lft";
    write_private_file(
        next, [&](const ContentSink& sink) { write_lft_dump(*held.fabric, held.tables, sink); });
    state_.note_topology(StateFolder::digest_of_file(next), *held.fabric);
    StateFolder::rename(next, state_.active());
    state_.note("active.lft has the tables that the switches hold");
  }

  void write_configuration() {
    const std::filesystem::path& file = settings_.configuration;
    std::string old;
    if (::access(file.c_str(), F_OK) == 0) {
      old = read_file(file, largest_conf);
      std::string time = utc_text(wall_clock_ms());
      std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
      const std::string copy = fmt::format("{}.before_deploy_tables-{}", file.string(), time);
      std::filesystem::copy_file(file, copy);
      state_.note("the previous configuration is in " + copy);
    }
    const std::string engine = engine_line();
    std::string text = with_line(old, "routing_engine", engine);
    text = with_line(text, "lfts_file", state_.active().string());
    write_file(file, text);
    state_.note(file.string() + " was written; restart opensm, which reads it only at its start");
  }

  /// Replaces the line of a key, or appends it.
  static std::string with_line(const std::string& text, const std::string& key,
                               const std::string& value) {
    std::string result;
    bool is_done = false;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      const std::string_view words = trimmed(line);
      const bool is_it = words.starts_with(key) && words.size() > key.size() &&
                         (words[key.size()] == ' ' || words[key.size()] == '\t');
      if (is_it) is_done = true;
      result += is_it ? fmt::format("{} {}\n", key, value) : line + "\n";
    }
    return is_done ? result : result + fmt::format("{} {}\n", key, value);
  }

  DeployOptions options_;
  StateFolder state_;
  std::optional<OpensmProcess> process_;
  OpensmSettings settings_;
  std::vector<Finding> findings_;
};

}  // namespace

int check_setup(const DeployOptions& options) { return Setup(options).run(); }

}  // namespace pssp
