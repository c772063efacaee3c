#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>

#include "monitor/counters/counter_set.h"
#include "wire/performance/port_counters.h"

using namespace pssp;

TEST_CASE("the table of counters has each counter once, at its index", "[monitor]") {
  std::set<std::string_view> names, metrics, wire_names;
  for (std::size_t i = 0; i < counter_count; ++i) {
    const CounterInfo& info = counter_table()[i];
    CHECK(static_cast<std::size_t>(info.counter) == i);
    CHECK(find_counter(info.name) == info.counter);
    names.insert(info.name);
    metrics.insert(info.metric);
    wire_names.insert(info.wire_name);
  }
  CHECK(names.size() == counter_count);
  CHECK(metrics.size() == counter_count);
  CHECK(wire_names.size() == counter_count);
  CHECK_FALSE(find_counter("PortXmitData").has_value());
}

TEST_CASE("the command that clears a counter selects only this counter", "[monitor]") {
  CHECK(clear_command(Counter::transmit_wait, 12, 3) == "perfquery -R 12 3 0x10000");
  CHECK(clear_command(Counter::transmit_discards, 48999, 1) == "perfquery -R 48999 1 0x40");
  // This counter is only in PortCountersExtended.
  CHECK(clear_command(Counter::unicast_transmit_packets, 12, 3) == "perfquery -R 12 3");
  std::set<std::string> commands;
  for (const CounterInfo& info : counter_table()) {
    commands.insert(clear_command(info.counter, 12, 3));
  }
  CHECK(commands.size() == 18);  // 17 bits, and one command without a mask
}

TEST_CASE("the table of counters has every counter of an answer", "[monitor]") {
  std::set<std::size_t> fields;
  PortCounters probe;
  for (const CounterInfo& info : counter_table()) {
    fields.insert(static_cast<std::size_t>(&(probe.*info.on_wire) - &probe.symbol_errors));
  }
  CHECK(fields.size() == counter_count);
  for (const auto& list :
       {port_counters_fields(), extended_fields(), additional_extended_fields()}) {
    for (const CounterField& field : list) {
      CHECK(fields.contains(
          static_cast<std::size_t>(&(probe.*field.counter) - &probe.symbol_errors)));
    }
  }
}
