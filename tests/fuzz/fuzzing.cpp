// After a reader has accepted an input, the fabric or the tables go through the steps that precede
// their use: an engine, verify(), lane assignment with its deadlock check, and the writer of the
// file that opensm loads.

#include "tests/fuzz/fuzzing.h"

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "fabric/formats/lft_file.h"
#include "fabric/formats/lft_writer.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "routing/structured_suite/structured_suite.h"
#include "routing/verify/lanes.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

namespace pssp::test {
namespace {

constexpr std::size_t most_entries = std::size_t{1} << 18;
constexpr std::size_t most_routed_entries = std::size_t{1} << 13;
constexpr std::size_t most_hosts_in_suite = 64;

std::size_t entries_of(const Fabric& fabric) {
  return fabric.switch_count() * (std::size_t{fabric.max_lid()} + 1);
}

void require_sound_channels(const Fabric& fabric) {
  const std::size_t switches = fabric.switch_count();
  require(fabric.first_channel().size() == switches + 1, "first_channel() has a wrong size");
  for (std::uint32_t s = 0; s < switches; ++s) {
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      require(fabric.channel_tail()[c] == s, "the tail of a channel is wrong");
      require(fabric.channel_head()[c] < switches && fabric.channel_head()[c] != s,
              "the head of a channel is wrong");
      const std::uint32_t back = fabric.channel_reverse()[c];
      require(back < fabric.channel_count() && fabric.channel_reverse()[back] == c &&
                  fabric.channel_head()[back] == s &&
                  fabric.channel_in_port()[back] == fabric.channel_out_port()[c],
              "the reverse of a channel is wrong");
      require(fabric.behind(SwitchId(s), fabric.channel_out_port()[c]) ==
                  PortTarget{PortTarget::Kind::channel, c},
              "the port of a channel is wrong");
    }
  }
}

void require_sound_end_ports(const Fabric& fabric) {
  for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
    const EndPort& port = fabric.end_port(EndPortId(e));
    require(port.host < fabric.host_count(), "the host of an end port is invalid");
    if (!port.attached.valid()) continue;
    require(port.attached.value() < fabric.switch_count() &&
                fabric.behind(port.attached, port.switch_port) ==
                    PortTarget{PortTarget::Kind::end_port, e},
            "the switch of an end port is wrong");
  }
}

void require_sound_lids(const Fabric& fabric) {
  Lid before = no_lid;
  for (const Lid lid : fabric.lids()) {
    require(lid > before && lid <= fabric.max_lid(), "LIDs are not in ascending order");
    require(fabric.owner(lid).kind != LidOwner::Kind::none, "a LID has no owner");
    before = lid;
  }
  require(before == fabric.max_lid(), "max_lid() is not the highest LID");
}

void require_lanes(const Fabric& fabric, const ForwardingTables& tables) {
  const LaneAssignment lanes = assign_lanes(fabric, tables);
  if (lanes.needed > max_data_lanes) return;
  const LaneReport report = verify_lanes(fabric, tables, lanes.service_levels);
  require(report.is_deadlock_free(), "assigned lanes can deadlock");
}

/// Compares only LIDs with an owner, because the writer omits entries for other LIDs.
void require_written_tables(const Fabric& fabric, const ForwardingTables& tables) {
  if (fabric.switch_count() == 0) return;
  const LftFile read = parse_lft(to_lft_dump(fabric, tables), "written");
  require(read.switches.size() == fabric.switch_count(),
          "written tables have a different number of switches");
  for (const LftSwitch& from : read.switches) {
    const auto s = fabric.find_switch(from.guid);
    require(s.has_value(), "written tables have an unknown GUID");
    for (const Lid lid : fabric.lids()) {
      if (lid <= tables.max_lid())
        require(from.entries.at(lid) == tables.at(*s, lid), "writing tables changes entries");
    }
  }
}

/// In every order of the hosts, no pattern of structured traffic may be faster than its bound if
/// all its flows arrive.
void require_bounded_suite(const Fabric& fabric, const ForwardingTables& tables) {
  if (fabric.endpoints().size() > most_hosts_in_suite) return;
  for (const HostOrderRule rule : {HostOrderRule::name, HostOrderRule::guid, HostOrderRule::leaf}) {
    const SuiteTimes times = StructuredSuite(fabric, order_hosts(fabric, rule)).measure(tables);
    for (const PatternTime& each : times.patterns) {
      require(each.unrouted != 0 || each.slowdown >= 1 - 1e-9,
              "a pattern is faster than its bound");
    }
  }
}

/// The engine heal must route the fabric or refuse it with a reason.
void require_healing(const Fabric& fabric) {
  try {
    const Routing heal_start = make_engine("heal", {})->route(fabric);
    require(verify(fabric, heal_start.tables).usable(), "tables of engine heal are unusable");
    require_bounded_suite(fabric, heal_start.tables);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::unsuitable_topology, error.what());
    require_message(error.what());
  }
}

}  // namespace

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void require_message(std::string_view message) {
  const auto is_command = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && c != '\n') || byte == 0x7F;
  };
  require(!message.empty(), "a message is empty");
  require(std::none_of(message.begin(), message.end(), is_command),
          "a message contains control characters");
}

void require_messages(const std::vector<std::string>& messages) {
  for (const std::string& message : messages) require_message(message);
}

void run_fuzz_target(FuzzTarget target, std::string_view input) {
  try {
    target(input);
  } catch (const Error& error) {
    require(error.kind() != ErrorKind::internal, error.what());
    require_message(error.what());
  }
}

void require_sound(const Fabric& fabric) {
  require_sound_channels(fabric);
  require_sound_end_ports(fabric);
  require_sound_lids(fabric);
}

void use_tables(const Fabric& fabric, const ForwardingTables& tables) {
  if (entries_of(fabric) > most_entries) return;
  const VerifyReport report = verify(fabric, tables);
  require_messages(report.examples);
  require_written_tables(fabric, tables);
  require_bounded_suite(fabric, tables);
  if (report.usable() && entries_of(fabric) <= most_routed_entries) require_lanes(fabric, tables);
}

void use_fabric(const Fabric& fabric) {
  require_sound(fabric);
  if (!fabric.has_lids() || entries_of(fabric) > most_routed_entries) return;
  const Routing routing = make_engine("pssp", {})->route(fabric);
  require(verify(fabric, routing.tables).usable(), "tables of engine pssp are unusable");
  use_tables(fabric, routing.tables);
  require_healing(fabric);
}

std::pair<std::string_view, std::string_view> two_files(std::string_view input) {
  constexpr std::string_view border = "---- second file ----\n";
  const std::size_t at = input.find(border);
  if (at == std::string_view::npos) return {input, {}};
  return {input.substr(0, at), input.substr(at + border.size())};
}

const Fabric& sample_fabric() {
  static const Fabric fabric = make_fabric("mesh 3x2 --hosts 2 --lmc 1");
  return fabric;
}

}  // namespace pssp::test
