// Compares PortInfo, SwitchInfo, SMInfo and PortSamplesControl with libibmad.

#include <infiniband/mad.h>

#include <catch2/catch.hpp>
#include <random>

#include "wire/performance/port_counters.h"
#include "wire/subnet/port_info.h"

using namespace pssp;

namespace {

/// Random bytes, and the values that libibmad reads from them.
struct Theirs {
  MadData data{};

  explicit Theirs(std::mt19937& random) {
    for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
  }
  std::uint32_t operator[](MAD_FIELDS field) { return mad_get_field(data.data(), 0, field); }
};

}  // namespace

TEST_CASE("libibmad reads the same PortInfo from arbitrary bytes") {
  std::mt19937 random(2);
  for (int i = 0; i < 50; ++i) {
    Theirs theirs(random);
    const PortInfo info = decode_port_info(theirs.data);
    CHECK(info.lid == theirs[IB_PORT_LID_F]);
    CHECK(info.manager_lid == theirs[IB_PORT_SMLID_F]);
    CHECK(info.lmc == theirs[IB_PORT_LMC_F]);
    CHECK(info.capabilities == theirs[IB_PORT_CAPMASK_F]);
    CHECK(info.width_supported == theirs[IB_PORT_LINK_WIDTH_SUPPORTED_F]);
    CHECK(info.width_enabled == theirs[IB_PORT_LINK_WIDTH_ENABLED_F]);
    CHECK(info.width_active == theirs[IB_PORT_LINK_WIDTH_ACTIVE_F]);
    CHECK(info.speed_supported == theirs[IB_PORT_LINK_SPEED_SUPPORTED_F]);
    CHECK(info.speed_enabled == theirs[IB_PORT_LINK_SPEED_ENABLED_F]);
    CHECK(info.speed_active == theirs[IB_PORT_LINK_SPEED_ACTIVE_F]);
    CHECK(info.extended_speed_supported == theirs[IB_PORT_LINK_SPEED_EXT_SUPPORTED_F]);
    CHECK(info.extended_speed_enabled == theirs[IB_PORT_LINK_SPEED_EXT_ENABLED_F]);
    CHECK(info.extended_speed_active == theirs[IB_PORT_LINK_SPEED_EXT_ACTIVE_F]);
    CHECK(info.state == theirs[IB_PORT_STATE_F]);
    CHECK(info.physical_state == theirs[IB_PORT_PHYS_STATE_F]);
    CHECK(info.mtu_supported == theirs[IB_PORT_MTU_CAP_F]);
    CHECK(info.mtu_active == theirs[IB_PORT_NEIGHBOR_MTU_F]);
    CHECK(info.lanes_supported == theirs[IB_PORT_VL_CAP_F]);
    CHECK(info.lanes_operational == theirs[IB_PORT_OPER_VLS_F]);
    CHECK(decode_runs_fdr10(theirs.data) ==
          ((theirs[IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F] & 1U) != 0));
  }
}

TEST_CASE("libibmad reads the same SwitchInfo, SMInfo and tick from arbitrary bytes") {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    Theirs theirs(random);
    const SwitchInfo of_switch = decode_switch_info(theirs.data);
    CHECK(of_switch.linear_capacity == theirs[IB_SW_LINEAR_FDB_CAP_F]);
    CHECK(of_switch.linear_top == theirs[IB_SW_LINEAR_FDB_TOP_F]);
    CHECK(of_switch.port_state_change == (theirs[IB_SW_STATE_CHANGE_F] != 0));
    CHECK(of_switch.enhanced_port0 == (theirs[IB_SW_ENHANCED_PORT0_F] != 0));
    const ManagerInfo manager = decode_manager_info(theirs.data);
    CHECK(manager.guid == mad_get_field64(theirs.data.data(), 0, IB_SMINFO_GUID_F));
    CHECK(manager.activity_count == theirs[IB_SMINFO_ACT_F]);
    CHECK(manager.priority == theirs[IB_SMINFO_PRIO_F]);
    CHECK(static_cast<unsigned>(manager.state) == theirs[IB_SMINFO_STATE_F]);
    CHECK(decode_samples_tick(theirs.data) == theirs[IB_PSC_TICK_F]);
  }
}

TEST_CASE("subnet management requests are Gets with the attributes of libibmad") {
  const Destination to = GENERATE(subnet_management_at(5), subnet_management_along({}));
  const auto header = [](const MadRequest& request) { return header_of(encode(request, 1)); };
  CHECK(header(port_info_request(to, 3)).attribute == IB_ATTR_PORT_INFO);
  CHECK(header(port_info_request(to, 3)).modifier == 3);
  CHECK(header(switch_info_request(to)).attribute == IB_ATTR_SWITCH_INFO);
  CHECK(header(manager_info_request(to)).attribute == IB_ATTR_SMINFO);
  CHECK(header(linear_table_request(to, 700)).attribute == IB_ATTR_LINEARFORWTBL);
  CHECK(header(linear_table_request(to, 700)).modifier == 700);
  CHECK(header(linear_table_request(to, 700)).method == IB_MAD_METHOD_GET);
  CHECK(linear_table_request(to, 1, 77).key == 77);
}
