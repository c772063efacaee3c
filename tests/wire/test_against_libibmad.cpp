// Compares requests and attributes with libibmad.

#include <infiniband/mad.h>

#include <catch2/catch.hpp>

#include "tests/wire/random_settings.h"
#include "wire/congestion/attributes.h"
#include "wire/mad.h"

using namespace pssp;

namespace {

/// Copies the data, because libibmad takes a pointer to non-const data.
std::uint32_t field(CcData data, std::size_t offset, MAD_FIELDS name) {
  return mad_get_field(data.data() + offset, 0, name);
}

}  // namespace

TEST_CASE("libibmad reads the header of a request") {
  const CcRequest request{MadMethod::set, CcAttribute::table, 0x01020304, {}};
  MadBytes bytes = encode(mad_request(request, 0x1122334455667788, {}), 0xcafe0001);
  CHECK(mad_get_field(bytes.data(), 0, IB_MAD_BASEVER_F) == 1);
  CHECK(mad_get_field(bytes.data(), 0, IB_MAD_MGMTCLASS_F) == IB_CC_CLASS);
  CHECK(mad_get_field(bytes.data(), 0, IB_MAD_CLASSVER_F) == 2);
  CHECK(mad_get_field(bytes.data(), 0, IB_MAD_METHOD_F) == IB_MAD_METHOD_SET);
  CHECK(mad_get_field(bytes.data(), 0, IB_MAD_ATTRID_F) == IB_CC_ATTR_CONGESTION_CONTROL_TABLE);
  CHECK(mad_get_field(bytes.data(), 0, IB_MAD_ATTRMOD_F) == 0x01020304);
  CHECK(mad_get_field64(bytes.data(), 0, IB_MAD_TRID_F) == 0xcafe0001);
  CHECK(mad_get_field64(bytes.data(), 0, IB_CC_CCKEY_F) == 0x1122334455667788);
}

TEST_CASE("requests of subnet management classes equal those of libibmad") {
  const ManagementClass of = GENERATE(subnet_class, directed_subnet_class);
  MadRequest request;
  request.management_class = of;
  request.attribute = IB_ATTR_PORT_INFO;
  request.modifier = 3;
  request.key = 0x1122334455667788;
  for (std::size_t i = 0; i < of.data_size; ++i) request.data[i] = static_cast<std::uint8_t>(i);
  DirectedRoute route;
  route.hops = 2;
  route.port[1] = 1;
  route.port[2] = 17;
  ib_dr_path_t libibmads_route{2, {0, 1, 17}, 0, 0};
  const bool directed = of == directed_subnet_class;
  request.to = directed ? subnet_management_along(route) : subnet_management_at(9);

  ib_rpc_t call{};
  call.mgtclass = of.number;
  call.method = IB_MAD_METHOD_GET;
  call.attr.id = request.attribute;
  call.attr.mod = request.modifier;
  call.mkey = request.key;
  call.dataoffs = static_cast<int>(of.data_offset);
  call.datasz = static_cast<int>(of.data_size);
  call.trid = 0xcafe0001;
  MadBytes theirs{};
  mad_encode(theirs.data(), &call, directed ? &libibmads_route : nullptr, request.data.data());
  CHECK(encode(request, 0xcafe0001) == theirs);
}

TEST_CASE("the direction bit of a directed-route answer is not part of its status") {
  MadRequest request;
  request.management_class = directed_subnet_class;
  request.attribute = IB_ATTR_NODE_INFO;
  MadBytes answer = encode(request, 5);
  answer[3] = 0x81;
  answer[4] = 0x80;
  CHECK(answers(answer, request));
  CHECK(decode_answer(answer, directed_subnet_class).status == 0);
}

TEST_CASE("ControlTableCap is at the position of libibmad") {
  CcData data{};
  mad_set_field(data.data(), 0, IB_CC_CONGESTION_INFO_F, 0xffff);
  mad_set_field(data.data(), 0, IB_CC_CONGESTION_INFO_CONTROL_TABLE_CAP_F, 3);
  CHECK(decode_congestion_info(data).table_blocks == 3);
}

TEST_CASE("libibmad reads switch settings") {
  Values values(5);
  for (int i = 0; i < 20; ++i) {
    const SwitchSetting setting = values.switch_setting();
    const CcData data = encode(setting);
    CHECK(field(data, 0, IB_CC_SWITCH_CONGESTION_SETTING_CONTROL_MAP_F) == setting.control_map);
    CHECK(field(data, 0, IB_CC_SWITCH_CONGESTION_SETTING_THRESHOLD_F) == setting.threshold);
    CHECK(field(data, 0, IB_CC_SWITCH_CONGESTION_SETTING_PACKET_SIZE_F) == setting.packet_size);
    CHECK(field(data, 0, IB_CC_SWITCH_CONGESTION_SETTING_CS_THRESHOLD_F) ==
          setting.credit_starvation_threshold);
    CHECK(field(data, 0, IB_CC_SWITCH_CONGESTION_SETTING_CS_RETURN_DELAY_F) ==
          setting.credit_starvation_return_delay.bits());
    CHECK(field(data, 0, IB_CC_SWITCH_CONGESTION_SETTING_MARKING_RATE_F) == setting.marking_rate);
  }
}

TEST_CASE("libibmad reads adapter settings") {
  Values values(6);
  for (int i = 0; i < 20; ++i) {
    const AdapterCongestionParameters setting = values.adapter();
    const CcData data = encode(setting);
    CHECK(field(data, 0, IB_CC_CA_CONGESTION_SETTING_PORT_CONTROL_F) ==
          static_cast<std::uint32_t>(setting.port_control));
    CHECK(field(data, 0, IB_CC_CA_CONGESTION_SETTING_CONTROL_MAP_F) == setting.control_map);
    for (std::size_t sl = 0; sl < service_levels; ++sl) {
      const std::size_t at = 4 + 8 * sl;
      CHECK(field(data, at, IB_CC_CA_CONGESTION_ENTRY_CCTI_TIMER_F) == setting.sl[sl].ccti_timer);
      CHECK(field(data, at, IB_CC_CA_CONGESTION_ENTRY_CCTI_INCREASE_F) ==
            setting.sl[sl].ccti_increase);
      CHECK(field(data, at, IB_CC_CA_CONGESTION_ENTRY_TRIGGER_THRESHOLD_F) ==
            setting.sl[sl].trigger_threshold);
      CHECK(field(data, at, IB_CC_CA_CONGESTION_ENTRY_CCTI_MIN_F) == setting.sl[sl].ccti_min);
    }
  }
}

TEST_CASE("libibmad reads blocks of the congestion control table") {
  Values values(7);
  CongestionControlTable table;
  table.entries.clear();
  for (int i = 0; i < 64; ++i) table.entries.push_back(values.entry());
  const CcData data = encode_block(table, 0);
  CHECK(field(data, 0, IB_CC_CONGESTION_CONTROL_TABLE_CCTI_LIMIT_F) == 63);
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t at = 4 + 2 * i;
    CHECK(field(data, at, IB_CC_CONGESTION_CONTROL_TABLE_ENTRY_CCT_SHIFT_F) ==
          table.entries[i].shift);
    CHECK(field(data, at, IB_CC_CONGESTION_CONTROL_TABLE_ENTRY_CCT_MULTIPLIER_F) ==
          table.entries[i].multiplier);
  }
}
