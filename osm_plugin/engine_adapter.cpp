// What happens between OpenSM's call and the tables in its switches.
//
// OpenSM calls an engine twice, with its lock held: build_lid_matrices, then
// ucast_build_fwd_tables. The first call reads the subnet into a Fabric and writes the hop counts;
// the Fabric is kept for the second, which has tables chosen (table_chooser.h), writes them, and
// then drops it.
//
// Service levels live on: OpenSM's threads ask for them (path_sl) whenever a client asks the
// subnet administrator for a path, until the next routing. They are replaced as the last act of a
// routing that has succeeded, so that they always belong to the tables that OpenSM has from this
// engine; while another engine's tables are in use OpenSM does not ask.
//
// An engine that fails leaves the switches as OpenSM prepares them before the first engine: OpenSM
// prepares them only once, and hop counts or path counts of ours would mislead the next engine.
//
// Exceptions end here: each becomes one line in OpenSM's log.

#include "osm_plugin/engine_adapter.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>

#include "base/error.h"
#include "base/exception_text.h"
#include "fabric/tables/channel_loads.h"
#include "osm_plugin/opensm_log.h"
#include "osm_plugin/port_lanes.h"
#include "osm_plugin/switch_tables.h"

namespace pssp {
namespace {

// What OpenSM takes from a callback.
constexpr int done = 0;
constexpr int use_opensm_own = 1;
constexpr int routing_failed = -1;

constexpr std::string_view quickest_engine = "pssp";

/// What routes where the engine `name` is cut short.
std::unique_ptr<RoutingEngine> quick_engine(std::string_view name, const EngineOptions& options) {
  return name == quickest_engine ? nullptr : make_engine(quickest_engine, options);
}

ChooserOptions chooser_options(const PluginOptions& options, const StableOptions& stable) {
  ChooserOptions chooser{options.deadlock, options.credit_loop_check, std::nullopt,
                         options.rebaseline, options.rebaseline_gain};
  if (options.stable) chooser.stable = stable;
  return chooser;
}

/// Of the options that tables of the engine depend on: its own, and those of stable rerouting.
DigestValue digest_of_options(const PluginOptions& options, std::string_view engine) {
  Digest digest;
  for (const std::string& each : options_in_force(options)) {
    if (each.starts_with("stable.rebaseline")) continue;
    const bool concerns =
        each.starts_with("stable.") || each.starts_with(fmt::format("{}.", engine));
    if (concerns) digest.add_text(each);
  }
  return digest.value();
}

LogMessage not_routed(std::string_view reason) {
  return {LogCode::not_routed,
          fmt::format("does not route this fabric: {}; OpenSM uses the next engine of "
                      "routing_engine, and minhop after the last one",
                      reason)};
}

/// None where credit loops were not looked for.
std::optional<bool> is_deadlock_free(const CandidateTables& chosen) {
  if (chosen.plan.falls_short) return false;
  if (chosen.plan.lanes != 0) return true;
  if (!chosen.has_credit_loop) return std::nullopt;
  return !*chosen.has_credit_loop;
}

}  // namespace

EngineAdapter::EngineAdapter(osm_subn_t& subnet, osm_log_t& opensm_log, EngineSetup setup,
                             const PluginOptions& options, const SharedByEngines& shared,
                             const std::filesystem::path& cache_folder)
    : opensm_(subnet),
      log_(opensm_log),
      name_(setup.name),
      chooser_(
          std::move(setup.engine), chooser_options(options, setup.stable),
          [this](const LogMessage& message) { log(message); },
          quick_engine(name_, options.engines)),
      budget_(options.budget),
      capacity_source_(options.capacity_file, std::chrono::hours(options.capacity_max_age)),
      node_types_file_(options.node_types_file),
      shared_(shared),
      background_(chooser_,
                  {find_engine(name_).takes_long ? options.background : BackgroundMode::off,
                   bytes_of(budget_), shared.request_sweep},
                  [this](const LogMessage& message) { log(message); }) {
  if (options.stable) {
    state_file_.emplace(cache_folder, name_, digest_of_options(options, name_),
                        [this](const std::string& reason) {
                          log({LogCode::output_file,
                               fmt::format("the state file is not written: {}; traffic is not "
                                           "affected, but many paths can change when opensm "
                                           "restarts",
                                           reason)});
                        });
    keeps_state_ = options.stable_state;
  }
}

/// The line of a routing names the engine itself.
void EngineAdapter::log(LogMessage message) const {
  if (message.has_topic(LogTopic::fabric_growth) && state_file_) {
    message.text += fmt::format("; to use it, touch {}", state_file_->asking_file().string());
  }
  if (!message.has_topic(LogTopic::routing)) {
    message.text = fmt::format("{}: {}", name_, message.text);
  }
  write_log(log_, message);
}

const PathLevels* EngineAdapter::levels() const noexcept {
  return chooser_.levels() ? &*chooser_.levels() : nullptr;
}

/// Runs one of OpenSM's calls. Whatever goes wrong is logged and leaves nothing behind.
template <class Work>
int EngineAdapter::guarded(Work work) noexcept {
  if (const char* const fault = switch_layout_fault(opensm_)) {
    // Nothing of the switches can be trusted, so nothing of them is touched.
    write_log(log_, LogCode::not_started, fault);
    return routing_failed;
  }
  try {
    const int result = work();
    if (result != routing_failed) return result;
  } catch (const std::exception& error) {
    try {
      log(not_routed(text_of(error)));
    } catch (const std::exception&) {
      write_log(log_, LogCode::not_routed,
                "out of memory; OpenSM uses the next engine of routing_engine; free memory on this "
                "machine");
    }
  }
  subnet_.reset();
  reset_switches(opensm_);
  return routing_failed;
}

int EngineAdapter::build_lid_matrices() noexcept {
  return guarded([this] { return start(); });
}

int EngineAdapter::build_fwd_tables(bool has_successor) noexcept {
  return guarded([this, has_successor] { return finish(has_successor); });
}

int EngineAdapter::start() {
  watch_ = Stopwatch();
  log_options();
  take_fabric(true);
  // OpenSM's own hop counts have the weights, which multicast uses.
  if (opensm_.opt.hop_weights_file != nullptr) return use_opensm_own;
  write_hop_counts(*subnet_);
  return done;
}

/// Once, so that no one waits for what an option of another engine would do.
void EngineAdapter::log_options() {
  if (std::exchange(options_are_logged_, true)) return;
  const std::string line = options_without_meaning(opensm_.opt, !node_types_file_.empty());
  if (!line.empty()) log({LogTopic::option_without_effect, line});
}

void EngineAdapter::take_fabric(bool with_capacities) {
  std::string said;
  std::optional<CapacityFile> capacities;
  if (with_capacities) capacities = capacity_source_.read(said);
  if (!said.empty()) log({LogCode::input_file, said});
  said.clear();
  const std::optional<ConfiguredNodeTypes> node_types =
      read_configured_node_types(node_types_file_, opensm_.opt, said);
  if (!said.empty()) log({LogCode::input_file, said});
  subnet_ = read_subnet(opensm_, capacities ? &*capacities : nullptr,
                        node_types ? &*node_types : nullptr);
  for (const LogMessage& warning : subnet_->warnings) log(warning);
  if (!subnet_->capacities.empty()) log({LogDetail{}, subnet_->capacities});
  if (!subnet_->node_types.empty()) log({LogDetail{}, subnet_->node_types});
}

/// Of the fabric in subnet_; where the engine cannot route it without the links that are to be
/// avoided, of the fabric with all its links: capacities are advice, and never cost a routing.
Choice EngineAdapter::choose_tables(bool has_successor) {
  const auto choose = [&] {
    return background_.choose(subnet_->fabric, count_lanes(opensm_, *subnet_),
                              limits_for(subnet_->fabric, has_successor));
  };
  if (subnet_->capacities.empty()) return choose();
  std::string refusal;
  try {
    Choice choice = choose();
    if (choice.tables) return choice;
    refusal = choice.refusal;
  } catch (const Error& error) {
    refusal = error.what();
  }
  log({LogCode::input_file,
       nominal_capacities(fmt::format("no tables suit the capacities in this file: {}", refusal))});
  take_fabric(false);
  write_hop_counts(*subnet_);
  return choose();
}

/// The last tables get half of the time, so that the engine has its chance, too; the engine three
/// quarters, so that there is some left for the lanes of tables made in its stead.
ChoiceLimits EngineAdapter::limits_for(const Fabric& fabric, bool has_successor) const {
  using Clock = std::chrono::steady_clock;
  const auto now = Clock::now();
  const auto part_of_budget = [&](double part) {
    const std::chrono::duration<double> time(part * seconds_for(budget_, fabric));
    return StopSignal::at(now + std::chrono::duration_cast<Clock::duration>(time));
  };
  const bool is_quickest = name_ == quickest_engine;
  return {.stable = part_of_budget(0.5),
          .engine = part_of_budget(is_quickest ? 1 : 0.75),
          .all = part_of_budget(1),
          .most_bytes = bytes_of(budget_),
          .has_successor = has_successor};
}

int EngineAdapter::finish(bool has_successor) {
  if (!subnet_) {
    log(not_routed("OpenSM requested tables before hop counts"));
    return routing_failed;
  }
  const double setup_ms = watch_.lap();
  restore_state(subnet_->fabric);
  take_over();
  check_for_rebaseline();
  Choice choice = choose_tables(has_successor);
  const Subnet subnet = *std::exchange(subnet_, std::nullopt);
  if (choice.ask_for_sweep) opensm_.force_heavy_sweep = TRUE;
  if (!choice.tables) {
    log(not_routed(choice.refusal));
    return routing_failed;
  }
  watch_.lap();
  write_forwarding_tables(opensm_, subnet, choice.tables->tables);
  log_routing(subnet.fabric, choice, setup_ms);
  const bool is_new = !choice.tables->unchanged;
  chooser_.adopt(subnet.fabric, *std::move(choice.tables));
  if (is_new) keep_state();
  return done;
}

/// Before the first routing: what an earlier opensm had.
void EngineAdapter::restore_state(const Fabric& fabric) {
  if (!keeps_state_) return;
  std::string said;
  std::optional<RoutingState> state = state_file_->take(fabric, said);
  if (!said.empty()) log({LogTopic::state_file, said});
  if (state) chooser_.restore(*std::move(state));
}

/// Another opensm was the master since: what it has left is in force, and not what we had.
void EngineAdapter::take_over() {
  if (chooser_.is_stable() && shared_.taken_over) chooser_.take_over(*shared_.taken_over);
}

void EngineAdapter::check_for_rebaseline() {
  if (!state_file_ || !state_file_->is_new_baseline_asked()) return;
  log({LogDetail{}, fmt::format("rebaseline: {} was touched; the engine computes a new baseline",
                                state_file_->asking_file().string())});
  chooser_.ask_for_new_baseline();
}

/// Not before there is a baseline of the engine: the next start would take what is in force for
/// one.
void EngineAdapter::keep_state() {
  if (!keeps_state_ || !chooser_.has_baseline() || chooser_.is_interim()) return;
  state_file_->keep(chooser_.state(state_file_->options()));
}

RoutingReport EngineAdapter::report_of(const Fabric& fabric, const Choice& choice) const {
  const CandidateTables& chosen = *choice.tables;
  const LanePlan& plan = chosen.plan;
  return {.engine = name_,
          .reason = chosen.reason,
          .computed_by = chosen.computed_by.empty() ? std::string_view(name_) : chosen.computed_by,
          .selected = chosen.selected,
          .switches = fabric.switch_count(),
          .hosts = fabric.endpoints().size(),
          .lids = fabric.lids().size(),
          .entries_changed = chooser_.changed_entries(fabric, chosen),
          .changes = chosen.changes,
          .edge_forwarding_index = chosen.index,
          .vls_used = plan.lanes_used,
          .vls = plan.lanes,
          .service_levels = !plan.levels        ? "opensm"
                            : plan.keeps_levels ? "kept"
                                                : "new",
          .changed_levels = plan.changed_levels,
          .is_reversible = plan.levels && plan.levels->reversible(),
          .rejected_for_vls = chosen.rejected_for_vls,
          .is_deadlock_free = is_deadlock_free(chosen),
          .unreachable_pairs = chosen.unreachable_pairs,
          .limit = chosen.limit,
          .background = background_.is_running() ? "running"
                        : choice.was_refined     ? "used"
                                                 : "",
          .seconds = watch_.total() / 1000};
}

/// The one report of each routing, and its times as a detail. The time of writing includes all
/// that is done here.
void EngineAdapter::log_routing(const Fabric& fabric, Choice& choice, double setup_ms) {
  CandidateTables& chosen = *choice.tables;
  // On a large fabric it would take longer than a repair.
  if (!chosen.index && !background_.applies_to(fabric)) {
    chosen.index = edge_forwarding_index(fabric, channel_loads(fabric, chosen.tables));
  }
  dump_levels(fabric, chosen);
  const double write_ms = watch_.lap();
  log({LogTopic::routing, to_text(report_of(fabric, choice))});
  log({LogDetail{},
       fmt::format("times: read_ms={:.1f} route_ms={:.1f} verify_ms={:.1f} vls_ms={:.1f} "
                   "write_ms={:.1f}",
                   setup_ms, chosen.route_ms, chosen.verify_ms, chosen.lanes_ms, write_ms)});
}

void EngineAdapter::dump_levels(const Fabric& fabric, const CandidateTables& chosen) const {
  if (!shared_.dump.wanted()) return;
  const bool has_own = chosen.plan.levels.has_value();
  const ServiceLevels zero = has_own ? ServiceLevels() : level_zero(chosen.tables);
  for (const LogMessage& each :
       shared_.dump.write(fabric, has_own ? chosen.plan.levels->levels() : zero)) {
    log(each);
  }
}

std::uint8_t EngineAdapter::path_sl(std::uint8_t hint, Lid source, Lid destination) const noexcept {
  if (levels() == nullptr) return hint;
  const ServiceLevel level = levels()->between(source, destination);
  return level == no_service_level ? hint : level;
}

void EngineAdapter::update_sl2vl(const osm_physp_t& port, ib_slvl_table_t& table) const noexcept {
  if (has_levels()) write_sl2vl(opensm_, port, table);
}

void EngineAdapter::update_vlarb(const osm_physp_t& port, unsigned entries, unsigned number,
                                 ib_vl_arb_table_t& block) const noexcept {
  if (has_levels()) even_out_arbitration(opensm_, port, entries, number, block);
}

}  // namespace pssp
