#include "monitor/api/reroutes_view.h"

#include "base/untrusted_text.h"
#include "monitor/api/views.h"

namespace pssp {
namespace {

constexpr std::size_t most_jobs_listed = 1000;

void write_number(JsonWriter& json, const RerouteRecord& record, std::string_view name,
                  std::uint64_t number) {
  json.key(name);
  if (record.problem.empty()) {
    json.value(number);
  } else {
    json.null();
  }
}

void write_jobs(JsonWriter& json, const RerouteRecord& record) {
  json.member("jobs_hit", std::uint64_t{record.jobs.size()});
  json.member("jobs_lost", std::uint64_t{jobs_with_lost_paths(record)});
  json.key("jobs").begin_array();
  for (std::size_t i = 0; i < std::min(most_jobs_listed, record.jobs.size()); ++i) {
    const JobRerouteRecord& job = record.jobs[i];
    json.begin_object().member("id", untrusted_text(job.id)).member("flows", job.flows);
    json.member("moved", job.moved).member("longer", job.longer).member("lost", job.lost);
    json.end_object();
  }
  json.end_array();
}

void write_reroute(JsonWriter& json, const RerouteRecord& record) {
  json.begin_object();
  json.member("time", record.begin_ms).member("end", record.end_ms);
  json.member("entries", record.entries).member("blocks", record.blocks);
  json.member("switches", record.switches);
  write_number(json, record, "flows", record.flows);
  if (!record.problem.empty()) json.member("flows_reason", untrusted_text(record.problem));
  write_number(json, record, "moved", record.moved);
  write_number(json, record, "longer", record.longer);
  write_number(json, record, "lost", record.lost);
  write_number(json, record, "gained", record.gained);
  write_number(json, record, "no_route", record.no_route);
  write_number(json, record, "no_route_ms", static_cast<std::uint64_t>(record.no_route_ms));
  write_number(json, record, "loop", record.loop);
  write_number(json, record, "loop_ms", static_cast<std::uint64_t>(record.loop_ms));
  write_jobs(json, record);
  json.end_object();
}

}  // namespace

std::string reroutes_view(const LiveView& view, const Target& target) {
  target.allow({"limit", "after"});
  const ListPart part = list_part(target);
  static const std::vector<RerouteRecord> none;
  const std::vector<RerouteRecord>& all = view.facts.reroute_list ? *view.facts.reroute_list : none;
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.key("reroutes").begin_array();
  for (std::size_t i = part.first; i < std::min<std::size_t>(all.size(), part.first + part.limit);
       ++i) {
    write_reroute(json, all[all.size() - 1 - i]);
  }
  json.end_array();
  write_list_end(json, part, all.size());
  return json.end_object().take();
}

}  // namespace pssp
