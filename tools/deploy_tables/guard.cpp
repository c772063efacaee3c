// Tables from a file do not follow changes of the fabric: opensm sweeps, reports SUBNET UP, and
// leaves routes that end at dead links, and new hosts without routes. So the fabric must be
// checked. A difference counts only if two consecutive checks find it, because a lost answer makes
// a node look absent.

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/private_files.h"
#include "fabric/formats/lft_writer.h"
#include "routing/repair/stable_rerouting.h"
#include "tools/deploy_tables/commands.h"
#include "tools/deploy_tables/fabric_difference.h"
#include "tools/deploy_tables/handed_over.h"
#include "tools/deploy_tables/manager.h"
#include "tools/deploy_tables/new_tables.h"
#include "tools/deploy_tables/state_folder.h"
#include "tools/deploy_tables/timer.h"
#include "tools/kit/interrupt.h"
#include "tools/kit/plugin_answer.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

constexpr std::chrono::seconds second_check{1}, guard_lock_patience{60};

class Guard {
 public:
  explicit Guard(const DeployOptions& options)
      : options_(options),
        state_(options.state, StateFolder::IfMissing::fail),
        live_(std::make_unique<LiveFabric>(options.port, options.m_key_file)) {}

  int run() {
    if (!finish_interrupted()) return 0;
    print_line("watching the fabric for the tables in " + state_.active().string());
    while (!interrupted()) {
      const auto next =
          std::chrono::steady_clock::now() +
          std::chrono::milliseconds(static_cast<std::int64_t>(options_.interval_s * 1e3));
      if (!check()) return 0;
      while (!interrupted() && std::chrono::steady_clock::now() < next) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
    return 0;
  }

  /// Two checks, if the first one finds something.
  FabricDifference twice() {
    FabricDifference first = take_one_check();
    if (first.none()) return first;
    std::this_thread::sleep_for(second_check);
    FabricDifference second = take_one_check();
    return first.identity == second.identity ? second : FabricDifference{};
  }

 private:
  void print_line(const std::string& text) { state_.note("guard: " + text); }

  /// The fabric for which the active tables were made.
  const Fabric& expected() {
    struct stat now {};
    if (::stat(state_.active().c_str(), &now) != 0) {
      throw Error(ErrorKind::usage,
                  state_.active().string() +
                      ": no such file, so nothing is deployed; run pssp deploy apply");
    }
    const bool is_same = expected_ && now.st_ino == seen_.st_ino && now.st_size == seen_.st_size &&
                         now.st_mtim.tv_sec == seen_.st_mtim.tv_sec &&
                         now.st_mtim.tv_nsec == seen_.st_mtim.tv_nsec;
    if (is_same) return *expected_;
    const std::filesystem::path file =
        state_.topology_of(StateFolder::digest_of_file(state_.active()));
    expected_.emplace(read_own_fabric(file));
    seen_ = now;
    return *expected_;
  }

  FabricDifference take_one_check() {
    found_ = live_->walk();
    return difference_of(expected(), *found_);
  }

  /// Returns false if there is nothing left to guard.
  bool check() {
    try {
      const FabricDifference found = twice();
      problem_.clear();
      if (std::exchange(reported_, found.identity) != found.identity) {
        print_line(found.none() ? "the fabric again matches the tables"
                                : "the fabric has changed: " + found.text());
      }
      if (found.harmful.empty() || options_.on_change == OnChange::alarm) return true;
      return answer(found);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::usage) throw;
      // During a sweep or without its port, a machine cannot read the fabric; such errors are
      // temporary.
      if (error.what() != problem_)
        print_line(std::string("the fabric cannot be read: ") + error.what());
      problem_ = error.what();
      return true;
    }
  }

  bool answer(const FabricDifference& found) {
    const StateLock lock(state_, guard_lock_patience);
    // Unconfirmed tables are not repaired, because that would confirm them.
    if (options_.on_change == OnChange::reroute && !state_.pending()) {
      try {
        reroute();
        return true;
      } catch (const std::exception& error) {
        print_line(std::string("the tables cannot be repaired: ") + error.what());
      }
    }
    fall_back(found.text());
    return false;
  }

  std::optional<Pending> interrupted_step() const {
    std::optional<Pending> pending = state_.pending();
    if (pending && !pending->is_of_guard()) pending.reset();
    return pending;
  }

  /// Continues where an earlier guard was interrupted. Returns false if there is nothing left to
  /// guard.
  bool finish_interrupted() {
    if (!interrupted_step()) return true;
    const StateLock lock(state_, guard_lock_patience);
    const std::optional<Pending> pending = interrupted_step();
    if (!pending) return true;
    print_line("continuing change " + pending->id + ", which was interrupted");
    if (pending->phase == ChangePhase::falling_back) {
      fall_back("an earlier guard was interrupted");
      return false;
    }
    hand_over();
    return true;
  }

  /// Replaces a pending change.
  void begin(ChangePhase phase, const std::string& id, const std::string& previous) {
    const std::optional<Pending> before = state_.pending();
    Pending pending;
    pending.phase = phase;
    pending.id = id;
    pending.previous = previous;
    pending.digest = StateFolder::digest_of_file(state_.active());
    state_.write(pending);
    if (before) stop_timer(before->timer);
  }

  void fall_back(const std::string& reason) {
    Manager manager(options_.manager);
    begin(ChangePhase::falling_back, "fallback", "");
    if (::access(state_.active().c_str(), F_OK) == 0) {
      StateFolder::rename(state_.active(), state_.aside());
    }
    manager.reload();
    const std::string engine =
        options_.manager.reload.empty() ? manager.wait_for_another_engine() : "another engine";
    state_.remove_pending();
    print_line(fmt::format("{}: the tables were moved to {}, and the subnet manager routes with {}",
                           reason, state_.aside().string(), engine));
  }

  void reroute() {
    const HeldTables held = live_->read();
    const Fabric& fabric = *held.fabric;
    const LftFile active = read_own_tables(state_.active());
    const StableRouting made =
        reroute_stably(fabric, handed_over(active, fabric), {.keep_long_management_paths = true});
    const std::string name = "repaired tables";
    require_deployable(name, fabric, made.tables, options_.plan);
    const Plan plan = count_changes({"fabric", name, fabric, held.tables, made.tables, nullptr});
    require_few_moves(plan, options_.plan);
    replace(held, made.tables);
    print_line(fmt::format(
        "{}; {} flows have a route again, {:.2f} % of the other flows moved to another path",
        describe(made.changes), plan.routes.flows.gained.flows, plan.moved_percent));
    reported_ = {};
  }

  void replace(const HeldTables& held, const ForwardingTables& tables) {
    const std::filesystem::path next = state_.folder() / "next.lft";
    write_private_file(
        next, [&](const ContentSink& sink) { write_lft_dump(*held.fabric, tables, sink); });
    state_.note_topology(StateFolder::digest_of_file(next), *held.fabric);
    // The current tables use missing links: a copy is kept for going back.
    const std::string previous = state_.next_history_name();
    write_private_file(state_.in_history(previous), [&](const ContentSink& sink) {
      FileReader active(state_.active());
      std::array<char, std::size_t{1} << 16> part{};
      while (const std::size_t size = active.read(part.data(), part.size())) {
        sink({part.data(), size});
      }
    });
    begin(ChangePhase::handing_over, previous.substr(0, previous.size() - 4), previous);
    StateFolder::rename(next, state_.active());
    hand_over();
    state_.remove_old();
  }

  /// The repaired tables are active: hands them to the switches.
  void hand_over() {
    Manager manager(options_.manager);
    manager.reload();
    manager.wait_for(read_own_tables(state_.active()), *live_);
    state_.remove_pending();
  }

  DeployOptions options_;
  StateFolder state_;
  std::unique_ptr<LiveFabric> live_;
  std::shared_ptr<const Fabric> found_;
  std::optional<Fabric> expected_;
  struct stat seen_ {};
  DigestValue reported_{};
  std::string problem_;
};

/// Catches errors as early as possible: the reader of the line interprets 2 as harmful, and does
/// not know 9.
int check_state_once(const DeployOptions& options) {
  auto status = PluginStatus::unknown;
  std::string text;
  try {
    const FabricDifference found = Guard(options).twice();
    status = !found.harmful.empty() ? PluginStatus::critical
             : found.none()         ? PluginStatus::ok
                                    : PluginStatus::warning;
    text = found.none() ? "the fabric matches the tables" : found.text();
  } catch (const std::exception& error) {
    text = error.what();
  }
  return answer_as_plugin(Report("deploy_tables"), "-", status,
                          plugin_line("TABLES", status, std::move(text)));
}

}  // namespace

int guard_tables(const DeployOptions& options) {
  note_interruptions();
  outlive_readers();
  return options.once ? check_state_once(options) : Guard(options).run();
}

}  // namespace pssp
