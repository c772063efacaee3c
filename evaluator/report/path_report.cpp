#include "evaluator/report/path_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

// A path is shown link by link, not switch by switch: a link is what is pulled, replaced or found
// busy. The links of the end ports belong to it.

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

/// One link of a path, in the direction of the packet.
struct PathLink {
  std::string from, to;  // "label[port]"
  std::string from_name, to_name;
  PortNumber from_port = 0, to_port = 0;
  Lid to_lid = no_lid;
  LinkRate rate;
  ChannelId channel;  // none: the link of an end port
};

std::string label(const Fabric& fabric, LidOwner owner) {
  return owner.kind == LidOwner::Kind::end_port ? fabric.label(EndPortId(owner.index))
                                                : fabric.label(SwitchId(owner.index));
}

PathLink source_link(const Fabric& fabric, const EndPort& port, EndPortId id) {
  const Switch& entered = fabric.switch_at(port.attached);
  return {.from = fmt::format("{}[{}]", fabric.label(id), port.port),
          .to = fmt::format("{}[{}]", fabric.label(port.attached), port.switch_port),
          .from_name = port.name,
          .to_name = entered.name,
          .from_port = port.port,
          .to_port = port.switch_port,
          .to_lid = entered.lid,
          .rate = port.rate,
          .channel = {}};
}

PathLink destination_link(const Fabric& fabric, const EndPort& port, EndPortId id, Lid lid) {
  PathLink link = source_link(fabric, port, id);
  std::swap(link.from, link.to);
  std::swap(link.from_name, link.to_name);
  std::swap(link.from_port, link.to_port);
  link.to_lid = lid;
  return link;
}

PathLink channel_link(const Fabric& fabric, ChannelId channel) {
  const std::uint32_t c = channel.value();
  const SwitchId tail(fabric.channel_tail()[c]);
  const SwitchId head(fabric.channel_head()[c]);
  return {.from = fmt::format("{}[{}]", fabric.label(tail), fabric.channel_out_port()[c]),
          .to = fmt::format("{}[{}]", fabric.label(head), fabric.channel_in_port()[c]),
          .from_name = fabric.switch_at(tail).name,
          .to_name = fabric.switch_at(head).name,
          .from_port = fabric.channel_out_port()[c],
          .to_port = fabric.channel_in_port()[c],
          .to_lid = fabric.switch_at(head).lid,
          .rate = fabric.channel_rate()[c],
          .channel = channel};
}

std::vector<PathLink> links_of(const Fabric& fabric, const Path& path) {
  std::vector<PathLink> links;
  if (path.steps.empty()) return links;
  if (path.source.owner.kind == LidOwner::Kind::end_port) {
    const EndPortId id(path.source.owner.index);
    links.push_back(source_link(fabric, fabric.end_port(id), id));
  }
  for (const PathStep& step : path.steps) {
    if (step.channel.valid()) links.push_back(channel_link(fabric, step.channel));
  }
  if (path.outcome == PathOutcome::arrives &&
      path.destination.owner.kind == LidOwner::Kind::end_port) {
    const EndPortId id(path.destination.owner.index);
    links.push_back(destination_link(fabric, fabric.end_port(id), id, path.destination.lid));
  }
  return links;
}

double index_of(const Fabric& fabric, ChannelId channel, std::span<const std::uint64_t> loads) {
  return static_cast<double>(loads[channel.value()]) * fabric.channel_cost()[channel.value()];
}

double largest_index(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads) {
  double largest = 0;
  for (const PathStep& step : path.steps) {
    if (step.channel.valid()) largest = std::max(largest, index_of(fabric, step.channel, loads));
  }
  return largest;
}

/// Short and without blanks, for JSON and scripts.
std::string_view word_for(PathOutcome outcome) {
  switch (outcome) {
    case PathOutcome::arrives:
      return "arrives";
    case PathOutcome::source_not_cabled:
      return "source_not_cabled";
    case PathOutcome::destination_not_cabled:
      return "destination_not_cabled";
    case PathOutcome::no_entry:
      return "no_entry";
    case PathOutcome::dead_port:
      return "dead_port";
    case PathOutcome::wrong_port:
      return "wrong_port";
    case PathOutcome::loop:
      return "loop";
  }
  return "";
}

/// What the switch does that the path ends at without having arrived.
std::string what_goes_wrong(const Fabric& fabric, const Path& path) {
  const Lid lid = path.destination.lid;
  switch (path.outcome) {
    case PathOutcome::arrives:
      return {};
    case PathOutcome::source_not_cabled:
      return "the source's port has no live link to a switch";
    case PathOutcome::destination_not_cabled:
      return "the destination's port has no live link to a switch";
    default:
      break;
  }
  const PathStep& last = path.steps.back();
  const std::string at =
      fmt::format("{} (lid {})", fabric.label(last.at), fabric.switch_at(last.at).lid);
  switch (path.outcome) {
    case PathOutcome::no_entry:
      return fmt::format("{} has no entry for lid {} and drops the packets", at, lid);
    case PathOutcome::dead_port:
      return fmt::format("{} sends lid {} to its port {}, which has no live link", at, lid,
                         last.out_port);
    case PathOutcome::wrong_port:
      return fmt::format(
          "{} sends lid {} to its port {}, behind which is {}", at, lid, last.out_port,
          last.out_port == management_port
              ? "the switch itself"
              : fabric.label(EndPortId(fabric.behind(last.at, last.out_port).index)));
    default:
      return fmt::format("{} sends lid {} back to {}: the packets circle until they are dropped",
                         at, lid,
                         fabric.label(SwitchId(fabric.channel_head()[last.channel.value()])));
  }
}

std::string headline(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads) {
  const auto end = [&](PathEnd each) {
    return fmt::format("{} (lid {})", label(fabric, each.owner), each.lid);
  };
  std::string text = fmt::format("{} -> {}: ", end(path.source), end(path.destination));
  if (path.outcome != PathOutcome::arrives) return text + "DOES NOT ARRIVE";
  if (path.steps.empty()) return text + "the same port; nothing leaves the adapter";
  return text + fmt::format("arrives, hops {}, largest index {:g}", path.hops(),
                            largest_index(fabric, path, loads));
}

}  // namespace

std::string to_text(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads) {
  std::string text = headline(fabric, path, loads) + "\n";
  const std::vector<PathLink> links = links_of(fabric, path);
  std::size_t from_width = 4;
  std::size_t to_width = 2;
  for (const PathLink& link : links) {
    from_width = std::max(from_width, link.from.size());
    to_width = std::max(to_width, link.to.size());
  }
  const auto out = std::back_inserter(text);
  if (!links.empty()) {
    fmt::format_to(out, "  {:<{}}    {:<{}}  {:>5}  {:<9} {:>9} {:>9}\n", "from", from_width, "to",
                   to_width, "lid", "link", "routes", "index");
  }
  for (const PathLink& link : links) {
    const bool is_channel = link.channel.valid();
    fmt::format_to(out, "  {:<{}} -> {:<{}}  {:>5}  {:<9} {:>9} {:>9}\n", link.from, from_width,
                   link.to, to_width, link.to_lid, link.rate.stated() ? to_string(link.rate) : "-",
                   is_channel ? fmt::format("{}", loads[link.channel.value()]) : "-",
                   is_channel ? fmt::format("{:g}", index_of(fabric, link.channel, loads)) : "-");
  }
  if (path.outcome != PathOutcome::arrives) {
    fmt::format_to(out, "  {}\n", what_goes_wrong(fabric, path));
  }
  return text;
}

Json to_json(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads) {
  const auto end = [&](PathEnd each) {
    Json json;
    if (each.owner.kind == LidOwner::Kind::end_port) {
      const EndPort& port = fabric.end_port(EndPortId(each.owner.index));
      json["name"] = port.name;
      json["description"] = port.description;
      json["port"] = port.port;
      json["guid"] = fmt::format("0x{:016x}", port.port_guid);
    } else {
      const Switch& node = fabric.switch_at(SwitchId(each.owner.index));
      json["name"] = node.name;
      json["description"] = node.description;
      json["port"] = management_port;
      json["guid"] = fmt::format("0x{:016x}", node.guid);
    }
    json["lid"] = each.lid;
    return json;
  };
  Json json;
  json["source"] = end(path.source);
  json["destination"] = end(path.destination);
  json["outcome"] = word_for(path.outcome);
  if (path.outcome != PathOutcome::arrives) json["reason"] = what_goes_wrong(fabric, path);
  json["hops"] = path.hops();
  json["largest_index"] = largest_index(fabric, path, loads);
  json["links"] = Json::array();
  for (const PathLink& link : links_of(fabric, path)) {
    Json each;
    each["from"] = link.from_name;
    each["from_port"] = link.from_port;
    each["to"] = link.to_name;
    each["to_port"] = link.to_port;
    each["to_lid"] = link.to_lid;
    each["rate_mbits"] = link.rate.capacity();
    if (link.channel.valid()) {
      each["routes"] = loads[link.channel.value()];
      each["index"] = index_of(fabric, link.channel, loads);
    }
    json["links"].push_back(std::move(each));
  }
  return json;
}

}  // namespace pssp
