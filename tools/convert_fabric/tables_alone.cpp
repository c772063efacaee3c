// A dump with comments contains everything that another format of dumps needs. Every switch gets
// the maximum number of ports, so that all entries are valid.

#include "tools/convert_fabric/tables_alone.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "fabric/formats/cases.h"

namespace pssp {
namespace {

class BareFabric {
 public:
  explicit BareFabric(const LftFile& dump) : dump_(dump) {}

  FabricInput run();

 private:
  void add_switches();
  void add_owners();
  void lose_owner(const LftDestination& owner) {
    lost_owners_.add(fmt::format("'{}' (GUID 0x{:016x})", owner.description, owner.port_guid));
  }
  void set_lids(NodeId node, PortNumber port, const std::vector<Lid>& lids);

  const LftFile& dump_;
  FabricBuilder builder_;
  std::unordered_map<Guid, NodeId> switches_;
  Cases lost_owners_;
};

void BareFabric::add_switches() {
  for (const LftSwitch& from : dump_.switches) {
    switches_.emplace(from.guid,
                      builder_.add_switch(from.guid, max_port_number, {}, from.description));
  }
}

void BareFabric::set_lids(NodeId node, PortNumber port, const std::vector<Lid>& lids) {
  const bool is_range = std::has_single_bit(lids.size()) &&
                        lids.back() - lids.front() + std::size_t{1} == lids.size();
  if (!is_range) {
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: '{}' has {} LIDs from {} to {}; the LIDs of a port are 2^LMC "
                            "consecutive ones",
                            dump_.name, excerpt(builder_.name(node)), lids.size(), lids.front(),
                            lids.back()));
  }
  try {
    builder_.set_lid(node, port, lids.front(),
                     static_cast<unsigned>(std::countr_zero(lids.size())));
  } catch (const Error& error) {
    throw Error(ErrorKind::mismatch, fmt::format("{}: {}", dump_.name, error.what()));
  }
}

void BareFabric::add_owners() {
  struct Owner {
    std::vector<Lid> lids;  // ascending, as in the dump
    const LftDestination* said = nullptr;
  };
  std::map<Guid, Owner> owners;
  for (const LftDestination& to : dump_.destinations) {
    Owner& owner = owners[to.port_guid];
    if (owner.said == nullptr) owner.said = &to;
    owner.lids.push_back(to.lid);
  }
  for (const auto& [guid, owner] : owners) {
    if (owner.said->is_switch) {
      // A switch without its own table would get an empty one.
      const auto known = switches_.find(guid);
      if (known != switches_.end()) {
        set_lids(known->second, management_port, owner.lids);
      } else {
        lose_owner(*owner.said);
      }
    } else if (!switches_.contains(guid)) {
      const NodeId node =
          builder_.add_adapter(guid, 1, EndPortKind::channel_adapter, {}, owner.said->description);
      builder_.set_port_guid(node, 1, guid);
      set_lids(node, 1, owner.lids);
    } else {
      lose_owner(*owner.said);
    }
  }
  for (const LftSwitch& from : dump_.switches) {
    const bool has_lid = owners.contains(from.guid) || from.lid == no_lid;
    if (!has_lid) set_lids(switches_.at(from.guid), management_port, {from.lid});
  }
}

FabricInput BareFabric::run() {
  add_switches();
  add_owners();
  Fabric fabric = std::move(builder_).build();
  Lid highest = fabric.max_lid();
  for (const LftSwitch& from : dump_.switches) {
    from.entries.for_each([&highest](Lid lid, PortNumber) { highest = std::max(highest, lid); });
  }
  ForwardingTables tables(fabric.switch_count(), highest);
  for (const LftSwitch& from : dump_.switches) {
    const SwitchId s = *fabric.find_switch(from.guid);
    from.entries.for_each([&](Lid lid, PortNumber port) { tables.set(s, lid, port); });
  }
  std::vector<std::string> warnings = dump_.warnings;
  if (lost_owners_.count() != 0) {
    warnings.push_back(fmt::format(
        "{}: {} owner(s) of LIDs are not in the output, since they are switches without a table or "
        "adapters with the GUID of a switch: {}",
        dump_.name, lost_owners_.count(), lost_owners_.examples()));
  }
  return {std::move(fabric), std::move(tables), std::move(warnings), {}};
}

}  // namespace

FabricInput to_fabric_without_cables(const LftFile& dump) { return BareFabric(dump).run(); }

}  // namespace pssp
