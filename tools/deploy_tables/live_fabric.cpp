#include "tools/deploy_tables/live_fabric.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/untrusted_text.h"
#include "fabric/nodes/node_description.h"
#include "monitor/discovery/manager_watch.h"
#include "monitor/discovery/table_reader.h"
#include "tools/kit/key_file.h"

namespace pssp {
namespace {

constexpr std::chrono::seconds a_step{1};

FabricOptions session_options(const PortOptions& port, std::uint64_t m_key) {
  FabricOptions fabric;
  fabric.adapters = port.adapters;
  fabric.exchange = port.exchange();
  fabric.m_key = m_key;
  return fabric;
}

/// Opening a device that hangs blocks forever, so a separate thread does it, which ends with this
/// program.
std::unique_ptr<FabricSession> open_session(const FabricOptions& options) {
  constexpr std::chrono::seconds patience{20};
  std::packaged_task<std::unique_ptr<FabricSession>()> task(
      [options] { return std::make_unique<FabricSession>(options); });
  std::future<std::unique_ptr<FabricSession>> session = task.get_future();
  try {
    std::thread(std::move(task)).detach();
  } catch (const std::system_error&) {
    return std::make_unique<FabricSession>(options);  // no thread is available
  }
  if (session.wait_for(patience) == std::future_status::ready) return session.get();
  throw Error(ErrorKind::fabric_access,
              fmt::format("the InfiniBand adapter of this machine was not open after {} s: its "
                          "device hangs; check it with ibstat and in the kernel log",
                          patience.count()));
}

std::string manager_name(const FabricMap& map, const ManagerRecord& record) {
  const auto node = map.find_node(record.node_guid);
  return fmt::format("port {:#018x} ({}), LID {}, priority {}", record.guid,
                     node ? untrusted_text(map.nodes[*node].description) : "not found", record.lid,
                     record.priority);
}

}  // namespace

LiveFabric::LiveFabric(const PortOptions& port, const std::string& m_key_file)
    : m_key_(m_key_file.empty() ? 0 : read_key_file(m_key_file, "M_Key")),
      session_(open_session(session_options(port, m_key_))) {}

DiscoveredFabric LiveFabric::discover() {
  DiscoveredFabric found = session_->discover();
  if (found.map->fabric) return found;
  throw Error(ErrorKind::fabric_access, "the fabric cannot be read for routing: " + found.problem);
}

std::shared_ptr<const Fabric> LiveFabric::walk() { return discover().map->fabric; }

HeldTables LiveFabric::read() {
  DiscoveredFabric found = discover();
  TableReader reader(session_->exchange(), m_key_);
  reader.begin(found.map, std::move(found.routes), TableReader::PathChoice::directed);
  while (reader.busy()) session_->exchange().step(Exchange::Clock::now() + a_step);
  const LiveTablesPointer live = reader.take();
  if (live->unread_switches != 0) {
    throw Error(ErrorKind::fabric_access,
                fmt::format("the tables of {} of {} switches cannot be read", live->unread_switches,
                            live->switches));
  }
  return {found.map->fabric, live->tables()};
}

void LiveFabric::require_one_manager() {
  const std::shared_ptr<const FabricMap> map = discover().map;
  ManagerWatch watch(session_->exchange(), m_key_);
  watch.begin(map);
  while (watch.busy()) session_->exchange().step(Exchange::Clock::now() + a_step);
  const ManagerStatus& status = watch.status();
  std::string names = manager_name(*map, status.master);
  std::size_t others = 0;
  for (const ManagerRecord& each : status.others) {
    if (!each.answered || each.guid == status.master.guid) continue;
    names += "; " + manager_name(*map, each);
    ++others;
  }
  if (others == 0) return;
  throw Error(ErrorKind::verification_failed,
              fmt::format("{} subnet managers respond: {}; a standby would write its own tables "
                          "after a takeover: stop it, or give it the same file",
                          others + 1, names));
}

std::string HeldDifference::text() const {
  constexpr std::size_t most_in_message = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(most_in_message, switches.size()); ++i) {
    names += (i == 0 ? "" : ", ") + switches[i];
  }
  if (switches.size() > most_in_message) names += ", ..";
  return fmt::format("{} entries of {} switches ({})", entries, switches.size(), names);
}

HeldDifference difference_of(const Fabric& fabric, const ForwardingTables& expected,
                             const ForwardingTables& held) {
  HeldDifference difference;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    std::uint64_t entries = 0;
    for (const Lid lid : fabric.lids()) {
      const SwitchId at(s);
      entries += expected.at(at, lid) != held.at(at, lid) ? 1U : 0U;
    }
    if (entries == 0) continue;
    difference.entries += entries;
    const Switch& node = fabric.switch_at(SwitchId(s));
    difference.switches.push_back(untrusted_text(description_or_name(node)));
  }
  return difference;
}

}  // namespace pssp
