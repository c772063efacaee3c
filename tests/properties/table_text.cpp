#include "tests/properties/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <regex>
#include <sstream>

#include "tests/properties/plan_text.h"

namespace pssp::test {
namespace {

/// Descriptions of the owners of LIDs, as the dumps print them, by LID.
std::map<unsigned, std::string> owner_texts(const RandomPlan& plan,
                                            const std::vector<std::string>& names) {
  std::map<unsigned, std::string> texts;
  for (const PlannedLids& each : plan.lids) {
    const PlannedNode& node = plan.nodes[each.owner.node];
    const char* const type = node.is_switch                     ? "Switch"
                             : node.kind == EndPortKind::router ? "Router"
                                                                : "Channel Adapter";
    for (unsigned lid = each.first; lid < each.first + (1U << each.lmc); ++lid) {
      texts[lid] = fmt::format("{} portguid 0x{:016x}: '{}'", type, node.guid + each.owner.port,
                               names[each.owner.node]);
    }
  }
  return texts;
}

std::uint64_t number_in(const std::smatch& match, std::size_t group, int base) {
  return std::stoull(match[group].str(), nullptr, base);
}

}  // namespace

PlannedTables draw_tables(const RandomPlan& plan, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<unsigned> lids;
  for (const PlannedLids& each : plan.lids) {
    for (unsigned lid = each.first; lid < each.first + (1U << each.lmc); ++lid) lids.push_back(lid);
  }
  const std::size_t owned = lids.size();
  // The reader rejects a dump with more LIDs of unknown owners as a dump of another fabric.
  for (std::size_t extra = random() % (1 + std::min<std::size_t>(4, owned / 4)); extra > 0; --extra)
    lids.push_back(*std::max_element(lids.begin(), lids.end()) + 1 +
                   static_cast<unsigned>(random() % 3));
  PlannedTables tables;
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    if (!plan.nodes[n].is_switch) continue;
    const bool is_first = tables.empty();
    std::map<unsigned, unsigned>& table = tables[n];
    for (std::size_t i = 0; i < lids.size(); ++i) {
      if ((is_first && i < owned) || random() % 8 != 0)
        table[lids[i]] = static_cast<unsigned>(random() % (plan.nodes[n].ports + 1));
    }
  }
  return tables;
}

std::string dump_text(const RandomPlan& plan, const std::vector<std::string>& names,
                      const PlannedTables& tables, LftFormat format) {
  unsigned highest = 0;
  for (const auto& [n, table] : tables) {
    if (!table.empty()) highest = std::max(highest, table.rbegin()->first);
  }
  const std::map<unsigned, std::string> owners = owner_texts(plan, names);
  std::string text;
  for (const auto& [n, table] : tables) {
    const Guid guid = plan.nodes[n].guid;
    if (format == LftFormat::opensm_fdbs) {
      text += fmt::format("dump_ucast_routes: Switch 0x{:016x}\nLID    : Port : Hops : Optimal\n",
                          guid);
      for (unsigned lid = 1; lid <= highest; ++lid) {
        const auto entry = table.find(lid);
        text += fmt::format("0x{:04x} : ", lid);
        text += entry == table.end() ? "UNREACHABLE\n"
                                     : fmt::format("{:03}  : 02   : yes\n", entry->second);
      }
      continue;
    }
    const bool is_fts = format == LftFormat::dump_fts;
    text += is_fts ? fmt::format(
                         "Unicast lids [0x0-0x{:x}] of switch DR path slid 0; dlid 0; 0,1 "
                         "guid 0x{:016x} ({}):\n  Lid  Out   Destination\n       Port     "
                         "Info \n",
                         highest, guid, names[n])
                   : fmt::format("Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n",
                                 highest, lids_at(plan, {n, 0}).first, guid, names[n]);
    for (const auto& [lid, port] : table) {
      const auto owner = owners.find(lid);
      text +=
          fmt::format(fmt::runtime(is_fts ? "0x{:04x} {:03} : ({})\n" : "0x{:04x} {:03} # {}\n"),
                      lid, port, owner == owners.end() ? "unknown node and type" : owner->second);
    }
    text += is_fts ? fmt::format("{} valid lids dumped \n", table.size())
                   : fmt::format("{} lids dumped\n", highest);
  }
  return text;
}

TextEntries entries_of(const PlannedTables& tables, const RandomPlan& plan) {
  TextEntries entries;
  for (const auto& [n, table] : tables) {
    for (const auto& [lid, port] : table) entries.push_back({plan.nodes[n].guid, lid, port});
  }
  std::ranges::sort(entries);
  return entries;
}

DumpText read_dump(const std::string& text) {
  DumpText dump;
  Guid at = 0;
  const auto number_behind = [](const std::string& line, std::string_view words) -> std::uint64_t {
    const std::size_t begin = line.find(words);
    if (begin == std::string::npos) return 0;
    return std::stoull(line.substr(begin + words.size(), 16), nullptr, 16);
  };
  for (const std::string& line : lines_of(text)) {
    unsigned lid = 0, port = 0;
    if (line.starts_with("Unicast lids [")) {
      at = number_behind(line, " guid 0x");
    } else if (std::sscanf(line.c_str(), "0x%4x %3u", &lid, &port) == 2) {
      dump.entries.push_back({at, lid, port});
      const Guid owner = number_behind(line, "portguid 0x");
      if (owner == 0) continue;
      dump.routes.push_back({at, owner, port});
      dump.owners.insert(owner);
    }
  }
  std::ranges::sort(dump.entries);
  std::ranges::sort(dump.routes);
  return dump;
}

TextEntries routes_of_graph(const std::string& text) {
  static const std::regex node(R"re(^"([^"]*)" \[.*"(guid|port_guid)"="0x([0-9a-f]+)".*$)re");
  static const std::regex edge(
      R"re(^"([^"]*)" -> "[^"]*" \["key"="([0-9]+)".*"comment"="([^"]*)".*$)re");
  std::map<std::string, Guid> guids;  // node GUIDs of switches and port GUIDs of hosts
  TextEntries routes;
  for (const std::string& line : lines_of(text)) {
    std::smatch match;
    if (std::regex_match(line, match, edge)) {
      std::istringstream list(std::regex_replace(match[3].str(), std::regex(","), " "));
      for (std::string to; list >> to && to != "*";) {
        routes.push_back(
            {guids.at(match[1]), guids.at(to), static_cast<unsigned>(number_in(match, 2, 10))});
      }
    } else if (std::regex_match(line, match, node)) {
      guids[match[1]] = number_in(match, 3, 16);
    }
  }
  std::ranges::sort(routes);
  return routes;
}

}  // namespace pssp::test
