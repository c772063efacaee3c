// A packet keeps its service level and lane on its whole path, as in routing/deadlock: the source
// chooses the level, and each port maps it to the same lane.

#include "simulator/adapter/addressing.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pssp {

Addressing::Addressing(const Fabric& fabric, const ServiceLevels* levels, const Model& model)
    : levels_(levels), model_(model) {
  for (const EndPortId host : fabric.endpoints()) {
    switch_.push_back(fabric.end_port(host).attached.value());
    lid_.push_back(fabric.end_port(host).lid);
  }
  if (levels != nullptr &&
      (levels->switch_count() != fabric.switch_count() || levels->max_lid() < fabric.max_lid())) {
    throw Error(ErrorKind::mismatch,
                fmt::format("the service levels are for {} switches and LIDs up to {}, but the "
                            "fabric has {} and {}; specify the service levels of these tables",
                            levels->switch_count(), levels->max_lid(), fabric.switch_count(),
                            fabric.max_lid()));
  }
}

Address Addressing::of(std::uint32_t source, std::uint32_t destination, std::uint8_t level,
                       std::uint16_t path) const {
  Address address;
  address.lid = static_cast<std::uint16_t>(lid_[destination] + path);
  address.level = level;
  if (levels_ != nullptr) {
    address.level = levels_->at(SwitchId(switch_[source]), address.lid);
    if (address.level >= service_level_count) {
      throw Error(ErrorKind::mismatch,
                  fmt::format("there is no service level for LID {} from the switch of rank {}; "
                              "specify the service levels of these tables",
                              address.lid, source));
    }
  }
  address.lane = model_.sl_to_vl.empty() ? static_cast<std::uint8_t>(address.level % model_.lanes)
                                         : model_.sl_to_vl[address.level];
  return address;
}

}  // namespace pssp
