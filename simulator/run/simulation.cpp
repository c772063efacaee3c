// Builds, simulates and counts a run. Its state is one template, RunState, on the event queue, so
// that the loop is compiled as one piece: no event calls through a pointer, and none allocates
// memory once the pools are large enough.
//
// At the end of each run, credits and packets are counted again: a run that lost one ends with an
// error.

#include "simulator/run/simulation.h"

#include <fmt/format.h>

#include "base/error.h"
#include "simulator/kernel/calendar_queue.h"
#include "simulator/kernel/heap_queue.h"
#include "simulator/run/machine.h"
#include "simulator/run/outcome.h"

namespace pssp {
namespace {

template <class Queue, class Ports>
Outcome finish(RunState<Queue, Ports>& state, const Traffic& traffic, RunEnd end) {
  ConservationCheck conservation(state.network, state.packets);
  state.queue.for_each([&](const Event& event) { conservation.add(event); });
  conservation.check(state.in_flight());
  if (state.record.out_of_order != 0) {
    throw Error(ErrorKind::internal,
                fmt::format("{} packets of a flow overtook another", state.record.out_of_order));
  }
  Outcome outcome = outcome_of(traffic, state.record, state.network, state.now);
  outcome.in_flight = state.in_flight();
  outcome.losses = state.delivery.counts();
  outcome.end = end;
  outcome.events = state.events;
  outcome.round_ends = state.rounds.ends();
  outcome.deadlock = deadlock_cycle(state.network, state.packets, conservation.pending());
  if (!outcome.deadlock.empty() && (end == RunEnd::duration || end == RunEnd::all_delivered)) {
    outcome.end = RunEnd::deadlock;
  }
  return outcome;
}

template <class Queue, class Ports>
Outcome simulate_with(const RunInput& input) {
  Machine<Queue, Ports> machine(input);
  const RunEnd end = machine.run();
  Outcome outcome = finish(machine.state(), input.traffic, end);
  outcome.port_samples = machine.port_samples();
  return outcome;
}

template <class Queue>
Outcome simulate_run(const RunInput& input) {
  return input.request.later == nullptr ? simulate_with<Queue, TablePorts>(input)
                                        : simulate_with<Queue, ChangingPorts>(input);
}

}  // namespace

Outcome simulate(const Fabric& fabric, const ForwardingTables& tables, const ServiceLevels* levels,
                 const Traffic& traffic, const Model& model, const CongestionParameters* congestion,
                 const RunRequest& request) {
  const RunInput input{fabric, tables, levels, traffic, model, congestion, request};
  return request.events == EventOrder::heap ? simulate_run<HeapQueue>(input)
                                            : simulate_run<CalendarQueue>(input);
}

}  // namespace pssp
