/* The module that opensm loads: entry point and registration of the engines.
 *
 * This file is C because osm_event_plugin.h names a structure field `delete`. Everything else is
 * behind adapter.h. */

#include <opensm/osm_event_plugin.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_version.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

#include "osm_plugin/adapter.h"

#if OSM_EVENT_PLUGIN_INTERFACE_VER != 2
#error \
    "osmpssp is written for version 2 of OpenSM's plugin interface; these headers declare another one"
#endif

/* OpenSM programs all SL2VL tables of a switch at once (use_optimized_slvl) only for an engine that
 * does not change them. So the callback is there while it is needed: the engines that were named
 * after -R are looked through for this one. */
static int build_fwd_tables(void* context) {
  struct osm_routing_engine* const list = pssp_engine_subnet(context)->p_osm->routing_engine_list;
  struct osm_routing_engine* engine = list;
  while (engine && engine->context != context) engine = engine->next;
  const int result = pssp_engine_build_fwd_tables(context, engine && engine->next);
  for (engine = list; engine; engine = engine->next) {
    if (engine->context != context) continue;
    engine->update_sl2vl = pssp_engine_has_levels(context) ? pssp_engine_update_sl2vl : NULL;
  }
  return result;
}

/* OpenSM calls it once for each time that an engine is named after -R. */
static int set_up_engine(struct osm_routing_engine* engine, struct osm_opensm* osm) {
  (void)osm;
  engine->build_lid_matrices = pssp_engine_build_lid_matrices;
  engine->ucast_build_fwd_tables = build_fwd_tables;
  engine->path_sl = pssp_engine_path_sl;
  engine->update_vlarb = pssp_engine_update_vlarb;
  return 0;
}

/* Where OpenSM's structures are others than those that this plugin was built with, not even its log
 * can be used. OpenSM goes on with its own engines. */
static int is_built_for(const struct osm_opensm* osm) {
  static const char message[] =
      "osmpssp: ERR 7A28: the plugin is not loaded, and OpenSM routes with its own engines: the "
      "structures of this opensm differ from the headers that the plugin was built with (%s); "
      "install the plugin that was built for this opensm";
  const char* const fault = pssp_opensm_fault(osm);
  if (!fault) return 1;
  syslog(LOG_ERR, message, fault);
  /* What cannot be said on standard error is in the system's log. */
  (void)fprintf(stderr, message, fault);
  (void)fputc('\n', stderr);
  return 0;
}

/* force_reroute makes OpenSM discard its unicast cache (use_ucast_cache). If a sweep under way
 * resets the flags, nothing is lost, because that sweep computes routes. */
static void request_sweep(osm_subn_t* subnet) {
  subnet->force_reroute = TRUE;
  subnet->force_heavy_sweep = TRUE;
  osm_sm_signal(&subnet->p_osm->sm, OSM_SIGNAL_SWEEP);
}

/* As osm_db.c finds the folder of guid2lid. */
static const char* cache_folder(void) {
  const char* const folder = getenv("OSM_CACHE_DIR");
  return folder && *folder ? folder : OSM_DEFAULT_CACHE_DIR;
}

static void* create_plugin(struct osm_opensm* osm) {
  if (!is_built_for(osm)) return NULL;
  struct pssp_plugin* const plugin =
      pssp_plugin_new(&osm->subn, &osm->log, cache_folder(), request_sweep);
  if (!plugin) return NULL;
  for (size_t i = 0; i < pssp_plugin_engine_count(plugin); ++i) {
    struct pssp_engine* const engine = pssp_plugin_engine(plugin, i);
    const external_routing_engine_module_t module = {
        .name = pssp_engine_name(engine), .setup = set_up_engine, .context = engine};
    /* OpenSM copies the module and keeps the copy to its end. So once the first engine is
     * registered this function must not return NULL: OpenSM would unload the library under its
     * copies. */
    if (osm_register_external_routing_engine(osm, &module, engine) != CL_SUCCESS) {
      pssp_log_start_error(&osm->log,
                           "OpenSM refuses this engine, and routes without it; name the plugin "
                           "once in event_plugin_name",
                           module.name);
    }
  }
  return plugin;
}

/* In a heavy sweep the configuration is read again before routing is done, and OpenSM's congestion
 * manager starts after that event. */
static void report_event(void* plugin, osm_epi_event_id_t event, void* data) {
  (void)data;
  const struct osm_routing_engine* const used =
      pssp_plugin_subnet(plugin)->p_osm->routing_engine_used;
  if (event == OSM_EVENT_ID_UCAST_ROUTING_DONE) {
    pssp_plugin_routing_done(plugin, used ? used->context : NULL);
  } else if (event == OSM_EVENT_ID_HEAVY_SWEEP_DONE || event == OSM_EVENT_ID_STATE_CHANGE) {
    pssp_plugin_discovery_done(plugin);
  }
  if (event == OSM_EVENT_ID_HEAVY_SWEEP_DONE) {
    pssp_plugin_take_over(plugin, &pssp_plugin_subnet(plugin)->p_osm->sm);
  }
}

static void delete_plugin(void* plugin) { pssp_plugin_delete(plugin); }

/* The version lets OpenSM refuse a plugin that was built for another release, whose structures may
 * differ. */
__attribute__((visibility("default")))
osm_event_plugin_t osm_event_plugin = {.osm_version = OSM_VERSION,
                                       .create = create_plugin,
                                       .delete = delete_plugin,
                                       .report = report_event};
