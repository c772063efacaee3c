#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "monitor/api/metrics_page.h"
#include "monitor/service/recording_switch.h"
#include "monitor/service/routes.h"
#include "monitor/store/acknowledgements.h"
#include "monitor/store/recordings.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/source_folder.h"
#include "tests/temporary_folder.h"

using namespace pssp;

namespace {

using Json = nlohmann::json;

constexpr StaticFile page{"/index.html", "text/html; charset=utf-8", "<!doctype html>"};

struct Served {
  SyntheticFabric fabric;
  LiveState live;
  std::vector<RerouteRecord> reroutes;            // for later sweeps
  std::shared_ptr<const CablingView> cabling;     // for later sweeps
  std::shared_ptr<const FitList> fit;             // for later sweeps
  std::shared_ptr<const IncidentList> incidents;  // for later sweeps
  AcknowledgementList acknowledged;               // for later sweeps
  Api api{live, nullptr, std::span(&page, 1)};

  explicit Served(std::string_view specification = "k-ary-n-tree 4 2") : fabric(specification) {}

  void sweep(int times = 1) {
    LiveFacts facts;
    facts.has_verdicts = true;
    facts.started_ms = 1'700'000'000'000;
    facts.verdicts.push_back({3, VerdictLevel::bad, "symbol_errors", "7 in 1 h", 5, 7.0, 1.0});
    facts.maintenance.push_back({0x1234, 0, 1'700'000'200'000, "a <b> cable"});
    facts.reroute_list = std::make_shared<const std::vector<RerouteRecord>>(reroutes);
    facts.cabling = cabling;
    facts.fit = fit;
    facts.incidents = incidents;
    facts.acknowledged = acknowledged;
    for (int i = 0; i < times; ++i) live.publish(fabric.sweep(), facts);
  }
  ApiAnswer ask(const std::string& target, const std::string& method = "GET",
                std::int64_t later_ns = 1'000'000'000) {
    ApiRequest request;
    request.method = method;
    request.target = target;
    request.now_ms = 1'700'000'100'000;
    request.now_ns = live.view() ? live.view()->snapshot->begin_ns + later_ns : 0;
    return api.answer(request);
  }
  Json json(const std::string& target) {
    const ApiAnswer answer = ask(target);
    INFO(target << ": " << *answer.body);
    REQUIRE(answer.status == 200);
    return Json::parse(*answer.body);
  }
  int status(const std::string& target, const std::string& method = "GET") {
    const ApiAnswer answer = ask(target, method);
    if (answer.status >= 400) {
      const Json error = Json::parse(*answer.body)["error"];
      CHECK_FALSE(error["kind"].get<std::string>().empty());
      CHECK_FALSE(error["message"].get<std::string>().empty());
    }
    return answer.status;
  }
};

std::string unzipped(const std::string& packed) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  std::string text(64 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

}  // namespace

TEST_CASE("before the first sweep, requests for data get 503") {
  Served served;
  CHECK(served.status("/healthz") == 503);
  CHECK(served.status("/api/v1/status") == 503);
  CHECK(served.status("/metrics") == 200);
  CHECK(served.status("/") == 200);
  CHECK(served.status("/api/v1/nonsense") == 404);
  CHECK(served.status("/api/v1/nodes/0x1/more") == 404);
}

TEST_CASE("every answer has version, time, sweep and generation") {
  Served served;
  served.sweep(2);
  for (const char* path : {"status", "nodes", "ports", "links", "verdicts", "events", "manager",
                           "topology", "nodes/0x200000", "ports/0x200000/1",
                           "ports/0x200000/1/history", "topology?hosts_of=0x200000"}) {
    const Json answer = served.json(std::string("/api/v1/") + path);
    CHECK(answer["sweep"] == 2);
    CHECK(answer["generation"] == 1);
    CHECK(answer["time"] == served.live.view()->snapshot->time_ms);
    CHECK(answer.contains("version"));
  }
  CHECK(served.status("/healthz") == 200);
}

TEST_CASE("a port has its counters, rates and cable") {
  Served served;
  served.sweep(2);
  const LiveView& view = *served.live.view();
  const std::uint32_t port = view.channels.front();
  const MapPort& self = view.map().ports[port];
  const Guid guid = view.map().node_of(self).guid;
  const Json item =
      served.json(fmt::format("/api/v1/ports/0x{:016x}/{}", guid, self.number))["item"];
  CHECK(item["guid"] == fmt::format("0x{:016x}", guid));
  CHECK(item["state"] == "active");
  CHECK(item["counters"]["transmit_bytes"] == view.snapshot->counters(port)[0]);
  CHECK(item["rates"]["transmit_bytes"].get<double>() ==
        Approx(view.differences[port].per_second(Counter::transmit_bytes)).epsilon(1e-6));
  const Guid peer = view.map().node_of(view.map().ports[self.peer]).guid;
  CHECK(item["peer"]["guid"] == fmt::format("0x{:016x}", peer));
  CHECK(item["utilisation"].get<double>() >= 0);
}

TEST_CASE("an unknown value is null, with the reason") {
  Served served;
  served.sweep();
  auto damaged = served.fabric.next();
  const std::uint32_t port = served.live.view()->channels.front();
  damaged->status[port] = PortStatus::silent;
  damaged->known[port] = 0;
  served.live.publish(damaged, {});
  const MapPort& self = damaged->map->ports[port];
  const Json item = served.json(fmt::format("/api/v1/ports/0x{:x}/{}",
                                            damaged->map->node_of(self).guid, self.number))["item"];
  CHECK(item["counters"].is_null());
  CHECK(item["counters_reason"] == "its node did not respond");
  CHECK(item["rates"].is_null());
  CHECK(item.contains("rates_reason"));
}

TEST_CASE("the parts of a list join without a gap") {
  Served served;
  served.sweep(2);
  const Json whole = served.json("/api/v1/links?limit=10000");
  std::set<std::string> seen;
  std::string after = "0";
  double last = 2;
  std::size_t count = 0;
  for (;;) {
    const Json part = served.json("/api/v1/links?limit=7&after=" + after);
    for (const Json& link : part["links"]) {
      ++count;
      seen.insert(link["guid"].get<std::string>() + "/" + link["port"].dump());
      CHECK(link["utilisation"].get<double>() <= last);
      last = link["utilisation"];
    }
    if (!part.contains("next")) break;
    after = part["next"];
  }
  CHECK(count == whole["total"]);
  CHECK(seen.size() == count);
  CHECK(count == 64);
  CHECK(served.json("/api/v1/links?kind=switch&limit=1")["total"] == 32);
  CHECK(served.json("/api/v1/ports?state=active")["total"] == 64);
  CHECK(served.json("/api/v1/ports?state=down")["total"] == 0);
  CHECK(served.json("/api/v1/nodes?kind=switch")["total"] == 8);
  const Json fields = served.json("/api/v1/ports?limit=1&fields=lid");
  CHECK(fields["ports"][0].size() == 4);
}

TEST_CASE("invalid requests are refused with a reason") {
  Served served;
  served.sweep(2);
  CHECK(served.status("/api/v1/ports/0xZZ/1") == 400);
  CHECK(served.status("/api/v1/ports/0x200000/999") == 400);
  CHECK(served.status("/api/v1/ports/0x200000/250") == 400);
  CHECK(served.status("/api/v1/ports/0xdead/1") == 404);
  CHECK(served.status("/api/v1/nodes/0xdead") == 404);
  CHECK(served.status("/api/v1/ports?limit=-1") == 400);
  CHECK(served.status("/api/v1/ports?limit=10001") == 400);
  CHECK(served.status("/api/v1/ports?fields=nonsense") == 400);
  CHECK(served.status("/api/v1/ports?sort='%3B%20DROP%20TABLE") == 400);
  CHECK(served.status("/api/v1/ports?nonsense=1") == 400);
  CHECK(served.status("/api/v1/ports/0x200000/1/history?since=5&until=4") == 400);
  CHECK(served.status("/api/v1/ports/0x200000/1/history?counters=nonsense") == 400);
  CHECK(served.status("/api/v1/nonsense") == 404);
  CHECK(served.status("/api/v2/status") == 404);
  CHECK(served.status("/..%2f..%2fetc/passwd") == 404);
  CHECK(served.status("/%00") == 400);
  CHECK(served.status("/" + std::string(10'000, 'a')) == 414);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
    CHECK(served.status("/api/v1/status", method) == 405);
  }
  CHECK(served.status("/api/v1/status", "HEAD") == 200);
  CHECK(served.status("/api/v1/nodes?name=<script>") == 200);
}

TEST_CASE("history from memory has the rates of the last sweeps, and gaps without readings") {
  Served served;
  served.sweep(5);
  const std::uint32_t port = served.live.view()->channels.front();
  const MapPort& self = served.live.view()->map().ports[port];
  const std::string path =
      fmt::format("/api/v1/ports/0x{:x}/{}/history?counters=transmit_bytes,symbol_errors",
                  served.live.view()->map().node_of(self).guid, self.number);
  const Json answer = served.json(path);
  CHECK(answer["level"] == "memory");
  CHECK(answer["time_ms"].size() == 5);
  const Json& column = answer["counters"]["transmit_bytes"];
  CHECK(answer["counters"].size() == 2);
  CHECK(column["unit"] == "bytes");
  CHECK(column["gap"][0] == true);
  CHECK(column["mean"][0].is_null());
  const LiveView& view = *served.live.view();
  CHECK(column["mean"][4].get<double>() ==
        Approx(view.differences[port].per_second(Counter::transmit_bytes)).epsilon(1e-6));
  CHECK(served.json(path + "&points=2")["time_ms"].size() == 2);
  CHECK(served.json(path + "&until=1")["time_ms"].empty());
}

TEST_CASE("history has an ETag, and a client with the same ETag gets 304") {
  Served served;
  served.sweep(3);
  const std::string target = "/api/v1/ports/0x200000/1/history?until=1700000030000";
  const ApiAnswer first = served.ask(target);
  const auto tag = std::find_if(first.headers.begin(), first.headers.end(),
                                [](const auto& header) { return header.first == "ETag"; });
  REQUIRE(tag != first.headers.end());
  served.sweep();
  ApiRequest request;
  request.target = target;
  request.if_none_match = tag->second;
  const ApiAnswer second = served.api.answer(request);
  CHECK(second.status == 304);
  CHECK(second.body->empty());
}

TEST_CASE("the topology has every switch with a position, and every cable once") {
  Served served;
  served.sweep(2);
  const Json answer = served.json("/api/v1/topology?group=leaf");
  CHECK(answer["layout"] == "levels");
  CHECK(answer["nodes"].size() == 8);
  unsigned cables = 0, hosts = 0;
  for (const Json& link : answer["links"]) cables += link["cables"].get<unsigned>();
  for (const Json& node : answer["nodes"]) {
    CHECK(node.contains("x"));
    hosts += node["hosts"].get<unsigned>();
  }
  CHECK(cables == 16);
  CHECK(hosts == 16);
}

TEST_CASE("names from the fabric are escaped in every answer") {
  Served served;
  std::vector<std::string> names{"<script>alert(1)</script>",
                                 "quote\" and \\ back",
                                 "\x1b]0;title\x07",
                                 std::string(64, '\xff'),
                                 "right \u202e left",
                                 "'; DROP TABLE node; --",
                                 "line\nbreak"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    served.fabric.map().nodes[i].description = names[i];
  }
  served.sweep(2);
  for (const char* target : {"/api/v1/nodes", "/api/v1/ports?limit=1000", "/api/v1/links",
                             "/api/v1/topology", "/metrics"}) {
    const ApiAnswer answer = served.ask(target);
    CHECK(answer.body->find('\x1b') == std::string::npos);
    CHECK(answer.body->find("\u202e") == std::string::npos);
    CHECK(answer.body->find("\xff\xff") == std::string::npos);
  }
  const Json nodes = served.json("/api/v1/nodes?limit=3");
  CHECK(nodes["nodes"][0]["name"] == names[0]);
  CHECK(nodes["nodes"][1]["name"] == "quote\" and \\\\ back");
  const std::string page_text = *served.ask("/metrics").body;
  CHECK(page_text.find("\nbreak") == std::string::npos);
  CHECK(page_text.find(R"(hca="quote\" and \\\\ back")") != std::string::npos);
}

TEST_CASE(
    "metrics have the counters of all known ports, and omit errors that are 0 only on request") {
  Served served;
  served.sweep(2);
  const auto lines_with = [&](const std::string& target, const std::string& what) {
    const std::string text = *served.ask(target).body;
    std::size_t count = 0;
    for (std::size_t at = text.find("\n" + what); at != std::string::npos;
         at = text.find("\n" + what, at + 1)) {
      ++count;
    }
    return count;
  };
  const std::string bytes = "infiniband_switch_port_transmit_data_bytes_total{";
  CHECK(lines_with("/metrics", bytes) == 48);
  CHECK(lines_with("/metrics", "infiniband_hca_port_transmit_data_bytes_total{") == 16);
  CHECK(lines_with("/metrics", "infiniband_switch_port_link_downed_total{") == 48);
  CHECK(lines_with("/metrics?all=0", "infiniband_switch_port_link_downed_total{") == 0);
  MetricsChoice less;
  less.zeros = false;
  served.api.set_metrics_default(less);
  CHECK(lines_with("/metrics", "infiniband_switch_port_link_downed_total{") == 0);
  CHECK(lines_with("/metrics?all=1", "infiniband_switch_port_link_downed_total{") == 48);
  served.api.set_metrics_default({});
  CHECK(lines_with("/metrics?select=own", "infiniband_") == 0);
  CHECK(lines_with("/metrics?select=hca", bytes) == 0);
  CHECK(lines_with("/metrics", "pssp_port_verdict{") == 1);
  CHECK(lines_with("/metrics", "pssp_monitor_sweeps_total 2") == 1);
  CHECK(served.status("/metrics?select=nonsense") == 400);
}

TEST_CASE("metrics pages have few cache keys, whatever the request") {
  Served served;
  served.sweep();
  const auto key_of = [&](const std::string& target, bool gzip = true) {
    ApiRequest request;
    request.target = target;
    request.accepts_gzip = gzip;
    return served.api.metrics_key(request);
  };
  REQUIRE(key_of("/metrics"));
  CHECK(key_of("/metrics?select=own,switch,hca,own&all=1") == key_of("/metrics"));
  CHECK(key_of("/metrics?all=0") != key_of("/metrics"));
  CHECK(key_of("/metrics", false) != key_of("/metrics"));
  // An error is answered at once and needs no key.
  CHECK_FALSE(key_of("/metrics?select=nonsense"));
  CHECK_FALSE(key_of("/api/v1/ports"));
  ApiRequest packed;
  packed.target = "/metrics";
  packed.accepts_gzip = true;
  CHECK(served.api.is_slow(packed));
  served.api.answer(packed);
  CHECK_FALSE(served.api.is_slow(packed));
}

TEST_CASE("a compressed answer has the same content and is smaller") {
  Served served;
  served.sweep(2);
  for (const char* target : {"/metrics", "/api/v1/ports"}) {
    ApiRequest request;
    request.target = target;
    const ApiAnswer plain = served.api.answer(request);
    request.accepts_gzip = true;
    for (int i = 0; i < 2; ++i) {  // computed first, then cached
      const ApiAnswer packed = served.api.answer(request);
      CHECK(packed.body->size() < plain.body->size());
      CHECK(unzipped(*packed.body) == *plain.body);
    }
  }
}

TEST_CASE("an answer is cached until the next sweep") {
  Served served;
  served.sweep();
  const ApiAnswer first = served.ask("/api/v1/ports");
  CHECK(served.ask("/api/v1/ports").body == first.body);
  served.sweep();
  CHECK(served.ask("/api/v1/ports").body != first.body);
  CHECK(served.json("/api/v1/events")["total"] == 0);
  served.live.add_event({.kind = EventKind::counters_reset,
                         .time_ms = 5,
                         .node = 0x200000,
                         .port = 1,
                         .text = "cleared"});
  const Json events = served.json("/api/v1/events");
  CHECK(events["total"] == 1);
  CHECK(events["events"][0]["kind"] == "counters_reset");
  CHECK(events["events"][0]["guid"] == "0x0000000000200000");
  CHECK(events["events"][0]["text"] == "cleared");
  CHECK(served.json("/api/v1/events?kind=clock_jumped")["total"] == 0);
}

TEST_CASE("docs/reference/monitor-api.md lists every path") {
  std::ifstream file(test::source_folder() / "docs/reference/monitor-api.md");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (const std::string_view path : api_paths()) {
    INFO(path);
    CHECK(text.find("`" + std::string(path) + "`") != std::string::npos);
  }
}

namespace {

/// A history in which every node had another name before.
class NamesAlone final : public HistorySource {
 public:
  std::optional<HistoryView> port_history(const HistoryRequest&) override { return std::nullopt; }
  LiveViewPointer view_at(std::int64_t) override { return nullptr; }
  std::vector<NameView> node_names(Guid node) override {
    return {{1000, "\x1b[31m before"}, {2000, fmt::format("node {:x}", node)}};
  }
};

}  // namespace

TEST_CASE("a node is shown with its earlier names") {
  Served served;
  served.sweep();
  const std::string guid = served.json("/api/v1/nodes?limit=1")["nodes"][0]["guid"];
  CHECK(served.json("/api/v1/nodes/" + guid)["names"].empty());
  NamesAlone history;
  Api api(served.live, &history, {});
  ApiRequest request;
  request.target = "/api/v1/nodes/" + guid;
  CHECK(api.is_slow(request));
  const Json names = Json::parse(*api.answer(request).body)["names"];
  REQUIRE(names.size() == 2);
  CHECK(names[0]["since"] == 1000);
  CHECK(names[0]["name"] == "\\u{1b}[31m before");
}

TEST_CASE("readings that an event takes back are removed from the recent sweeps") {
  Served served;
  served.sweep(4);
  const FabricMap& map = served.live.view()->map();
  const Guid node = map.nodes.back().guid;
  const std::uint32_t port = map.nodes.back().first_port;
  MonitorEvent event;
  event.kind = EventKind::wrong_node;
  event.node = node;
  event.since_sweep = 2;
  event.until_sweep = 3;
  REQUIRE(served.live.view()->recent[2]->difference(port));
  served.live.add_event(event);
  served.sweep();
  const auto& recent = served.live.view()->recent;
  REQUIRE(recent.size() == 5);
  CHECK(recent[1]->difference(port));
  CHECK_FALSE(recent[2]->difference(port));
  CHECK(recent[3]->difference(port));
  CHECK(recent[2]->difference(0));
}

TEST_CASE("reroutes are listed newest first, with the affected jobs") {
  Served served;
  served.sweep();
  CHECK(served.json("/api/v1/reroutes")["total"] == 0);
  RerouteRecord first;
  first.begin_ms = 1000;
  first.end_ms = 2000;
  first.entries = 209;
  first.blocks = 60;
  first.switches = 42;
  first.flows = 46'440;
  first.moved = first.no_route = 420;
  first.no_route_ms = 1300;
  first.jobs = {{"47\x1b", 240, 18, 3, 0}, {"48", 56, 4, 0, 2}};
  RerouteRecord second;
  second.begin_ms = 3000;
  second.end_ms = 3000;
  second.entries = 3;
  second.blocks = 1;
  second.switches = 1;
  second.problem = "two fabrics";
  served.reroutes = {first, second};
  served.sweep();
  const Json all = served.json("/api/v1/reroutes");
  REQUIRE(all["total"] == 2);
  const Json& newest = all["reroutes"][0];
  CHECK(newest["time"] == 3000);
  CHECK(newest["entries"] == 3);
  CHECK(newest["moved"].is_null());
  CHECK(newest["flows_reason"] == "two fabrics");
  const Json& oldest = all["reroutes"][1];
  CHECK(oldest["moved"] == 420);
  CHECK(oldest["no_route_ms"] == 1300);
  CHECK(oldest["jobs_hit"] == 2);
  CHECK(oldest["jobs_lost"] == 1);
  CHECK(oldest["jobs"][0]["id"] == "47\\u{1b}");
  CHECK(oldest["jobs"][0]["longer"] == 3);
  CHECK(served.json("/api/v1/reroutes?limit=1")["next"] == "1");
  CHECK(served.json("/api/v1/reroutes?limit=1&after=1")["reroutes"][0]["time"] == 1000);
  CHECK(served.status("/api/v1/reroutes?kind=x") == 400);
}

TEST_CASE("links and topology are available for past times that are in memory") {
  Served served;
  served.sweep();
  served.sweep();
  const std::int64_t then = served.live.view()->snapshot->time_ms;
  const Json live = served.json("/api/v1/links"), map = served.json("/api/v1/topology");
  CHECK_FALSE(live.contains("level"));
  served.sweep(3);
  REQUIRE(served.json("/api/v1/links")["links"] != live["links"]);
  for (const std::int64_t at : {then, then - 1, then - 9'999}) {
    INFO(at);
    const Json past = served.json(fmt::format("/api/v1/links?at={}", at));
    CHECK(past["links"] == live["links"]);
    CHECK(past["level"] == "memory");
    CHECK(past["time"] == then);
    CHECK(past["until"] == then);
    CHECK(past["since"] == then - 10'000);
    CHECK(past["sweep"] == 2);
  }
  const Json past = served.json(fmt::format("/api/v1/topology?at={}", then));
  CHECK(past["links"] == map["links"]);
  CHECK(past["nodes"] == map["nodes"]);
  const std::string leaf = map["nodes"][0]["guid"];
  CHECK(served.json(fmt::format("/api/v1/topology?hosts_of={}&at={}", leaf, then))["until"] ==
        then);
  CHECK(served.json("/api/v1/status")["oldest"] == then - 10'000);
}

TEST_CASE("a time without readings gives 404, an invalid time 400") {
  Served served;
  served.sweep(3);
  const std::int64_t first = served.live.view()->recent.front()->time_ms();
  for (const char* path : {"links", "topology"}) {
    const std::int64_t now = served.live.view()->snapshot->time_ms;
    for (const char* wrong : {"", "0", "-1", "yesterday", "1e12", "9999999999999999", "1;DROP"}) {
      INFO(wrong);
      const ApiAnswer answer = served.ask(fmt::format("/api/v1/{}?at={}", path, wrong));
      CHECK(answer.status == 400);
      CHECK(answer.body->find("at must be a number from 1 to") != std::string::npos);
    }
    CHECK(served.status(fmt::format("/api/v1/{}?at={}", path, now + 60'000)) == 404);
    const ApiAnswer early = served.ask(fmt::format("/api/v1/{}?at={}", path, now - 3'600'000));
    CHECK(early.status == 404);
    CHECK(early.body->find(fmt::format("available from {} to {}", first, now)) !=
          std::string::npos);
    ApiRequest request;
    request.target = fmt::format("/api/v1/{}?at={}", path, now);
    CHECK(served.api.is_slow(request));
    const ApiAnswer answer = served.api.answer(request);
    REQUIRE(answer.status == 200);
    const auto tag =
        std::ranges::find(answer.headers, "ETag", [](const auto& header) { return header.first; });
    REQUIRE(tag != answer.headers.end());
    served.sweep();  // an answer for a past time does not change
    request.if_none_match = tag->second;
    CHECK(served.api.answer(request).status == 304);
  }
  CHECK(served.status("/api/v1/ports?at=5") == 400);
  ApiRequest hidden;
  hidden.target = "/api/v1/links?%61t=5";
  CHECK(served.api.is_slow(hidden));
}

TEST_CASE("recordings are started and ended by POST, one at a time, if the server permits it") {
  Served served;
  served.sweep();
  CHECK(served.status("/api/v1/recordings", "POST") == 405);
  const test::TemporaryFolder folder;
  RecordingSwitch control((folder.path() / "history.db").string(), [](const std::string&) {});
  served.api.set_recording_control(&control);
  CHECK(served.status("/api/v1/recordings/end", "POST") == 409);
  const ApiAnswer begun =
      served.ask("/api/v1/recordings?name=%3Cb%3E'%3BDROP%20%22%E2%80%AE%1b", "POST");
  CHECK(begun.status == 400);  // control characters
  const ApiAnswer hostile =
      served.ask("/api/v1/recordings?name=%3Cb%3E'%3BDROP%20%22%E2%80%AE", "POST");
  CHECK(hostile.status == 201);
  CHECK(Json::parse(*hostile.body)["recording"]["name"] == "<b>';DROP \"\\u{202e}");
  CHECK(served.status("/api/v1/recordings?name=other", "POST") == 409);
  CHECK(served.status("/api/v1/recordings?length=5", "POST") == 400);
  CHECK(served.status("/api/v1/recordings/end?id=1", "POST") == 400);
  const ApiAnswer ended = served.ask("/api/v1/recordings/end", "POST");
  CHECK(ended.status == 200);
  const Json kept = Json::parse(*ended.body)["recording"];
  CHECK(kept["end"] >= kept["start"]);
  const std::vector<Recording> recordings = read_recordings(folder.path() / "history.db", 10);
  REQUIRE(recordings.size() == 1);
  CHECK(recordings[0].name == "<b>';DROP \"\xe2\x80\xae");
  CHECK(served.status("/api/v1/recordings/end", "POST") == 409);
  CHECK(served.status("/api/v1/recordings?name=" + std::string(101, 'a'), "POST") == 400);
  CHECK_FALSE(control.running());
  for (const char* path : {"/api/v1/status", "/api/v1/recordings/1", "/", "/api/v1/session"}) {
    CHECK(served.status(path, "POST") == 405);
  }
  for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS"}) {
    CHECK(served.status("/api/v1/recordings", method) == 405);
  }
}

TEST_CASE("differences from the cabling plan are listed and counted by kind") {
  Served served;
  served.sweep();
  CHECK(served.status("/api/v1/cabling") == 404);
  CHECK(served.ask("/metrics").body->find("pssp_cabling") == std::string::npos);
  CablingView cabling;
  cabling.plan = "plan<1>.net";
  cabling.planned_cables = 9;
  cabling.found_cables = 8;
  cabling.cables_in_place = 7;
  cabling.statements = {
      {"swapped", "a port 1 and a port 2: exchange", {"a port 1", "a port 2"}, 2, 17},
      {"missing", "b port 1 - c port 2", {"b port 1", "c port 2"}, 1, 18}};
  cabling.kinds = {{"swapped", 1}, {"moved", 0}, {"missing", 1}};
  served.cabling = std::make_shared<const CablingView>(cabling);
  served.sweep();
  const Json all = served.json("/api/v1/cabling");
  CHECK(all["plan"] == "plan<1>.net");
  CHECK(all["problem"] == "");
  CHECK(all["planned_cables"] == 9);
  CHECK(all["found_cables"] == 8);
  CHECK(all["cables_in_place"] == 7);
  CHECK(all["total"] == 2);
  CHECK(all["statements"][0] == Json{{"fault", "swapped"},
                                     {"text", "a port 1 and a port 2: exchange"},
                                     {"count", 2},
                                     {"since", 17},
                                     {"ports", {"a port 1", "a port 2"}}});
  CHECK(served.json("/api/v1/cabling?limit=1&after=1")["statements"][0]["since"] == 18);
  const std::string page = *served.ask("/metrics").body;
  CHECK(page.find("pssp_cabling_statements{kind=\"swapped\"} 1\n") != std::string::npos);
  CHECK(page.find("pssp_cabling_statements{kind=\"moved\"} 0\n") != std::string::npos);
  CHECK(served.ask("/metrics?select=switch").body->find("pssp_cabling") == std::string::npos);
}

TEST_CASE("fitness for jobs is available by node names, as JSON and as text", "[monitor]") {
  Served served;
  CHECK(served.status("/api/v1/fit?names=n1") == 503);
  served.sweep(2);
  CHECK(served.status("/api/v1/fit?names=n1") == 404);
  std::vector<NodeFit> nodes(4096);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    nodes[n].name = fmt::format("n{:04}", n + 1);
    nodes[n].level = n == 6 ? Level::bad : Level::good;
    nodes[n].ports = {{0x900000 + n, 1}};
  }
  nodes[6].reasons.push_back({Level::bad, {1, 2}, "leaf port 2 <b>"});
  nodes[6].advice = DrainAdvice::drain;
  // Port 3, which has a verdict in Served::sweep().
  const FabricMap& map = served.live.view()->map();
  nodes[7].level = Level::bad;
  nodes[7].reasons.push_back(
      {Level::bad, {map.node_of(map.ports[3]).guid, map.ports[3].number}, ""});
  served.fit = std::make_shared<const FitList>(std::move(nodes));
  served.sweep();
  const std::string all = "/api/v1/fit?names=n%5B0001-4096%5D";
  const Json answer = served.json(all);
  CHECK(answer["nodes"].size() == 4096);
  CHECK(answer["fits"]["no"] == 2);
  CHECK(answer["nodes"][6]["drain"] == true);
  CHECK(answer.contains("sweep"));
  const ApiAnswer text = served.ask(all + "&format=text");
  CHECK(text.type == "text/plain; charset=utf-8");
  CHECK(*text.body == "n0007 no drain leaf port 2 <b>\nn0008 no - \n");
  CHECK(served.ask("/api/v1/fit?names=n0001&format=text").body->empty());
  CHECK(served.json("/api/v1/fit?names=n0001,n0001,n9")["nodes"].size() == 2);
  CHECK(served.json("/api/v1/fit")["nodes"].size() == 4096);
  // The sweep interval is ten seconds. Three intervals after the last sweep, fitness is unknown.
  const ApiAnswer late = served.ask("/api/v1/fit?names=n0001&format=text", "GET", 40'000'000'000);
  CHECK(late.body->starts_with("n0001 unknown - the last sweep is "));
  const std::string page = *served.ask("/metrics?select=own").body;
  CHECK(page.find("pssp_node_fit{node=\"n0007\",cause=\"node\"} 2\n") != std::string::npos);
  CHECK(page.find("pssp_node_fit{node=\"n0008\",cause=\"port\"} 2\n") != std::string::npos);
  CHECK(page.find("pssp_node_fit{node=\"n0001\",cause=\"node\"} 0\n") != std::string::npos);
}

TEST_CASE("invalid or too long lists of node names are refused", "[monitor]") {
  Served served;
  served.fit = std::make_shared<const FitList>();
  served.sweep(2);
  for (const char* names :
       {"", "n%5B1-4097%5D", "n%5B1-999999999999%5D", "n%5B%5B1%5D%5D", "n%5B2-1%5D", "n%5B",
        "a%20b", "n%00", "n%0A", ",", "n%5B1-9%5D%5B1-999%5D"}) {
    INFO(names);
    CHECK(served.status(std::string("/api/v1/fit?names=") + names) == 400);
  }
  CHECK(served.status("/api/v1/fit?names=" + std::string(5 * 1024, 'n')) == 414);
  CHECK(served.status("/api/v1/fit?names=n1&format=xml") == 400);
  CHECK(served.status("/api/v1/fit?names=n1&names=n2") == 400);
  CHECK(served.status("/api/v1/fit?name=n1") == 400);
}

TEST_CASE("an acknowledgement by POST appears on disk, in answers and in metrics") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "history.db").string();
  Served served;
  served.sweep(2);
  const LiveView& view = *served.live.view();
  auto list = std::make_shared<IncidentList>();
  FabricFault fault;
  fault.id = "0000000000200000-1";
  const MapPort& port = view.map().ports[3];  // Served::sweep() adds a verdict on this port
  fault.end = {{view.map().node_of(port).guid, port.number}, "a switch"};
  fault.findings = {{fault.end, "symbol_errors", Level::bad, 5, 7, 1, "7 in 1 h"}};
  list->faults = {fault};
  CongestionGroup congestion;
  congestion.target = {{0x42, 0}, "a \"leaf\""};
  list->congestion = {congestion};
  served.incidents = list;
  served.sweep();
  const std::string page = *served.ask("/metrics").body;
  CHECK(page.find(R"(node="a switch",what="symbol_errors",level="watch"} 1)") != std::string::npos);
  CHECK(page.find("pssp_fault{guid=\"0x0000000000000042\",port=\"0\",node=\"a \\\"leaf\\\"\","
                  "what=\"transmit_wait\",level=\"watch\"} 1\n") != std::string::npos);
  const std::string path = "/api/v1/incidents/" + fault.id;
  const std::string post = path + "/acknowledge?comment=cable%20ordered&hours=2";
  CHECK(served.status(post, "POST") == 405);
  AcknowledgementBook book(file);
  RecordingSwitch control(file, [](const std::string&) {});
  served.api.set_acknowledgements(&book);
  served.api.set_recording_control(&control);
  CHECK(served.json(path)["item"]["acknowledged"] == nullptr);
  CHECK(served.json(path)["may_acknowledge"] == true);
  for (const char* wrong : {"?hours=2", "?comment=", "?comment=a&hours=0", "?comment=a&for=ever"}) {
    CHECK(served.status(path + "/acknowledge" + wrong, "POST") == 400);
  }
  CHECK(served.status("/api/v1/incidents/none/acknowledge?comment=a", "POST") == 404);
  CHECK(served.status(path + "/acknowledge?comment=a") == 404);
  CHECK(served.status(post, "POST") == 200);
  CHECK(served.json(path)["item"]["acknowledged"]["comment"] == "cable ordered");
  const auto kept = read_acknowledgements(file);
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].until_ms - kept[0].since_ms == 2 * 3'600'000);
  CHECK(AcknowledgementBook(file).list()->contains(fault.id));
  // Expired acknowledgements are removed from disk and memory.
  book.acknowledge({"later", "known", kept[0].until_ms + 1, kept[0].until_ms + 2});
  CHECK(read_acknowledgements(file).size() == 1);
  CHECK(book.list()->size() == 1);
  book.acknowledge(kept[0]);
  CHECK(served.ask("/metrics").body->find("acknowledged=") == std::string::npos);
  auto valid = *book.list();
  valid[fault.id].until_ms = served.live.view()->snapshot->time_ms + 1'000'000;
  served.acknowledged = std::make_shared<const std::map<std::string, Acknowledgement>>(valid);
  served.sweep();
  CHECK(served.ask("/metrics").body->find(",level=\"bad\",acknowledged=\"true\"} 1") !=
        std::string::npos);
}

TEST_CASE("a search has lists of nodes and jobs, and checks its parameters") {
  Served served;
  served.sweep();
  const Json found = served.json("/api/v1/search?q=leaf");
  CHECK_FALSE(found["nodes"].empty());
  CHECK(found["jobs"].empty());
  CHECK(served.status("/api/v1/search") == 400);
  CHECK(served.status("/api/v1/search?q=a&limit=101") == 400);
}
