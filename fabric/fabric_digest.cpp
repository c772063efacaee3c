// A Fabric is a function of its switches, end ports and channels, so the digest covers only these.

#include "fabric/fabric_digest.h"

namespace pssp {
namespace {

void add_rate(Digest& digest, const LinkRate& rate) {
  digest.add(rate.lanes);
  digest.add(rate.megabits_per_lane);
}

void add_switches(Digest& digest, const Fabric& fabric) {
  digest.add(fabric.switch_count());
  for (const Switch& each : fabric.switches()) {
    digest.add(each.guid);
    digest.add(each.ports);
    digest.add(each.lid);
    digest.add(each.lmc);
    digest.add_text(each.name);
    digest.add_text(each.description);
  }
}

void add_end_ports(Digest& digest, const Fabric& fabric) {
  digest.add(fabric.end_port_count());
  for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
    const EndPort& each = fabric.end_port(EndPortId(e));
    digest.add(each.node_guid);
    digest.add(each.port_guid);
    digest.add(each.port);
    digest.add(static_cast<std::uint64_t>(each.kind));
    digest.add(each.host);
    digest.add(each.lid);
    digest.add(each.lmc);
    digest.add(each.attached.valid() ? each.attached.value() : ~std::uint64_t{0});
    digest.add(each.switch_port);
    digest.add(fabric.is_endpoint(EndPortId(e)) ? 1 : 0);
    add_rate(digest, each.rate);
    digest.add_text(each.name);
    digest.add_text(each.description);
    digest.add_text(each.configured_type);
  }
}

void add_channels(Digest& digest, const Fabric& fabric) {
  digest.add_all<std::uint32_t>(fabric.first_channel());
  digest.add_all<std::uint32_t>(fabric.channel_head());
  digest.add_all<PortNumber>(fabric.channel_out_port());
  digest.add_all<PortNumber>(fabric.channel_in_port());
  for (const LinkRate& rate : fabric.channel_rate()) add_rate(digest, rate);
}

}  // namespace

DigestValue digest_of(const Fabric& fabric) {
  Digest digest;
  add_switches(digest, fabric);
  add_end_ports(digest, fabric);
  add_channels(digest, fabric);
  return digest.value();
}

DigestValue digest_of_cables(const Fabric& fabric) {
  Digest digest;
  for (const Switch& each : fabric.switches()) digest.add(each.guid);
  add_channels(digest, fabric);
  return digest.value();
}

}  // namespace pssp
