#include "evaluator/paths/path_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pssp {
namespace {

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

}  // namespace

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

}  // namespace pssp
