#include "monitor/api/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/digest.h"
#include "base/foreign_text.h"
#include "base/version.h"
#include "monitor/api/advice_view.h"
#include "monitor/api/event_stream.h"
#include "monitor/api/gzip.h"
#include "monitor/api/metrics_page.h"
#include "monitor/api/reroutes_view.h"
#include "monitor/api/views.h"

// Between two sweeps the same question has the same answer, so answers are kept until the next
// sweep comes: a hundred browsers on one page cost what one costs. What depends on the time of the
// question (status, health) is not kept.
//
// Metrics of a large fabric are fifty megabytes of text, so with gzip they are packed while they
// are written, and only the packed page is kept.

namespace pssp {
namespace {

constexpr std::size_t largest_answer = 64U << 20U;
constexpr std::size_t worth_packing = 1024;
constexpr std::string_view api_prefix = "/api/v1/";

constexpr std::array<std::string_view, 27> paths{"/healthz",
                                                 "/metrics",
                                                 "/api/v1/status",
                                                 "/api/v1/activity",
                                                 "/api/v1/nodes",
                                                 "/api/v1/nodes/{guid}",
                                                 "/api/v1/ports",
                                                 "/api/v1/ports/{guid}/{n}",
                                                 "/api/v1/ports/{guid}/{n}/history",
                                                 "/api/v1/links",
                                                 "/api/v1/links/{guid}/{n}/users",
                                                 "/api/v1/jobs",
                                                 "/api/v1/jobs/{id}",
                                                 "/api/v1/jobs/{id}/links",
                                                 "/api/v1/recordings",
                                                 "/api/v1/recordings/{id}",
                                                 "/api/v1/recordings/end",
                                                 "/api/v1/verdicts",
                                                 "/api/v1/events",
                                                 "/api/v1/reroutes",
                                                 "/api/v1/manager",
                                                 "/api/v1/advice",
                                                 "/api/v1/topology",
                                                 "/api/v1/stream",
                                                 "/api/v1/session",
                                                 "/",
                                                 "/login.html"};

std::string_view kind_of_status(int status) {
  switch (status) {
    case 400:
      return "bad_request";
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not_found";
    case 405:
      return "method_not_allowed";
    case 409:
      return "conflict";
    case 413:
      return "too_large";
    case 414:
      return "address_too_long";
    case 429:
      return "too_many";
    default:
      return "unavailable";
  }
}

bool is_path(const Target& target, std::initializer_list<std::string_view> path) {
  return std::equal(target.path().begin(), target.path().end(), path.begin(), path.end());
}

std::uint32_t wanted_node(const LiveView& view, const std::string& guid) {
  const auto node = view.map().find_node(parse_guid(guid));
  if (!node) throw ApiError{404, "there is no such node", "/api/v1/nodes lists them"};
  return *node;
}

std::uint32_t wanted_port(const LiveView& view, const std::string& guid, const std::string& n) {
  const PortNumber number = parse_port_number(n);
  const std::uint32_t node = wanted_node(view, guid);
  const MapNode& known = view.map().nodes[node];
  if (number > known.ports) {
    throw ApiError{400, fmt::format("port {} is out of range", number),
                   fmt::format("the node has ports 1 to {}", known.ports)};
  }
  return known.first_port + number - 1U;
}

const LiveView& required(const LiveViewPointer& view) {
  if (view == nullptr) throw ApiError{503, "there was no sweep yet", "ask again in a few seconds"};
  return *view;
}

std::string kept_key(const ApiRequest& request) {
  return request.target + (request.accepts_gzip ? " gzip" : " plain");
}

std::string key_of(const MetricsChoice& choice, bool gzip) {
  return fmt::format("{:d}{:d}{:d}{:d}{:d}{:d}", choice.switches, choice.adapters, choice.own,
                     choice.zeros, choice.openmetrics, gzip);
}

void write_recording(JsonWriter& json, const RunningRecording& recording) {
  json.begin_object().member("name", foreign_text(recording.name));
  json.member("start", recording.start_ms);
  if (recording.end_ms != 0) json.member("end", recording.end_ms);
  json.end_object();
}

void pack(ApiAnswer& answer) {
  answer.body = std::make_shared<const std::string>(gzipped(*answer.body));
  answer.headers.emplace_back("Content-Encoding", "gzip");
}

}  // namespace

std::span<const std::string_view> api_paths() { return paths; }

ApiAnswer error_answer(const ApiError& error) {
  JsonWriter json;
  json.begin_object().key("error").begin_object();
  json.member("kind", kind_of_status(error.status)).member("message", error.message);
  json.member("hint", error.hint).end_object().end_object();
  ApiAnswer answer;
  answer.status = error.status;
  answer.body = std::make_shared<const std::string>(json.take() + "\n");
  answer.headers.emplace_back("Cache-Control", "no-store");
  if (error.status == 405) answer.headers.emplace_back("Allow", "GET, HEAD");
  if (error.status == 429 || error.status == 503) answer.headers.emplace_back("Retry-After", "10");
  if (error.status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

Api::Api(const LiveState& live, HistorySource* history, std::span<const StaticFile> files)
    : live_(live), history_(history), files_(files) {
  for (const StaticFile& each : files_) {
    if (each.content.size() >= worth_packing) packed_files_[each.path] = gzipped(each.content);
  }
}

ApiAnswer Api::answer(const ApiRequest& request) {
  try {
    return route(request);
  } catch (const ApiError& error) {
    return error_answer(error);
  } catch (const std::bad_alloc&) {
    return error_answer({503, "there is no memory for this answer", "ask for less"});
  }
}

ApiAnswer Api::route(const ApiRequest& request) {
  if (request.method == "POST" && control_ != nullptr) {
    return change_recording(Target(request.target));
  }
  if (request.method != "GET" && request.method != "HEAD") {
    throw ApiError{405, "this server only shows", "use GET or HEAD"};
  }
  const Target target(request.target);
  if (is_path(target, {"healthz"})) return health(request);
  if (is_path(target, {"metrics"})) return metrics(request, target);
  if (!target.path().empty() && target.path()[0] == "api") return live_answer(request, target);
  return static_answer(request, target);
}

/// The one thing that can be changed: a name for a time of the history.
ApiAnswer Api::change_recording(const Target& target) {
  const bool begins = is_path(target, {"api", "v1", "recordings"});
  if (!begins && !is_path(target, {"api", "v1", "recordings", "end"})) {
    throw ApiError{405, "this path only shows", "use GET or HEAD"};
  }
  std::optional<RunningRecording> changed;
  if (begins) {
    target.allow({"name"});
    const std::string* const name = target.find("name");
    if (name != nullptr && name->size() > longest_recording_name) {
      throw ApiError{400, fmt::format("the name has {} bytes", name->size()),
                     fmt::format("{} are allowed", longest_recording_name)};
    }
    changed = control_->begin(name == nullptr ? std::string() : *name);
    if (!changed) throw ApiError{409, "a recording runs already", "end it first"};
  } else {
    target.allow({});
    changed = control_->end();
    if (!changed) throw ApiError{409, "no recording runs", "begin one first"};
  }
  JsonWriter json;
  json.begin_object().member("version", version()).key("recording");
  write_recording(json, *changed);
  ApiAnswer answer;
  answer.status = begins ? 201 : 200;
  answer.body = std::make_shared<const std::string>(json.end_object().take() + "\n");
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

ApiAnswer Api::health(const ApiRequest& request) const {
  const LiveViewPointer view = live_.view();
  if (view == nullptr) throw ApiError{503, "there was no sweep yet", "ask again in a while"};
  const Snapshot& last = *view->snapshot;
  const auto ended = last.begin_ns + static_cast<std::int64_t>(last.figures.duration_ns);
  const double age_s = static_cast<double>(request.now_ns - ended) / 1e9;
  if (age_s > 3 * view->facts.interval_s) {
    throw ApiError{503, fmt::format("the last sweep is {:.0f} s old", age_s),
                   "the monitor's log says why"};
  }
  ApiAnswer answer;
  answer.type = "text/plain; charset=utf-8";
  answer.body = std::make_shared<const std::string>("ok\n");
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

ApiAnswer Api::metrics(const ApiRequest& request, const Target& target) {
  const MetricsChoice choice = wanted_metrics(request, target);
  const LiveViewPointer view = live_.view();
  ApiAnswer answer;
  answer.type = choice.openmetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                   : "text/plain; version=0.0.4; charset=utf-8";
  answer.headers.emplace_back("Cache-Control", "no-store");
  if (request.accepts_gzip) answer.headers.emplace_back("Content-Encoding", "gzip");
  const std::string key = key_of(choice, request.accepts_gzip);
  if (auto known = kept_metrics_.find(key, view)) {
    answer.body = std::move(known);
    return answer;
  }
  if (request.accepts_gzip) {
    Gzip gzip;
    write_metrics(view.get(), choice, event_streams,
                  [&](std::string_view piece) { gzip.add(piece); });
    answer.body = std::make_shared<const std::string>(gzip.finish());
    kept_metrics_.add(key, view, answer.body);
    return answer;
  }
  std::string text;
  // A text that grows while it is written is copied several times, into memory that nobody had.
  text.reserve(plain_metrics_bytes_);
  write_metrics(view.get(), choice, event_streams, [&](std::string_view piece) {
    if (text.size() + piece.size() > largest_answer) {
      throw ApiError{503, "the page is larger than 64 MiB", "accept gzip, or use select= or all=0"};
    }
    text += piece;
  });
  plain_metrics_bytes_ = text.size() + text.size() / 64;
  answer.body = std::make_shared<const std::string>(std::move(text));
  return answer;
}

ApiAnswer Api::live_answer(const ApiRequest& request, const Target& target) {
  const LiveViewPointer view = live_.view();
  if (target.path().size() == 6) return past_answer(request, target, view);
  if (is_path(target, {"api", "v1", "links"}) || is_path(target, {"api", "v1", "topology"})) {
    if (const auto time_ms = asked_time(target)) {
      return past_answer(request, target, view_at(required(view), *time_ms));
    }
  }
  const bool moves = is_path(target, {"api", "v1", "status"}) ||  // between sweeps, too
                     is_path(target, {"api", "v1", "events"}) ||
                     is_path(target, {"api", "v1", "recordings"}) ||
                     is_path(target, {"api", "v1", "advice"});
  const std::string key = kept_key(request);
  ApiAnswer answer;
  answer.headers.emplace_back("Cache-Control", "no-store");
  answer.body = moves ? nullptr : kept_.find(key, view);
  if (answer.body == nullptr) {
    const bool is_advice = is_path(target, {"api", "v1", "advice"});
    answer.body = std::make_shared<const std::string>(
        (is_advice ? advice_view(required(view), target, advice_, request.method == "HEAD")
                   : live_text(required(view), target, request.now_ms)) +
        "\n");
    if (request.accepts_gzip) pack(answer);
    if (!moves) kept_.add(key, view, answer.body);
  } else if (request.accepts_gzip) {
    answer.headers.emplace_back("Content-Encoding", "gzip");
  }
  return answer;
}

/// What people look at on the map and in the list of links, as it was.
LiveViewPointer Api::view_at(const LiveView& now, std::int64_t time_ms) {
  LiveViewPointer found;
  if (history_ != nullptr) {
    const std::lock_guard lock(history_mutex_);
    found = history_->view_at(time_ms);
  }
  if (found == nullptr) found = recent_view(now, time_ms);
  if (found != nullptr) return found;
  throw ApiError{404, fmt::format("nothing was read at={}", time_ms),
                 fmt::format("there are readings from {} to {}, but for times in which the monitor "
                             "was down",
                             oldest_time(now), now.snapshot->time_ms)};
}

/// History does not change, but for its end: whoever has it already is told so.
ApiAnswer Api::past_answer(const ApiRequest& request, const Target& target,
                           const LiveViewPointer& view) {
  std::string text = live_text(required(view), target, request.now_ms) + "\n";
  Digest digest;  // of what follows the head, if that has the time of the last sweep
  const std::size_t head = view->past ? 0 : text.find("\"guid\"");
  digest.add_text(std::string_view(text).substr(std::min(head, text.size())));
  const std::string tag = fmt::format("\"{:016x}\"", digest.value()[0]);
  ApiAnswer answer;
  answer.headers.emplace_back("Cache-Control", "no-cache");
  answer.headers.emplace_back("ETag", tag);
  if (request.if_none_match == tag) {
    answer.status = 304;
    return answer;
  }
  answer.body = std::make_shared<const std::string>(std::move(text));
  if (request.accepts_gzip) pack(answer);
  return answer;
}

std::string Api::live_text(const LiveView& view, const Target& target, std::int64_t now_ms) {
  const std::vector<std::string>& path = target.path();
  const auto is = [&](std::string_view name, std::size_t length) {
    return path.size() == length && path[1] == "v1" && path[2] == name;
  };
  if (is("status", 3)) return status_view(view, target, now_ms, event_streams);
  if (is("activity", 3)) return activity_view(view, target);
  if (is("nodes", 3)) return nodes_view(view, target);
  if (is("nodes", 4)) return node(view, target, wanted_node(view, path[3]));
  if (is("ports", 3)) return ports_view(view, target);
  if (is("ports", 5)) return port_view(view, target, wanted_port(view, path[3], path[4]));
  if (is("ports", 6) && path[5] == "history") {
    return history(view, target, wanted_port(view, path[3], path[4]));
  }
  if (is("links", 3)) return links_view(view, target);
  const bool of_users = is("links", 6) && path[5] == "users";
  const bool of_jobs = is("jobs", 3) || is("jobs", 4) || (is("jobs", 5) && path[4] == "links");
  if (of_users || of_jobs) return job_text(view, target);
  if (is("recordings", 3) || is("recordings", 4)) return recording_text(view, target);
  if (is("verdicts", 3)) return verdicts_view(view, target);
  if (is("events", 3)) return events_view(view, *live_.events(), target);
  if (is("reroutes", 3)) return reroutes_view(view, target);
  if (is("manager", 3)) return manager_view(view, target);
  if (is("topology", 3)) return topology_.text(view, target);
  throw ApiError{404, "there is no such path", "docs/monitor_api.md lists them"};
}

std::string Api::job_text(const LiveView& view, const Target& target) {
  if (jobs_ == nullptr) {
    throw ApiError{404, "nobody knows of jobs here",
                   "jobs and users of links need a database: [store] database"};
  }
  const std::vector<std::string>& path = target.path();
  const std::lock_guard lock(history_mutex_);
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  if (path[2] == "links") {
    const MapPort& port = view.map().ports[wanted_port(view, path[3], path[4])];
    jobs_->users(json, view, target, {view.map().node_of(port).guid, port.number});
  } else if (path.size() == 3) {
    jobs_->jobs(json, view, target);
  } else if (path.size() == 4) {
    jobs_->job(json, view, target, path[3]);
  } else {
    jobs_->job_links(json, view, target, path[3]);
  }
  return json.end_object().take();
}

std::string Api::node(const LiveView& view, const Target& target, std::uint32_t node) {
  std::vector<ShownName> names;
  if (history_ != nullptr) {
    const std::lock_guard lock(history_mutex_);
    names = history_->node_names(view.map().nodes[node].guid);
  }
  return node_view(view, target, node, names);
}

std::string Api::recording_text(const LiveView& view, const Target& target) {
  if (recordings_ == nullptr) {
    throw ApiError{404, "there are no recordings here",
                   "they need a database: [store] database, and monitor_fabric record"};
  }
  const std::lock_guard lock(history_mutex_);
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  if (target.path().size() == 3) {
    recordings_->recordings(json, view, target);
    json.member("may_record", control_ != nullptr);
    json.member("longest_name", std::uint64_t{longest_recording_name}).key("running");
    const auto running = control_ != nullptr ? control_->running() : std::nullopt;
    running ? write_recording(json, *running) : static_cast<void>(json.null());
  } else {
    recordings_->recording(json, view, target, target.path()[3]);
  }
  return json.end_object().take();
}

std::string Api::history(const LiveView& view, const Target& target, std::uint32_t port) {
  const HistoryRequest request = history_request(view, target, port);
  if (history_ != nullptr) {
    const std::lock_guard lock(history_mutex_);
    if (const auto found = history_->port_history(request)) {
      return history_text(view, request, *found);
    }
  }
  return history_text(view, request, recent_history(view, request));
}

ApiAnswer Api::static_answer(const ApiRequest& request, const Target& target) const {
  std::string path;
  for (const std::string& each : target.path()) path += "/" + each;
  if (path.empty()) path = "/index.html";
  for (const StaticFile& file : files_) {
    if (file.path != path) continue;
    ApiAnswer answer;
    answer.type = file.type;
    // The program may be another one tomorrow, so browsers ask whether it is.
    answer.headers.emplace_back("Cache-Control", "no-cache");
    const auto packed = packed_files_.find(file.path);
    if (request.accepts_gzip && packed != packed_files_.end()) {
      answer.body = std::make_shared<const std::string>(packed->second);
      answer.headers.emplace_back("Content-Encoding", "gzip");
    } else {
      answer.body = std::make_shared<const std::string>(file.content);
    }
    return answer;
  }
  throw ApiError{
      404, "there is no such page",
      files_.empty() ? "this program was built without pages; /api/v1/status works" : "begin at /"};
}

bool Api::is_slow(const ApiRequest& request) {
  const std::string_view target = request.target;
  if (request.method == "POST") return true;  // it writes
  const auto begins = [&](std::string_view with) { return target.substr(0, with.size()) == with; };
  const auto has = [&](std::string_view part) {
    return target.find(part) != std::string_view::npos;
  };
  // An escape may hide the name of a parameter.
  if (begins("/api/v1/links?") && (has("at=") || has("%"))) return true;
  if (begins("/metrics")) {
    const std::optional<std::string> key = metrics_key(request);
    return key && kept_metrics_.find(*key, live_.view()) == nullptr;
  }
  if (begins("/api/v1/topology") || begins("/api/v1/nodes/")) return true;
  return begins(api_prefix) &&
         (has("/history") || begins("/api/v1/jobs") || begins("/api/v1/recordings") ||
          has("/users") || has("limit=")) &&
         kept_.find(kept_key(request), live_.view()) == nullptr;
}

MetricsChoice Api::wanted_metrics(const ApiRequest& request, const Target& target) const {
  MetricsChoice choice = metrics_choice(target, metrics_default_);
  choice.openmetrics = request.accepts_openmetrics;
  return choice;
}

std::optional<std::string> Api::metrics_key(const ApiRequest& request) const {
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  try {
    const Target target(request.target);
    if (!is_path(target, {"metrics"})) return std::nullopt;
    return key_of(wanted_metrics(request, target), request.accepts_gzip);
  } catch (const ApiError&) {
    return std::nullopt;
  }
}

}  // namespace pssp
