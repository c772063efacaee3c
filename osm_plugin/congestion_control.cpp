#include "osm_plugin/congestion_control.h"

#include <complib/cl_byteswap.h>

#include <cstring>

namespace pssp {
namespace {

static_assert(opensm_most_table_entries == OSM_CCT_ENTRY_MAX);
static_assert(service_levels == IB_CA_CONG_ENTRY_DATA_SIZE);

/// Assigns, and notes when that changed something.
class Writer {
 public:
  template <class Value>
  void set(Value& to, Value value) {
    changed_ = changed_ || to != value;
    to = value;
  }
  void set(osm_cct_entry_t& to, CctEntry value) {
    set(to.shift, value.shift);
    set(to.multiplier, value.multiplier);
  }
  void set_mask(std::uint8_t (&to)[32], const std::array<std::uint8_t, 32>& value) {
    changed_ = changed_ || std::memcmp(to, value.data(), value.size()) != 0;
    std::memcpy(to, value.data(), value.size());
  }
  bool changed() const noexcept { return changed_; }

 private:
  bool changed_ = false;
};

}  // namespace

bool CongestionControl::write_to(osm_subn_opt_t& options) const {
  const OpensmCongestionOptions& set = set_.options;
  Writer writer;
  writer.set(options.congestion_control, boolean_t{TRUE});
  writer.set(options.cc_sw_cong_setting_control_map, cl_hton32(set.sw_cong_setting_control_map));
  writer.set_mask(options.cc_sw_cong_setting_victim_mask, set.sw_cong_setting_victim_mask);
  writer.set_mask(options.cc_sw_cong_setting_credit_mask, set.sw_cong_setting_credit_mask);
  writer.set(options.cc_sw_cong_setting_threshold, set.sw_cong_setting_threshold);
  writer.set(options.cc_sw_cong_setting_packet_size, set.sw_cong_setting_packet_size);
  writer.set(options.cc_sw_cong_setting_credit_starvation_threshold,
             set.sw_cong_setting_credit_starvation_threshold);
  writer.set(options.cc_sw_cong_setting_credit_starvation_return_delay,
             set.sw_cong_setting_credit_starvation_return_delay);
  writer.set(options.cc_sw_cong_setting_marking_rate, cl_hton16(set.sw_cong_setting_marking_rate));
  writer.set(options.cc_ca_cong_setting_port_control, cl_hton16(set.ca_cong_setting_port_control));
  writer.set(options.cc_ca_cong_setting_control_map, cl_hton16(set.ca_cong_setting_control_map));
  for (std::size_t sl = 0; sl < service_levels; ++sl) {
    const AdapterSlParameters& from = set.ca_cong_entries[sl];
    osm_cacongestion_entry_t& entry = options.cc_ca_cong_entries[sl];
    writer.set(entry.ccti_timer, cl_hton16(from.ccti_timer));
    writer.set(entry.ccti_increase, from.ccti_increase);
    writer.set(entry.trigger_threshold, from.trigger_threshold);
    writer.set(entry.ccti_min, from.ccti_min);
  }
  // The text beside the entries stays as it is: OpenSM compares it with the file's and frees it.
  for (std::size_t i = 0; i < opensm_most_table_entries; ++i) {
    writer.set(options.cc_cct.entries[i], i < set.cct.size() ? set.cct[i] : CctEntry{});
  }
  writer.set(options.cc_cct.entries_len, static_cast<unsigned>(set.cct.size()));
  return writer.changed();
}

}  // namespace pssp
