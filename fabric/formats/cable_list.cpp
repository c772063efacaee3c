// The notation of the NDT files that UFM's users keep. What a port field means:
//
//   Port 21                a port of a switch of one chip
//   Blade 16_Port 2/20     port 20 of chip 2 on leaf board 16 of a director
//   node053 ibp11s0f0      a host whose device is "node053": the adapter's description
//   node053 mlx5_0 Port 2  the same, with the adapter's second port
//   mlx5_3                 the same, without the device's name before it
//   21                     a number: a port of a switch, or of a host with one adapter
//
// A device may be a GUID (0x and 16 digits) where its name would be ambiguous: ours alone.
//
// Every end becomes a key of what is said of it, and a key may have one partner.

#include "fabric/formats/cable_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/csv_rows.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "fabric/formats/chassis_name.h"

namespace pssp {
namespace {

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

std::string chip_suffix(char board, unsigned slot, unsigned chip) {
  if (board == 0 && chip == 1) return {};
  if (board == 0) return fmt::format("/u{}", chip);
  return fmt::format("/{}{}/u{}", board, slot, chip);
}

std::optional<unsigned> whole_port_number(std::string_view text) {
  const auto number = take_number(text);
  if (!number || !text.empty() || *number == 0 || *number > max_port_number) return std::nullopt;
  return static_cast<unsigned>(*number);
}

/// "Port 21", in upper or lower case.
std::optional<unsigned> switch_port(std::string_view text) {
  const std::string small = small_letters(text);
  std::string_view rest = small;
  if (!take(rest, "port")) return std::nullopt;
  return whole_port_number(without_indent(rest));
}

struct BladePort {
  char board = 'l';
  unsigned slot = 0, chip = 1, port = 0;
};

/// "Blade 16_Port 2/20", "Blade 16_Port 20", "Blade S3_Port 1/20".
std::optional<BladePort> blade_port(std::string_view text) {
  const std::string small = small_letters(text);
  std::string_view rest = small;
  if (!take(rest, "blade")) return std::nullopt;
  rest = without_indent(rest);
  BladePort found;
  if (take(rest, "s")) {
    found.board = 's';
  } else {
    take(rest, "l");
  }
  const auto slot = take_number(rest);
  if (!slot || *slot > 9999 || !take(rest, "_port")) return std::nullopt;
  found.slot = static_cast<unsigned>(*slot);
  rest = without_indent(rest);
  if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
    const auto chip = whole_port_number(rest.substr(0, slash));
    if (!chip) return std::nullopt;
    found.chip = *chip;
    rest.remove_prefix(slash + 1);
  }
  const auto port = whole_port_number(rest);
  if (!port) return std::nullopt;
  found.port = *port;
  return found;
}

std::optional<Guid> guid_device(std::string_view device) {
  if (device.size() != 18 || !(take(device, "0x") || take(device, "0X"))) return std::nullopt;
  const auto guid = take_number(device, 16);
  return guid && device.empty() && *guid != 0 ? guid : std::nullopt;
}

/// For a port field that is a description: the port number at its end.
unsigned take_port_behind(std::string_view& text) {
  const std::size_t word = small_letters(text).rfind(" port ");
  if (word == std::string::npos) return 0;
  const auto port = whole_port_number(trimmed(text.substr(word + 6)));
  if (!port) return 0;
  text = trimmed(text.substr(0, word));
  return *port;
}

CableListEnd end_of(std::string_view device, std::string_view port) {
  CableListEnd end;
  end.device = std::string(device);
  end.specified_port = std::string(port);
  end.guid = guid_device(device).value_or(0);
  std::string identity = node_identity(device);
  if (const auto number = switch_port(port)) {
    end.kind = CableListEnd::Kind::switch_chip;
    end.port = *number;
  } else if (const auto blade = blade_port(port)) {
    end.kind = CableListEnd::Kind::switch_chip;
    end.port = blade->port;
    identity += chip_suffix(blade->board, blade->slot, blade->chip);
  } else if (const auto bare = whole_port_number(port)) {
    end.port = *bare;
  } else {
    end.kind = CableListEnd::Kind::adapter;
    std::string_view description = port;
    end.port = take_port_behind(description);
    const std::string small = small_letters(description);
    const bool begins_with_device =
        small.starts_with(identity) &&
        (small.size() == identity.size() || small[identity.size()] == ' ');
    identity = begins_with_device ? small : identity + " " + small;
  }
  if (end.guid == 0) end.identity = std::move(identity);
  return end;
}

std::string key_of(const CableListEnd& end) {
  return end.guid != 0 ? fmt::format("{:x}\n{}", end.guid, end.port)
                       : fmt::format("{}\n{}", end.identity, end.port);
}

std::string end_text(const CableListEnd& end) {
  return fmt::format("'{}' '{}'", excerpt(end.device), excerpt(end.specified_port));
}

/// Adds rows one after the other; skips known cables.
class RowCollector {
 public:
  explicit RowCollector(CableList& list) : list_(list) {}

  void add(CableListRow row) {
    const std::string start = key_of(row.start), end = key_of(row.end);
    if (start == end) fail(row, fmt::format("{} is cabled to itself", end_text(row.start)));
    const bool is_known = check(row, row.start, start, end);
    check(row, row.end, end, start);
    if (is_known) return;
    partner_[start] = {end, list_.rows.size()};
    partner_[end] = {start, list_.rows.size()};
    list_.rows.push_back(std::move(row));
  }

 private:
  struct Partner {
    std::string key;
    std::size_t row = 0;
  };

  [[noreturn]] void fail(const CableListRow& row, std::string_view message) const {
    fail_at(list_.files[row.file], row.line, message);
  }

  bool check(const CableListRow& row, const CableListEnd& at, const std::string& key,
             const std::string& far) const {
    const auto known = partner_.find(key);
    if (known == partner_.end()) return false;
    if (known->second.key == far) return true;
    const CableListRow& other = list_.rows[known->second.row];
    const bool is_start = key_of(other.start) == key;
    fail(row, fmt::format(
                  "{} has a cable to {} here and one to {} in {}:{}; a port has one cable{}",
                  end_text(at), end_text(&at == &row.start ? row.end : row.start),
                  end_text(is_start ? other.end : other.start), list_.files[other.file], other.line,
                  at.kind == CableListEnd::Kind::adapter && at.port == 0
                      ? " (the name of an adapter's second port ends with ' Port 2')"
                      : ""));
  }

  CableList& list_;
  std::unordered_map<std::string, Partner> partner_;
};

enum Column : std::uint8_t { start_device, start_port, end_device, end_port, speed, link_type };
constexpr std::array<std::string_view, 6> column_names{"startdevice", "startport", "enddevice",
                                                       "endport",     "speed",     "linktype"};
constexpr std::size_t needed_columns = 4;
using Columns = std::array<std::optional<std::size_t>, column_names.size()>;

/// The first of columns with equal names counts.
Columns columns_of(std::span<const std::string> header) {
  Columns columns;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string small = small_letters(trimmed(header[i]));
    std::string_view name = small;
    if (i == 0) {
      take(name, "#");
      name = without_indent(name);
      take(name, "fields:");
      name = without_indent(name);
    }
    for (std::size_t c = 0; c < column_names.size(); ++c) {
      if (name == column_names[c] && !columns[c]) columns[c] = i;
    }
  }
  return columns;
}

class CableListReader {
 public:
  CableListReader(std::string_view text, std::string_view name) : rows_(text, name), name_(name) {
    list_.files.emplace_back(name);
  }

  CableList run() {
    read_header();
    RowCollector collector(list_);
    while (rows_.next()) read_row(collector);
    if (other_links_ != 0) {
      list_.warnings.push_back(
          fmt::format("{}: {} rows are left out, since their LinkType is not Data (e.g. line {})",
                      name_, other_links_, example_other_));
    }
    if (without_device_ != 0) {
      list_.warnings.push_back(
          fmt::format("{}: {} rows are left out, since a device is missing (e.g. line {})", name_,
                      without_device_, example_without_));
    }
    return std::move(list_);
  }

 private:
  void read_header() {
    if (!rows_.next()) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}: the file is empty; expected a header with StartDevice, "
                              "StartPort, EndDevice, EndPort",
                              name_));
    }
    columns_ = columns_of(rows_.fields());
    std::string missing;
    for (std::size_t c = 0; c < needed_columns; ++c) {
      if (!columns_[c]) missing += fmt::format(" {}", column_names[c]);
      if (columns_[c]) last_needed_ = std::max(last_needed_, *columns_[c]);
    }
    if (missing.empty()) return;
    rows_.fail(fmt::format(
        "the header lacks{}; expected the columns StartDevice, StartPort, EndDevice and EndPort",
        missing));
  }

  std::string_view field(Column column) const {
    const auto fields = rows_.fields();
    if (!columns_[column] || *columns_[column] >= fields.size()) return {};
    return trimmed(fields[*columns_[column]]);
  }

  bool is_left_out() {
    const std::string type = small_letters(field(link_type));
    if (!type.empty() && type != "data") {
      if (other_links_++ == 0) example_other_ = rows_.line();
      return true;
    }
    if (field(start_device).empty() || field(end_device).empty()) {
      if (without_device_++ == 0) example_without_ = rows_.line();
      return true;
    }
    return false;
  }

  void read_row(RowCollector& collector) {
    const auto fields = rows_.fields();
    if (fields.front().starts_with('#')) return;
    if (fields.size() <= last_needed_) {
      rows_.fail(fmt::format("the row has {} fields, but the columns of the header need {}",
                             fields.size(), last_needed_ + 1));
    }
    if (is_left_out()) return;
    for (const Column column : {start_port, end_port}) {
      if (field(column).empty()) {
        rows_.fail(fmt::format(
            "the port at '{}' is empty; expected 'Port 21', 'Blade 16_Port 2/20', a number, or an "
            "adapter's description",
            excerpt(field(column == start_port ? start_device : end_device))));
      }
    }
    CableListRow row{end_of(field(start_device), field(start_port)),
                     end_of(field(end_device), field(end_port)), megabits(), 0, rows_.line()};
    collector.add(std::move(row));
  }

  std::uint32_t megabits() const {
    std::string_view text = field(speed);
    if (text.empty()) return 0;
    const auto number = take_number(text);
    if (!number || !text.empty() || *number > 100'000'000) {
      rows_.fail(fmt::format("'{}' is not a speed; expected a number of Mbit/s, or an empty field",
                             excerpt(field(speed))));
    }
    return static_cast<std::uint32_t>(*number);
  }

  CsvRows rows_;
  std::string name_;
  CableList list_;
  Columns columns_;
  std::size_t last_needed_ = 0;
  std::size_t other_links_ = 0, example_other_ = 0, without_device_ = 0, example_without_ = 0;
};

}  // namespace

std::string node_identity(std::string_view description) {
  const auto chassis = parse_chassis_name(description);
  if (!chassis) return small_letters(trimmed(description));
  return small_letters(chassis->system) + chip_suffix(chassis->board, chassis->slot, chassis->chip);
}

CableList parse_cable_list(std::string_view text, std::string_view name) {
  return CableListReader(text, name).run();
}

CableList join_cable_lists(std::vector<CableList> lists) {
  CableList joined;
  RowCollector collector(joined);
  for (CableList& list : lists) {
    const auto first = static_cast<std::uint32_t>(joined.files.size());
    std::ranges::move(list.files, std::back_inserter(joined.files));
    std::ranges::move(list.warnings, std::back_inserter(joined.warnings));
    for (CableListRow& row : list.rows) {
      row.file += first;
      collector.add(std::move(row));
    }
  }
  return joined;
}

bool is_cable_list(std::string_view text) {
  take(text, "\xEF\xBB\xBF");
  text = text.substr(0, text.find_first_of("\r\n"));
  if (text.find(',') == std::string_view::npos || text.find('\0') != std::string_view::npos) {
    return false;
  }
  try {
    CsvRows rows(text, "");
    if (!rows.next()) return false;
    const Columns columns = columns_of(rows.fields());
    return columns[start_device] || columns[end_device];
  } catch (const Error&) {
    return false;  // the beginning of another word
  }
}

}  // namespace pssp
