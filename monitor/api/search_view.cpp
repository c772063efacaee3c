// Each search examines all nodes, as there are only thousands.

#include "monitor/api/search_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/text_lines.h"
#include "monitor/api/views.h"

namespace pssp {
namespace {

std::optional<unsigned> number_in(std::string_view text) {
  unsigned value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = status == std::errc{} && end == text.data() + text.size();
  return is_number ? std::optional(value) : std::nullopt;
}

/// Splits a text into the name of a node and the number of one of its ports.
std::optional<std::pair<std::string, unsigned>> port_in(std::string text) {
  if (!text.empty() && text.back() == ']') {
    text.pop_back();
    if (const std::size_t at = text.rfind('['); at != std::string::npos) text[at] = ' ';
  }
  const std::size_t at = text.find_last_of(" :/");
  if (at == std::string::npos || at == 0) return std::nullopt;
  const auto number = number_in(std::string_view(text).substr(at + 1));
  if (!number) return std::nullopt;
  std::string_view name = trimmed(std::string_view(text).substr(0, at));
  if (name.ends_with(" port")) name = trimmed(name.substr(0, name.size() - 5));
  return std::pair(std::string(name), *number);
}

bool has_lid(const FabricMap& map, const MapNode& node, unsigned lid) {
  if (node.lid != no_lid) return node.lid == lid;
  for (std::uint32_t i = 0; i < node.ports; ++i) {
    const MapPort& port = map.ports[node.first_port + i];
    const unsigned lids = 1U << port.lmc;
    if (port.lid != no_lid && port.lid <= lid && lid < port.lid + lids) return true;
  }
  return false;
}

/// 0 if the node does not match; larger for a better match.
int rank_of(const LiveView& view, std::uint32_t n, const std::string& text) {
  const MapNode& node = view.map().nodes[n];
  const std::string name = lower_case((*view.names)[n]);
  if (name == text) return 3;
  if (const auto lid = number_in(text); lid && has_lid(view.map(), node, *lid)) return 3;
  if (text.starts_with("0x") && fmt::format("0x{:016x}", node.guid).starts_with(text)) return 2;
  if (name.starts_with(text)) return 2;
  return name.find(text) == std::string::npos ? 0 : 1;
}

std::vector<std::uint32_t> found_nodes(const LiveView& view, const std::string& text) {
  std::vector<std::pair<int, std::uint32_t>> ranked;
  for (std::uint32_t n = 0; n < view.map().nodes.size(); ++n) {
    if (const int rank = rank_of(view, n, text); rank > 0) ranked.emplace_back(-rank, n);
  }
  std::ranges::sort(ranked);
  std::vector<std::uint32_t> nodes;
  nodes.reserve(ranked.size());
  for (const auto& [rank, node] : ranked) nodes.push_back(node);
  return nodes;
}

}  // namespace

SearchRequest search_request(const Target& target) {
  constexpr std::uint64_t usual = 20, most = 100;
  target.allow({"q", "limit"});
  SearchRequest request;
  request.limit = static_cast<std::size_t>(target.number("limit", usual, 1, most));
  if (const std::string* text = target.find("q")) request.text = lower_case(trimmed(*text));
  if (request.text.empty()) {
    throw ApiError{400, "the parameter q is missing or empty",
                   "q is part of the name of a host, switch or job, a GUID, a LID, or a port"};
  }
  return request;
}

bool matches(const SearchRequest& request, std::string_view name) {
  return lower_case(name).find(request.text) != std::string::npos;
}

void write_found(JsonWriter& json, const LiveView& view, const SearchRequest& request) {
  std::vector<std::uint32_t> nodes = found_nodes(view, request.text);
  json.key("nodes").begin_array();
  for (std::size_t i = 0; i < std::min(request.limit, nodes.size()); ++i) {
    const MapNode& node = view.map().nodes[nodes[i]];
    json.begin_object().key("guid").guid(node.guid);
    json.member("name", (*view.names)[nodes[i]]).member("kind", name_of(node.kind)).end_object();
  }
  json.end_array().key("ports").begin_array();
  std::size_t written = 0;
  if (const auto asked = port_in(request.text)) {
    for (const std::uint32_t n : found_nodes(view, asked->first)) {
      const MapNode& node = view.map().nodes[n];
      if (asked->second == 0 || asked->second > node.ports || written == request.limit) continue;
      json.begin_object();
      write_cable(json, view, node.first_port + asked->second - 1U);
      json.end_object();
      ++written;
    }
  }
  json.end_array();
}

}  // namespace pssp
