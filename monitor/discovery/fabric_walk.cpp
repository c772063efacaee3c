// A visit is a dialogue with the node at the end of a directed route. NodeInfo identifies the node
// and the port at which the request arrived, which is the far end of the followed cable. A known
// node needs no further requests, except for an adapter port that was not reached before. A new
// node is asked for its description and the PortInfo of its ports. As soon as a switch port is
// known to be up, the visit to its neighbor begins. Nodes are thus found breadth-first, many at a
// time.
//
// libibnetdisc is not used: it blocks while silent nodes time out, and it needs its own port, which
// the client library of ibsim does not permit. Besides, ibnetdiscover, which uses it, can then
// check this walk.

#include "monitor/discovery/fabric_walk.h"

#include <algorithm>
#include <optional>

#include "wire/subnet/node_info.h"

namespace pssp {
namespace {

constexpr std::uint8_t link_up = static_cast<std::uint8_t>(PhysicalState::link_up);
constexpr std::uint8_t link_down = static_cast<std::uint8_t>(LinkState::down);
constexpr std::uint8_t speed_qdr = 4;
/// Vendors whose switches run FDR10, which PortInfo reports as QDR; the attribute 0xff90
/// distinguishes them.
constexpr std::uint32_t mellanox = 0x0002c9;

}  // namespace

class FabricWalk::Visit final : public Dialogue {
 public:
  Visit(FabricWalk& walk, const DirectedRoute& route, const Cable& from)
      : walk_(walk), route_(route), from_(from) {}

  std::optional<MadRequest> next() override {
    const Destination to = subnet_management_along(route_);
    const std::uint64_t key = walk_.options_.m_key;
    switch (step_) {
      case Step::identity:
        return node_info_request(to, key);
      case Step::description:
        return node_description_request(to, key);
      case Step::switch_port0:
        return port_info_request(to, management_port, key);
      case Step::port:
        return port_info_request(to, port_, key);
      case Step::vendor_port:
        return vendor_port_info_request(to, port_, key);
      case Step::done:
        break;
    }
    walk_.over(*this);
    return std::nullopt;
  }

  void take(const MadAnswer& answer) override {
    switch (step_) {
      case Step::identity:
        take_identity(decode_node_info(answer.data));
        break;
      case Step::description:
        node().description = decode_node_description(answer.data);
        step_ = is_switch_ ? Step::switch_port0 : Step::port;
        break;
      case Step::switch_port0:
        take_management_port(decode_port_info(answer.data));
        break;
      case Step::port:
        take_port(decode_port_info(answer.data));
        break;
      case Step::vendor_port:
        node().found_ports.back().runs_fdr10 = decode_runs_fdr10(answer.data);
        next_port();
        break;
      case Step::done:
        break;
    }
  }

  void failed(const MadFailure& failure) override {
    const bool stopped = failure.kind == MadFailure::Kind::stopped;
    if (step_ == Step::identity || stopped) {
      step_ = Step::done;
    } else if (step_ == Step::description) {
      step_ = is_switch_ ? Step::switch_port0 : Step::port;
    } else if (step_ == Step::switch_port0) {
      step_ = Step::port;
    } else {
      next_port();
    }
  }

 private:
  enum class Step { identity, description, switch_port0, port, vendor_port, done };

  FoundNode& node() { return walk_.nodes_.at(guid_); }

  void take_identity(const NodeInfo& info) {
    guid_ = info.node_guid;
    is_switch_ = info.type == NodeInfo::Type::switch_node;
    ports_ = info.ports;
    walk_.add_cable(from_, {info.node_guid, info.local_port});
    const auto [found, is_new] = walk_.nodes_.try_emplace(guid_);
    port_ = is_switch_ ? PortNumber{1} : info.local_port;
    port_guid_ = info.port_guid;
    if (is_new) {
      FoundNode& node = found->second;
      node.guid = guid_;
      node.kind = NodeKind(info.type);
      node.ports = info.ports;
      node.vendor = info.vendor;
      node.device = info.device;
      node.route = route_;
      step_ = Step::description;
    } else {
      const bool known_port =
          is_switch_ || std::ranges::any_of(found->second.found_ports, [this](const FoundPort& p) {
            return p.number == port_;
          });
      step_ = known_port ? Step::done : Step::port;
    }
  }

  void take_management_port(const PortInfo& info) {
    node().lid = info.lid;
    node().lmc = info.lmc;
    manager_ = (info.capabilities & port_capability::is_manager) != 0;
    step_ = Step::port;
  }

  void take_port(PortInfo info) {
    // The capabilities of a switch are in the PortInfo of its port 0.
    if (manager_) info.capabilities |= port_capability::is_manager;
    FoundPort port;
    port.number = port_;
    port.guid = is_switch_ ? guid_ : port_guid_;
    port.info = info;
    node().found_ports.push_back(port);
    const bool is_up = info.physical_state == link_up && info.state != link_down;
    const bool continues = is_switch_ || route_.hops == 0;
    if (is_up && continues && route_.hops < walk_.options_.max_hops) follow();
    const bool maybe_fdr10 = is_up && info.speed_active == speed_qdr &&
                             info.extended_speed_active == 0 && node().vendor == mellanox;
    if (maybe_fdr10) {
      step_ = Step::vendor_port;
    } else {
      next_port();
    }
  }

  void follow() {
    DirectedRoute onward = route_;
    onward.port[++onward.hops] = port_;
    walk_.visit(onward, {guid_, port_});
  }

  /// An adapter answers only for the port that received the request.
  void next_port() {
    const bool more =
        is_switch_ && port_ < std::min<unsigned>(ports_, max_port_number) && walk_.may_ask_port();
    if (more) ++port_;
    step_ = more ? Step::port : Step::done;
  }

  FabricWalk& walk_;
  DirectedRoute route_;
  Cable from_;
  Step step_ = Step::identity;
  Guid guid_ = 0, port_guid_ = 0;
  bool is_switch_ = false, manager_ = false;
  unsigned ports_ = 0;
  PortNumber port_ = 0;
};

FabricWalk::FabricWalk(Exchange& exchange, const WalkOptions& options)
    : exchange_(exchange), options_(options) {}

FabricWalk::~FabricWalk() = default;

void FabricWalk::begin() {
  ended_.clear();
  nodes_.clear();
  cables_.clear();
  asked_ports_ = 0;
  begun_ = true;
  visit({}, {});
}

void FabricWalk::visit(const DirectedRoute& route, const Cable& from) {
  // A cable that was followed from the other end need not be followed back.
  if (cables_.contains({from.node, from.port})) return;
  if (!may_ask_port()) return;
  auto visit = std::make_unique<Visit>(*this, route, from);
  exchange_.add(*visit);
  visits_.emplace(visit.get(), std::move(visit));
}

/// Counts a port before the request; returns false after the limit. The limit protects against a
/// malicious node that invents any number of nodes behind it.
bool FabricWalk::may_ask_port() {
  if (asked_ports_ <= options_.most_ports) ++asked_ports_;
  return asked_ports_ <= options_.most_ports;
}

void FabricWalk::over(Visit& visit) {
  const auto found = visits_.find(&visit);
  ended_.push_back(std::move(found->second));
  visits_.erase(found);
}

void FabricWalk::add_cable(const Cable& near, const Cable& far) {
  if (near.node == 0) return;
  cables_[{near.node, near.port}] = far;
  cables_[{far.node, far.port}] = near;
}

void FabricWalk::join_cables() {
  for (auto& [guid, node] : nodes_) {
    for (FoundPort& port : node.found_ports) {
      const auto cable = cables_.find({guid, port.number});
      if (cable == cables_.end()) continue;
      port.far_node = cable->second.node;
      port.far_port = cable->second.port;
    }
  }
}

std::vector<FoundNode> FabricWalk::take_nodes() {
  join_cables();
  std::vector<FoundNode> list;
  list.reserve(nodes_.size());
  for (auto& [guid, node] : nodes_) list.push_back(std::move(node));
  nodes_.clear();
  cables_.clear();
  return list;
}

}  // namespace pssp
