// A doubt names sweeps by the collector's numbers, and the file has its own numbers. Events and
// snapshots wait in separate queues, so an event may arrive before the last snapshots that it
// refers to. A doubt therefore stays until its last sweep has been written.
//
// All doubts of a call are applied row by row: when a subnet manager reassigns the LIDs of a whole
// fabric, each row is decoded and written once, not once per node.

#include "monitor/store/taken_back.h"

#include <algorithm>

#include "monitor/store/database.h"
#include "monitor/store/period_codec.h"
#include "monitor/store/sample_codec.h"

namespace pssp {
namespace {

/// A doubt goes back to the last identity check of a node, which is at most an hour of sweeps ago.
constexpr std::size_t most_remembered = 20'000;

}  // namespace

TakenBack::TakenBack(SQLite::Database& database, Downsampler& downsampler,
                     const PortRegister& ports)
    : database_(database), downsampler_(downsampler), ports_(ports) {}

void TakenBack::written(std::uint64_t sweep, std::int64_t id) {
  sweeps_.emplace_back(sweep, id);
  if (sweeps_.size() > most_remembered) sweeps_.pop_front();
}

void TakenBack::collect(const MonitorEvent& doubt,
                        std::map<Row, std::set<std::size_t>>& rows) const {
  const std::vector<std::uint32_t> positions = ports_.positions_of(doubt.node, doubt.port);
  for (std::size_t i = sweeps_.size(); i-- > 0;) {
    const auto& [sweep, row] = sweeps_[i];
    if (sweep <= doubt.since_sweep) break;
    if (!doubt.takes_back(sweep)) continue;
    for (const std::uint32_t place : positions) {
      rows[{row, place / chunk_ports}].insert(place % chunk_ports);
    }
  }
}

/// Returns false if there was nothing to change.
bool TakenBack::make_gaps(const Row& row, const std::set<std::size_t>& ports) {
  const std::int64_t place = place_of(row.first, row.second);
  SQLite::Statement find(database_, "SELECT data FROM sample WHERE place = ?");
  find.bind(1, place);
  if (!find.executeStep()) return false;
  auto samples = decode_samples(as_bytes(find.getColumn(0)));
  if (!samples) return false;
  bool changed = false;
  for (const std::size_t at : ports) {
    if (at >= samples->ports.size()) continue;
    PortSample& port = samples->ports[at];
    if (!port.present || port.status != PortStatus::read) continue;
    port = {};
    port.present = true;
    port.status = PortStatus::doubtful;
    changed = true;
  }
  if (!changed) return false;
  const std::string data = encode_samples(samples->ports, samples->absolute);
  SQLite::Statement update(database_, "UPDATE sample SET data = ? WHERE place = ?");
  bind_bytes(update, 1, data);
  update.bind(2, place);
  update.exec();
  return true;
}

void TakenBack::apply(std::span<const MonitorEvent> events) {
  std::ranges::copy_if(events, std::back_inserter(doubts_),
                       [](const MonitorEvent& each) { return each.until_sweep != 0; });
  if (doubts_.empty()) return;
  std::map<Row, std::set<std::size_t>> rows;
  for (const MonitorEvent& doubt : doubts_) collect(doubt, rows);

  struct Changed {
    std::int64_t first, last;
    std::set<std::size_t> ports;
  };
  std::map<std::size_t, Changed> chunks;
  for (const auto& [row, ports] : rows) {
    if (!make_gaps(row, ports)) continue;
    const auto [chunk, is_new] = chunks.try_emplace(row.second, Changed{row.first, row.first, {}});
    chunk->second.last = row.first;
    chunk->second.ports.insert(ports.begin(), ports.end());
  }
  for (const auto& [chunk, changed] : chunks) {
    downsampler_.sum_again(changed.first, changed.last, chunk,
                           [&ports = changed.ports](std::vector<PeriodSample>& sums) {
                             for (const std::size_t at : ports) {
                               if (at < sums.size()) sums[at] = {};
                             }
                           });
  }
  std::erase_if(doubts_, [&](const MonitorEvent& doubt) {
    return !sweeps_.empty() && doubt.until_sweep <= sweeps_.back().first;
  });
}

}  // namespace pssp
