// The plugin as a whole: its engines, its options and congestion control. What an engine does when
// OpenSM calls it is in engine_adapter.cpp.

#include "osm_plugin/adapter.h"

#include <complib/cl_byteswap.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "osm_plugin/congestion_control.h"
#include "osm_plugin/engine_adapter.h"
#include "osm_plugin/opensm_log.h"
#include "osm_plugin/plugin_options.h"
#include "routing/engines/engine.h"

struct pssp_plugin {
  pssp_plugin(osm_subn_t& opensm_subnet, osm_log_t& opensm_log)
      : subnet(opensm_subnet), log(opensm_log) {}

  osm_subn_t& subnet;
  osm_log_t& log;
  std::vector<std::unique_ptr<pssp_engine>> engines;
  std::filesystem::path service_level_dump;                   // empty: none
  std::optional<pssp::CongestionControl> congestion_control;  // none: not asked for, or refused
};

namespace {

void log_congestion_control(const pssp_plugin& plugin, osm_log_level_t level,
                            const std::string& message) {
  pssp::write_log(plugin.log, level, "congestion control: " + message);
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

void set_up_engines(pssp_plugin& plugin, const pssp::PluginOptions& options) {
  for (const auto& engine : plugin.engines) {
    try {
      engine->accept(pssp::make_engine(engine->name(), options.engines), options);
    } catch (const pssp::Error& error) {
      engine->refuse(error.what());
    }
  }
}

std::unique_ptr<pssp_plugin> make_plugin(osm_subn_t& subnet, osm_log_t& log) {
  auto plugin = std::make_unique<pssp_plugin>(subnet, log);
  for (const pssp::EngineDescription& engine : pssp::engine_registry()) {
    plugin->engines.push_back(std::make_unique<pssp_engine>(subnet, log, std::string(engine.name)));
  }
  const char* const text = subnet.opt.event_plugin_options;
  try {
    const pssp::PluginOptions options = pssp::parse_plugin_options(text == nullptr ? "" : text);
    set_up_engines(*plugin, options);
    plugin->service_level_dump = options.service_level_dump;
    if (!options.congestion_control.empty())
      set_up_congestion_control(*plugin, options.congestion_control);
  } catch (const pssp::Error& error) {
    for (const auto& engine : plugin->engines) engine->refuse(error.what());
    refuse_congestion_control(*plugin, error.what());
  }
  return plugin;
}

bool is_ours(const pssp_plugin& plugin, const void* engine) {
  return std::ranges::any_of(plugin.engines,
                             [engine](const auto& each) { return each.get() == engine; });
}

/// A dump that stayed behind would pass for the levels of another engine's tables.
void remove_service_level_dump(const pssp_plugin& plugin) {
  if (plugin.service_level_dump.empty()) return;
  std::error_code error;
  if (std::filesystem::remove(plugin.service_level_dump, error)) {
    osm_log(&plugin.log, OSM_LOG_INFO,
            "osmpssp: another engine has routed: %s is no longer true and was removed\n",
            plugin.service_level_dump.c_str());
  } else if (error) {
    osm_log(&plugin.log, OSM_LOG_ERROR,
            "osmpssp: another engine has routed: %s is no longer true and cannot be removed: %s\n",
            plugin.service_level_dump.c_str(), error.message().c_str());
  }
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

osm_subn_t* pssp_plugin_subnet(const pssp_plugin* plugin) { return &plugin->subnet; }

void pssp_plugin_routing_done(pssp_plugin* plugin, const void* engine) {
  try {
    if (!is_ours(*plugin, engine)) remove_service_level_dump(*plugin);
  } catch (const std::exception& error) {
    osm_log(&plugin->log, OSM_LOG_ERROR, "osmpssp: %s\n", error.what());
  }
  if (plugin->congestion_control && plugin->congestion_control->write_to(plugin->subnet.opt)) {
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

osm_subn_t* pssp_engine_subnet(const pssp_engine* engine) { return &engine->subnet(); }

int pssp_engine_has_levels(const pssp_engine* engine) { return engine->has_levels() ? 1 : 0; }

int pssp_engine_build_lid_matrices(void* context) {
  return static_cast<pssp_engine*>(context)->build_lid_matrices();
}

int pssp_engine_build_fwd_tables(void* context) {
  return static_cast<pssp_engine*>(context)->build_fwd_tables();
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
