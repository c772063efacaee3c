#pragma once

// All fuzz targets. Each is defined in the file with its name.

#include <string_view>

namespace pssp::test {

void fuzz_cable_list(std::string_view input);
void fuzz_capacities(std::string_view input);
void fuzz_congestion_parameters(std::string_view input);
void fuzz_coordinates(std::string_view input);
void fuzz_dot(std::string_view input);
void fuzz_fabric_input(std::string_view input);
void fuzz_fault_list(std::string_view input);
void fuzz_goal_binary(std::string_view input);
void fuzz_goal_text(std::string_view input);
void fuzz_groups(std::string_view input);
void fuzz_host_file(std::string_view input);
void fuzz_host_list(std::string_view input);
void fuzz_http_request(std::string_view input);  // only with PSSP_BUILD_MONITOR
void fuzz_ibdiagnet_database(std::string_view input);
void fuzz_job_plan(std::string_view input);  // only with PSSP_BUILD_MONITOR
void fuzz_jobs(std::string_view input);      // only with PSSP_BUILD_MONITOR
void fuzz_key_file(std::string_view input);
void fuzz_node_types(std::string_view input);
void fuzz_lft(std::string_view input);
void fuzz_mads(std::string_view input);                   // only with PSSP_BUILD_MONITOR
void fuzz_maintenance(std::string_view input);            // only with PSSP_BUILD_MONITOR
void fuzz_monitor_configuration(std::string_view input);  // only with PSSP_BUILD_MONITOR
void fuzz_node_name_map(std::string_view input);
void fuzz_node_ordering(std::string_view input);
void fuzz_omnet_network(std::string_view input);
void fuzz_omnet_tables(std::string_view input);
void fuzz_opensm_log(std::string_view input);
void fuzz_option_values(std::string_view input);
void fuzz_pairs(std::string_view input);
void fuzz_pattern_file(std::string_view input);
void fuzz_plugin_options(std::string_view input);
void fuzz_rates(std::string_view input);
void fuzz_routing_state(std::string_view input);
void fuzz_samples(std::string_view input);         // only with PSSP_BUILD_MONITOR
void fuzz_saved_counters(std::string_view input);  // only with PSSP_BUILD_MONITOR
void fuzz_saved_settings(std::string_view input);  // only with PSSP_BUILD_CC_TOOLS
void fuzz_service_levels(std::string_view input);
void fuzz_sl_to_vl(std::string_view input);
void fuzz_subnet_list(std::string_view input);
void fuzz_thresholds(std::string_view input);  // only with PSSP_BUILD_MONITOR
void fuzz_topology(std::string_view input);
void fuzz_traffic(std::string_view input);
void fuzz_trials(std::string_view input);
void fuzz_ufm_answers(std::string_view input);
void fuzz_write_order(std::string_view input);

}  // namespace pssp::test
