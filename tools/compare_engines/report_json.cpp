// Unknown members are null; integers are written without a point.

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "tools/compare_engines/reports.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  constexpr double largest_whole = 1e15;
  if (std::trunc(value) == value && std::abs(value) < largest_whole)
    return static_cast<std::int64_t>(value);
  return value;
}

Json number(const std::optional<double>& value) { return value ? number(*value) : Json(); }

template <class Value>
Json known(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

void add_score(Json& json, const TableScore& score) {
  json["hosts"] = score.hosts;
  json["end_ports"] = score.end_ports;
  json["end_ports_without_lid"] = score.end_ports_without_lid;
  json["switches"] = score.switches;
  Json interval = Json::array({nullptr, nullptr});
  if (score.interval) interval = {number(score.interval->low), number(score.interval->high)};
  json["ebb"] = {{"mean", number(score.bandwidth)},
                 {"stderr", number(score.standard_error)},
                 {"interval_95", interval},
                 {"patterns", score.patterns},
                 {"seed", score.seed}};
  if (score.structured) {
    Json times = Json::object();
    for (const PatternFigure& each : score.structured->patterns) {
      times[each.name] = number(each.time);
    }
    json["structured_suite"] = {{"S", number(score.structured->slowdown)},
                                {"score", number(score.structured->score)},
                                {"times", times}};
  }
  if (score.striped) {
    json["all_lids"] = {{"lids_scored", score.striped->lids},
                        {"striping", "slowest"},
                        {"ebb",
                         {{"mean", number(score.striped->bandwidth)},
                          {"stderr", number(score.striped->standard_error)}}},
                        {"S", number(score.striped->slowdown)},
                        {"score", number(score.striped->score)}};
  }
  json["edge_forwarding_index"] = {{"max", number(score.index)},
                                   {"bound", number(score.index_bound)}};
  json["hops"] = {{"mean", number(score.hops_mean)}, {"max", number(score.hops_max)}};
  json["usable"] = score.usable;
  json["unreachable_pairs"] = score.unreachable_pairs;
  json["separated_pairs"] = score.separated_pairs;
  json["unreachable_switch_pairs"] = score.unreachable_switch_pairs;
  json["forwarding_loops"] = score.forwarding_loops;
  json["dead_port_entries"] = score.dead_port_entries;
  json["credit_loop"] = known(score.credit_loop);
  json["lanes"] = known(score.lanes);
  json["routing_ms"] = number(score.routing_ms);
  json["peak_memory_kib"] = score.peak_memory_kib == 0 ? Json() : Json(score.peak_memory_kib);
}

Json to_json(const EngineResult& result) {
  Json json{{"engine", result.engine},
            {"name", result.name},
            {"origin", result.is_opensms ? "opensm" : "plugin"},
            {"state", result.state},
            {"reasons", result.reasons},
            {"directory", result.directory},
            {"seconds", result.seconds}};
  if (result.score) add_score(json, *result.score);
  return json;
}

/// Unknown values are null.
Json to_json(const LidOffer& offer) {
  Json json{{"lmc", offer.lmc},
            {"engine", offer.engine},
            {"lids_scored", offer.striped.lids},
            {"all_lids",
             {{"ebb", number(offer.striped.bandwidth)}, {"S", number(offer.striped.slowdown)}}},
            {"base_lids", {{"ebb", number(offer.bandwidth)}, {"S", number(offer.slowdown)}}},
            {"lids", offer.lids},
            {"lids_left", offer.lids_left},
            {"table_blocks", offer.table_blocks},
            {"routing_ms", number(offer.routing_ms)}};
  json["most_with"] = nullptr;
  if (!offer.best_striped.empty()) {
    json["most_with"] = {{"engine", offer.best_striped},
                         {"ebb", number(offer.best_figures.bandwidth)},
                         {"S", number(offer.best_figures.slowdown)}};
  }
  return json;
}

/// `lmc` is the only LMC, or the first of several, for which the recommendation is made; `lmcs` has
/// all.
void add_several_lids(Json& json, const EngineComparison& comparison) {
  Json offers = Json::array();
  for (const LidOffer& each : comparison.lid_advice.offers) offers.push_back(to_json(each));
  json["lmcs"] = comparison.lmcs;
  json["lid_advice"] = {{"text", comparison.lid_advice.text}, {"offers", std::move(offers)}};
}

}  // namespace

std::string result_json(const EngineResult& result) { return dump_json(to_json(result)); }

std::string comparison_json(const EngineComparison& comparison) {
  Json engines = Json::array();
  bool is_compared = false;
  for (const EngineResult& each : comparison.results)
    is_compared = is_compared || each.difference.has_value();
  for (const EngineResult& each : comparison.results) {
    Json json = to_json(each);
    if (comparison.lmcs.size() > 1) json["lmc"] = each.lmc;
    for (const ApplicationTime& time : each.applications) {
      json["applications"].push_back({{"application", time.application},
                                      {"time_ns", number(time.time_ns)},
                                      {"ratio", number(time.ratio)}});
    }
    // Null for the result that others were compared with.
    if (each.difference) {
      json["difference"] = Json::parse(each.difference->json);
    } else if (is_compared && is_scored(each) && each.lmc == comparison.lmcs.front()) {
      json["difference"] = nullptr;
    }
    engines.push_back(std::move(json));
  }
  const Recommendation& recommended = comparison.recommendation;
  Json recommendation{{"engine", recommended.engine.empty() ? Json() : Json(recommended.engine)},
                      {"text", recommended.text}};
  if (!recommended.engine.empty()) recommendation["as_good"] = recommended.as_good;
  Json json{{"topology", comparison.topology}, {"lanes_available", comparison.lanes},
            {"lmc", comparison.lmcs.front()},  {"timeout_seconds", comparison.timeout},
            {"engines", std::move(engines)},   {"recommendation", std::move(recommendation)}};
  if (!comparison.applications.empty()) json["application_advice"] = comparison.application_advice;
  if (comparison.lmcs.size() > 1) add_several_lids(json, comparison);
  Json warnings = Json::array();
  for (const std::string& each : comparison.notes) warnings.push_back(each);
  if (!comparison.warning.empty()) {
    warnings.push_back(comparison.warning);
  }
  if (!warnings.empty()) json["warnings"] = std::move(warnings);
  return dump_json(json);
}

}  // namespace pssp
