// The adapter: what happens between OpenSM's call and the tables in its switches.
//
// OpenSM calls an engine twice, with its lock held: build_lid_matrices, then
// ucast_build_fwd_tables. The first call reads the subnet into a Fabric and writes the hop counts;
// the Fabric is kept for the second, which routes, verifies and writes the tables, and then drops
// it. Nothing else lives from one sweep to the next, so a re-sweep sees the fabric as it is.
//
// An engine that fails leaves the switches as OpenSM prepares them before the first engine: OpenSM
// prepares them only once, and hop counts or path counts of ours would mislead the next engine.
//
// Exceptions end here: each becomes one line in OpenSM's log.

#include "osm_plugin/adapter.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "osm_plugin/congestion_control.h"
#include "osm_plugin/plugin_options.h"
#include "osm_plugin/subnet_reader.h"
#include "osm_plugin/switch_tables.h"
#include "routing/engines/engine.h"
#include "routing/support/error.h"
#include "routing/tables/channel_loads.h"
#include "routing/verify/verify.h"

namespace {

constexpr int done = 0;
constexpr int use_opensm_own = 1;
constexpr int failed = -1;

void write_log(osm_log_t& log, osm_log_level_t level, const std::string& message) {
  if (osm_log_is_active(&log, level) != 0) osm_log(&log, level, "osmpssp: %s\n", message.c_str());
}

/// Time in milliseconds since construction or the last lap.
class Stopwatch {
 public:
  double lap() {
    const auto now = Clock::now();
    return milliseconds(now - std::exchange(lap_, now));
  }
  double total() const { return milliseconds(Clock::now() - start_); }

 private:
  using Clock = std::chrono::steady_clock;
  static double milliseconds(Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
  }
  Clock::time_point start_ = Clock::now();
  Clock::time_point lap_ = start_;
};

}  // namespace

struct pssp_engine {
 public:
  pssp_engine(osm_subn_t& subnet, osm_log_t& log, std::string name)
      : opensm_(subnet), log_(log), name_(std::move(name)) {}

  /// The options are good for this engine.
  void accept(std::unique_ptr<pssp::RoutingEngine> engine, bool credit_loop_check) {
    engine_ = std::move(engine);
    credit_loop_check_ = credit_loop_check;
  }
  /// The options are wrong; said again at each routing, so that the log of a running opensm tells
  /// why another engine is used.
  void refuse(const std::string& reason) {
    refusal_ = reason;
    log(OSM_LOG_ERROR, refusal());
  }

  const char* name() const noexcept { return name_.c_str(); }
  int build_lid_matrices() noexcept;
  int build_fwd_tables() noexcept;

 private:
  template <class Work>
  int guarded(Work work) noexcept;
  int start();
  int finish();
  bool verified(const pssp::Fabric& fabric, const pssp::ForwardingTables& tables) const;
  void log_credit_loop(const pssp::Fabric& fabric, const pssp::VerifyReport& report) const;
  void log(osm_log_level_t level, const std::string& message) const {
    write_log(log_, level, fmt::format("{}: {}", name_, message));
  }
  std::string refusal() const {
    return fmt::format("wrong event_plugin_options, this engine does not route: {}", refusal_);
  }

  osm_subn_t& opensm_;
  osm_log_t& log_;
  std::string name_;
  std::unique_ptr<pssp::RoutingEngine> engine_;  // none: options were refused
  std::string refusal_;
  bool credit_loop_check_ = true;
  // Of the routing that is under way.
  std::optional<pssp::Subnet> subnet_;
  Stopwatch watch_;
};

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
  watch_ = Stopwatch();
  subnet_ = pssp::read_subnet(opensm_);
  for (const std::string& warning : subnet_->warnings) log(OSM_LOG_ERROR, warning);
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
  const pssp::Routing routing = engine_->route(fabric);
  const double route_ms = watch_.lap();
  if (!verified(fabric, routing.tables)) return failed;
  const double verify_ms = watch_.lap();
  pssp::write_forwarding_tables(opensm_, subnet, routing.tables);
  const double index =
      pssp::edge_forwarding_index(fabric, pssp::channel_loads(fabric, routing.tables));
  const double write_ms = watch_.lap();
  log(OSM_LOG_INFO,
      fmt::format(
          "{} switches, {} LIDs, edge forwarding index {:g}; subnet and hop counts {:.1f} ms, "
          "route {:.1f} ms, verify {:.1f} ms, tables {:.1f} ms, total {:.1f} ms",
          fabric.switch_count(), fabric.lids().size(), index, setup_ms, route_ms, verify_ms,
          write_ms, watch_.total()));
  return done;
}

bool pssp_engine::verified(const pssp::Fabric& fabric, const pssp::ForwardingTables& tables) const {
  const pssp::VerifyReport report =
      pssp::verify(fabric, tables, {.credit_loops = credit_loop_check_});
  if (!report.usable()) {
    log(OSM_LOG_ERROR,
        fmt::format(
            "the tables are not usable: {} unreachable pairs of end ports ({} of them on "
            "different islands), {} unreachable switches, {} forwarding loops, {} entries to "
            "dead ports",
            report.unreachable_pairs, report.separated_pairs, report.unreachable_switch_pairs,
            report.forwarding_loops, report.dead_port_entries));
    for (const std::string& example : report.examples) log(OSM_LOG_ERROR, example);
    return false;
  }
  if (report.separated_pairs != 0) {
    log(OSM_LOG_INFO,
        fmt::format("the fabric is divided: {} pairs of end ports are on different islands",
                    report.separated_pairs));
  }
  if (report.has_credit_loop()) log_credit_loop(fabric, report);
  return true;
}

void pssp_engine::log_credit_loop(const pssp::Fabric& fabric,
                                  const pssp::VerifyReport& report) const {
  log(OSM_LOG_INFO,
      fmt::format("the routes can deadlock under congestion: credit loop of {} channels",
                  report.credit_loop.size()));
  const std::string description = pssp::describe_credit_loop(fabric, report);
  std::string_view rest = description;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    log(OSM_LOG_VERBOSE, std::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

struct pssp_plugin {
  pssp_plugin(osm_subn_t& opensm_subnet, osm_log_t& opensm_log)
      : subnet(opensm_subnet), log(opensm_log) {}

  osm_subn_t& subnet;
  osm_log_t& log;
  std::vector<std::unique_ptr<pssp_engine>> engines;
  std::optional<pssp::CongestionControl> congestion_control;  // none: not asked for, or refused
};

namespace {

void log_congestion_control(const pssp_plugin& plugin, osm_log_level_t level,
                            const std::string& message) {
  write_log(plugin.log, level, "congestion control: " + message);
}

void refuse_congestion_control(const pssp_plugin& plugin, const char* reason) {
  log_congestion_control(plugin, OSM_LOG_ERROR, fmt::format("left as it was: {}", reason));
}

void set_up_congestion_control(pssp_plugin& plugin, const std::string& profile_or_path) {
  try {
    plugin.congestion_control.emplace(profile_or_path);
  } catch (const std::exception& error) {
    refuse_congestion_control(plugin, error.what());
    return;
  }
  plugin.congestion_control->write_to(plugin.subnet.opt);
  for (const std::string& line : plugin.congestion_control->summary()) {
    log_congestion_control(plugin, OSM_LOG_INFO, line);
  }
}

std::unique_ptr<pssp_plugin> make_plugin(osm_subn_t& subnet, osm_log_t& log) {
  auto plugin = std::make_unique<pssp_plugin>(subnet, log);
  for (const pssp::EngineDescription& engine : pssp::engine_registry()) {
    plugin->engines.push_back(std::make_unique<pssp_engine>(subnet, log, std::string(engine.name)));
  }
  const char* const text = subnet.opt.event_plugin_options;
  std::optional<pssp::PluginOptions> options;
  std::string reason;
  try {
    options = pssp::parse_plugin_options(text == nullptr ? "" : text);
  } catch (const pssp::Error& error) {
    reason = error.what();
  }
  for (const auto& engine : plugin->engines) {
    if (!options) {
      engine->refuse(reason);
      continue;
    }
    try {
      engine->accept(pssp::make_engine(engine->name(), options->engines),
                     options->credit_loop_check);
    } catch (const pssp::Error& error) {
      engine->refuse(error.what());
    }
  }
  if (!options) {
    refuse_congestion_control(*plugin, reason.c_str());
  } else if (!options->congestion_control.empty()) {
    set_up_congestion_control(*plugin, options->congestion_control);
  }
  return plugin;
}

}  // namespace

extern "C" {

pssp_plugin* pssp_plugin_new(osm_subn_t* subnet, osm_log_t* log) {
  try {
    return make_plugin(*subnet, *log).release();
  } catch (const std::exception& error) {
    osm_log(log, OSM_LOG_ERROR, "osmpssp: cannot start: %s\n", error.what());
    return nullptr;
  }
}

void pssp_plugin_delete(pssp_plugin* plugin) { delete plugin; }

void pssp_plugin_routing_done(pssp_plugin* plugin) {
  if (!plugin->congestion_control) return;
  if (plugin->congestion_control->write_to(plugin->subnet.opt)) {
    osm_log(&plugin->log, OSM_LOG_INFO,
            "osmpssp: congestion control: opensm.conf has other values now; those of "
            "event_plugin_options stay\n");
  }
}

size_t pssp_plugin_engine_count(const pssp_plugin* plugin) { return plugin->engines.size(); }

pssp_engine* pssp_plugin_engine(pssp_plugin* plugin, size_t index) {
  return plugin->engines[index].get();
}

const char* pssp_engine_name(const pssp_engine* engine) { return engine->name(); }

int pssp_engine_build_lid_matrices(void* context) {
  return static_cast<pssp_engine*>(context)->build_lid_matrices();
}

int pssp_engine_build_fwd_tables(void* context) {
  return static_cast<pssp_engine*>(context)->build_fwd_tables();
}

}  // extern "C"
