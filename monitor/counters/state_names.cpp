#include "monitor/counters/state_names.h"

namespace pssp {

std::string_view name_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::switch_node:
      return "switch";
    case NodeKind::router:
      return "router";
    case NodeKind::channel_adapter:
      break;
  }
  return "hca";
}

std::string_view name_of(LinkState state) {
  switch (state) {
    case LinkState::down:
      return "down";
    case LinkState::initialize:
      return "initialize";
    case LinkState::armed:
      return "armed";
    case LinkState::active:
      return "active";
    case LinkState::unknown:
      break;
  }
  return "unknown";
}

std::string_view name_of(PhysicalState state) {
  switch (state) {
    case PhysicalState::sleep:
      return "sleep";
    case PhysicalState::polling:
      return "polling";
    case PhysicalState::disabled:
      return "disabled";
    case PhysicalState::training:
      return "training";
    case PhysicalState::link_up:
      return "link up";
    case PhysicalState::error_recovery:
      return "error recovery";
    case PhysicalState::unknown:
      break;
  }
  return "unknown";
}

std::string_view name_of(PortStatus status) {
  switch (status) {
    case PortStatus::read:
      return "read";
    case PortStatus::not_active:
      return "not_active";
    case PortStatus::silent:
      return "silent";
    case PortStatus::backed_off:
      return "backed_off";
    case PortStatus::refused:
      return "refused";
    case PortStatus::doubtful:
      return "doubtful";
    case PortStatus::left_out:
      return "left_out";
  }
  return "unknown";
}

std::string_view name_of(CounterUnit unit) {
  switch (unit) {
    case CounterUnit::bytes:
      return "bytes";
    case CounterUnit::packets:
      return "packets";
    case CounterUnit::ticks:
      return "ticks";
    case CounterUnit::events:
      break;
  }
  return "events";
}

}  // namespace pssp
