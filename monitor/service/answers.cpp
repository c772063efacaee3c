#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/untrusted_text.h"
#include "base/version.h"
#include "monitor/api/advice_view.h"
#include "monitor/api/fit_view.h"
#include "monitor/api/gzip.h"
#include "monitor/api/metrics_page.h"
#include "monitor/api/search_view.h"
#include "monitor/api/views.h"
#include "monitor/service/routes.h"
#include "monitor/store/history_options.h"

// The functions behind the table of paths: each response of Api, without the rules that apply to
// all of them.
//
// Metrics of a large fabric are fifty megabytes of text. With gzip they are compressed while they
// are written, and only the compressed page is cached.

namespace pssp {
namespace {

constexpr std::size_t largest_answer = 64U << 20U;
constexpr std::size_t longest_comment = 500;

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

/// Seconds since the end of the last sweep if they exceed three intervals, else nullopt.
std::optional<double> age_of_stale(const LiveView& view, std::int64_t now_ns) {
  const Snapshot& last = *view.snapshot;
  const auto ended = last.begin_ns + static_cast<std::int64_t>(last.figures.duration_ns);
  const double age_s = static_cast<double>(now_ns - ended) / 1e9;
  return age_s > 3 * view.facts.interval_s ? std::optional(age_s) : std::nullopt;
}

std::vector<std::string> asked_fit_names(const std::string* host_list) {
  if (host_list == nullptr) return {};
  try {
    std::vector<std::string> names = fit_names(*host_list);
    if (!names.empty()) return names;
  } catch (const Error& error) {
    throw ApiError{400, error.what(),
                   fmt::format("names is a host list in Slurm's notation, such as n[1-3,7],gpu1, "
                               "with at most {} names",
                               most_fit_names)};
  }
  throw ApiError{400, "names is empty", "omit names to list all nodes"};
}

void write_recording(JsonWriter& json, const RunningRecording& recording) {
  json.begin_object().member("name", untrusted_text(recording.name));
  json.member("start", recording.start_ms);
  if (recording.end_ms != 0) json.member("end", recording.end_ms);
  json.end_object();
}

ApiAnswer changed_recording(int status, const RunningRecording& changed) {
  JsonWriter json;
  json.begin_object().member("version", version()).key("recording");
  write_recording(json, changed);
  ApiAnswer answer;
  answer.status = status;
  answer.body = std::make_shared<const std::string>(json.end_object().take() + "\n");
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

}  // namespace

ApiAnswer Api::health(const Asked& asked) {
  const LiveViewPointer view = live_.view();
  if (view == nullptr) {
    throw ApiError{503, "no sweep has succeeded yet", "try again in a few seconds"};
  }
  if (const auto age_s = age_of_stale(*view, asked.request.now_ns)) {
    throw ApiError{503, fmt::format("the last sweep is {:.0f} s old", *age_s),
                   "see the log of the monitor"};
  }
  const SweepFigures& figures = view->snapshot->figures;
  if (figures.asked != 0 && figures.answered == 0) {
    throw ApiError{503, "no node of the fabric answered in the last sweep",
                   "check the port of the monitor's host"};
  }
  ApiAnswer answer;
  answer.type = "text/plain; charset=utf-8";
  answer.body = std::make_shared<const std::string>("ok\n");
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

/// Not cached between sweeps, because nodes become unknown when the last sweep is too old, without
/// a new sweep.
ApiAnswer Api::fit(const Asked& asked) {
  asked.target.allow({"names", "format"});
  const std::string_view format = asked.target.choice("format", {"json", "text"});
  const std::vector<std::string> names = asked_fit_names(asked.target.find("names"));
  const LiveViewPointer view = live_.view();
  if (view == nullptr) {
    throw ApiError{503, "no sweep has succeeded yet", "try again in a few seconds"};
  }
  if (view->facts.fit == nullptr) {
    throw ApiError{404, "this server has no verdicts on nodes",
                   "query the daemon: pssp monitor serve"};
  }
  std::string stale;
  if (const auto age_s = age_of_stale(*view, asked.request.now_ns)) {
    stale = fmt::format("the last sweep is {:.0f} s old", *age_s);
  }
  const std::vector<FitAnswer> answers = answers_of(*view->facts.fit, names, stale);
  ApiAnswer answer;
  answer.headers.emplace_back("Cache-Control", "no-store");
  if (format == "text") {
    answer.type = "text/plain; charset=utf-8";
    answer.body = std::make_shared<const std::string>(fit_text(answers));
    return answer;
  }
  JsonWriter json;
  json.begin_object();
  write_head(json, *view);
  write_fit(json, answers);
  answer.body = std::make_shared<const std::string>(json.end_object().take() + "\n");
  return answer;
}

std::string Api::key_of(const MetricsChoice& choice, bool gzip) {
  return fmt::format("{:d}{:d}{:d}{:d}{:d}{:d}", choice.switches, choice.adapters, choice.own,
                     choice.zeros, choice.openmetrics, gzip);
}

ApiAnswer Api::metrics(const Asked& asked) {
  const ApiRequest& request = asked.request;
  const MetricsChoice choice = wanted_metrics(request, asked.target);
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
  // Growing the text while it is written would copy it several times and need more memory.
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

MetricsChoice Api::wanted_metrics(const ApiRequest& request, const Target& target) const {
  MetricsChoice choice = metrics_choice(target, metrics_default_);
  choice.openmetrics = request.accepts_openmetrics;
  return choice;
}

ApiAnswer Api::static_answer(const Asked& asked) {
  std::string path;
  for (const std::string& each : asked.target.path()) path += "/" + each;
  if (path.empty()) path = "/index.html";
  for (const StaticFile& file : files_) {
    if (file.path != path) continue;
    ApiAnswer answer;
    answer.type = file.type;
    // The pages may change with the version of the program, so browsers must revalidate them.
    answer.headers.emplace_back("Cache-Control", "no-cache");
    const auto packed = packed_files_.find(file.path);
    if (asked.request.accepts_gzip && packed != packed_files_.end()) {
      answer.body = std::make_shared<const std::string>(packed->second);
      answer.headers.emplace_back("Content-Encoding", "gzip");
    } else {
      answer.body = std::make_shared<const std::string>(file.content);
    }
    return answer;
  }
  throw ApiError{
      404, "unknown page",
      files_.empty() ? "this program was built without web pages; use /api/v1/status" : "open /"};
}

/// The fabric at an earlier time, for the map and the list of links.
LiveViewPointer Api::view_at(const LiveView& now, std::int64_t time_ms) {
  LiveViewPointer found;
  if (history_ != nullptr) {
    const std::lock_guard lock(history_mutex_);
    found = history_->view_at(time_ms);
  }
  if (found == nullptr) found = recent_view(now, time_ms);
  if (found != nullptr) return found;
  throw ApiError{404, fmt::format("no data for at={}", time_ms),
                 fmt::format("data is available from {} to {}, except while the monitor was down",
                             oldest_time(now), now.snapshot->time_ms)};
}

std::string Api::port_history(const LiveView& view, const Asked& asked) {
  const HistoryRequest request =
      history_request(view, asked.target, wanted_port(view, asked.names[0], asked.names[1]));
  if (history_ != nullptr) {
    const std::lock_guard lock(history_mutex_);
    if (const auto found = history_->port_history(request)) {
      return history_text(view, request, *found);
    }
  }
  return history_text(view, request, recent_history(view, request));
}

ApiAnswer Api::begin_recording(const Asked& asked) {
  asked.target.allow({"name"});
  const std::string* const name = asked.target.find("name");
  if (name != nullptr && name->size() > longest_recording_name) {
    throw ApiError{400, fmt::format("the name has {} bytes", name->size()),
                   fmt::format("at most {} are allowed", longest_recording_name)};
  }
  const auto begun = control_->begin(name == nullptr ? std::string() : *name);
  if (!begun) throw ApiError{409, "a recording is already running", "end it first"};
  return changed_recording(201, *begun);
}

ApiAnswer Api::end_recording(const Asked& asked) {
  asked.target.allow({});
  const auto ended = control_->end();
  if (!ended) throw ApiError{409, "no recording is running", "begin one first"};
  return changed_recording(200, *ended);
}

std::string Api::status(const LiveView& view, const Asked& asked) {
  return status_view(view, asked.target, asked.request.now_ms, event_streams);
}

std::string Api::node(const LiveView& view, const Asked& asked) {
  const std::uint32_t node = wanted_node(view, asked.names[0]);
  std::vector<NameView> names;
  if (history_ != nullptr) {
    const std::lock_guard lock(history_mutex_);
    names = history_->node_names(view.map().nodes[node].guid);
  }
  return node_view(view, asked.target, node, names);
}

std::string Api::port(const LiveView& view, const Asked& asked) {
  return port_view(view, asked.target, wanted_port(view, asked.names[0], asked.names[1]));
}

IncidentContext Api::incident_context(std::int64_t now_ms) const {
  return {acknowledgements_ == nullptr ? nullptr : acknowledgements_->list(),
          acknowledgements_ != nullptr && control_ != nullptr, now_ms};
}

std::string Api::incidents(const LiveView& view, const Asked& asked) {
  return incidents_view(view, asked.target, incident_context(asked.request.now_ms));
}

std::string Api::incident(const LiveView& view, const Asked& asked) {
  return incident_view(view, asked.target, incident_context(asked.request.now_ms), asked.names[0]);
}

ApiAnswer Api::acknowledge(const Asked& asked) {
  constexpr std::uint64_t usual_hours = 24, most_hours = 720;
  asked.target.allow({"comment", "hours"});
  if (acknowledgements_ == nullptr) {
    throw ApiError{404, "incidents cannot be acknowledged without a database",
                   "set database in section [store] of the configuration"};
  }
  const LiveViewPointer view = live_.view();
  if (view == nullptr) {
    throw ApiError{503, "no sweep has succeeded yet", "try again in a few seconds"};
  }
  require_open_incident(*view, asked.names[0]);
  const std::string* const comment = asked.target.find("comment");
  if (comment == nullptr || comment->empty() || comment->size() > longest_comment) {
    throw ApiError{400, "the comment is missing or too long",
                   fmt::format("comment must have 1 to {} bytes", longest_comment)};
  }
  const auto hours = asked.target.number("hours", usual_hours, 1, most_hours);
  const std::int64_t now = asked.request.now_ms;
  acknowledgements_->acknowledge(
      {asked.names[0], *comment, now, now + static_cast<std::int64_t>(hours) * hour_ms});
  ApiAnswer answer;
  answer.headers.emplace_back("Cache-Control", "no-store");
  answer.body = std::make_shared<const std::string>(
      incident_view(*view, Target("/"), incident_context(now), asked.names[0]) + "\n");
  return answer;
}

std::string Api::search(const LiveView& view, const Asked& asked) {
  const SearchRequest request = search_request(asked.target);
  return of_history(view, [&](JsonWriter& json) {
    write_found(json, view, request);
    json.key("jobs").begin_array();
    if (jobs_ != nullptr) jobs_->write_found(json, view, request);
    json.end_array();
  });
}

std::string Api::events(const LiveView& view, const Asked& asked) {
  return events_view(view, *live_.events(), asked.target);
}

std::string Api::advice(const LiveView& view, const Asked& asked) {
  return advice_view(view, asked.target, advice_, asked.request.method == "HEAD");
}

std::string Api::topology(const LiveView& view, const Asked& asked) {
  return topology_.text(view, asked.target);
}

/// A JSON object with the common head; `write` adds members, and may read the history.
template <class Write>
std::string Api::of_history(const LiveView& view, const Write& write) {
  const std::lock_guard lock(history_mutex_);
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  write(json);
  return json.end_object().take();
}

template <class Write>
std::string Api::of_jobs(const LiveView& view, const Write& write) {
  if (jobs_ == nullptr) {
    throw ApiError{404, "jobs and users of links are not available without a database",
                   "set database in section [store] of the configuration"};
  }
  return of_history(view, write);
}

std::string Api::link_users(const LiveView& view, const Asked& asked) {
  return of_jobs(view, [&](JsonWriter& json) {
    const MapPort& port = view.map().ports[wanted_port(view, asked.names[0], asked.names[1])];
    jobs_->users(json, view, asked.target, view.map().key_of(port));
  });
}

std::string Api::jobs(const LiveView& view, const Asked& asked) {
  return of_jobs(view, [&](JsonWriter& json) { jobs_->jobs(json, view, asked.target); });
}

std::string Api::job(const LiveView& view, const Asked& asked) {
  return of_jobs(view,
                 [&](JsonWriter& json) { jobs_->job(json, view, asked.target, asked.names[0]); });
}

std::string Api::job_links(const LiveView& view, const Asked& asked) {
  return of_jobs(
      view, [&](JsonWriter& json) { jobs_->job_links(json, view, asked.target, asked.names[0]); });
}

template <class Write>
std::string Api::of_recordings(const LiveView& view, const Write& write) {
  if (recordings_ == nullptr) {
    throw ApiError{404, "recordings are not available without a database",
                   "set database in section [store] of the configuration, and record with pssp "
                   "monitor record"};
  }
  return of_history(view, write);
}

std::string Api::recordings(const LiveView& view, const Asked& asked) {
  return of_recordings(view, [&](JsonWriter& json) {
    recordings_->recordings(json, view, asked.target);
    json.member("may_record", control_ != nullptr);
    json.member("longest_name", std::uint64_t{longest_recording_name}).key("running");
    const auto running = control_ != nullptr ? control_->running() : std::nullopt;
    running ? write_recording(json, *running) : static_cast<void>(json.null());
  });
}

std::string Api::recording(const LiveView& view, const Asked& asked) {
  return of_recordings(view, [&](JsonWriter& json) {
    recordings_->recording(json, view, asked.target, asked.names[0]);
  });
}

}  // namespace pssp
