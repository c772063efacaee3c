// One dialogue with several nodes. It starts with the port of this program, at the end of a
// directed route without hops; its PortInfo contains the LID of the master. Then it asks this LID,
// and every other port with IsSM.

#include "monitor/discovery/manager_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/untrusted_text.h"
#include "base/wall_clock.h"
#include "wire/subnet/port_info.h"

namespace pssp {
namespace {

/// After this many rounds with the same activity count, the manager hangs.
constexpr unsigned rounds_until_stuck = 3;
/// OpenSM counts the requests that it sends. In a light sweep, it sends one request to each switch;
/// in a heavy sweep, it asks each node for its type, name and ports.
constexpr std::uint32_t requests_of_light_sweeps = 2;

bool has_guid(const std::vector<ManagerRecord>& records, Guid guid) {
  return std::ranges::any_of(
      records, [guid](const ManagerRecord& r) { return r.answered && r.guid == guid; });
}

}  // namespace

void ManagerWatch::begin(std::shared_ptr<const FabricMap> map) {
  map_ = std::move(map);
  fresh_ = {};
  fresh_.master_changes = status_.master_changes;
  to_ask_.clear();
  step_ = Step::own_port;
  busy_ = true;
  exchange_.add(*this);
}

std::optional<MadRequest> ManagerWatch::next() {
  if (step_ == Step::own_port) {
    return port_info_request(subnet_management_along({}), 0, m_key_);
  }
  if (step_ == Step::master && fresh_.master.lid != no_lid) {
    last_lid_ = fresh_.master.lid;
    return manager_info_request(subnet_management_at(last_lid_), m_key_);
  }
  step_ = Step::other;
  if (to_ask_.empty()) {
    finish();
    return std::nullopt;
  }
  last_lid_ = to_ask_.front();
  to_ask_.pop_front();
  return manager_info_request(subnet_management_at(last_lid_), m_key_);
}

void ManagerWatch::take(const MadAnswer& answer) {
  if (step_ != Step::own_port) return record(&answer);
  fresh_.master.lid = decode_port_info(answer.data).manager_lid;
  step_ = Step::master;
  for (const MapPort& port : map_->ports) {
    if (port.is_manager && port.lid != no_lid && port.lid != fresh_.master.lid) {
      to_ask_.push_back(port.lid);
    }
  }
  std::ranges::sort(to_ask_);
  to_ask_.erase(std::unique(to_ask_.begin(), to_ask_.end()), to_ask_.end());
}

void ManagerWatch::failed(const MadFailure&) {
  if (step_ == Step::own_port) {
    step_ = Step::other;
  } else {
    record(nullptr);
  }
}

void ManagerWatch::record(const MadAnswer* answer) {
  ManagerRecord record;
  record.lid = last_lid_;
  if (answer != nullptr) {
    const ManagerInfo info = decode_manager_info(answer->data);
    record.guid = info.guid;
    record.priority = info.priority;
    record.state = static_cast<std::uint8_t>(info.state);
    record.activity_count = info.activity_count;
    record.answered = true;
  }
  for (const MapPort& port : map_->ports) {
    const bool is_it = record.guid != 0 ? port.guid == record.guid : port.lid == record.lid;
    if (!is_it) continue;
    record.node_guid = map_->node_of(port).guid;
    break;
  }
  if (step_ == Step::master) {
    fresh_.master = record;
    step_ = Step::other;
  } else {
    fresh_.others.push_back(record);
  }
}

void ManagerWatch::finish() {
  fresh_.time_ms = wall_clock_ms();
  const ManagerStatus before = std::exchange(status_, std::move(fresh_));
  if (asked_before_) {
    compare_masters(before);
    compare_others(before);
  }
  asked_before_ = true;
  busy_ = false;
  done_ = true;
}

void ManagerWatch::compare_masters(const ManagerStatus& before) {
  const ManagerRecord& was = before.master;
  ManagerRecord& is = status_.master;
  if (!is.answered) {
    if (was.answered) {
      add_event(EventKind::manager_silent, was, "the master subnet manager does not respond");
    }
    // The previous manager, for the comparison when a manager answers again.
    is.guid = was.guid;
    is.node_guid = was.node_guid;
    is.priority = was.priority;
    standing_still_ = 0;
    return;
  }
  if (was.guid != 0 && was.guid != is.guid) {
    ++status_.master_changes;
    add_event(
        EventKind::manager_changed, is,
        fmt::format("the master subnet manager is now {}; before: {}", name_of(is), name_of(was)));
  } else if (was.guid != 0 && was.priority != is.priority) {
    add_event(EventKind::manager_priority, is,
              fmt::format("the priority of the master subnet manager is now {}; before: {}",
                          is.priority, was.priority));
  }
  if (has_swept_all(was, is)) wants_discovery_ = true;
  const bool stands =
      was.answered && was.guid == is.guid && was.activity_count == is.activity_count;
  standing_still_ = stands ? standing_still_ + 1 : 0;
  if (standing_still_ == rounds_until_stuck) {
    add_event(EventKind::manager_stuck, is,
              fmt::format("the activity count of the master subnet manager stays at {}",
                          is.activity_count));
  }
}

/// A count that restarted is not a jump.
bool ManagerWatch::has_swept_all(const ManagerRecord& was, const ManagerRecord& is) const {
  if (!was.answered || was.guid != is.guid || is.activity_count < was.activity_count) return false;
  return is.activity_count - was.activity_count > requests_of_light_sweeps * map_->nodes.size();
}

void ManagerWatch::compare_others(const ManagerStatus& before) {
  for (const ManagerRecord& is : status_.others) {
    const bool is_new =
        is.answered && !has_guid(before.others, is.guid) && is.guid != before.master.guid;
    if (is_new) add_event(EventKind::standby_new, is, "new subnet manager: " + name_of(is));
  }
  for (const ManagerRecord& was : before.others) {
    const bool is_lost =
        was.answered && !has_guid(status_.others, was.guid) && was.guid != status_.master.guid;
    if (is_lost) {
      add_event(EventKind::standby_lost, was, "subnet manager lost: " + name_of(was));
    }
  }
}

std::string ManagerWatch::name_of(const ManagerRecord& record) const {
  const auto node = map_->find_node(record.node_guid);
  return fmt::format("port 0x{:016x} ({}), LID {}", record.guid,
                     node ? untrusted_text(map_->nodes[*node].description) : "not in the map",
                     record.lid);
}

void ManagerWatch::add_event(EventKind kind, const ManagerRecord& record, const std::string& text) {
  events_.push_back({kind, wall_clock_ms(), record.node_guid, 0, 0, text});
}

}  // namespace pssp
