#include "monitor/api/cabling_view.h"

#include <algorithm>

#include "base/untrusted_text.h"
#include "monitor/api/views.h"

namespace pssp {
namespace {

void write_statement(JsonWriter& json, const CablingStatementView& statement) {
  json.begin_object();
  json.member("fault", statement.fault).member("text", statement.text);
  json.member("count", statement.count).member("since", statement.since_ms);
  json.key("ports").begin_array();
  for (const std::string& each : statement.ports) json.value(each);
  json.end_array().end_object();
}

}  // namespace

std::string cabling_view(const LiveView& view, const Target& target) {
  target.allow({"limit", "after"});
  if (view.facts.cabling == nullptr) {
    throw ApiError{404, "no cabling plan is configured",
                   "set plan_file in section [cabling] of the configuration"};
  }
  const ListPart part = list_part(target);
  const CablingView& cabling = *view.facts.cabling;
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.member("plan", untrusted_text(cabling.plan))
      .member("problem", untrusted_text(cabling.problem));
  json.member("planned_cables", cabling.planned_cables);
  json.member("found_cables", cabling.found_cables);
  json.member("cables_in_place", cabling.cables_in_place);
  json.key("statements").begin_array();
  const std::size_t all = cabling.statements.size();
  for (std::size_t i = part.first; i < std::min<std::size_t>(all, part.first + part.limit); ++i) {
    write_statement(json, cabling.statements[i]);
  }
  json.end_array();
  write_list_end(json, part, all);
  return json.end_object().take();
}

}  // namespace pssp
