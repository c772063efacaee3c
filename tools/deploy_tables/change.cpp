// Steps of an apply, which may be interrupted anywhere:
//
// 1. next.lft, topology/, history/: new files that nothing uses yet
// 2. the timer starts; it does nothing unless `pending` exists
// 3. `pending` (applying) names the file in history/ for going back
// 4. next.lft becomes active.lft by a rename
// 5. the manager reloads, and the tables of the switches are read
// 6. `pending` (unconfirmed): the switches hold the new tables
//
// Before 4 the old file is active, and the timer only restores the same tables; after 4 the new one
// is, and the timer removes it. Any failure in 5 goes back at once.
//
// Steps of going back:
//
// 1. `pending` (going_back)
// 2. the file in history/ becomes active.lft by a rename
// 3. the manager reloads; only then the device is opened, which may hang, and the switches are read
// 4. they hold the previous tables: `pending` is removed, then the timer
//
// If it is interrupted anywhere, or the manager or the switches do not answer, `pending` still
// exists: `status` reports it, and the next back-out, the timer or the start of the machine
// continues.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/private_files.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "fabric/formats/lft_writer.h"
#include "routing/verify/verify.h"
#include "tools/deploy_tables/commands.h"
#include "tools/deploy_tables/handed_over.h"
#include "tools/deploy_tables/manager.h"
#include "tools/deploy_tables/new_tables.h"
#include "tools/deploy_tables/timer.h"
#include "tools/kit/interrupt.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

constexpr std::chrono::seconds lock_patience{5}, timers_lock_patience{60};
constexpr std::int64_t ns_in_a_ms = 1'000'000;

/// A change without a timer that was interrupted between 3 and 4 is discarded; any other must be
/// decided first.
void require_nothing_pending(const StateFolder& state) {
  const std::optional<Pending> pending = state.pending();
  if (!pending) return;
  const bool is_back = state.is_going_back(*pending);
  if (pending->phase == ChangePhase::applying && !is_back && !timer_is_in_force(pending->timer) &&
      StateFolder::digest_of_file(state.active()) != pending->digest) {
    state.note("discarded change " + pending->id + ", which was interrupted before it began");
    std::error_code none;
    std::filesystem::remove(state.in_history(pending->previous), none);
    state.remove_pending();
    return;
  }
  if (pending->phase == ChangePhase::unconfirmed && !is_back) {
    throw Error(ErrorKind::usage,
                fmt::format("change {} awaits confirmation until {}: run pssp deploy confirm or "
                            "back-out before the next change",
                            pending->id, utc_text(pending->deadline_ms)));
  }
  throw Error(
      ErrorKind::usage,
      fmt::format("change {} was interrupted ({}): run pssp deploy {} to finish it before the "
                  "next one",
                  pending->id, phase_name(pending->phase),
                  pending->is_of_guard() ? "guard, or back-out," : "back-out"));
}

/// Throws if opensm certainly does not read the file.
void require_file_engine(const Manager& manager, const StateFolder& state) {
  if (!manager.process()) return;
  const OpensmSettings& settings = manager.settings();
  const std::string first = settings.routing_engine.substr(0, settings.routing_engine.find(','));
  std::error_code none;
  const std::filesystem::path file =
      std::filesystem::weakly_canonical(manager.process()->path(settings.lfts_file), none);
  if (first != "file" || file != state.active()) {
    throw Error(
        ErrorKind::mismatch,
        fmt::format("opensm (process {}) does not take its tables from {}: routing_engine is '{}' "
                    "and lfts_file '{}'; pssp deploy check-setup prints the missing steps",
                    manager.process()->id, state.active().string(), settings.routing_engine,
                    settings.lfts_file));
  }
  const std::string engine = manager.engine_in_force();
  if (settings.is_younger && !engine.empty() && engine != "file") {
    throw Error(
        ErrorKind::mismatch,
        fmt::format("opensm routes with {}: it was started before {} was written; restart it",
                    engine, settings.configuration.string()));
  }
}

/// The new tables in the current fabric.
struct Candidate {
  std::string name;
  LftFile file;
  ForwardingTables tables;
};

Candidate read_candidate(const DeployOptions& options, const Fabric& found) {
  Candidate candidate{options.tables, read_tables(options.tables), {}};
  const Fabric expected = read_fabric_for(options.topology, candidate.file);
  require_same_fabric(options.topology, expected, found);
  Report("deploy_tables").warn(require_whole(candidate.file, found));
  candidate.tables = handed_over(candidate.file, found);
  require_deployable(candidate.name, found, candidate.tables, options.plan);
  return candidate;
}

void write_dump(const std::filesystem::path& path, const Fabric& fabric,
                const ForwardingTables& tables) {
  write_private_file(path, [&](const ContentSink& sink) { write_lft_dump(fabric, tables, sink); });
}

/// Steps 1 to 4.
Pending replace_file(const StateFolder& state, const HeldTables& held,
                     const ForwardingTables& tables, const DeployOptions& options,
                     const ManagerOptions& manager) {
  const std::filesystem::path next = state.folder() / "next.lft";
  write_dump(next, *held.fabric, tables);
  Pending pending;
  pending.phase = ChangePhase::applying;
  pending.digest = StateFolder::digest_of_file(next);
  state.note_topology(pending.digest, *held.fabric);
  pending.previous = state.next_history_name();
  pending.id = pending.previous.substr(0, pending.previous.size() - 4);
  write_dump(state.in_history(pending.previous), *held.fabric, held.tables);
  pending.previous_digest = StateFolder::digest_of_file(state.in_history(pending.previous));
  state.note_topology(pending.previous_digest, *held.fabric);
  pending.deadline = BootTime::now();
  pending.deadline.ns += options.confirm_within_ms * ns_in_a_ms;
  pending.deadline_ms = wall_clock_ms() + options.confirm_within_ms;
  pending.manager = manager;
  pending.adapters = options.port.adapters;
  pending.m_key_file =
      options.m_key_file.empty() ? "" : std::filesystem::absolute(options.m_key_file).string();
  StateFolder::flush_folder(state.folder() / "history");
  pending.timer = start_timer(state, pending.id, pending.deadline, manager.reload);
  try {
    state.write(pending);
  } catch (...) {
    stop_timer(pending.timer);
    throw;
  }
  StateFolder::rename(next, state.active());
  return pending;
}

/// Step 6. A timer waits only for a limited time for a lock, and may have undone the change
/// meanwhile.
void note_success(const StateFolder& state, Pending& pending) {
  const std::optional<Pending> now = state.pending();
  if (!now || now->id != pending.id || now->phase != ChangePhase::applying) {
    throw Error(ErrorKind::verification_failed,
                "the time for confirmation ended before opensm had read the tables");
  }
  pending.phase = ChangePhase::unconfirmed;
  state.write(pending);
}

/// The lock, or after a long wait none: a timer must not wait for a process that hangs.
std::unique_ptr<StateLock> lock_of_timer(const StateFolder& state) {
  try {
    return std::make_unique<StateLock>(state, timers_lock_patience);
  } catch (const Error& error) {
    state.note(
        fmt::format("{}; returning to the previous tables without waiting for it", error.what()),
        true);
    return nullptr;
  }
}

PortOptions port_of(const Pending& pending, PortOptions port) {
  AdapterChoice& given = port.adapters;
  if (given.adapter.empty()) given.adapter = pending.adapters.adapter;
  if (given.port == 0) given.port = pending.adapters.port;
  if (given.subnet_device.empty()) given.subnet_device = pending.adapters.subnet_device;
  if (given.general_device.empty()) given.general_device = pending.adapters.general_device;
  return port;
}

/// How the change reached the manager, unless the command line overrides it. The command of
/// --reload comes only from the command line.
ManagerOptions manager_of(const Pending& pending, const ManagerOptions& given) {
  ManagerOptions manager = pending.manager;
  const ManagerOptions usual;
  if (given.process != 0 || !given.pid_file.empty() || given.unit != usual.unit) {
    manager.unit = given.unit;
    manager.pid_file = given.pid_file;
    manager.by_command = false;
    // A restarted process may be specified by its old number.
    if (given.process != manager.process) manager.start.clear();
    manager.process = given.process;
  }
  manager.reload = given.reload;
  if (!given.log.empty()) manager.log = given.log;
  if (given.patience_s != usual.patience_s) manager.patience_s = given.patience_s;
  return manager;
}

/// The change, overridden by the command line.
Pending with_options(Pending pending, const DeployOptions& options) {
  pending.manager = manager_of(pending, options.manager);
  pending.adapters = port_of(pending, options.port).adapters;
  if (!options.m_key_file.empty()) {
    pending.m_key_file = std::filesystem::absolute(options.m_key_file).string();
  }
  return pending;
}

/// The newest tables that differ from the active ones: an interrupted apply leaves a copy of the
/// active file, which is removed. Empty if there are none.
std::string rollback(const StateFolder& state) {
  const std::string active = StateFolder::digest_of_file(state.active());
  std::vector<std::string> history = state.history();
  while (!history.empty()) {
    const std::filesystem::path newest = state.in_history(history.back());
    if (StateFolder::digest_of_file(newest) != active) return history.back();
    std::filesystem::remove(newest);
    history.pop_back();
  }
  return "";
}

/// Old tables may belong to a previous fabric. They were requested, so they stay, but with a
/// warning.
void warn_of_misfit(const StateFolder& state, const LftFile& file, const Fabric& fabric) {
  const VerifyReport found =
      verify(fabric, handed_over(file, fabric), {.credit_loops = false, .max_examples = 0});
  if (found.usable()) return;
  state.note(
      fmt::format("warning: the fabric has changed since these tables were computed: {}; compute "
                  "new tables",
                  describe_defects(found)));
}

/// Returns from tables that no longer await confirmation, or that guard was handing over.
Pending rollback_from(const StateFolder& state, const std::optional<Pending>& interrupted,
                      const DeployOptions& options) {
  Pending pending;
  pending.phase = ChangePhase::going_back;
  pending.previous =
      interrupted && !interrupted->previous.empty() ? interrupted->previous : rollback(state);
  if (pending.previous.empty()) {
    throw Error(ErrorKind::usage, "there are no previous tables to return to");
  }
  pending.id = pending.previous.substr(0, pending.previous.size() - 4);
  pending.digest = StateFolder::digest_of_file(state.active());
  pending.manager = options.manager;
  return with_options(pending, options);
}

int tell_of_back_out(const StateFolder& state, const std::string& what,
                     const std::string& problem) {
  if (problem.empty()) {
    state.note(what + ": the previous tables are in force");
    return 0;
  }
  const std::string text = what + ": the switches may still hold the rejected tables: " + problem +
                           "; run pssp deploy back-out again";
  state.note(text, true);
  throw Error(ErrorKind::verification_failed, text);
}

/// For timers and for the start of the machine.
int back_out_unconfirmed(const StateFolder& state, const DeployOptions& options) {
  if (options.wait_until_ns != 0 &&
      !wait_as_timer(state, options.change, {"", options.wait_until_ns})) {
    return 0;
  }
  state.require_private();
  const std::unique_ptr<StateLock> lock = lock_of_timer(state);
  const std::optional<Pending> pending = state.pending();
  if (!pending || pending->is_of_guard()) return 0;
  if (!options.change.empty() && pending->id != options.change) return 0;
  const bool is_due = pending->is_over() || state.is_going_back(*pending);
  if (options.change.empty() && !is_due) return 0;
  state.note("change " + pending->id +
             " was not confirmed in time; returning to the previous tables");
  const std::string problem = go_back(state, with_options(*pending, options), options.port);
  return tell_of_back_out(state, "change " + pending->id, problem);
}

/// Step 2. Returns the error.
std::string put_file_back(const StateFolder& state, const Pending& pending) {
  const std::filesystem::path old_file = state.in_history(pending.previous);
  if (::access(old_file.c_str(), F_OK) == 0) {
    StateFolder::rename(old_file, state.active());
    return "";
  }
  // An earlier attempt came this far.
  const std::string active = StateFolder::digest_of_file(state.active());
  const bool is_back = pending.previous_digest.empty() ? active != pending.digest && !active.empty()
                                                       : active == pending.previous_digest;
  return is_back ? ""
                 : fmt::format("{} is missing, and {} does not contain the previous tables",
                               old_file.string(), state.active().string());
}

/// Step 1. A full disk must not prevent going back: without the note, `pending` still names the
/// file.
void record_rollback(const StateFolder& state, const Pending& pending) {
  try {
    state.write(pending);
  } catch (const Error& error) {
    state.note(fmt::format("returning to the previous tables, which cannot be recorded: {}",
                           error.what()));
  }
}

/// The manager of a change; none, with the reason, if it cannot be found.
std::unique_ptr<Manager> find_manager(const ManagerOptions& options, std::string& problem) {
  try {
    return std::make_unique<Manager>(options);
  } catch (const std::exception& error) {
    problem = error.what();
    return nullptr;
  }
}

/// Step 3. Throws if the switches do not hold the previous tables.
void finish_rollback(const StateFolder& state, const Pending& pending, const PortOptions& port,
                     Manager* manager, std::string untold) {
  if (manager != nullptr) {
    try {
      manager->reload();
    } catch (const std::exception& error) {
      untold = error.what();
    }
  }
  const LftFile file = read_own_tables(state.active());
  try {
    LiveFabric fabric(port_of(pending, port), pending.m_key_file);
    if (untold.empty()) {
      manager->wait_for(file, fabric);
      warn_of_misfit(state, file, *fabric.walk());
      return;
    }
    const HeldTables held = fabric.read();
    const HeldDifference found =
        difference_of(*held.fabric, handed_over(file, *held.fabric), held.tables);
    if (found.entries != 0) {
      throw Error(ErrorKind::verification_failed,
                  "the switches hold other tables: " + found.text());
    }
  } catch (const std::exception& error) {
    if (untold.empty()) throw;
    throw Error(ErrorKind::verification_failed, untold + "; " + error.what());
  }
  state.note(
      fmt::format("change {} was reverted: the switches hold the previous tables, but opensm did "
                  "not read the previous file: {}",
                  pending.id, untold));
}

}  // namespace

std::string go_back(const StateFolder& state, Pending pending, const PortOptions& port) {
  try {
    std::string untold;
    // First, since its log is read from here on.
    const std::unique_ptr<Manager> manager = find_manager(pending.manager, untold);
    if (manager) pending.manager = manager->options();
    pending.phase = ChangePhase::going_back;
    if (pending.previous_digest.empty()) {
      pending.previous_digest = StateFolder::digest_of_file(state.in_history(pending.previous));
    }
    record_rollback(state, pending);
    std::string misplaced = put_file_back(state, pending);
    if (!misplaced.empty()) return misplaced;
    finish_rollback(state, pending, port, manager.get(), untold);
    state.remove_pending();
    stop_timer(pending.timer);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

int apply_tables(const DeployOptions& options) {
  outlive_readers();
  const StateFolder state(options.state, StateFolder::IfMissing::make);
  const StateLock lock(state, lock_patience);
  state.remove_leftovers();
  require_nothing_pending(state);
  Manager manager(options.manager);
  require_file_engine(manager, state);
  LiveFabric fabric(options.port, options.m_key_file);
  fabric.require_one_manager();
  const HeldTables held = fabric.read();
  const Candidate candidate = read_candidate(options, *held.fabric);
  const PlanInput input{"fabric",    options.tables,   *held.fabric,
                        held.tables, candidate.tables, nullptr};
  const Plan plan = count_changes(input);
  require_few_moves(plan, options.plan);
  Pending pending = replace_file(state, held, candidate.tables, options, manager.options());
  state.note(fmt::format("change {}: {} entries of {} switches, {:.2f} % of the flows moved",
                         pending.id, plan.tables.entries, plan.tables.switches,
                         plan.moved_percent));
  try {
    manager.reload();
    manager.wait_for(read_own_tables(state.active()), fabric);
    note_success(state, pending);
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    const auto* const own = dynamic_cast<const Error*>(&error);
    const bool is_output = own != nullptr && own->kind() == ErrorKind::output;
    const std::string problem = go_back(state, pending, options.port);
    const std::string text =
        fmt::format("change {} was reverted: {}{}", pending.id, reason,
                    problem.empty() ? ""
                                    : "; and opensm did not read the previous file: " + problem +
                                          "; run pssp deploy back-out to finish it");
    state.note(text, true);
    throw Error(is_output ? ErrorKind::output : ErrorKind::verification_failed, text);
  }
  state.remove_old();
  state.note(
      fmt::format("change {}: all switches hold the new tables; run pssp deploy confirm before {}, "
                  "or the previous tables return",
                  pending.id, utc_text(pending.deadline_ms)));
  return 0;
}

int confirm_tables(const DeployOptions& options) {
  const StateFolder state(options.state, StateFolder::IfMissing::fail);
  const StateLock lock(state, lock_patience);
  const std::optional<Pending> pending = state.pending();
  if (!pending) {
    throw Error(ErrorKind::usage,
                "no change awaits confirmation: it was already confirmed or reverted (see "
                "pssp deploy status)");
  }
  if (pending->phase != ChangePhase::unconfirmed) {
    throw Error(ErrorKind::verification_failed,
                fmt::format("change {} cannot be confirmed: it was interrupted ({}), and the "
                            "switches may hold other tables; run pssp deploy back-out",
                            pending->id, phase_name(pending->phase)));
  }
  if (pending->is_over() || StateFolder::digest_of_file(state.active()) != pending->digest) {
    throw Error(ErrorKind::verification_failed,
                fmt::format("change {}: too late, the time for confirmation ended at {}; run "
                            "pssp deploy back-out, and apply the tables again",
                            pending->id, utc_text(pending->deadline_ms)));
  }
  state.remove_pending();
  stop_timer(pending->timer);
  state.note("change " + pending->id + " is confirmed");
  return 0;
}

int back_out_tables(const DeployOptions& options) {
  outlive_readers();
  const StateFolder state(options.state, StateFolder::IfMissing::fail);
  if (options.unconfirmed) return back_out_unconfirmed(state, options);
  const StateLock lock(state, lock_patience);
  const std::optional<Pending> pending = state.pending();
  const Pending back = pending && !pending->is_of_guard() ? with_options(*pending, options)
                                                          : rollback_from(state, pending, options);
  return tell_of_back_out(state, "back-out to " + back.previous,
                          go_back(state, back, options.port));
}

}  // namespace pssp
