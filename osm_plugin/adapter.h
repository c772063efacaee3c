#pragma once

/* What the C shim (osm_plugin.c) may call in the C++ adapter. No function throws; all may be called
 * with OpenSM's lock held. */

#include <opensm/osm_config.h>
/* osm_config.h comes first: it decides the layout of the structures in the others. */
#include <opensm/osm_log.h>
#include <opensm/osm_subnet.h>
#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C reads this, too */

#ifdef __cplusplus
extern "C" {
#endif

/* All engines of the registry with the options that opensm.conf gives them. */
struct pssp_plugin;
/* One engine: the context of an OpenSM routing engine. Owned by the plugin. */
struct pssp_engine;

/* Reads subnet->opt.event_plugin_options. Wrong options are logged and make the engines concerned
 * refuse to route. The option congestion_control sets subnet->opt.cc_*, or is logged as wrong.
 * subnet and log must outlive the plugin. NULL when memory is short. */
struct pssp_plugin* pssp_plugin_new(osm_subn_t* subnet, osm_log_t* log);
void pssp_plugin_delete(struct pssp_plugin* plugin);

/* To be called after each routing, before OpenSM's congestion manager starts: writes what the
 * option congestion_control says once more where OpenSM has changed it. */
void pssp_plugin_routing_done(struct pssp_plugin* plugin);

size_t pssp_plugin_engine_count(const struct pssp_plugin* plugin);
/* index: 0 .. pssp_plugin_engine_count() - 1 */
struct pssp_engine* pssp_plugin_engine(struct pssp_plugin* plugin, size_t index);
/* As in `opensm -R NAME`; lives as long as the plugin. */
const char* pssp_engine_name(const struct pssp_engine* engine);

/* The callbacks of an OpenSM routing engine; context is a struct pssp_engine. They return 0 for
 * success, 1 to have OpenSM do it its own way, and -1 after a line in the log that says why, so
 * that OpenSM goes on to the next engine in its list. */

/* Reads the subnet and fills the hop counts of all switches. */
int pssp_engine_build_lid_matrices(void* context);
/* Routes, verifies and fills new_lft of all switches. On failure the switches are left as OpenSM
 * prepares them. */
int pssp_engine_build_fwd_tables(void* context);

#ifdef __cplusplus
}
#endif
