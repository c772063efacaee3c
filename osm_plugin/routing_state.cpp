// "osmpssp state 4\n", the checksum of the rest (16 bytes), then
//
//   options, fabric          16 bytes each
//   tables
//   has a baseline           one byte; if it has one:
//     bytes of the fabric    a number of 32 bits, and the fabric as a net file
//     tables
//
// where tables are
//
//   switches, width          numbers of 32 bits: rows of the tables and their length
//   has levels, reversible   one byte each
//   GUIDs                    64 bits each, one a switch
//   entries                  one byte each, row after row
//
// and, where there are levels: their number of switches, their width, the number of places (32 bits
// each), GUIDs, levels, places (32 bits each). Nothing follows. Numbers have the byte order of this
// machine: on a machine with another byte order the checksum differs, and the file is ignored.
//
// Whoever can write the file can make the checksum fit. So all lengths are checked against what is
// there, and nothing that is read decides how much memory is taken; the tables themselves are
// verified before they are used, as any others.

#include "osm_plugin/routing_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/error.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"

namespace pssp {
namespace {

constexpr std::string_view version_line = "osmpssp state 4\n";

/// LIDs end at 0xBFFF.
constexpr std::uint32_t most_width = 0xC000;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::unreadable_input, why); }

template <class Value>
std::string_view bytes_of(std::span<const Value> values) {
  static_assert(std::is_trivially_copyable_v<Value>);
  const auto bytes = std::as_bytes(values);
  // Bytes may be looked at as characters.
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends the parts of a state.
class PartWriter {
 public:
  explicit PartWriter(std::string& content) : content_(content) {}

  void write(const RoutingStateView& state) {
    put(state.options);
    put(state.fabric);
    write(state.switches, state.tables, state.levels);
    put(static_cast<std::uint8_t>(state.baseline != nullptr ? 1 : 0));
    if (state.baseline == nullptr) return;
    const auto& [baseline, levels] = *state.baseline;
    const std::string text = to_net_file(baseline.fabric);
    put(static_cast<std::uint32_t>(text.size()));
    content_ += text;
    write(switch_guids(baseline.fabric), baseline.tables, levels ? &*levels : nullptr);
  }

 private:
  template <class Value>
  void put(Value value) {
    content_ += bytes_of(std::span<const Value>(&value, 1));
  }

  void write(const std::vector<Guid>& switches, const ForwardingTables& tables,
             const PathLevels* levels) {
    put(static_cast<std::uint32_t>(tables.switch_count()));
    put(static_cast<std::uint32_t>(tables.width()));
    put(static_cast<std::uint8_t>(levels != nullptr ? 1 : 0));
    put(static_cast<std::uint8_t>(levels != nullptr && levels->reversible() ? 1 : 0));
    content_ += bytes_of(std::span<const Guid>(switches));
    content_ += bytes_of(tables.entries());
    if (levels == nullptr) return;
    const ServiceLevels& of_switches = levels->levels();
    put(static_cast<std::uint32_t>(of_switches.switch_count()));
    put(static_cast<std::uint32_t>(of_switches.width()));
    put(static_cast<std::uint32_t>(levels->positions().size()));
    content_ += bytes_of(levels->switches());
    content_ += bytes_of(of_switches.entries());
    content_ += bytes_of(levels->positions());
  }

  std::string& content_;
};

/// Takes the parts of a state one after the other.
class Parts {
 public:
  explicit Parts(std::string_view content) : left_(content) {}

  template <class Value>
  Value take() {
    Value value{};
    copy(&value, sizeof value);
    return value;
  }

  template <class Value>
  std::vector<Value> take_all(std::size_t count) {
    require(count, sizeof(Value));
    std::vector<Value> values(count);
    copy(values.data(), count * sizeof(Value));
    return values;
  }

  /// A matrix of that many switches and that width.
  template <class Table>
  Table take_table(std::uint32_t switches, std::uint32_t width) {
    if (width == 0 || width > most_width) refuse("its tables have an impossible size");
    require(switches, width);
    Table table(switches, static_cast<Lid>(width - 1));
    copy(table.entries().data(), table.entries().size());
    return table;
  }

  std::string_view take_text(std::size_t size) {
    require(size, 1);
    const std::string_view text = left_.substr(0, size);
    left_.remove_prefix(size);
    return text;
  }

  bool at_end() const noexcept { return left_.empty(); }

 private:
  void require(std::size_t count, std::size_t size) const {
    if (count > left_.size() / size) refuse("it ends too early");
  }
  void copy(void* to, std::size_t size) {
    require(size, 1);
    if (size != 0) std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
  }

  std::string_view left_;
};

DigestValue checksum_of(std::string_view content) {
  Digest digest;
  digest.add_text(content);
  return digest.value();
}

PathLevels take_levels(Parts& parts, bool reversible) {
  const auto switches = parts.take<std::uint32_t>();
  const auto width = parts.take<std::uint32_t>();
  const auto positions = parts.take<std::uint32_t>();
  auto guids = parts.take_all<Guid>(switches);
  auto levels = parts.take_table<ServiceLevels>(switches, width);
  return {std::move(guids), parts.take_all<std::uint32_t>(positions), std::move(levels),
          reversible};
}

/// Tables, whose they are, and their levels.
struct TakenTables {
  std::vector<Guid> switches;
  ForwardingTables tables;
  std::optional<PathLevels> levels;
};

TakenTables take_tables(Parts& parts) {
  TakenTables taken;
  const auto switches = parts.take<std::uint32_t>();
  const auto width = parts.take<std::uint32_t>();
  const bool has_levels = parts.take<std::uint8_t>() != 0;
  const bool reversible = parts.take<std::uint8_t>() != 0;
  taken.switches = parts.take_all<Guid>(switches);
  if (!std::ranges::is_sorted(taken.switches)) refuse("its switches are not sorted");
  taken.tables = parts.take_table<ForwardingTables>(switches, width);
  if (has_levels) taken.levels.emplace(take_levels(parts, reversible));
  return taken;
}

SavedBaseline take_baseline(Parts& parts) {
  const auto size = parts.take<std::uint32_t>();
  Fabric fabric = std::move(parse_topology(parts.take_text(size), "its baseline").builder).build();
  TakenTables taken = take_tables(parts);
  if (taken.switches != switch_guids(fabric)) refuse("its baseline is inconsistent");
  return {make_baseline(std::move(fabric), std::move(taken.tables)), std::move(taken.levels)};
}

}  // namespace

std::string state_content(const RoutingStateView& state) {
  constexpr std::size_t head = version_line.size() + sizeof(DigestValue);
  std::size_t entries = state.tables.entries().size();
  if (state.baseline != nullptr) entries += state.baseline->baseline.tables.entries().size();
  std::string content(version_line);
  content.reserve(head + entries + entries / 8);
  content.resize(head);
  PartWriter(content).write(state);
  const DigestValue checksum = checksum_of(std::string_view(content).substr(head));
  std::memcpy(content.data() + version_line.size(), checksum.data(), sizeof checksum);
  return content;
}

RoutingState read_state(std::string_view content) {
  if (!content.starts_with(version_line)) refuse("it was written by another version of the plugin");
  content.remove_prefix(version_line.size());
  Parts parts(content);
  const auto checksum = parts.take<DigestValue>();
  if (checksum_of(content.substr(sizeof checksum)) != checksum) {
    refuse("it is damaged: its checksum is wrong");
  }
  RoutingState state;
  state.options = parts.take<DigestValue>();
  state.fabric = parts.take<DigestValue>();
  TakenTables taken = take_tables(parts);
  state.switches = std::move(taken.switches);
  state.tables = std::move(taken.tables);
  state.levels = std::move(taken.levels);
  if (parts.take<std::uint8_t>() != 0) state.baseline.emplace(take_baseline(parts));
  if (!parts.at_end()) refuse("data follows its end");
  return state;
}

}  // namespace pssp
