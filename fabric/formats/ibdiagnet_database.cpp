// Sections can have any order, so all rows are read before nodes, LIDs and links are passed to the
// builder. Codes of widths and speeds are those of PortInfo, whose fields for newer speeds are in
// higher bytes of one number: bits 0-7 LinkSpeedActive, 8-15 LinkSpeedExtActive, 16-23 Mellanox's
// own, 24-31 LinkSpeedExtActive2. Source: headers of ibutils2 (ibdm/Fabric.h).

#include "fabric/formats/ibdiagnet_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "fabric/adapter_kind.h"
#include "fabric/formats/cases.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::uint64_t type_switch = 2, type_router = 3;
constexpr std::uint64_t state_down = 1;
constexpr unsigned most_lmc = 7;

struct PortRow {
  std::size_t line = 0;
  Guid guid = 0;
  unsigned lid = no_lid, lmc = 0;
  LinkRate rate;
  bool is_down = false;
};

/// Node GUID and port number.
using NodePort = std::pair<Guid, unsigned>;

struct LinkRow {
  std::size_t line = 0;
  NodePort a, b;
};

class DatabaseReader {
 public:
  DatabaseReader(std::string_view text, std::string_view name)
      : text_(text), name_(name), rows_(text, name, {"NODES", "PORTS", "LINKS"}) {}

  TopologyFile run();

 private:
  void require_columns(std::initializer_list<std::string_view> columns) const;
  void read_node();
  void read_port();
  void read_link();
  void require_sections() const;
  void add_ports();
  void add_link(const LinkRow& link);
  const PortRow* port_at(const NodePort& at) const;
  LinkRate rate_of(const LinkRow& link);
  void warn(const Cases& cases, std::string_view what);
  std::string port_text(const NodePort& at, std::size_t line) const {
    return fmt::format("0x{:016x} port {} (line {})", at.first, at.second, line);
  }

  std::string_view text_, name_;
  IbdiagnetSections rows_;
  TopologyFile result_;
  std::unordered_map<Guid, NodeId> nodes_;
  std::map<NodePort, PortRow> ports_;
  std::vector<LinkRow> links_;
  Cases unknown_nodes_, down_, without_rate_, unequal_rates_;
};

void DatabaseReader::require_columns(std::initializer_list<std::string_view> columns) const {
  for (const std::string_view column : columns) {
    if (rows_.has_column(column)) continue;
    rows_.fail(fmt::format("section {} has no column {}", rows_.section(), column));
  }
}

void DatabaseReader::read_node() {
  require_columns({"NodeDesc", "NumPorts", "NodeType", "NodeGUID"});
  const Guid guid = rows_.guid("NodeGUID");
  const auto ports = static_cast<unsigned>(rows_.number_up_to("NumPorts", max_port_number));
  const std::uint64_t type = rows_.number_up_to("NodeType", type_router);
  if (type == 0) rows_.fail("node type 0; expected 1 (adapter), 2 (switch) or 3 (router)");
  const std::string description(*rows_.field("NodeDesc"));
  if (nodes_.size() >= last_unicast_lid) {
    rows_.fail(fmt::format("more than {} nodes: an InfiniBand subnet has no LIDs for more",
                           last_unicast_lid));
  }
  at_line(name_, rows_.line(), [&] {
    FabricBuilder& builder = result_.builder;
    const bool is_router = type == type_router;
    nodes_[guid] =
        type == type_switch
            ? builder.add_switch(guid, ports, fmt::format("S-{:016x}", guid), description)
            : builder.add_adapter(
                  guid, ports, is_router ? EndPortKind::router : adapter_kind(description),
                  fmt::format("{}-{:016x}", is_router ? 'R' : 'H', guid), description);
  });
}

void DatabaseReader::read_port() {
  require_columns({"NodeGUID", "PortNum"});
  constexpr std::uint64_t permissive_lid = 0xFFFF;
  const NodePort at{rows_.guid("NodeGUID"),
                    static_cast<unsigned>(rows_.number_up_to("PortNum", max_port_number))};
  PortRow port;
  port.line = rows_.line();
  port.guid = rows_.guid_if_stated("PortGUID").value_or(0);
  if (rows_.number("LID")) {
    port.lid = static_cast<unsigned>(rows_.number_up_to("LID", permissive_lid));
    if (port.lid == permissive_lid) port.lid = no_lid;
  }
  if (rows_.number("LMC")) port.lmc = static_cast<unsigned>(rows_.number_up_to("LMC", most_lmc));
  port.rate = active_rate(rows_);
  port.is_down = rows_.number("PortState") == state_down;
  const auto [first, is_new] = ports_.try_emplace(at, port);
  if (!is_new) {
    rows_.fail(fmt::format("port {} of node 0x{:016x} is already at line {}", at.second, at.first,
                           first->second.line));
  }
}

void DatabaseReader::read_link() {
  require_columns({"NodeGuid1", "PortNum1", "NodeGuid2", "PortNum2"});
  const auto port = [this](std::string_view column) {
    return static_cast<unsigned>(rows_.number_up_to(column, max_port_number));
  };
  links_.push_back({rows_.line(),
                    {rows_.guid("NodeGuid1"), port("PortNum1")},
                    {rows_.guid("NodeGuid2"), port("PortNum2")}});
}

void DatabaseReader::require_sections() const {
  for (const std::string_view section : {"NODES", "LINKS"}) {
    if (rows_.has_section(section)) continue;
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: section {} is missing: the file looks like {}; expected "
                            "ibdiagnet2.db_csv with START_NODES and START_LINKS. "
                            "ibdiagnet2.ibnetdiscover of the same folder has the topology, too",
                            name_, section, describe_content(text_, name_)));
  }
}

const PortRow* DatabaseReader::port_at(const NodePort& at) const {
  const auto found = ports_.find(at);
  return found == ports_.end() ? nullptr : &found->second;
}

void DatabaseReader::add_ports() {
  FabricBuilder& builder = result_.builder;
  for (const auto& [at, port] : ports_) {
    const auto node = nodes_.find(at.first);
    if (node == nodes_.end()) {
      unknown_nodes_.add(port_text(at, port.line));
      continue;
    }
    const NodeId id = node->second;
    const auto number = static_cast<PortNumber>(at.second);
    const bool is_switch = builder.is_switch(id);
    // The LID of a switch belongs to its port 0; its other ports have none.
    if (is_switch && number != management_port) continue;
    const PortRow& row = port;
    at_line(name_, row.line, [&] {
      if (!is_switch && row.guid != 0) builder.set_port_guid(id, number, row.guid);
      if (row.lid != no_lid) builder.set_lid(id, number, row.lid, row.lmc);
    });
  }
}

LinkRate DatabaseReader::rate_of(const LinkRow& link) {
  const PortRow* const a = port_at(link.a);
  const PortRow* const b = port_at(link.b);
  const LinkRate rate_a = a == nullptr ? LinkRate{} : a->rate;
  const LinkRate rate_b = b == nullptr ? LinkRate{} : b->rate;
  if (!rate_a.stated() && !rate_b.stated()) {
    without_rate_.add(port_text(link.a, link.line));
    return {};
  }
  if (!rate_a.stated()) return rate_b;
  if (!rate_b.stated()) return rate_a;
  if (!(rate_a == rate_b)) unequal_rates_.add(port_text(link.a, link.line));
  return rate_a.capacity() <= rate_b.capacity() ? rate_a : rate_b;
}

void DatabaseReader::add_link(const LinkRow& link) {
  const auto a = nodes_.find(link.a.first);
  const auto b = nodes_.find(link.b.first);
  if (a == nodes_.end() || b == nodes_.end()) {
    unknown_nodes_.add(port_text(a == nodes_.end() ? link.a : link.b, link.line));
    return;
  }
  for (const NodePort& end : {link.a, link.b}) {
    const PortRow* const port = port_at(end);
    if (port == nullptr || !port->is_down) continue;
    down_.add(port_text(end, link.line));
    return;
  }
  at_line(name_, link.line, [&] {
    result_.builder.connect(a->second, static_cast<PortNumber>(link.a.second), b->second,
                            static_cast<PortNumber>(link.b.second), rate_of(link));
  });
}

void DatabaseReader::warn(const Cases& cases, std::string_view what) {
  if (cases.count() == 0) return;
  result_.warnings.push_back(
      fmt::format("{}: {} {}: {}", name_, cases.count(), what, cases.examples()));
}

TopologyFile DatabaseReader::run() {
  while (rows_.next()) {
    if (rows_.section() == "NODES") {
      read_node();
    } else if (rows_.section() == "PORTS") {
      read_port();
    } else {
      read_link();
    }
  }
  require_sections();
  add_ports();
  for (const LinkRow& link : links_) add_link(link);
  if (!rows_.has_section("PORTS")) {
    result_.warnings.push_back(
        fmt::format("{}: section PORTS, which has LIDs and rates, is missing", name_));
  }
  warn(unknown_nodes_, "port(s) and link(s) of nodes that are not in section NODES, left out");
  warn(down_, "link(s) that are down, left out");
  warn(unequal_rates_, "link(s) whose ends state different rates; the slower rate is used");
  warn(without_rate_,
       "link(s) without a known rate; these links get the fabric's most frequent rate");
  return std::move(result_);
}

}  // namespace

LinkRate active_rate(const IbdiagnetSections& row) {
  struct Width {
    std::uint64_t code;
    unsigned lanes;
  };
  struct Speed {
    std::uint64_t code;
    std::string_view name;
  };
  constexpr std::array widths{Width{1, 1}, Width{2, 4}, Width{4, 8}, Width{8, 12}, Width{16, 2}};
  constexpr std::array speeds{Speed{1, "SDR"},     Speed{2, "DDR"},         Speed{4, "QDR"},
                              Speed{0x100, "FDR"}, Speed{0x200, "EDR"},     Speed{0x400, "HDR"},
                              Speed{0x800, "NDR"}, Speed{1 << 16, "FDR10"}, Speed{1 << 24, "XDR"}};
  const std::optional<std::uint64_t> width = row.number("LinkWidthActv");
  const std::optional<std::uint64_t> speed = row.number("LinkSpeedActv");
  for (const Width& w : widths) {
    for (const Speed& s : speeds) {
      if (w.code != width || s.code != speed) continue;
      return parse_link_rate(fmt::format("{}x{}", w.lanes, s.name)).value_or(LinkRate{});
    }
  }
  return {};
}

TopologyFile parse_ibdiagnet_database(std::string_view text, std::string_view name) {
  return DatabaseReader(text, name).run();
}

}  // namespace pssp
