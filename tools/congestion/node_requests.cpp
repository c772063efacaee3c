#include "tools/congestion/node_requests.h"

#include <utility>

#include "congestion/opensm_options.h"

namespace pssp {
namespace {

/// All parts of a switch setting, all service levels of an adapter.
constexpr std::uint32_t whole_switch_map =
    switch_component::victim_mask | switch_component::credit_mask |
    switch_component::threshold_and_packet_size | switch_component::credit_starvation |
    switch_component::marking_rate;
constexpr std::uint16_t whole_adapter_map = 0xffff;

PortSelection by_number(const std::array<std::uint8_t, 32>& mask) {
  return {false, false, port_mask_of_bytes(mask)};
}

/// The table precedes the setting that uses it.
std::vector<CcRequest> adapter_requests(const CongestionControlTable& table,
                                        const AdapterCongestionParameters& setting) {
  std::vector<CcRequest> requests;
  for (std::size_t block = 0; block < table.blocks(); ++block) {
    requests.push_back({MadMethod::set, CcAttribute::table, static_cast<std::uint32_t>(block),
                        encode_block(table, block)});
  }
  requests.push_back({MadMethod::set, CcAttribute::adapter_setting, 0, encode(setting)});
  return requests;
}

}  // namespace

SwitchSetting setting_of_switch(const SwitchCongestionParameters& parameters,
                                std::span<const PortRole> roles) {
  return {parameters.control_map,
          resolve(parameters.victim_mask, roles),
          resolve(parameters.credit_mask, roles),
          parameters.threshold,
          parameters.packet_size,
          parameters.credit_starvation_threshold,
          parameters.credit_starvation_return_delay,
          parameters.marking_rate};
}

std::vector<CcRequest> set_requests(const CcNode& node, const CongestionParameters& parameters) {
  if (!node.is_switch) return adapter_requests(parameters.table, parameters.adapters);
  if (parameters.switches.control_map == 0) return {};
  return {{MadMethod::set, CcAttribute::switch_setting, 0,
           encode(setting_of_switch(parameters.switches, node.roles))}};
}

std::vector<CcRequest> restoring_requests(const CcNode& node, const NodeReading& reading) {
  if (node.is_switch) {
    SwitchSetting setting = reading.switch_setting;
    setting.control_map = whole_switch_map;
    return {{MadMethod::set, CcAttribute::switch_setting, 0, encode(setting)}};
  }
  CongestionControlTable table;
  table.entries = reading.table;
  AdapterCongestionParameters setting = reading.adapter;
  setting.control_map = whole_adapter_map;
  return adapter_requests(table, setting);
}

NodeReading intended_reading(const CcNode& node, const CongestionParameters& parameters) {
  if (node.is_switch) return {setting_of_switch(parameters.switches, node.roles), {}, {}};
  return {{}, parameters.adapters, parameters.table.entries};
}

CongestionParameters as_opensm_sets(const CongestionParameters& parameters) {
  const OpensmCongestionOptions options = opensm_options(parameters);
  CongestionParameters set = parameters;
  set.switches.control_map = options.sw_cong_setting_control_map;
  set.switches.victim_mask = by_number(options.sw_cong_setting_victim_mask);
  set.switches.credit_mask = by_number(options.sw_cong_setting_credit_mask);
  set.table.entries = options.cct;
  return set;
}

}  // namespace pssp
