#pragma once

/* What the C shim (osm_plugin.c) may call in the C++ adapter. No function throws; all may be called
 * with OpenSM's lock held. */

#include <opensm/osm_config.h>
/* osm_config.h comes first: it decides the layout of the structures in the others. */
#include <opensm/osm_log.h>
#include <opensm/osm_port.h>
#include <opensm/osm_sm.h>
#include <opensm/osm_subnet.h>
#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C reads this, too */

#ifdef __cplusplus
extern "C" {
#endif

struct osm_opensm;
/* Whether OpenSM's structures are laid out as the plugin was built for: NULL, or the member by
 * which they are not. To be asked before anything else of *osm is read. */
const char* pssp_opensm_fault(const struct osm_opensm* osm);

/* All engines of the registry with the options that opensm.conf gives them. */
struct pssp_plugin;
/* One engine: the context of an OpenSM routing engine. Owned by the plugin. */
struct pssp_engine;

/* An error in OpenSM's log, "osmpssp: ERR 7A28: WHAT: DETAIL", of any length. */
void pssp_log_start_error(osm_log_t* log, const char* what, const char* detail);

/* Reads subnet->opt.event_plugin_options. Wrong options are logged, once, and count as not given
 * (routing/options/tolerant_options.h). The option congestion_control sets subnet->opt.cc_*, or is
 * logged as wrong. subnet and log must outlive the plugin. cache_folder is OpenSM's, where it keeps
 * guid2lid. request_sweep makes OpenSM sweep and route; the plugin calls it from its own thread.
 * NULL when memory is short. */
struct pssp_plugin* pssp_plugin_new(osm_subn_t* subnet, osm_log_t* log, const char* cache_folder,
                                    void (*request_sweep)(osm_subn_t*));
void pssp_plugin_delete(struct pssp_plugin* plugin);

/* What was given to pssp_plugin_new(). */
osm_subn_t* pssp_plugin_subnet(const struct pssp_plugin* plugin);

/* To be called when a heavy sweep has discovered the subnet, and whenever OpenSM's state as a
 * subnet manager has changed: where this OpenSM is not or will not be the master, what
 * service_level_dump names is removed. */
void pssp_plugin_discovery_done(struct pssp_plugin* plugin);

/* To be called when a heavy sweep has discovered the subnet, by the thread that sweeps and without
 * OpenSM's lock: where this OpenSM takes over from another one, the tables that the switches hold
 * are read, and the next routing goes on with them. May take seconds (the option budget). */
void pssp_plugin_take_over(struct pssp_plugin* plugin, osm_sm_t* manager);

/* To be called after each routing, before OpenSM's congestion manager starts: writes what the
 * option congestion_control says once more where OpenSM has changed it. engine: context of the
 * engine that has routed, NULL if none has; when it is none of ours, what service_level_dump names
 * is removed. */
void pssp_plugin_routing_done(struct pssp_plugin* plugin, const void* engine);

size_t pssp_plugin_engine_count(const struct pssp_plugin* plugin);
/* index: 0 .. pssp_plugin_engine_count() - 1 */
struct pssp_engine* pssp_plugin_engine(struct pssp_plugin* plugin, size_t index);
/* As in `opensm -R NAME`; lives as long as the plugin. */
const char* pssp_engine_name(const struct pssp_engine* engine);

/* What was given to pssp_plugin_new(). */
osm_subn_t* pssp_engine_subnet(const struct pssp_engine* engine);
/* Whether the engine's last routing has chosen service levels; else the callbacks path_sl and
 * update_*() below change nothing. */
int pssp_engine_has_levels(const struct pssp_engine* engine);

/* The callbacks of an OpenSM routing engine; context is a struct pssp_engine. They return 0 for
 * success, 1 to have OpenSM do it its own way, and -1 after a line in the log that says why, so
 * that OpenSM goes on to the next engine in its list. */

/* Reads the subnet and fills the hop counts of all switches. */
int pssp_engine_build_lid_matrices(void* context);
/* Routes, verifies, puts the routes on virtual lanes and fills new_lft of all switches. On failure
 * the switches are left as OpenSM prepares them. has_successor: OpenSM's list names another engine
 * after this one. */
int pssp_engine_build_fwd_tables(void* context, int has_successor);

/* The callbacks that OpenSM uses once the engine has routed. */

/* Service level of the path between two LIDs; `hint`, which OpenSM would choose, where the engine
 * has chosen none. May be called from several threads, not while the engine routes. */
uint8_t pssp_engine_path_sl(void* context, uint8_t hint, ib_net16_t source, ib_net16_t destination);
/* SL2VL table of a port, of a switch for every pair of ports. */
void pssp_engine_update_sl2vl(void* context, osm_physp_t* port, uint8_t in_port, uint8_t out_port,
                              ib_slvl_table_t* table);
/* Block `number` (0 and 1 low priority, 2 and 3 high) of a port's VL arbitration table, of which
 * `entries` are valid. */
void pssp_engine_update_vlarb(void* context, osm_physp_t* port, uint8_t port_number,
                              ib_vl_arb_table_t* block, unsigned entries, unsigned number);

#ifdef __cplusplus
}
#endif
