#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>

#include "osm_plugin/opensm_layout.h"

using namespace pssp;

namespace {

/// The members that opensm_layout_fault() compares, in the order of osm_opensm_t, after `Options`
/// bytes of options: releases differ in the size of their options.
template <std::size_t Options>
struct Opensm {
  struct Subnet {
    Opensm* p_osm = nullptr;
    char options[Options] = {};
  } subn;
  struct Manager {
    Subnet* p_subn = nullptr;
    int* p_log = nullptr;
    long* p_lock = nullptr;
  } sm;
  struct Administrator {
    Subnet* p_subn = nullptr;
    int* p_log = nullptr;
  } sa;
  int log = 0;
  long lock = 0;

  /// Sets the pointers as OpenSM does at startup.
  void construct() {
    subn.p_osm = this;
    sm = {&subn, &log, &lock};
    sa = {&subn, &log};
  }
};

using Built = Opensm<16>;   // the layout that the plugin was built for
using Longer = Opensm<17>;  // the layout of the running opensm: one byte longer

/// Returns the fault that a plugin built for Built finds in an opensm of layout `Actual`.
template <class Actual>
const char* fault_of() {
  // Enough memory for both layouts, so that reads by the wrong layout stay within it.
  static_assert(sizeof(Actual) + 64 >= sizeof(Built));
  alignas(Actual) alignas(Built) static unsigned char memory[sizeof(Actual) + 64];
  std::memset(memory, 0, sizeof memory);
  auto* const actual = new (memory) Actual;
  actual->construct();
  return opensm_layout_fault(*reinterpret_cast<const Built*>(memory));
}

}  // namespace

TEST_CASE("an opensm with the layout that the plugin was built for is accepted") {
  CHECK(fault_of<Built>() == nullptr);
}

TEST_CASE("an opensm whose options are one byte longer is rejected") {
  REQUIRE(fault_of<Longer>() != nullptr);
  CHECK(fault_of<Longer>() == std::string("sm.p_subn"));
}

TEST_CASE("each of the six compared addresses can reveal a wrong layout") {
  auto opensm = std::make_unique<Built>();
  const auto fault_after = [&](auto spoil) {
    opensm->construct();
    spoil(*opensm);
    const char* const fault = opensm_layout_fault(*opensm);
    return std::string(fault == nullptr ? "" : fault);
  };
  CHECK(fault_after([](Built&) {}).empty());
  CHECK(fault_after([](Built& each) { each.subn.p_osm = nullptr; }) == "subn.p_osm");
  CHECK(fault_after([](Built& each) { each.sm.p_subn = nullptr; }) == "sm.p_subn");
  CHECK(fault_after([](Built& each) { each.sm.p_log = nullptr; }) == "sm.p_log");
  CHECK(fault_after([](Built& each) { each.sm.p_lock = nullptr; }) == "sm.p_lock");
  CHECK(fault_after([](Built& each) { each.sa.p_subn = nullptr; }) == "sa.p_subn");
  CHECK(fault_after([](Built& each) { each.sa.p_log = nullptr; }) == "sa.p_log");
}

TEST_CASE("a switch whose node does not point back to it is a layout fault") {
  const auto subnet = std::make_unique<osm_subn_t>();
  cl_qmap_init(&subnet->sw_guid_tbl);
  CHECK(switch_layout_fault(*subnet) == nullptr);
  const auto node = std::make_unique<osm_node_t>();
  const auto other = std::make_unique<osm_node_t>();
  const auto sw = std::make_unique<osm_switch_t>();
  sw->p_node = node.get();
  node->sw = sw.get();
  cl_qmap_insert(&subnet->sw_guid_tbl, 1, &sw->map_item);
  CHECK(switch_layout_fault(*subnet) == nullptr);
  sw->p_node = other.get();
  CHECK(switch_layout_fault(*subnet) != nullptr);
  sw->p_node = nullptr;
  CHECK(switch_layout_fault(*subnet) != nullptr);
}
