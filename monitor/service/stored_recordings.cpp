// A recording is a window of the history; the sums over its links are computed on request. The
// interval between two sweeps belongs to the sweep at its end. A recording includes all intervals
// that end in it, also the first one, which began earlier.

#include "monitor/service/stored_recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/text_lines.h"
#include "base/untrusted_text.h"
#include "monitor/api/list_order.h"
#include "monitor/service/history_sums.h"
#include "monitor/store/recordings.h"

namespace pssp {
namespace {

constexpr std::size_t most_recordings = 10'000;

[[noreturn]] void unreadable(const Error& error) {
  throw ApiError{503, untrusted_text(error.what()), "try again in a few seconds"};
}

void write_recording(JsonWriter& json, const Recording& recording) {
  json.begin_object();
  json.member("id", std::to_string(recording.number));
  json.member("name", untrusted_text(recording.name));
  json.member("command", untrusted_text(recording.command));
  json.member("start", recording.start_ms).member("end", recording.end_ms);
  json.end_object();
}

const Recording& wanted(const std::vector<Recording>& list, const std::string& id) {
  const auto found = std::ranges::find_if(
      list, [&](const Recording& each) { return std::to_string(each.number) == id; });
  if (found == list.end()) {
    throw ApiError{404, "unknown recording", "/api/v1/recordings lists all recordings"};
  }
  return *found;
}

/// Use of one channel in one recording.
struct ChannelUse {
  double bytes_per_s = 0, utilisation = -1, waiting = -1;
  bool known = false;
};

struct ChannelRow {
  std::uint32_t port = 0;
  std::array<ChannelUse, 2> use;
};

ChannelUse use_of(const AllSums& sums, Guid guid, const MapPort& port) {
  const auto found = sums.find({guid, port.number});
  ChannelUse use;
  if (found == sums.end() || !found->second.difference.has(Counter::transmit_bytes)) return use;
  const PortDifference& difference = found->second.difference;
  use.known = difference.ns != 0;
  use.bytes_per_s = difference.per_second(Counter::transmit_bytes);
  use.utilisation = utilisation(difference, Counter::transmit_bytes, port.rate);
  use.waiting = waiting_share(difference);
  return use;
}

void write_share(JsonWriter& json, const char* name, double share) {
  json.key(name);
  if (share < 0) {
    json.null();
  } else {
    json.value(share);
  }
}

void write_use(JsonWriter& json, const char* name, const ChannelUse& use) {
  json.key(name);
  if (!use.known) {
    json.null();
    return;
  }
  json.begin_object().member("bytes_per_s", use.bytes_per_s);
  write_share(json, "utilisation", use.utilisation);
  write_share(json, "waiting_share", use.waiting);
  json.end_object();
}

/// True if the channel used at least a thousandth of the link, or waited for as much of the time,
/// in one of the recordings.
bool is_used(const ChannelRow& row) {
  constexpr double least = 1e-3;
  return std::ranges::any_of(row.use, [](const ChannelUse& use) {
    return use.utilisation >= least || use.waiting >= least;
  });
}

double weight_of(const ChannelRow& row, std::string_view key) {
  return key == "difference" ? std::abs(row.use[0].bytes_per_s - row.use[1].bytes_per_s)
                             : row.use[0].bytes_per_s;
}

std::vector<ChannelRow> rows_of(const LiveView& view, const std::array<AllSums, 2>& sums) {
  std::vector<ChannelRow> rows;
  for (std::uint32_t p = 0; p < view.map().ports.size(); ++p) {
    const MapPort& port = view.map().ports[p];
    const Guid guid = view.map().node_of(port).guid;
    ChannelRow row;
    row.port = p;
    for (std::size_t i = 0; i < sums.size(); ++i) row.use[i] = use_of(sums[i], guid, port);
    if (is_used(row)) rows.push_back(row);
  }
  return rows;
}

}  // namespace

void StoredRecordings::recordings(JsonWriter& json, const LiveView&, const Target& target) {
  target.allow({"limit", "after"});
  const ListPart part = list_part(target);
  try {
    const std::vector<Recording> list = read_recordings(file_, most_recordings);
    json.key("recordings").begin_array();
    for (std::uint64_t i = part.first;
         i < std::min<std::uint64_t>(list.size(), part.first + part.limit); ++i) {
      write_recording(json, list[i]);
    }
    json.end_array();
    write_list_end(json, part, list.size());
  } catch (const Error& error) {
    unreadable(error);
  }
}

void StoredRecordings::recording(JsonWriter& json, const LiveView& view, const Target& target,
                                 const std::string& id) {
  target.allow({"with", "sort", "order", "limit", "after"});
  const ListPart part = list_part(target);
  const std::string* with = target.find("with");
  const ListOrder order(target, {"bytes", "difference"});
  try {
    const std::vector<Recording> list = read_recordings(file_, most_recordings);
    const Recording& first = wanted(list, id);
    const HistoryReader reader(file_);
    std::array<AllSums, 2> sums;
    sums[0] = sums_of(reader, {first.start_ms, first.end_ms + 1});
    json.key("item");
    write_recording(json, first);
    json.key("with");
    if (with != nullptr) {
      const Recording& second = wanted(list, *with);
      sums[1] = sums_of(reader, {second.start_ms, second.end_ms + 1});
      write_recording(json, second);
    } else {
      json.null();
    }
    const std::vector<ChannelRow> rows = rows_of(view, sums);
    std::vector<std::uint32_t> sorted(rows.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    order.sort(sorted, part.first + part.limit,
               [&](std::uint32_t i) { return weight_of(rows[i], order.key()); });
    write_list(json, "links", part, sorted, [&](std::uint32_t i) {
      json.begin_object();
      write_cable(json, view, rows[i].port);
      write_use(json, "use", rows[i].use[0]);
      write_use(json, "use_with", rows[i].use[1]);
      json.end_object();
    });
  } catch (const Error& error) {
    unreadable(error);
  }
}

}  // namespace pssp
