// The plugin as a whole: its engines, its options and congestion control. What an engine does when
// OpenSM calls it is in engine_adapter.cpp.

#include "osm_plugin/adapter.h"

#include <complib/cl_byteswap.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/exception_text.h"
#include "base/temporary_names.h"
#include "congestion/plugin_option.h"
#include "osm_plugin/congestion_control.h"
#include "osm_plugin/engine_adapter.h"
#include "osm_plugin/level_dump.h"
#include "osm_plugin/mastership.h"
#include "osm_plugin/opensm_log.h"
#include "osm_plugin/tables_in_force.h"
#include "routing/options/plugin_setup.h"

struct pssp_plugin {
  pssp_plugin(osm_subn_t& opensm_subnet, osm_log_t& opensm_log, pssp::PluginOptions options)
      : subnet(opensm_subnet),
        log(opensm_log),
        level_dump(std::move(options.service_level_dump)),
        budget(options.budget),
        is_stable(options.stable) {}

  osm_subn_t& subnet;
  osm_log_t& log;
  std::vector<std::unique_ptr<pssp_engine>> engines;
  pssp::LevelDump level_dump;
  pssp::BudgetOptions budget;
  bool is_stable = false;
  std::optional<pssp::RoutingState> taken_over;  // from a take-over to the routing after it
  std::optional<pssp::CongestionControl> congestion_control;  // none: not asked for, or refused
};

namespace {

void set_up_congestion_control(pssp_plugin& plugin, const std::string& profile_or_path) {
  try {
    plugin.congestion_control.emplace(profile_or_path);
  } catch (const std::exception& error) {
    pssp::write_log(plugin.log, {pssp::LogCode::congestion_control,
                                 pssp::congestion_refusal(pssp::text_of(error))});
    return;
  }
  plugin.congestion_control->write_to(plugin.subnet.opt);
  for (const std::string& line : plugin.congestion_control->summary()) {
    pssp::write_log(plugin.log, {pssp::LogTopic::congestion_control, line});
  }
}

/// What an opensm that was killed while it wrote has left. Those of all engines, also of such as
/// are no longer used: a state may have hundreds of megabytes.
void remove_leftovers(const pssp_plugin& plugin, const std::filesystem::path& cache_folder) {
  std::vector<std::filesystem::path> files{plugin.level_dump.path()};
  for (const auto& engine : plugin.engines) {
    files.push_back(pssp::state_path(cache_folder, engine->name()));
  }
  for (const std::filesystem::path& file : files) {
    if (file.empty()) continue;
    for (const std::string& each : pssp::remove_abandoned_files(file)) {
      pssp::write_log(plugin.log,
                      {pssp::LogDetail{},
                       fmt::format("removed the unfinished file {} of a killed opensm", each)});
    }
  }
}

std::unique_ptr<pssp_plugin> make_plugin(osm_subn_t& subnet, osm_log_t& log,
                                         const char* cache_folder,
                                         void (*request_sweep)(osm_subn_t*)) {
  const char* const text = subnet.opt.event_plugin_options;
  pssp::PluginSetup setup = pssp::set_up_plugin(text == nullptr ? "" : text);
  if (const char* const engines = subnet.opt.routing_engine_names; engines != nullptr) {
    for (pssp::OptionFault& each : pssp::engine_name_faults(engines)) {
      setup.faults.push_back(std::move(each));
    }
  }
  for (const pssp::OptionFault& each : pssp::faults_to_log(setup.faults)) {
    pssp::write_log(log, {each.code, each.text});
  }
  auto plugin = std::make_unique<pssp_plugin>(subnet, log, setup.options);
  for (pssp::EngineSetup& engine : setup.engines) {
    plugin->engines.push_back(std::make_unique<pssp_engine>(
        subnet, log, std::move(engine), setup.options,
        pssp::SharedByEngines{plugin->level_dump, plugin->taken_over,
                              [&subnet, request_sweep] { request_sweep(&subnet); }},
        cache_folder));
  }
  remove_leftovers(*plugin, cache_folder);
  for (const std::string& each : setup.options.without_effect()) {
    pssp::write_log(log, {pssp::LogTopic::option_without_effect, each});
  }
  const std::string& congestion_control = setup.options.congestion_control;
  if (!congestion_control.empty()) set_up_congestion_control(*plugin, congestion_control);
  return plugin;
}

void log_error(osm_log_t& log, pssp::LogCode code, const char* what, const char* detail) noexcept {
  try {
    pssp::write_log(log, {code, fmt::format("{}: {}", what, detail)});
  } catch (const std::exception&) {
    pssp::write_log(log, code, what);
  }
}

bool is_ours(const pssp_plugin& plugin, const void* engine) {
  return std::ranges::any_of(plugin.engines,
                             [engine](const auto& each) { return each.get() == engine; });
}

void remove_level_dump(pssp_plugin& plugin, const std::string& why) {
  for (const pssp::LogMessage& each : plugin.level_dump.remove(why)) {
    pssp::write_log(plugin.log, each);
  }
}

}  // namespace

extern "C" {

void pssp_log_start_error(osm_log_t* log, const char* what, const char* detail) {
  log_error(*log, pssp::LogCode::not_started, what, detail);
}

pssp_plugin* pssp_plugin_new(osm_subn_t* subnet, osm_log_t* log, const char* cache_folder,
                             void (*request_sweep)(osm_subn_t*)) {
  try {
    return make_plugin(*subnet, *log, cache_folder, request_sweep).release();
  } catch (const std::exception& error) {
    pssp_log_start_error(log, "the plugin does not start, and OpenSM routes with its own engines",
                         pssp::text_of(error));
    return nullptr;
  }
}

void pssp_plugin_delete(pssp_plugin* plugin) { delete plugin; }

osm_subn_t* pssp_plugin_subnet(const pssp_plugin* plugin) { return &plugin->subnet; }

void pssp_plugin_discovery_done(pssp_plugin* plugin) {
  const osm_subn_t& subnet = plugin->subnet;
  if (pssp::is_master(subnet) && !pssp::hands_over(subnet)) return;
  // On its way to be the master: there are no levels to be untrue yet.
  if (subnet.sm_state == IB_SMINFO_STATE_DISCOVERING) return;
  for (const auto& engine : plugin->engines) engine->stop_background();
  try {
    remove_level_dump(*plugin, "another subnet manager routes the fabric");
  } catch (const std::exception& error) {
    log_error(plugin->log, pssp::LogCode::output_file,
              "service_level_dump is not removed; traffic is not affected", pssp::text_of(error));
  }
}

void pssp_plugin_take_over(pssp_plugin* plugin, osm_sm_t* manager) {
  if (!plugin->is_stable || !pssp::takes_over(plugin->subnet)) return;
  if (pssp::switch_layout_fault(plugin->subnet) != nullptr) return;
  try {
    pssp::TablesInForce found = pssp::read_tables_in_force(*manager, plugin->budget);
    if (!found.message.text.empty()) pssp::write_log(plugin->log, found.message);
    plugin->taken_over = std::move(found.state);
  } catch (const std::exception& error) {
    log_error(plugin->log, pssp::LogCode::tables_in_switches,
              "the tables of the earlier subnet manager cannot be read, and many paths can change",
              pssp::text_of(error));
  }
}

void pssp_plugin_routing_done(pssp_plugin* plugin, const void* engine) {
  plugin->taken_over.reset();
  try {
    if (!is_ours(*plugin, engine)) remove_level_dump(*plugin, "another engine routes the fabric");
  } catch (const std::exception& error) {
    log_error(plugin->log, pssp::LogCode::output_file,
              "service_level_dump is not removed; traffic is not affected", pssp::text_of(error));
  }
  if (plugin->congestion_control && plugin->congestion_control->write_to(plugin->subnet.opt)) {
    pssp::write_log(
        plugin->log,
        {pssp::LogTopic::congestion_control,
         "opensm.conf has other values now; the values from event_plugin_options stay in force"});
  }
}

size_t pssp_plugin_engine_count(const pssp_plugin* plugin) { return plugin->engines.size(); }

pssp_engine* pssp_plugin_engine(pssp_plugin* plugin, size_t index) {
  return plugin->engines[index].get();
}

const char* pssp_engine_name(const pssp_engine* engine) { return engine->name(); }

osm_subn_t* pssp_engine_subnet(const pssp_engine* engine) { return &engine->subnet(); }

int pssp_engine_has_levels(const pssp_engine* engine) { return engine->has_levels() ? 1 : 0; }

int pssp_engine_build_lid_matrices(void* context) {
  return static_cast<pssp_engine*>(context)->build_lid_matrices();
}

int pssp_engine_build_fwd_tables(void* context, int has_successor) {
  return static_cast<pssp_engine*>(context)->build_fwd_tables(has_successor != 0);
}

uint8_t pssp_engine_path_sl(void* context, uint8_t hint, const ib_net16_t source,
                            const ib_net16_t destination) {
  return static_cast<const pssp_engine*>(context)->path_sl(hint, cl_ntoh16(source),
                                                           cl_ntoh16(destination));
}

void pssp_engine_update_sl2vl(void* context, osm_physp_t* port, uint8_t /*in_port*/,
                              uint8_t /*out_port*/, ib_slvl_table_t* table) {
  static_cast<const pssp_engine*>(context)->update_sl2vl(*port, *table);
}

void pssp_engine_update_vlarb(void* context, osm_physp_t* port, uint8_t /*port_number*/,
                              ib_vl_arb_table_t* block, unsigned entries, unsigned number) {
  static_cast<const pssp_engine*>(context)->update_vlarb(*port, entries, number, *block);
}

}  // extern "C"
