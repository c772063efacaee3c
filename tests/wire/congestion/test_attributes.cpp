// Compares the bytes of requests and attributes with the structures in OpenSM's ib_types.h.

#include <arpa/inet.h>
#include <endian.h>
#include <iba/ib_types.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "tests/wire/random_settings.h"
#include "wire/congestion/attributes.h"
#include "wire/mad.h"

using namespace pssp;

namespace {

template <class Structure>
Structure as(const CcData& data) {
  static_assert(sizeof(Structure) <= sizeof(CcData));
  Structure structure;
  std::memcpy(&structure, data.data(), sizeof structure);
  return structure;
}

}  // namespace

TEST_CASE("a request has the header of ib_cc_mad_t") {
  CcRequest request{MadMethod::set, CcAttribute::table, 0x01020304, {}};
  request.data[0] = 0xaa;
  request.data[191] = 0xbb;
  const MadBytes bytes = encode(mad_request(request, 0x1122334455667788, {}), 0xcafe0001);
  ib_cc_mad_t mad;
  static_assert(sizeof mad == sizeof bytes);
  std::memcpy(&mad, bytes.data(), sizeof mad);
  CHECK(mad.header.base_ver == 1);
  CHECK(mad.header.mgmt_class == IB_MCLASS_CC);
  CHECK(mad.header.class_ver == 2);
  CHECK(mad.header.method == IB_MAD_METHOD_SET);
  CHECK(mad.header.status == 0);
  CHECK(be64toh(mad.header.trans_id) == 0xcafe0001);
  CHECK(mad.header.attr_id == IB_MAD_ATTR_CC_TBL);
  CHECK(ntohl(mad.header.attr_mod) == 0x01020304);
  CHECK(be64toh(mad.cc_key) == 0x1122334455667788);
  CHECK(mad.mgt_data[0] == 0xaa);
  CHECK(mad.mgt_data[191] == 0xbb);
  CHECK(header_of(bytes).transaction == 0xcafe0001);
}

TEST_CASE("attribute numbers are those of ib_types.h") {
  CHECK(htons(static_cast<std::uint16_t>(CcAttribute::congestion_info)) == IB_MAD_ATTR_CONG_INFO);
  CHECK(htons(static_cast<std::uint16_t>(CcAttribute::switch_setting)) ==
        IB_MAD_ATTR_SW_CONG_SETTING);
  CHECK(htons(static_cast<std::uint16_t>(CcAttribute::adapter_setting)) ==
        IB_MAD_ATTR_CA_CONG_SETTING);
  CHECK(htons(static_cast<std::uint16_t>(CcAttribute::table)) == IB_MAD_ATTR_CC_TBL);
}

TEST_CASE("a response answers only a request with its attribute and modifier") {
  const auto request_of = [](CcAttribute attribute, std::uint32_t modifier) {
    return mad_request({MadMethod::get, attribute, modifier, {}}, 0, {});
  };
  const MadRequest request = request_of(CcAttribute::table, 2);
  MadBytes mad = encode(request, 1);
  CHECK_FALSE(answers(mad, request));  // a request is not a response
  mad[3] = 0x81;
  CHECK(answers(mad, request));
  CHECK_FALSE(answers(mad, request_of(CcAttribute::table, 1)));
  CHECK_FALSE(answers(mad, request_of(CcAttribute::adapter_setting, 2)));
  mad[1] = 0x04;
  CHECK_FALSE(answers(mad, request));
}

TEST_CASE("switch settings have the layout of ib_types.h") {
  Values values(1);
  for (int i = 0; i < 50; ++i) {
    const SwitchSetting setting = values.switch_setting();
    const CcData data = encode(setting);
    const auto raw = as<ib_sw_cong_setting_t>(data);
    CHECK(ntohl(raw.control_map) == setting.control_map);
    for (unsigned port = 0; port < 256; ++port) {
      // Bit 0 is the lowest bit of the last byte.
      REQUIRE((raw.victim_mask[31 - port / 8] >> port % 8 & 1) == setting.victim_mask[port]);
      REQUIRE((raw.credit_mask[31 - port / 8] >> port % 8 & 1) == setting.credit_mask[port]);
    }
    CHECK(raw.threshold_resv == setting.threshold << 4);
    CHECK(raw.packet_size == setting.packet_size);
    CHECK(ntohs(raw.cs_threshold_resv) == setting.credit_starvation_threshold << 12);
    CHECK(ntohs(raw.cs_return_delay) == (setting.credit_starvation_return_delay.shift << 14 |
                                         setting.credit_starvation_return_delay.multiplier));
    CHECK(ntohs(raw.marking_rate) == setting.marking_rate);
    CHECK(decode_switch_setting(data) == setting);
  }
}

TEST_CASE("adapter settings have the layout of ib_types.h") {
  Values values(2);
  for (int i = 0; i < 50; ++i) {
    const AdapterCongestionParameters setting = values.adapter();
    const CcData data = encode(setting);
    const auto raw = as<ib_ca_cong_setting_t>(data);
    CHECK(ntohs(raw.port_control) == static_cast<std::uint16_t>(setting.port_control));
    CHECK(ntohs(raw.control_map) == setting.control_map);
    for (std::size_t sl = 0; sl < service_levels; ++sl) {
      const ib_ca_cong_entry_t& entry = raw.entry_list[sl];
      CHECK(ntohs(entry.ccti_timer) == setting.sl[sl].ccti_timer);
      CHECK(entry.ccti_increase == setting.sl[sl].ccti_increase);
      CHECK(entry.trigger_threshold == setting.sl[sl].trigger_threshold);
      CHECK(entry.ccti_min == setting.sl[sl].ccti_min);
    }
    CHECK(decode_adapter_setting(data) == setting);
  }
}

TEST_CASE("blocks of the congestion control table have the layout of ib_types.h") {
  Values values(3);
  for (const std::size_t entries : {1U, 63U, 64U, 65U, 129U, 16320U}) {
    CongestionControlTable table;
    table.entries.clear();
    for (std::size_t i = 0; i < entries; ++i) table.entries.push_back(values.entry());
    for (std::size_t b = 0; b < table.blocks(); ++b) {
      const CcData data = encode_block(table, b);
      const auto raw = as<ib_cc_tbl_t>(data);
      CHECK(ntohs(raw.ccti_limit) == entries - 1);
      const TableBlock block = decode_block(data);
      CHECK(block.ccti_limit == entries - 1);
      for (std::size_t i = 0; i < 64; ++i) {
        const std::size_t index = b * 64 + i;
        const CctEntry expected = index < entries ? table.entries[index] : CctEntry{};
        REQUIRE(ntohs(raw.entry_list[i].shift_multiplier) ==
                (expected.shift << 14 | expected.multiplier));
        REQUIRE(block.entries[i] == expected);
      }
    }
  }
}

TEST_CASE("arbitrary bytes decode to settings that can be encoded again") {
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    CcData data;
    for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
    const SwitchSetting setting = decode_switch_setting(data);
    CHECK(decode_switch_setting(encode(setting)) == setting);
    const AdapterCongestionParameters adapter = decode_adapter_setting(data);
    CHECK(decode_adapter_setting(encode(adapter)) == adapter);
    static_cast<void>(decode_block(data));
  }
}

TEST_CASE("a MAD status is explained in words") {
  using Catch::Matchers::Contains;
  using Catch::Matchers::EndsWith;
  CHECK_THAT(explain_mad_status(0x0001), Contains("busy"));
  CHECK_THAT(explain_mad_status(0x0002), Contains("redirect"));
  CHECK_THAT(explain_mad_status(0x0004), Contains("class version"));
  CHECK_THAT(explain_mad_status(0x0008), Contains("method"));
  CHECK_THAT(explain_mad_status(0x000c), Contains("attribute"));
  CHECK_THAT(explain_mad_status(0x001c), Contains("not valid"));
  CHECK_THAT(explain_mad_status(0x000c, congestion_meaning), Contains("no congestion control"));
  CHECK_THAT(explain_mad_status(0x001c, congestion_meaning), Contains("smaller range"));
  CHECK_THAT(explain_mad_status(0x0008, congestion_meaning), EndsWith("not supported"));
  CHECK_THAT(explain_mad_status(0x0010), Contains("reserved"));
  CHECK_THAT(explain_mad_status(0x0300), Contains("0x0300") && Contains("0x03"));
}
