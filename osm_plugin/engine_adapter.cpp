// What happens between OpenSM's call and the tables in its switches.
//
// OpenSM calls an engine twice, with its lock held: build_lid_matrices, then
// ucast_build_fwd_tables. The first call reads the subnet into a Fabric and writes the hop counts;
// the Fabric is kept for the second, which routes, verifies, puts the routes on virtual lanes and
// writes the tables, and then drops it.
//
// With `stable` the routing starts from the tables that OpenSM last had from this engine, and the
// engine itself is asked only for the first ones, where too little of the last ones is left, or
// where they fall short and its own might not (docs/stable.md).
//
// Service levels live on: OpenSM's threads ask for them (path_sl) whenever a client asks the
// subnet administrator for a path, until the next routing. They are replaced as the last act of a
// routing that has succeeded, so that they always belong to the tables that OpenSM has from this
// engine; while another engine's tables are in use OpenSM does not ask. With `stable` the tables
// live on too.
//
// An engine that fails leaves the switches as OpenSM prepares them before the first engine: OpenSM
// prepares them only once, and hop counts or path counts of ours would mislead the next engine.
//
// Exceptions end here: each becomes one line in OpenSM's log.

#include "osm_plugin/engine_adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/formats/service_level_file.h"
#include "fabric/tables/channel_loads.h"
#include "osm_plugin/opensm_log.h"
#include "osm_plugin/port_lanes.h"
#include "osm_plugin/switch_tables.h"
#include "routing/repair/stable_options.h"
#include "routing/repair/table_transfer.h"

namespace {

// What OpenSM takes from a callback.
constexpr int done = 0;
constexpr int use_opensm_own = 1;
constexpr int failed = -1;

}  // namespace

void pssp_engine::accept(std::unique_ptr<pssp::RoutingEngine> engine,
                         const pssp::PluginOptions& options) {
  engine_ = std::move(engine);
  deadlock_ = options.deadlock;
  credit_loop_check_ = options.credit_loop_check;
  service_level_dump_ = options.service_level_dump;
  if (!options.stable) return;
  stable_ = options.engines.read(name_, pssp::stable_option_table());
  stable_->keep_long_management_ways = true;
}

void pssp_engine::refuse(const std::string& reason) {
  refusal_ = reason;
  log(OSM_LOG_ERROR, refusal());
}

std::string pssp_engine::refusal() const {
  return fmt::format("wrong event_plugin_options, this engine does not route: {}", refusal_);
}

void pssp_engine::log(osm_log_level_t level, const std::string& message) const {
  pssp::write_log(log_, level, fmt::format("{}: {}", name_, message));
}

void pssp_engine::log_lines(osm_log_level_t level, const std::vector<std::string>& lines) const {
  for (const std::string& line : lines) log(level, line);
}

void pssp_engine::log_text(osm_log_level_t level, std::string_view text) const {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    log(level, std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Runs one of OpenSM's calls. Whatever goes wrong is logged and leaves nothing behind.
template <class Work>
int pssp_engine::guarded(Work work) noexcept {
  try {
    const int result = work();
    if (result != failed) return result;
  } catch (const std::exception& error) {
    try {
      log(OSM_LOG_ERROR, fmt::format("does not route this subnet: {}", error.what()));
    } catch (const std::exception&) {
      osm_log(&log_, OSM_LOG_ERROR, "osmpssp: out of memory\n");
    }
  }
  subnet_.reset();
  pssp::reset_switches(opensm_);
  return failed;
}

int pssp_engine::build_lid_matrices() noexcept {
  return guarded([this] { return start(); });
}

int pssp_engine::build_fwd_tables() noexcept {
  return guarded([this] { return finish(); });
}

int pssp_engine::start() {
  if (!engine_) {
    log(OSM_LOG_ERROR, refusal());
    return failed;
  }
  watch_ = pssp::Stopwatch();
  subnet_ = pssp::read_subnet(opensm_);
  log_lines(OSM_LOG_ERROR, subnet_->warnings);
  if (opensm_.opt.hop_weights_file != nullptr) {
    log(OSM_LOG_INFO, "hop_weights_file applies to multicast only; unicast routes ignore it");
    return use_opensm_own;
  }
  pssp::write_hop_counts(*subnet_);
  return done;
}

int pssp_engine::finish() {
  if (!subnet_) {
    log(OSM_LOG_ERROR, "OpenSM asked for tables before it asked for hop counts");
    return failed;
  }
  const pssp::Subnet subnet = *std::exchange(subnet_, std::nullopt);
  const pssp::Fabric& fabric = subnet.fabric;
  const double setup_ms = watch_.lap();
  std::optional<pssp::CandidateTables> made = choose_tables(subnet);
  if (!made || !accepted(made->plan)) return failed;
  pssp::write_forwarding_tables(opensm_, subnet, made->tables);
  const double index =
      pssp::edge_forwarding_index(fabric, pssp::channel_loads(fabric, made->tables));
  dump_levels(fabric, made->tables, made->plan);
  const double write_ms = watch_.lap();
  log(OSM_LOG_INFO,
      fmt::format("{} switches, {} LIDs, edge forwarding index {:g}{}{}{}{}; subnet and hop counts "
                  "{:.1f} ms, route {:.1f} ms, verify {:.1f} ms, lanes {:.1f} ms, tables {:.1f} "
                  "ms, total {:.1f} ms",
                  fabric.switch_count(), fabric.lids().size(), index,
                  made->plan.summary.empty() ? "" : ", ", made->plan.summary,
                  made->summary.empty() ? "" : ", ", made->summary, setup_ms, made->route_ms,
                  made->verify_ms, made->lanes_ms, write_ms, watch_.total()));
  levels_ = std::move(made->plan.levels);
  remember(fabric, std::move(made->tables));
  return done;
}

/// With `stable`, the last tables brought up to date, unless others can do what these cannot.
std::optional<pssp::CandidateTables> pssp_engine::choose_tables(const pssp::Subnet& subnet) {
  std::optional<pssp::CandidateTables> stable = reroute_stably(subnet);
  if (!stable) return route_anew(subnet);
  if (!stable->plan.falls_short) return stable;
  try {
    std::optional<pssp::CandidateTables> anew = route_anew(subnet);
    if (anew && !anew->plan.falls_short) {
      log(OSM_LOG_INFO, "stable: the last tables brought up to date could deadlock; routed anew");
      return anew;
    }
  } catch (const pssp::Error& error) {
    log(OSM_LOG_INFO, fmt::format("stable: not routed anew: {}", error.what()));
  }
  return stable;
}

/// None where there are no last tables, or too little of them is left.
std::optional<pssp::CandidateTables> pssp_engine::reroute_stably(const pssp::Subnet& subnet) {
  if (!stable_ || !last_) return std::nullopt;
  const pssp::ForwardingTables previous =
      pssp::transfer_tables(last_->switches, last_->tables, subnet.fabric);
  pssp::StableRouting made = pssp::reroute_stably(subnet.fabric, previous, *stable_);
  const pssp::EntryChanges& changes = made.changes;
  const std::string summary = fmt::format("stable: {}", describe(changes));
  // What is added to the tables of a small part of a fabric is worse than tables of the whole: a
  // fabric that comes up piece by piece must not end with these.
  if (changes.kept < changes.replaced + changes.moved + changes.added) {
    log(OSM_LOG_INFO, fmt::format("{}: less than half; routed anew", summary));
    return std::nullopt;
  }
  std::optional<pssp::CandidateTables> candidate =
      examine(subnet, std::move(made.tables), deadlock_);
  if (candidate) {
    candidate->summary = summary;
  } else {
    log(OSM_LOG_ERROR, fmt::format("{}: not usable; routed anew", summary));
  }
  return candidate;
}

/// The engine's tables. One that can choose is asked for tables whose lanes suffice, where lanes
/// can be had at all.
std::optional<pssp::CandidateTables> pssp_engine::route_anew(const pssp::Subnet& subnet) {
  const bool lanes_matter =
      deadlock_.policy != pssp::DeadlockPolicy::ignore && opensm_.opt.qos != FALSE;
  if (!lanes_matter) return examine(subnet, engine_->route(subnet.fabric).tables, deadlock_);
  pssp::DeadlockOptions deadlock = deadlock_;
  deadlock.insist = false;
  std::optional<pssp::CandidateTables> last;
  bool is_accepted = false;
  bool worth_another_sweep = false;
  unsigned turned_down = 0;
  double spent_ms = 0;
  // One worker, which is OpenSM's own thread: what OpenSM calls starts none of ours.
  pssp::RouteRequest request;
  request.accept = [&](const pssp::ForwardingTables& tables) {
    last = examine(subnet, tables, deadlock);
    is_accepted = last && may_be_used(last->plan);
    if (is_accepted) return true;
    ++turned_down;
    if (last) {
      worth_another_sweep = worth_another_sweep || last->plan.worth_another_sweep;
      spent_ms += last->route_ms + last->verify_ms + last->lanes_ms;
    }
    return false;
  };
  pssp::Routing routing = engine_->route(subnet.fabric, request);
  if (!is_accepted) last = examine(subnet, std::move(routing.tables), deadlock_);
  if (last && turned_down != 0) {
    last->route_ms += spent_ms;
    last->plan.worth_another_sweep = last->plan.worth_another_sweep || worth_another_sweep;
    if (is_accepted) {
      last->summary = fmt::format("{} better set{} of tables turned down for want of lanes",
                                  turned_down, turned_down == 1 ? "" : "s");
    }
  }
  return last;
}

/// False where other tables might do better.
bool pssp_engine::may_be_used(const pssp::LanePlan& plan) const {
  // Only what must not deadlock even for the time of one sweep is looked for among worse tables.
  const bool can_wait = deadlock_.policy == pssp::DeadlockPolicy::prefer && !asked_for_sweep_;
  return !plan.falls_short || (can_wait && plan.worth_another_sweep);
}

/// Verifies tables that have just been computed and plans their lanes. None when they are not
/// usable.
std::optional<pssp::CandidateTables> pssp_engine::examine(const pssp::Subnet& subnet,
                                                          pssp::ForwardingTables tables,
                                                          const pssp::DeadlockOptions& deadlock) {
  const double route_ms = watch_.lap();
  if (!verified(subnet.fabric, tables)) return std::nullopt;
  const double verify_ms = watch_.lap();
  pssp::LanePlan plan = pssp::plan_lanes(subnet.fabric, tables, pssp::count_lanes(opensm_, subnet),
                                         deadlock, levels_ ? &*levels_ : nullptr);
  return pssp::CandidateTables{std::move(tables), std::move(plan), {},
                               route_ms,          verify_ms,       watch_.lap()};
}

void pssp_engine::remember(const pssp::Fabric& fabric, pssp::ForwardingTables tables) {
  if (!stable_) return;
  last_.emplace();
  last_->switches.reserve(fabric.switch_count());
  for (const pssp::Switch& node : fabric.switches()) last_->switches.push_back(node.guid);
  last_->tables = std::move(tables);
}

bool pssp_engine::verified(const pssp::Fabric& fabric, const pssp::ForwardingTables& tables) const {
  // Under the other policies the lanes are looked at, which is more.
  const bool credit_loops = credit_loop_check_ && deadlock_.policy == pssp::DeadlockPolicy::ignore;
  const pssp::VerifyReport report = pssp::verify(fabric, tables, {.credit_loops = credit_loops});
  if (!report.usable()) {
    log(OSM_LOG_ERROR,
        fmt::format(
            "the tables are not usable: {} unreachable pairs of end ports ({} of them on "
            "different islands), {} unreachable switches, {} forwarding loops, {} entries to "
            "dead ports",
            report.unreachable_pairs, report.separated_pairs, report.unreachable_switch_pairs,
            report.forwarding_loops, report.dead_port_entries));
    log_lines(OSM_LOG_ERROR, report.examples);
    return false;
  }
  if (report.separated_pairs != 0) {
    log(OSM_LOG_INFO,
        fmt::format("the fabric is divided: {} pairs of end ports are on different islands",
                    report.separated_pairs));
  }
  if (report.has_credit_loop()) {
    log(OSM_LOG_INFO,
        fmt::format("the routes can deadlock under congestion: credit loop of {} channels",
                    report.credit_loop.size()));
    log_text(OSM_LOG_VERBOSE, pssp::describe_credit_loop(fabric, report));
  }
  return true;
}

/// Says what came out; false when the tables must not be used.
bool pssp_engine::accepted(const pssp::LanePlan& plan) {
  log_lines(OSM_LOG_ERROR, plan.errors);
  log_lines(OSM_LOG_INFO, plan.remarks);
  log_text(OSM_LOG_VERBOSE, plan.details);
  ask_for_sweep(plan);
  if (!plan.refusal.empty()) {
    log(OSM_LOG_ERROR, fmt::format("does not route this subnet: {}", plan.refusal));
    return false;
  }
  if (plan.levels && !levels_) {
    log(OSM_LOG_INFO,
        "more than one virtual lane: this engine chooses the service levels of unicast paths; "
        "those of partitions and qos_policy_file, and qos_*sl2vl, do not count");
  } else if (!plan.levels && levels_) {
    log(OSM_LOG_INFO, "OpenSM chooses the service levels of unicast paths again");
  }
  return true;
}

/// OpenSM sets the operational lanes of ports after it has routed. Asks for a second sweep where
/// that makes the difference; once, because a port need not do what it is told.
void pssp_engine::ask_for_sweep(const pssp::LanePlan& plan) {
  if (plan.worth_another_sweep && !asked_for_sweep_) {
    log(OSM_LOG_INFO, "another heavy sweep is asked for: it will have more virtual lanes");
    opensm_.force_heavy_sweep = TRUE;
  }
  asked_for_sweep_ = plan.worth_another_sweep;
}

void pssp_engine::dump_levels(const pssp::Fabric& fabric, const pssp::ForwardingTables& tables,
                              const pssp::LanePlan& plan) const {
  if (service_level_dump_.empty()) return;
  try {
    const pssp::ServiceLevels own = plan.levels ? pssp::ServiceLevels() : pssp::level_zero(tables);
    const pssp::ServiceLevels& levels = plan.levels ? plan.levels->levels() : own;
    pssp::write_file(service_level_dump_, [&](const pssp::ContentSink& sink) {
      pssp::write_service_levels(fabric, levels, sink);
    });
  } catch (const pssp::Error& error) {
    log(OSM_LOG_ERROR, fmt::format("service_level_dump: {}", error.what()));
  }
}

std::uint8_t pssp_engine::path_sl(std::uint8_t hint, pssp::Lid source,
                                  pssp::Lid destination) const noexcept {
  if (!levels_) return hint;
  const pssp::ServiceLevel level = levels_->between(source, destination);
  return level == pssp::no_service_level ? hint : level;
}

void pssp_engine::update_sl2vl(const osm_physp_t& port, ib_slvl_table_t& table) const noexcept {
  if (levels_) pssp::write_sl2vl(opensm_, port, table);
}

void pssp_engine::update_vlarb(const osm_physp_t& port, unsigned entries, unsigned number,
                               ib_vl_arb_table_t& block) const noexcept {
  if (levels_) pssp::even_out_arbitration(opensm_, port, entries, number, block);
}
