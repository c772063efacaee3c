// Rows of numbers: `index: entry of LID 0, entry of LID 1, ...`. LID 0 does not exist, so its entry
// is ignored. Ports count from 0; in InfiniBand, port 0 is the switch itself, so port p of the
// model is port p + 1.
//
// The configuration of the model contains the index of each switch. The thesis numbers rows by the
// subscripts of the switch's name and does not show that file; the model's own examples number them
// from 0 on. Both are supported.

#include "fabric/formats/omnet/omnet_fdbs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/cases.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

class FdbsReader {
 public:
  FdbsReader(std::string_view text, std::string_view name) : text_(text), rest_(text) {
    tables_.name = name;
  }

  OmnetTables run();

 private:
  bool skip_blanks();
  std::uint64_t take_value();
  void add_row(std::uint64_t index);
  void add_entry(std::uint64_t value);
  void end_row() const;
  [[noreturn]] void fail(std::string_view message) const { fail_at(tables_.name, line_, message); }

  std::string_view text_, rest_;
  OmnetTables tables_;
  std::size_t line_ = 1;
  std::unordered_map<std::uint64_t, std::size_t> line_of_row_;
};

/// Returns false at the end.
bool FdbsReader::skip_blanks() {
  for (;;) {
    const std::size_t count = std::min(rest_.find_first_not_of(" \t\r\n\v\f"), rest_.size());
    line_ += static_cast<std::size_t>(std::count(rest_.data(), rest_.data() + count, '\n'));
    rest_.remove_prefix(count);
    if (!rest_.starts_with('#')) return !rest_.empty();
    rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
  }
}

std::uint64_t FdbsReader::take_value() {
  const std::optional<std::uint64_t> value = take_number(rest_);
  if (value &&
      (rest_.empty() || is_blank(rest_.front()) || rest_.front() == '\n' || rest_.front() == ':'))
    return *value;
  fail(fmt::format("'{}' is not a number; expected e.g. 11: 255 0 1 3",
                   excerpt(rest_.substr(0, std::min<std::size_t>(rest_.find('\n'), 20)))));
}

void FdbsReader::end_row() const {
  if (tables_.rows.empty()) return;
  const OmnetTables::Row& row = tables_.rows.back();
  if (row.ports.size() == tables_.rows.front().ports.size()) return;
  fail_at(tables_.name, row.line,
          fmt::format("row {} has {} entries, the first row {}; check that the file is complete",
                      row.index, row.ports.size(), tables_.rows.front().ports.size()));
}

void FdbsReader::add_row(std::uint64_t index) {
  end_row();
  const auto [other, is_new] = line_of_row_.try_emplace(index, line_);
  if (!is_new) fail(fmt::format("row {} is already at line {}", index, other->second));
  if (tables_.rows.size() >= last_unicast_lid) {
    fail(fmt::format("more than {} switches: an InfiniBand subnet has no LIDs for more",
                     last_unicast_lid));
  }
  tables_.rows.push_back({index, line_, {}});
}

void FdbsReader::add_entry(std::uint64_t value) {
  if (tables_.rows.empty()) fail("an entry above the first row; expected e.g. 11: 255 0 1 3");
  std::vector<PortNumber>& ports = tables_.rows.back().ports;
  if (ports.empty()) {
    ports.push_back(no_port);  // the entry of LID 0, which does not exist
    return;
  }
  if (value >= max_port_number && value != no_port) {
    fail(fmt::format("port {} does not exist: expected 0 to {}, or 255 for no route", value,
                     max_port_number - 1));
  }
  if (ports.size() > last_unicast_lid)
    fail(fmt::format("a row has entries beyond the last unicast LID {}", last_unicast_lid));
  ports.push_back(static_cast<PortNumber>(value));
}

OmnetTables FdbsReader::run() {
  if (content_kind(text_) != ContentKind::omnet_fdbs) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: these are not forwarding tables of OMNeT++: it looks like {}; "
                            "expected e.g. 11: 255 0 1 3",
                            tables_.name, describe_content(text_, tables_.name)));
  }
  while (skip_blanks()) {
    const std::uint64_t value = take_value();
    const std::string_view behind = without_indent(rest_);
    if (behind.starts_with(':')) {
      rest_ = behind.substr(1);
      add_row(value);
    } else {
      add_entry(value);
    }
  }
  end_row();
  return std::move(tables_);
}

/// The row of each switch.
std::vector<const OmnetTables::Row*> match_rows(const OmnetNetwork& network,
                                                const OmnetTables& tables) {
  std::unordered_map<std::string, const OmnetTables::Row*> by_name, by_index;
  for (const OmnetTables::Row& row : tables.rows) {
    by_name.emplace(fmt::format("SW{}", row.index), &row);
    by_index.emplace(std::to_string(row.index), &row);
  }
  const FabricBuilder& builder = network.topology.builder;
  const bool has_names = std::any_of(network.switches.begin(), network.switches.end(),
                                     [&](NodeId id) { return by_name.contains(builder.name(id)); });
  std::vector<const OmnetTables::Row*> rows;
  Cases missing;
  for (std::size_t i = 0; i < network.switches.size(); ++i) {
    const std::string& name = builder.name(network.switches[i]);
    const auto& known = has_names ? by_name : by_index;
    const auto found = known.find(has_names ? name : std::to_string(i));
    rows.push_back(found == known.end() ? nullptr : found->second);
    if (found == known.end()) missing.add(name);
  }
  if (missing.count() == 0 && tables.rows.size() == network.switches.size()) return rows;
  throw Error(
      ErrorKind::mismatch,
      fmt::format(
          "{} and the network do not belong together: {} rows for {} switches, {} switches without "
          "a row{}{}; expected rows numbered like the switches (11 for SW11), or from 0",
          tables.name, tables.rows.size(), network.switches.size(), missing.count(),
          missing.count() == 0 ? "" : ": ", missing.examples()));
}

}  // namespace

OmnetTables parse_omnet_fdbs(std::string_view text, std::string_view name) {
  // Uses the check for binary data of all text formats.
  const TextLines checked(text, name, describe_content);
  take(text, "\xEF\xBB\xBF");
  return FdbsReader(text, name).run();
}

LftFile to_lft_file(const OmnetNetwork& network, const OmnetTables& tables) {
  const FabricBuilder& builder = network.topology.builder;
  const std::vector<const OmnetTables::Row*> rows = match_rows(network, tables);
  LftFile dump;
  dump.name = tables.name;
  dump.format = LftFormat::omnet;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    LftSwitch& added = dump.switches.emplace_back();
    added.guid = builder.guid(network.switches[i]);
    added.description = builder.description(network.switches[i]);
    added.line = rows[i]->line;
    for (std::size_t lid = first_unicast_lid; lid < rows[i]->ports.size(); ++lid) {
      const PortNumber port = rows[i]->ports[lid];
      if (port != no_port)
        added.entries.set(static_cast<Lid>(lid), static_cast<PortNumber>(port + 1));
    }
  }
  for (const OmnetNetwork::Host& host : network.hosts) {
    dump.destinations.push_back({.lid = host.lid,
                                 .port_guid = builder.port_guid(host.id, 1),
                                 .is_switch = false,
                                 .description = builder.description(host.id)});
  }
  std::sort(dump.destinations.begin(), dump.destinations.end(),
            [](const LftDestination& a, const LftDestination& b) { return a.lid < b.lid; });
  return dump;
}

}  // namespace pssp
