// The bytes that a host sent come from the host's own port, and the bytes on a channel from the
// port that the channel leaves. If that port was not read, the other end of the cable is used
// instead, so a fabric whose hosts are not asked (hosts = off) can be analyzed equally well.

#include "monitor/window/window_counters.h"

#include <algorithm>
#include <optional>

namespace pssp {
namespace {

using Position = TrafficWindow::Position;

constexpr double unknown_bytes = -1, ms_in_second = 1e3, word_bytes = 4;

double bytes_of(const HistorySample& sample, Counter counter) {
  // A link that is not active carries no data.
  if (sample.status == PortStatus::not_active) return 0;
  const CounterMask whole = sample.known & ~sample.partly;
  if ((whole & mask_of(counter)) == 0 || sample.covered_ms == 0) return unknown_bytes;
  return static_cast<double>(sample.delta[static_cast<std::size_t>(counter)]);
}

}  // namespace

void WindowCounters::Row::clear() {
  for (auto* values : {&sent, &received, &channels}) {
    std::fill(values->begin(), values->end(), unknown_bytes);
  }
  seconds = 0;
}

WindowCounters::WindowCounters(TrafficWindow& window, std::int64_t since_ms, std::size_t joined)
    : window_(window),
      fabric_(*window.map->fabric),
      roles_(*window.map, fabric_),
      since_ms_(since_ms),
      joined_(joined),
      waited_(window.map->ports.size()) {
  row_.sent.resize(fabric_.end_port_count());
  row_.received.resize(fabric_.end_port_count());
  row_.channels.resize(fabric_.channel_count());
  sum_ = row_;
  row_.clear();
}

void WindowCounters::add(const HistorySample& sample) {
  if (sample.sweep != sweep_) end_row();
  sweep_ = sample.sweep;
  row_.time_ms = sample.time_ms;
  const auto port = window_.map->find_port(sample.port.node, sample.port.number);
  if (!port) return;
  const std::optional<Position> place = roles_.of(*port);
  if (!place) return;
  Reading reading;
  reading.port = *port;
  reading.place = *place;
  reading.covered_ms = static_cast<std::int64_t>(sample.covered_ms);
  reading.out = bytes_of(sample, Counter::transmit_bytes);
  reading.in = bytes_of(sample, Counter::receive_bytes);
  constexpr CounterMask both = mask_of(Counter::transmit_wait) | mask_of(Counter::transmit_bytes);
  reading.knows_waiting = (sample.known & both) == both;
  const auto value = [&](Counter counter) {
    return static_cast<double>(sample.delta[static_cast<std::size_t>(counter)]);
  };
  reading.ticks = value(Counter::transmit_wait);
  reading.words = value(Counter::transmit_bytes) / word_bytes;
  readings_.push_back(reading);
}

/// The median of the covered times, in ms; 0 if no port has a difference. Ports that are not active
/// have none.
std::int64_t WindowCounters::usual_ms() const {
  std::vector<std::int64_t> covered;
  for (const Reading& each : readings_) {
    if (each.covered_ms != 0) covered.push_back(each.covered_ms);
  }
  if (covered.empty()) return 0;
  const auto middle = covered.begin() + static_cast<std::ptrdiff_t>(covered.size() / 2);
  std::nth_element(covered.begin(), middle, covered.end());
  return *middle;
}

/// Ports are read one after another, so the intervals of one sweep begin at different times, some
/// before the window and some inside. The median interval decides for the whole sweep. An interval
/// that is much longer includes sweeps in which the port did not answer.
void WindowCounters::take_readings() {
  const std::int64_t usual = usual_ms();
  if (usual == 0 || row_.time_ms - usual < since_ms_) return;
  row_.seconds = static_cast<double>(usual) / ms_in_second;
  for (const Reading& each : readings_) {
    const bool is_longer = each.covered_ms > usual + usual / 2;
    if (is_longer && row_.time_ms - each.covered_ms < since_ms_) continue;
    take(each);
  }
}

void WindowCounters::take(const Reading& reading) {
  if (reading.knows_waiting) {
    waited_[reading.port].known = true;
    waited_[reading.port].ticks += reading.ticks;
    waited_[reading.port].words += reading.words;
  }
  const std::uint32_t index = reading.place.index;
  const auto second_hand = [](double& value, double other) {
    if (value < 0) value = other;
  };
  switch (reading.place.kind) {
    case Position::Kind::channel:
      if (reading.out >= 0) row_.channels[index] = reading.out;
      second_hand(row_.channels[fabric_.channel_reverse()[index]], reading.in);
      break;
    case Position::Kind::from_host:
      if (reading.out >= 0) row_.sent[index] = reading.out;
      if (reading.in >= 0) row_.received[index] = reading.in;
      break;
    case Position::Kind::to_host:
      second_hand(row_.received[index], reading.out);
      second_hand(row_.sent[index], reading.in);
      break;
  }
}

void WindowCounters::finish() {
  end_row();
  if (rows_ != 0) end_sum();
  window_.waiting_share.assign(waited_.size(), -1);
  for (std::size_t p = 0; p < waited_.size(); ++p) {
    if (waited_[p].known) {
      const double all = waited_[p].ticks + waited_[p].words;
      window_.waiting_share[p] = all > 0 ? waited_[p].ticks / all : 0;
    }
  }
}

void WindowCounters::end_row() {
  take_readings();
  readings_.clear();
  if (row_.seconds > 0) {
    const auto join = [](std::vector<double>& to, const std::vector<double>& from, bool first) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = first ? from[i] : to[i] < 0 || from[i] < 0 ? unknown_bytes : to[i] + from[i];
      }
    };
    join(sum_.sent, row_.sent, rows_ == 0);
    join(sum_.received, row_.received, rows_ == 0);
    join(sum_.channels, row_.channels, rows_ == 0);
    sum_.seconds = (rows_ == 0 ? 0 : sum_.seconds) + row_.seconds;
    sum_.time_ms = row_.time_ms;
    if (++rows_ == joined_) end_sum();
  }
  row_.clear();
}

void WindowCounters::end_sum() {
  ObservedTraffic& observed = window_.observed;
  const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(observed.sent, sum_.sent);
  append(observed.received, sum_.received);
  append(observed.channels, sum_.channels);
  ++observed.sweeps;
  window_.time_ms.push_back(sum_.time_ms);
  window_.seconds.push_back(sum_.seconds);
  rows_ = 0;
}

}  // namespace pssp
