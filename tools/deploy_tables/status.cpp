#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "base/utc_time.h"
#include "base/version.h"
#include "tools/deploy_tables/commands.h"
#include "tools/deploy_tables/state_folder.h"
#include "tools/deploy_tables/timer.h"

namespace pssp {
namespace {

constexpr std::int64_t ns_of_a_second = 1'000'000'000;

struct Status {
  std::string folder, digest;  ///< of active.lft; empty: it does not exist
  bool topology_known = false, set_aside = false;
  std::optional<Pending> pending;
  bool came_about = false, going_back = false, timer_in_force = false;
  std::int64_t left_s = 0;
  std::vector<std::string> history;

  /// The switches may hold unconfirmed tables, and no timer will restore the old ones in time.
  bool needs_attention() const {
    if (!pending) return false;
    if (going_back || pending->is_of_guard()) return true;
    return came_about && (!timer_in_force || pending->is_over());
  }
};

Status read_status(const DeployOptions& options) {
  const StateFolder state(options.state, StateFolder::IfMissing::fail);
  Status status;
  status.folder = state.folder().string();
  status.digest = StateFolder::digest_of_file(state.active());
  status.topology_known =
      !status.digest.empty() && ::access(state.topology_of(status.digest).c_str(), R_OK) == 0;
  status.set_aside = status.digest.empty() && ::access(state.aside().c_str(), F_OK) == 0;
  status.history = state.history();
  status.pending = state.pending();
  if (!status.pending) return status;
  status.came_about = status.pending->digest == status.digest;
  status.going_back = state.is_going_back(*status.pending);
  status.timer_in_force = timer_is_in_force(status.pending->timer);
  if (!status.pending->is_over()) {
    status.left_s = (status.pending->deadline.ns - BootTime::now().ns) / ns_of_a_second;
  }
  return status;
}

std::string pending_text(const Status& status) {
  if (!status.pending) return "no change awaits confirmation\n";
  const Pending& pending = *status.pending;
  if (pending.is_of_guard()) {
    return fmt::format(
        "guard was interrupted while it {}, and the switches may hold other tables than {}: run "
        "pssp deploy guard or back-out\n",
        pending.phase == ChangePhase::falling_back ? "removed the tables"
                                                   : "deployed repaired tables",
        status.digest.empty() ? "opensm" : "active.lft");
  }
  if (status.going_back) {
    return fmt::format(
        "change {} is being reverted, and the switches may still hold its tables (interrupted, or "
        "opensm or the switches did not answer): run pssp deploy back-out\n",
        pending.id);
  }
  if (!status.came_about) {
    return fmt::format("change {} has not begun: the previous tables are in force\n", pending.id);
  }
  if (!status.timer_in_force || pending.is_over()) {
    return fmt::format(
        "change {} is NOT confirmed, the time for confirmation {}, and nothing will revert it (the "
        "machine was restarted, or the timer was stopped): run pssp deploy back-out{}\n",
        pending.id, status.left_s > 0 ? "has not ended" : "has ended",
        pending.phase == ChangePhase::unconfirmed && status.left_s > 0 ? ", or confirm" : "");
  }
  if (pending.phase == ChangePhase::applying) {
    return fmt::format(
        "change {} is being applied, or was interrupted; it is reverted at {}, in {} s ({}): run "
        "pssp deploy back-out to revert it now\n",
        pending.id, utc_text(pending.deadline_ms), status.left_s, pending.timer);
  }
  return fmt::format(
      "change {} is not confirmed; it is reverted at {}, in {} s ({}): run pssp deploy confirm "
      "or back-out\n",
      pending.id, utc_text(pending.deadline_ms), status.left_s, pending.timer);
}

std::string text_of(const Status& status) {
  std::string text = status.folder + "\n";
  if (status.digest.empty()) {
    text += status.set_aside ? "no active.lft: guard moved the tables to aside.lft\n"
                             : "no active.lft: nothing is deployed\n";
  } else {
    text += fmt::format("active.lft {}, {}\n", status.digest.substr(0, 12),
                        status.topology_known
                            ? "with its topology, so guard can watch the fabric"
                            : "without its topology, so guard cannot watch the fabric");
  }
  text += pending_text(status);
  text += status.history.empty()
              ? "no previous tables\n"
              : fmt::format("{} {} with previous tables, the last {}\n", status.history.size(),
                            status.history.size() == 1 ? "file" : "files", status.history.back());
  return text;
}

std::string json_of(const Status& status) {
  nlohmann::ordered_json json;
  json["folder"] = status.folder;
  json["active"] =
      status.digest.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(status.digest);
  json["topology_known"] = status.topology_known;
  json["set_aside"] = status.set_aside;
  json["pending"] = nullptr;
  if (status.pending) {
    nlohmann::ordered_json pending;
    pending["change"] = status.pending->id;
    pending["phase"] =
        phase_name(status.going_back ? ChangePhase::going_back : status.pending->phase);
    pending["came_about"] = status.came_about;
    pending["deadline"] = status.pending->deadline_ms;
    pending["seconds_left"] = status.left_s;
    pending["timer"] = status.pending->timer;
    pending["timer_in_force"] = status.timer_in_force;
    json["pending"] = std::move(pending);
  }
  json["history"] = status.history;
  json["version"] = version();
  return dump_json(json);
}

}  // namespace

int show_status(const DeployOptions& options) {
  const Status status = read_status(options);
  write_file("-", options.json ? json_of(status) : text_of(status));
  return status.needs_attention() ? static_cast<int>(ErrorKind::verification_failed) : 0;
}

}  // namespace pssp
