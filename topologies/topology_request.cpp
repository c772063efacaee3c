#include "topologies/topology_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "topologies/random.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

/// Returns a rate that is not set if the option was not given.
LinkRate parse_rate(std::string_view option, const std::string& text) {
  if (text.empty()) return {};
  const std::optional<LinkRate> parsed = parse_link_rate(text);
  if (parsed) return *parsed;
  throw Error(
      ErrorKind::usage,
      fmt::format("{} {}: expected lanes and speed as in ibnetdiscover, e.g. 4xQDR or 4xHDR",
                  option, text));
}

}  // namespace

TopologyRequest::TopologyRequest() {
  for (const TopologyFamily& family : topology_registry()) {
    Kind& kind = kinds_.emplace_back();
    kind.family = &family;
    kind.generator = family.declare(kind.arguments);
    declare_common(kind.arguments);
  }
}

void TopologyRequest::declare_common(ArgumentList& list) {
  list.add("--uneven-hosts", irregularities_.uneven,
           "remove the last 0 to N hosts of each switch, at random; at least one stays")
      .type_name("N")
      .group("Hosts");
  list.add("--servers", irregularities_.servers,
           "make the last N hosts of each switch servers, named io00001, io00002, ...")
      .type_name("N")
      .group("Hosts");
  list.add("--absent-hosts", irregularities_.absent, "remove N random hosts")
      .type_name("N")
      .group("Hosts");
  list.add("--upper-hosts", irregularities_.upper,
           "connect N random hosts to random switches without hosts, such as spines")
      .type_name("N")
      .group("Hosts");
  list.add("--half-spines", damage_.half_spines,
           "connect N random top switches (farthest from hosts) only to the first half of their "
           "neighbors")
      .type_name("N")
      .group("Damage");
  list.add("--kill-links", damage_.dead_links, "remove N random links between switches")
      .type_name("N")
      .group("Damage");
  list.add("--kill-switches", damage_.dead_switches,
           "remove N random switches; their hosts stay without a cable")
      .type_name("N")
      .group("Damage");
  list.add("--allow-islands", damage_.may_split,
           "allow damage to split the fabric (default: spare such links)")
      .group("Damage");
  list.add("--seed", seed_,
           "seed of all random choices: graphs, hosts, rates, damage, ports, GUIDs")
      .type_name("S")
      .show_default();
  list.add("--permute-ports", permute_ports_,
           "number the ports of each switch in random order; the cabling stays the same")
      .group("Identity");
  list.add("--shuffle-guids", shuffle_guids_, "assign GUIDs in random order").group("Identity");
  list.add("--lids", lids_,
           "assign LIDs: opensm (as OpenSM on an empty subnet, the default) or hosts-first "
           "(hosts from 1 in the order of creation, then switches)")
      .bare("opensm")
      .one_of({"opensm", "hosts-first"})
      .type_name("[=SCHEME]")
      .group("Identity");
  list.add("--lmc", lmc_, "assign 2^N LIDs to each adapter port; implies --lids")
      .range(0, max_lmc)
      .type_name("N")
      .group("Identity");
  list.add("--rate", rate_, "rate of all cables, e.g. 4xQDR (default: none)")
      .type_name("RATE")
      .group("Identity");
  list.add("--mixed-rate", mixed_rate_,
           "rate of all cables at a random half of the switches with hosts; needs --rate")
      .type_name("RATE")
      .group("Identity");
}

void TopologyRequest::take(std::string_view specification) {
  std::istringstream text{std::string(specification)};
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  if (words.empty()) return;
  const auto kind = std::ranges::find_if(
      kinds_, [&](const Kind& each) { return each.family->name == words.front(); });
  if (kind == kinds_.end()) {
    throw Error(ErrorKind::usage,
                fmt::format("unknown kind '{}'; `pssp make-topo --list` lists all kinds",
                            excerpt(words.front())));
  }
  words.erase(words.begin());
  kind->arguments.parse(words);
  choose(*kind);
}

CablingPlan TopologyRequest::draw() const {
  if (chosen_ == nullptr) {
    throw Error(ErrorKind::usage,
                "no kind of topology is given; `pssp make-topo --list` lists all kinds");
  }
  CablingPlan plan = chosen_->generator(seed_);
  Irregularities irregularities = irregularities_;
  irregularities.other_rate = parse_rate("--mixed-rate", mixed_rate_);
  if (irregularities.other_rate.stated() && rate_.empty()) {
    throw Error(ErrorKind::usage, "--mixed-rate needs --rate, the rate of all other cables");
  }
  make_irregular(plan, irregularities, seed_);
  apply_damage(plan, damage_, seed_);
  if (permute_ports_) {
    Random random(seed_, RandomPurpose::ports);
    plan.permute_ports(random);
  }
  if (shuffle_guids_) {
    Random random(seed_, RandomPurpose::guids);
    plan.shuffle_guids(random);
  }
  return plan;
}

FabricBuilder TopologyRequest::make(const CablingPlan& plan) const {
  LidScheme lids = LidScheme::none;
  if (lids_ == "hosts-first") {
    lids = LidScheme::hosts_first;
  } else if (!lids_.empty() || lmc_ > 0) {
    lids = LidScheme::opensm;
  }
  return plan.to_builder(parse_rate("--rate", rate_), lids, lmc_);
}

}  // namespace pssp
