// The file is read twice: as a topology, and for the data that a topology does not have (states and
// capabilities of ports, and counters). A counter has up to three columns: two names for 64 bits,
// and one for the field of PortCounters, which stops at its largest value. The first column with a
// value counts.
//
// Sources: public parsers of these files (docs/reference/formats.md, "Database of ibdiagnet").

#include "monitor/discovery/saved_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "base/untrusted_text.h"
#include "fabric/formats/cases.h"
#include "fabric/formats/ibdiagnet_database.h"
#include "monitor/discovery/topology_map.h"

namespace pssp {
namespace {

constexpr std::uint64_t bytes_per_word = 4;
/// ibdiagnet writes -2 or -1, as 64-bit numbers, for a counter that a node does not have.
constexpr std::uint64_t least_not_available = std::numeric_limits<std::uint64_t>::max() - 1;

/// A column for a counter, and the largest value at which it stops; 0: it has 64 bits.
struct CounterColumn {
  Counter counter;
  std::string name;
  std::uint64_t full = 0;
};

/// By counter, in descending order of preference.
std::vector<CounterColumn> counter_columns() {
  std::vector<CounterColumn> columns;
  for (const CounterInfo& info : counter_table()) {
    const std::string name(info.wire_name);
    for (const char* const ending : {"Ext", "Extended"}) {
      columns.push_back({info.counter, name + ending, 0});
    }
    std::uint64_t full = 0;
    for (const CounterField& field : port_counters_fields()) {
      if (field.name == info.wire_name) full = (std::uint64_t{1} << field.width) - 1;
    }
    columns.push_back({info.counter, name, full});
  }
  return columns;
}

/// The values of a row.
struct RowOfCounters {
  CounterMask known = 0, saturated = 0, narrow = 0;
  CounterValues values{};
};

class SavedCountersReader {
 public:
  SavedCountersReader(std::string_view text, std::string_view name)
      : text_(text), name_(name), rows_(text, name, {"PORTS", "PM_INFO", "PM_DELTA"}) {}

  SavedCounters run();

 private:
  void read_map();
  std::optional<std::uint32_t> port_of_row(std::string_view number_column) const;
  std::optional<std::uint32_t> counted_port();
  std::optional<std::uint64_t> count(const std::string& column) const;
  RowOfCounters read_counters() const;
  void add_attributes();
  void add_totals();
  void add_difference();
  void set_statuses();
  void read_pause();

  std::string_view text_;
  std::string name_;
  IbdiagnetSections rows_;
  std::vector<CounterColumn> columns_ = counter_columns();
  SavedCounters saved_;
  Cases unknown_ports_;
};

void SavedCountersReader::read_map() {
  TopologyFile topology = parse_ibdiagnet_database(text_, name_);
  saved_.remarks = std::move(topology.warnings);
  saved_.map = map_of_topology(std::move(topology)).map;
  saved_.map->generation = 1;
  Snapshot& totals = saved_.totals;
  totals.sweep = 1;
  totals.map = saved_.map;
  const std::size_t ports = saved_.map->ports.size();
  totals.status.resize(ports, PortStatus::not_active);
  totals.read_ns.resize(ports);
  totals.known.resize(ports);
  totals.saturated.resize(ports);
  totals.narrow.resize(ports);
  totals.values.resize(ports * counter_count);
}

/// Nothing for port 0 of a switch, which is not in maps, and for ports that NODES does not list.
std::optional<std::uint32_t> SavedCountersReader::port_of_row(
    std::string_view number_column) const {
  const Guid guid = rows_.guid("NodeGUID");
  const std::uint64_t number = rows_.number_up_to(number_column, max_port_number);
  return saved_.map->find_port(guid, static_cast<PortNumber>(number));
}

void SavedCountersReader::add_attributes() {
  const std::optional<std::uint32_t> at = port_of_row("PortNum");
  if (!at) return;
  MapPort& port = saved_.map->ports[*at];
  const auto byte = [this](std::string_view column, unsigned shift = 0) {
    return static_cast<std::uint8_t>(rows_.number(column).value_or(0) >> shift);
  };
  const auto state = [this](std::string_view column, std::uint64_t last) {
    const std::uint64_t stated = rows_.number(column).value_or(0);
    return static_cast<std::uint8_t>(stated <= last ? stated : 0);
  };
  port.state = LinkState(state("PortState", 4));
  port.physical = PhysicalState(state("PortPhyState", 6));
  constexpr unsigned extended = 8;
  port.width_supported = byte("LinkWidthSup");
  port.width_enabled = byte("LinkWidthEn");
  port.speed_supported = byte("LinkSpeedSup");
  port.speed_enabled = byte("LinkSpeedEn");
  port.extended_speed_supported = byte("LinkSpeedSup", extended);
  port.extended_speed_enabled = byte("LinkSpeedEn", extended);
}

std::optional<std::uint64_t> SavedCountersReader::count(const std::string& column) const {
  if (rows_.field(column).value_or("").starts_with('-')) return std::nullopt;
  const std::optional<std::uint64_t> value = rows_.number(column);
  return value && *value < least_not_available ? value : std::nullopt;
}

RowOfCounters SavedCountersReader::read_counters() const {
  RowOfCounters row;
  for (const CounterColumn& column : columns_) {
    const CounterMask bit = mask_of(column.counter);
    if ((row.known & bit) != 0) continue;
    const std::optional<std::uint64_t> value = count(column.name);
    if (!value) continue;
    row.known |= bit;
    if (column.full != 0) row.narrow |= bit;
    if (column.full != 0 && *value == column.full) row.saturated |= bit;
    const bool counts_bytes = info_of(column.counter).unit == CounterUnit::bytes;
    row.values[static_cast<std::size_t>(column.counter)] =
        counts_bytes ? *value * bytes_per_word : *value;
  }
  return row;
}

/// For a row of counters. Port 0 of a switch is not a port of a map, because it has no cable.
std::optional<std::uint32_t> SavedCountersReader::counted_port() {
  const std::string_view column = rows_.has_column("PortNumber") ? "PortNumber" : "PortNum";
  const std::optional<std::uint32_t> at = port_of_row(column);
  if (!at && rows_.number(column) != management_port) {
    unknown_ports_.add(fmt::format("line {}", rows_.line()));
  }
  return at;
}

void SavedCountersReader::add_totals() {
  const std::optional<std::uint32_t> at = counted_port();
  if (!at) return;
  Snapshot& totals = saved_.totals;
  if (totals.status[*at] == PortStatus::read) {
    rows_.fail("this port has another row in the same section");
  }
  const RowOfCounters row = read_counters();
  totals.status[*at] = PortStatus::read;
  totals.known[*at] = row.known;
  totals.saturated[*at] = row.saturated;
  totals.narrow[*at] = row.narrow;
  std::ranges::copy(row.values, totals.values.begin() + std::ptrdiff_t(*at * counter_count));
}

void SavedCountersReader::add_difference() {
  saved_.between.resize(saved_.map->ports.size());
  const std::optional<std::uint32_t> at = counted_port();
  if (!at) return;
  PortDifference& difference = saved_.between[*at];
  if (difference.known != 0) rows_.fail("this port has another row in the same section");
  const RowOfCounters row = read_counters();
  difference.known = row.known;
  difference.delta = row.values;
}

/// Called after all rows, because the sections can have any order.
void SavedCountersReader::set_statuses() {
  Snapshot& totals = saved_.totals;
  for (std::uint32_t p = 0; p < totals.status.size(); ++p) {
    PortStatus& status = totals.status[p];
    const bool has_difference = !saved_.between.empty() && saved_.between[p].known != 0;
    if (saved_.map->ports[p].state != LinkState::active) {
      status = PortStatus::not_active;
    } else if (status != PortStatus::read) {
      status = has_difference ? PortStatus::read : PortStatus::silent;
    }
    if (!has_difference) continue;
    PortDifference& difference = saved_.between[p];
    difference.saturated = totals.saturated[p];
    difference.known &= ~totals.saturated[p];
  }
}

/// From the lines before the first section: `# .. ibdiagnet --pc --pm_pause_time 60`.
void SavedCountersReader::read_pause() {
  TextLines lines(text_, name_);
  while (lines.next() && !without_indent(lines.line()).starts_with("START_")) {
    constexpr std::string_view option = "--pm_pause_time";
    const std::size_t at = lines.line().find(option);
    if (at == std::string_view::npos) continue;
    std::string_view rest = without_indent(lines.line().substr(at + option.size()));
    const std::optional<std::uint64_t> seconds = take_number(rest);
    if (seconds && *seconds != 0) saved_.pause_s = static_cast<double>(*seconds);
    return;
  }
}

SavedCounters SavedCountersReader::run() {
  read_map();
  while (rows_.next()) {
    if (rows_.section() == "PORTS") {
      add_attributes();
    } else if (rows_.section() == "PM_INFO") {
      add_totals();
    } else {
      add_difference();
    }
  }
  if (!rows_.has_section("PM_INFO") && !rows_.has_section("PM_DELTA")) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: there are no counters (section PM_INFO); run ibdiagnet without "
                            "'--skip pm', and with '--pm_pause_time 60' for counts in 60 s",
                            untrusted_text(name_)));
  }
  set_statuses();
  read_pause();
  if (unknown_ports_.count() != 0) {
    saved_.remarks.push_back(fmt::format(
        "{}: ignored {} row(s) of counters of ports that section NODES does not list: {}", name_,
        unknown_ports_.count(), unknown_ports_.examples()));
  }
  return std::move(saved_);
}

}  // namespace

SavedCounters parse_saved_counters(std::string_view text, std::string_view name) {
  return SavedCountersReader(text, name).run();
}

SavedCounters read_saved_counters(const std::string& file) {
  return parse_saved_counters(read_file(file), file);
}

}  // namespace pssp
