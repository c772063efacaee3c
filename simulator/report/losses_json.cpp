#include "simulator/report/losses_json.h"

#include <nlohmann/json.hpp>

namespace pssp {

namespace {
using Json = nlohmann::ordered_json;
}  // namespace

Json in_ns(SimulatedTime time) {
  constexpr double ps_per_ns = picoseconds_per_nanosecond;
  return time == never ? Json() : Json(static_cast<double>(time) / ps_per_ns);
}

Json losses_json(const LossCounts& losses) {
  return {{"on_failed_links", losses.on_links},
          {"without_route", losses.without_route},
          {"not_taken", losses.not_taken},
          {"repeats", losses.repeats},
          {"given_up", losses.given_up},
          {"first_lost_ns", in_ns(losses.first_lost)},
          {"last_lost_ns", in_ns(losses.last_lost)},
          {"recovered_ns", in_ns(losses.recovered)}};
}

Json changes_json(const std::vector<ChangeSummary>& changes) {
  Json json = Json::array();
  for (const ChangeSummary& each : changes) {
    json.push_back({{"time_ns", in_ns(each.time)},
                    {"cables_gone", each.cables_gone},
                    {"cables_come", each.cables_come},
                    {"blocks", each.blocks},
                    {"written_ns", in_ns(each.written)}});
  }
  return json;
}

}  // namespace pssp
