#include "topologies/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "topologies/random.h"
#include "topologies/registry.h"

namespace pssp {

void TopologyRequest::declare(CLI::App& app) {
  app.require_subcommand(0, 1);
  for (const TopologyFamily& family : topology_registry()) {
    CLI::App& command = *app.add_subcommand(std::string(family.name), std::string(family.summary));
    command.footer(fmt::format("Example: make_topo {}{}{} -o fabric.net", family.name,
                               family.example.empty() ? "" : " ", family.example));
    command.callback([this, generator = family.declare(command)] { generator_ = generator; });
    declare_common(command);
  }
}

void TopologyRequest::declare_common(CLI::App& command) {
  command
      .add_option("--kill-links", damage_.dead_links, "take N random links between switches out")
      ->type_name("N")
      ->group("Damage");
  command
      .add_option("--kill-switches", damage_.dead_switches,
                  "take N random switches out; their hosts stay, uncabled")
      ->type_name("N")
      ->group("Damage");
  command
      .add_flag("--allow-islands", damage_.may_split,
                "damage may split the fabric (else such links are spared)")
      ->group("Damage");
  command.add_option("--seed", seed_, "seed of damage, random graphs and GUIDs")
      ->type_name("S")
      ->capture_default_str();
  command.add_flag("--shuffle-guids", shuffle_guids_, "GUIDs in random order")->group("Identity");
  command
      .add_flag("--lids{opensm}", lids_,
                "give LIDs: opensm (as OpenSM on an empty subnet, the default) or hosts-first "
                "(hosts from 1 on in the "
                "order of drawing, then switches)")
      ->check(CLI::IsMember({"opensm", "hosts-first"}).description(""))
      ->type_name("[=SCHEME]")
      ->group("Identity");
  command.add_option("--lmc", lmc_, "2^N LIDs for each adapter port; implies --lids")
      ->check(CLI::Range(0U, max_lmc))
      ->type_name("N")
      ->group("Identity");
  command.add_option("--rate", rate_, "rate of all cables, e.g. 4xQDR (default: not stated)")
      ->type_name("RATE")
      ->group("Identity");
}

CablingPlan TopologyRequest::draw() const {
  if (!generator_) {
    throw Error(ErrorKind::usage, "no kind of topology was given; `make_topo --list` names them");
  }
  CablingPlan plan = generator_(seed_);
  apply_damage(plan, damage_, seed_);
  if (shuffle_guids_) {
    Random random(seed_, RandomPurpose::guids);
    plan.shuffle_guids(random);
  }
  return plan;
}

FabricBuilder TopologyRequest::make(const CablingPlan& plan) const {
  LinkRate rate;
  if (!rate_.empty()) {
    const std::optional<LinkRate> parsed = parse_link_rate(rate_);
    if (!parsed) {
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "--rate {}: expected lanes and speed as in ibnetdiscover, e.g. 4xQDR or 4xHDR",
              rate_));
    }
    rate = *parsed;
  }
  LidScheme lids = LidScheme::none;
  if (lids_ == "hosts-first") {
    lids = LidScheme::hosts_first;
  } else if (!lids_.empty() || lmc_ > 0) {
    lids = LidScheme::opensm;
  }
  return plan.to_builder(rate, lids, lmc_);
}

}  // namespace pssp
