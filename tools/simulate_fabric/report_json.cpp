// Times are in nanoseconds, rates in bytes per second, shares relative to the rate of the sender's
// link.

#include <fmt/format.h>

#include <utility>

#include "base/json_text.h"
#include "base/version.h"
#include "congestion/parameter_text.h"
#include "fabric/fabric_digest.h"
#include "simulator/model_values.h"
#include "simulator/report/losses_json.h"
#include "tools/simulate_fabric/report.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

Json estimate_json(const MeanEstimate& estimate) {
  Json json;
  json["mean"] = estimate.mean;
  const bool known = estimate.values > 1;
  json["standard_error"] = known ? Json(estimate.standard_error) : Json();
  json["interval"] = known ? Json::array({estimate.lower_95, estimate.upper_95}) : Json();
  return json;
}

Json input_json(const SimulateReport& report) {
  const Simulation& simulation = report.simulation;
  const SimulatedTables& first = simulation.input.tables.front();
  const auto digest = digest_of(first.fabric);
  std::string digits;
  for (const std::uint64_t word : digest) digits += fmt::format("{:016x}", word);
  Json json;
  json["topology"] = report.options.files.empty()
                         ? Json(std::string(simulation.input.scenario->topology))
                         : Json(report.options.files.back());
  json["tables"] = first.name;
  json["traffic"] = simulation.input.traffic.front().name;
  json["switches"] = first.fabric.switch_count();
  json["hosts"] = first.fabric.endpoints().size();
  json["digest"] = digits;
  return json;
}

Json model_json(const Simulation& simulation) {
  Json json;
  for (const ModelValue& each : model_values()) {
    json[std::string(each.name)] = each.show(simulation.model);
  }
  const Traffic& traffic = simulation.traffic.front().traffic;
  json["packet_bytes"] = traffic.packet_bytes;
  json["duration_ns"] = in_ns(traffic.duration);
  json["warmup_ns"] = in_ns(traffic.warmup);
  json["sample_ns"] = in_ns(traffic.sample);
  return json;
}

Json latency_json(const LatencySummary& latency) {
  return {
      {"mean", latency.mean}, {"p50", latency.p50}, {"p99", latency.p99}, {"max", latency.most}};
}

Json percentiles_json(const FlowPercentiles& of) {
  return {{"p50", of.p50}, {"p95", of.p95}, {"p99", of.p99}, {"max", of.most}};
}

Json completions_json(const std::optional<CompletionSummary>& of) {
  if (!of) return {};
  Json json;
  json["flows"] = of->flows;
  json["ended"] = of->ended;
  json["time_ns"] = of->ended == 0 ? Json() : percentiles_json(of->time);
  json["slowdown"] = of->slowdown ? percentiles_json(*of->slowdown) : Json();
  return json;
}

Json flows_json(const SimulatedRun& run) {
  Json json = Json::array();
  for (std::size_t i = 0; i < run.summary.flows.size(); ++i) {
    const FlowSummary& flow = run.summary.flows[i];
    Json each;
    each["name"] = flow.name;
    each["source_rank"] = flow.hosts.source;
    each["destination_rank"] = flow.hosts.destination;
    each["victim"] = flow.victim;
    each["bytes"] = flow.bytes;
    each["bytes_per_s"] = flow.measured ? Json(flow.rate) : Json();
    each["share"] = flow.measured ? Json(flow.share) : Json();
    each["fair_share"] = flow.fair_share ? Json(*flow.fair_share) : Json();
    each["latency_ns"] = flow.latency ? latency_json(*flow.latency) : Json();
    each["finished_ns"] = in_ns(run.outcome.flows[i].finished);
    if (run.outcome.flows[i].gave_up) each["gave_up"] = true;
    json.push_back(std::move(each));
  }
  return json;
}

/// `counts`: ports can be congested.
Json ports_json(const SimulatedRun& run, const PortDirectory& ports, const Traffic& traffic,
                bool counts) {
  Json json = Json::array();
  const auto measured =
      static_cast<double>(std::max<SimulatedTime>(0, run.outcome.simulated - traffic.warmup));
  const auto share = [](double part, double whole) {
    return whole > 0 ? Json(part / whole) : Json();
  };
  for (std::uint32_t i = 0; i < run.outcome.ports.size(); ++i) {
    const PortOutcome& port = run.outcome.ports[i];
    if (port.sent_bytes == 0 && port.blocked == 0) continue;
    Json each;
    each["name"] = ports.name(i);
    each["utilisation"] = share(static_cast<double>(port.sent_bytes),
                                ports.rate(i) * measured / double{picoseconds_per_second});
    each["congested_share"] =
        counts ? share(static_cast<double>(port.congested), measured) : Json();
    each["blocked_share"] = share(static_cast<double>(port.blocked), measured);
    each["marks"] = port.marks;
    each["max_queue_bytes"] = port.max_queue_bytes;
    json.push_back(std::move(each));
  }
  return json;
}

Json victims_json(const SimulatedRun& run, const PortDirectory& ports) {
  Json json = Json::array();
  for (const Victim& victim : run.victims) {
    Json each;
    each["flow"] = run.summary.flows[victim.flow].name;
    each["share"] = run.summary.flows[victim.flow].share;
    each["tree"] = Json::array();
    for (const std::uint32_t port : victim.tree) each["tree"].push_back(ports.name(port));
    each["root"] = victim.tree.empty() ? Json() : Json(ports.name(victim.tree.back()));
    each["contributors"] = Json::array();
    for (const std::size_t flow : victim.contributors) {
      each["contributors"].push_back(run.summary.flows[flow].name);
    }
    json.push_back(std::move(each));
  }
  return json;
}

Json congestion_json(const Variant& variant) {
  Json json;
  json["name"] = variant.set;
  if (!variant.congestion) {
    json["parameters"] = Json();
    return json;
  }
  for (const ParameterLine& line : parameter_lines(*variant.congestion)) {
    json["parameters"][line.name] = line.value;
  }
  return json;
}

Json holds_json(const Simulation& simulation, const Variant& variant, const Traffic& traffic,
                const PortDirectory& ports) {
  Json json = Json::array();
  if (!variant.congestion) return json;
  for (const Hold& hold : find_holds(simulation.tables_of(variant).fabric, traffic,
                                     simulation.model, *variant.congestion)) {
    Json each;
    each["root"] = ports.name(hold.root);
    each["contributors"] = hold.contributors;
    each["notification_ns"] = hold.notification_ns;
    each["ccti_timer_ns"] = hold.timer_ns;
    each["hold"] = hold.holds();
    json.push_back(std::move(each));
  }
  return json;
}

Json run_json(const Simulation& simulation, std::size_t v, std::size_t s) {
  const Variant& variant = simulation.variants[v];
  const SimulatedRun& run = simulation.runs[v][s];
  const Traffic& traffic = simulation.traffic[s].traffic;
  const SimulatedTables& tables = simulation.tables_of(variant);
  const PortDirectory ports(tables.fabric, simulation.model);
  const Outcome& outcome = run.outcome;
  Json json;
  json["name"] = variant.name;
  json["cc"] = congestion_json(variant);
  json["cell"] = variant.cell;
  json["tables"] = tables.name;
  json["seed"] = simulation.seeds[s];
  json["end"] = std::string(end_name(outcome.end));
  json["simulated_ns"] = in_ns(outcome.simulated);
  json["events"] = outcome.events;
  json["packets"] = {{"created", outcome.created},
                     {"delivered", outcome.delivered},
                     {"in_flight", outcome.in_flight},
                     {"dropped", outcome.losses.packets()}};
  if (simulation.later->for_run() != nullptr) json["losses"] = losses_json(outcome.losses);
  json["marks"] = outcome.marks;
  json["becns"] = outcome.becns;
  json["throughput_bytes_per_s"] = estimate_json(run.summary.throughput);
  json["of_links"] = run.summary.of_links;
  json["latency_ns"] = latency_json(run.summary.latency);
  json["series"] = Json::array();
  for (std::size_t i = 0; i < outcome.bytes_by_sample.size(); ++i) {
    if (static_cast<SimulatedTime>(i) * traffic.sample >= outcome.simulated) break;
    json["series"].push_back(outcome.bytes_by_sample[i]);
  }
  json["flows"] = flows_json(run);
  json["ports"] = ports_json(run, ports, traffic, counts_congestion(variant));
  json["victims"] = victims_json(run, ports);
  json["fairness"] = {
      {"jain", run.summary.jain}, {"min", run.summary.least_rate}, {"max", run.summary.most_rate}};
  json["flow_share"] =
      run.summary.finite_flow_share ? Json(*run.summary.finite_flow_share) : Json();
  json["completion_ns"] = run.summary.completion_ns ? Json(*run.summary.completion_ns) : Json();
  json["flow_completion"] = completions_json(run.summary.completions);
  json["hold"] = holds_json(simulation, variant, traffic, ports);
  json["deadlock"] = Json();
  for (const std::uint32_t port : outcome.deadlock) json["deadlock"].push_back(ports.name(port));
  return json;
}

Json comparisons_json(const SimulateReport& report) {
  const bool of_flows = report.simulation.compares_flows();
  Json json = Json::array();
  for (const VariantComparison& each : report.comparisons) {
    Json comparison;
    comparison["first"] = report.simulation.variants.front().name;
    comparison["other"] = report.simulation.variants[each.variant].name;
    comparison["of"] = of_flows ? "flow_share" : "throughput_bytes_per_s";
    comparison["difference"] = estimate_json(each.difference);
    comparison["relative"] = each.relative;
    json.push_back(std::move(comparison));
  }
  return json;
}

Json reference_json(const SimulateReport& report) {
  Json json = Json::array();
  for (const CheckedFigure& each : report.checked) {
    Json figure;
    figure["what"] = each.what;
    figure["run"] = each.run;
    figure["published"] = each.expected;
    figure["found"] = each.found;
    figure["unit"] = each.unit;
    figure["deviation_percent"] =
        each.expected == 0 || each.is_rank ? Json() : Json(100 * each.deviation());
    figure["least"] = each.least ? Json(*each.least) : Json();
    figure["most"] = each.most ? Json(*each.most) : Json();
    figure["passes"] = each.passes;
    figure["verdict"] = each.verdict();
    figure["source"] = each.source;
    json.push_back(std::move(figure));
  }
  return json;
}

}  // namespace

std::string to_json(const SimulateReport& report) {
  const Simulation& simulation = report.simulation;
  Json json;
  json["tool"] = "simulate_fabric";
  json["version"] = version();
  json["input"] = input_json(report);
  json["model"] = model_json(simulation);
  if (simulation.later->for_run() != nullptr) {
    json["changes"] =
        changes_json(summarize_changes(simulation.first_state(), simulation.later->states));
  }
  json["interrupted"] = simulation.interrupted;
  json["runs"] = Json::array();
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    for (std::size_t s = 0; s < simulation.seeds.size(); ++s) {
      if (simulation.runs[v][s].began) json["runs"].push_back(run_json(simulation, v, s));
    }
  }
  json["comparison"] = comparisons_json(report);
  json["reference"] = reference_json(report);
  json["warnings"] = Json::array();
  for (const SimulatedTables& tables : simulation.input.tables) {
    for (const std::string& warning : tables.warnings) json["warnings"].push_back(warning);
  }
  return dump_json(json);
}

}  // namespace pssp
