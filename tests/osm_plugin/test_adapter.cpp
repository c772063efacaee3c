#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "fake_opensm.h"
#include "osm_plugin/adapter.h"
#include "routing/engines/engine.h"

using Catch::Matchers::Contains;

namespace {

struct PluginDeleter {
  void operator()(pssp_plugin* plugin) const { pssp_plugin_delete(plugin); }
};
using Plugin = std::unique_ptr<pssp_plugin, PluginDeleter>;

/// A tree of two leaf switches and two spines; two hosts a leaf. No mesh: the leafs have no link
/// that continues a line.
struct Tree {
  FakeOpensm opensm;
  std::vector<osm_node_t*> leafs, spines, hosts;
  std::string options;

  Tree() {
    for (std::uint16_t s = 1; s <= 3; ++s) leafs.push_back(&opensm.add_switch(s, 8, s));
    for (std::uint16_t s = 4; s <= 5; ++s) spines.push_back(&opensm.add_switch(s, 8, s));
    for (std::uint8_t leaf = 0; leaf < 3; ++leaf) {
      for (std::uint8_t spine = 0; spine < 2; ++spine) {
        opensm.connect(*leafs[leaf], static_cast<std::uint8_t>(3 + spine), *spines[spine],
                       static_cast<std::uint8_t>(1 + leaf));
      }
      for (std::uint8_t h = 0; h < 2; ++h) {
        const auto lid = static_cast<std::uint16_t>(6 + 2 * leaf + h);
        hosts.push_back(&opensm.add_adapter(std::uint64_t{0x100} * lid, 1, "host"));
        opensm.connect(*leafs[leaf], static_cast<std::uint8_t>(1 + h), *hosts.back(), 1);
        opensm.set_lid(*hosts.back(), 1, lid);
      }
    }
    opensm.prepare_switches();
  }

  Plugin start(const std::string& text = "") {
    options = text;
    opensm.subnet().opt.event_plugin_options = options.empty() ? nullptr : options.data();
    return Plugin(pssp_plugin_new(&opensm.subnet(), &opensm.log()));
  }

  /// Links that a packet from the host's switch crosses until a host has it; 0: it is lost or
  /// circles.
  unsigned links_to(const osm_node_t& source, const osm_node_t& destination) const {
    const osm_physp_t* at = source.physp_table[1].p_remote_physp;
    const std::uint16_t lid = cl_ntoh16(destination.physp_table[1].port_info.base_lid);
    for (unsigned links = 1; links < 8; ++links) {
      const std::uint8_t port = at->p_node->sw->new_lft[lid];
      if (port == 0 || port >= at->p_node->sw->num_ports) return 0;
      at = at->p_node->physp_table[port].p_remote_physp;
      if (at == nullptr) return 0;
      if (at->p_node->sw == nullptr) return at->p_node == &destination ? links : 0;
    }
    return 0;
  }

  bool switches_are_untouched() const {
    for (const osm_node_t* const node : leafs) {
      for (std::uint16_t lid = 0; lid <= 11; ++lid) {
        if (node->sw->new_lft[lid] != OSM_NO_PATH) return false;
        if (osm_switch_get_least_hops(node->sw, lid) != OSM_NO_PATH) return false;
      }
    }
    return true;
  }
};

pssp_engine* engine_named(const Plugin& plugin, const std::string& name) {
  for (std::size_t i = 0; i < pssp_plugin_engine_count(plugin.get()); ++i) {
    pssp_engine* const engine = pssp_plugin_engine(plugin.get(), i);
    if (name == pssp_engine_name(engine)) return engine;
  }
  FAIL("no engine " << name);
  return nullptr;
}

}  // namespace

TEST_CASE("the plugin offers every engine of the registry") {
  Tree tree;
  const Plugin plugin = tree.start();
  REQUIRE(plugin);
  REQUIRE(pssp_plugin_engine_count(plugin.get()) == pssp::engine_registry().size());
  for (const auto& engine : pssp::engine_registry()) engine_named(plugin, std::string(engine.name));
}

TEST_CASE("an engine routes all pairs of hosts, again and again") {
  Tree tree;
  const Plugin plugin = tree.start();
  pssp_engine* const engine = engine_named(plugin, GENERATE("pssp", "p2ssp"));
  for (int sweep = 0; sweep < 3; ++sweep) {
    tree.opensm.prepare_switches();
    REQUIRE(pssp_engine_build_lid_matrices(engine) == 0);
    REQUIRE(pssp_engine_build_fwd_tables(engine) == 0);
    for (std::size_t a = 0; a < tree.hosts.size(); ++a) {
      for (std::size_t b = 0; b < tree.hosts.size(); ++b) {
        CHECK(tree.links_to(*tree.hosts[a], *tree.hosts[b]) == (a / 2 == b / 2 ? 1 : 3));
      }
    }
    CHECK(tree.leafs[0]->sw->new_lft[1] == 0);
  }
  CHECK_THAT(tree.opensm.log_text(),
             Contains("5 switches, 11 LIDs, edge forwarding index ") && Contains("total"));
}

TEST_CASE("a sweep after a failure of a link routes around it") {
  Tree tree;
  const Plugin plugin = tree.start();
  pssp_engine* const engine = engine_named(plugin, "pssp");
  FakeOpensm::port(*tree.spines[0], 1).healthy = 0;
  REQUIRE(pssp_engine_build_lid_matrices(engine) == 0);
  REQUIRE(pssp_engine_build_fwd_tables(engine) == 0);
  for (std::uint16_t lid = 8; lid <= 11; ++lid) CHECK(tree.leafs[0]->sw->new_lft[lid] == 4);
}

TEST_CASE("islands are routed each on its own, and the log says so") {
  Tree tree;
  const Plugin plugin = tree.start();
  for (const auto& spine : tree.spines) FakeOpensm::port(*spine, 1).healthy = 0;
  pssp_engine* const engine = engine_named(plugin, "pssp");
  REQUIRE(pssp_engine_build_lid_matrices(engine) == 0);
  REQUIRE(pssp_engine_build_fwd_tables(engine) == 0);
  CHECK(tree.links_to(*tree.hosts[0], *tree.hosts[1]) == 1);
  CHECK(tree.links_to(*tree.hosts[2], *tree.hosts[5]) == 3);
  CHECK(tree.links_to(*tree.hosts[0], *tree.hosts[2]) == 0);
  CHECK_THAT(tree.opensm.log_text(), Contains("16 pairs of end ports are on different islands"));
}

TEST_CASE("wrong options make every engine refuse, with the reason at each routing") {
  Tree tree;
  const Plugin plugin = tree.start("no_such_option=1");
  REQUIRE(plugin);
  CHECK_THAT(tree.opensm.log_text(), Contains("'no_such_option'"));
  for (const auto& each : pssp::engine_registry()) {
    pssp_engine* const engine = engine_named(plugin, std::string(each.name));
    CHECK(pssp_engine_build_lid_matrices(engine) == -1);
    CHECK_THAT(tree.opensm.log_text(),
               Contains(std::string(each.name) + ": wrong event_plugin_options"));
  }
  CHECK(tree.switches_are_untouched());
}

TEST_CASE("an engine that does not suit the fabric fails and leaves nothing behind") {
  Tree tree;
  const Plugin plugin = tree.start();
  // Three leafs and two spines with a link between leafs: an odd cycle of five switches is in no
  // mesh.
  tree.opensm.connect(*tree.leafs[0], 7, *tree.leafs[1], 7);
  pssp_engine* const engine = engine_named(plugin, "meshdor");
  REQUIRE(pssp_engine_build_lid_matrices(engine) == 0);
  CHECK(pssp_engine_build_fwd_tables(engine) == -1);
  CHECK(tree.switches_are_untouched());
  CHECK_THAT(tree.opensm.log_text(), Contains("meshdor: does not route this subnet: "));
}

TEST_CASE("asking for tables out of turn fails") {
  Tree tree;
  const Plugin plugin = tree.start();
  pssp_engine* const engine = engine_named(plugin, "pssp");
  CHECK(pssp_engine_build_fwd_tables(engine) == -1);
  CHECK(tree.switches_are_untouched());
}

TEST_CASE("hop weights are OpenSM's business") {
  Tree tree;
  const Plugin plugin = tree.start();
  std::string weights = "/etc/weights";
  tree.opensm.subnet().opt.hop_weights_file = weights.data();
  pssp_engine* const engine = engine_named(plugin, "pssp");
  CHECK(pssp_engine_build_lid_matrices(engine) == 1);
  CHECK(tree.switches_are_untouched());
  CHECK(pssp_engine_build_fwd_tables(engine) == 0);
  CHECK(tree.links_to(*tree.hosts[0], *tree.hosts[5]) == 3);
  CHECK_THAT(tree.opensm.log_text(), Contains("hop_weights_file"));
}
