#include "monitor/service/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/digest.h"
#include "base/text_lines.h"
#include "monitor/api/activity.h"
#include "monitor/api/cabling_view.h"
#include "monitor/api/gzip.h"
#include "monitor/api/reroutes_view.h"
#include "monitor/api/views.h"

// The table of paths, and the rules for all of them: methods, caching, and slow answers. The
// responses are in answers.cpp.
//
// Between two sweeps the same request has the same response, so responses are cached until the next
// sweep: a hundred browsers on one page cost as much as one. Responses that depend on the time of
// the request (status, health) are not cached.

namespace pssp {
namespace {

constexpr std::size_t worth_packing = 1024;

std::string kept_key(const ApiRequest& request) {
  return request.target + (request.accepts_gzip ? " gzip" : " plain");
}

void pack(ApiAnswer& answer) {
  answer.body = std::make_shared<const std::string>(gzipped(*answer.body));
  answer.headers.emplace_back("Content-Encoding", "gzip");
}

bool is_name(std::string_view segment) { return !segment.empty() && segment.front() == '{'; }

/// Calls `each` with the segments of a path; returns false as soon as it returns false.
template <class Each>
bool all_segments(std::string_view path, const Each& each) {
  while (take(path, "/") && !path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (!each(path.substr(0, end))) return false;
    path.remove_prefix(end);
  }
  return true;
}

bool is_of(const std::vector<std::string>& asked, std::string_view path) {
  std::size_t at = 0;
  return all_segments(path,
                      [&](std::string_view segment) {
                        const bool fits =
                            at < asked.size() && (is_name(segment) || asked[at] == segment);
                        ++at;
                        return fits;
                      }) &&
         at == asked.size();
}

std::vector<std::string> names_of(const std::vector<std::string>& asked, std::string_view path) {
  std::vector<std::string> names;
  std::size_t at = 0;
  all_segments(path, [&](std::string_view segment) {
    if (is_name(segment)) names.push_back(asked[at]);
    ++at;
    return true;
  });
  return names;
}

}  // namespace

/// Built by calls that state the differences from the common case: a text from the last sweep,
/// cached until the next one.
struct Api::Path {
  enum class Kept : std::uint8_t { until_sweep, never, past };
  enum class Slow : std::uint8_t { never, until_kept, always };
  using Text = std::string (Api::*)(const LiveView& view, const Asked& asked);
  using Answer = ApiAnswer (Api::*)(const Asked& asked);

  explicit constexpr Path(std::string_view a_pattern) : pattern(a_pattern) {}

  constexpr Path text(Text make_text) const { return with(&Path::to_text, make_text); }
  /// The function makes the complete response, not a text from a view.
  constexpr Path whole(Answer answer) const { return with(&Path::to_answer, answer); }
  constexpr Path post(Answer answer) const { return with(&Path::to_post, answer); }
  /// The response can change between two sweeps.
  constexpr Path moves() const { return with(&Path::kept, Kept::never); }
  /// The response comes from the history; unchanged responses get the status 304.
  constexpr Path past() const { return with(&Path::kept, Kept::past); }
  /// With the parameter `at`, the response comes from the history.
  constexpr Path has_past() const { return with(&Path::of_any_time, true); }
  constexpr Path slow() const { return with(&Path::slowness, Slow::always); }
  constexpr Path slow_until_kept() const { return with(&Path::slowness, Slow::until_kept); }

  std::string_view pattern;
  Text to_text = nullptr;
  Answer to_answer = nullptr, to_post = nullptr;
  Kept kept = Kept::until_sweep;
  Slow slowness = Slow::never;
  bool of_any_time = false;

 private:
  template <class Value>
  constexpr Path with(Value Path::*member, Value value) const {
    Path changed = *this;
    changed.*member = value;
    return changed;
  }
};

template <auto view_function>
std::string Api::displayed_by(const LiveView& view, const Asked& asked) {
  return view_function(view, asked.target);
}

std::span<const Api::Path> Api::paths() {
  static const std::array table{
      Path("/healthz").whole(&Api::health),
      Path("/metrics").whole(&Api::metrics),
      Path("/api/v1/status").text(&Api::status).moves(),
      Path("/api/v1/activity").text(&Api::displayed_by<activity_view>),
      Path("/api/v1/nodes").text(&Api::displayed_by<nodes_view>),
      Path("/api/v1/nodes/{guid}").text(&Api::node).slow(),
      Path("/api/v1/ports").text(&Api::displayed_by<ports_view>),
      Path("/api/v1/ports/{guid}/{n}").text(&Api::port),
      Path("/api/v1/ports/{guid}/{n}/history").text(&Api::port_history).past().slow(),
      Path("/api/v1/links").text(&Api::displayed_by<links_view>).has_past(),
      Path("/api/v1/links/{guid}/{n}/users").text(&Api::link_users).past().slow(),
      Path("/api/v1/jobs").text(&Api::jobs).slow_until_kept(),
      Path("/api/v1/jobs/{id}").text(&Api::job).slow_until_kept(),
      Path("/api/v1/jobs/{id}/links").text(&Api::job_links).slow_until_kept(),
      Path("/api/v1/recordings").text(&Api::recordings).moves().slow().post(&Api::begin_recording),
      Path("/api/v1/recordings/end").post(&Api::end_recording),
      Path("/api/v1/recordings/{id}").text(&Api::recording).slow_until_kept(),
      Path("/api/v1/verdicts").text(&Api::displayed_by<verdicts_view>),
      Path("/api/v1/incidents").text(&Api::incidents).moves(),
      Path("/api/v1/incidents/{id}").text(&Api::incident).moves(),
      Path("/api/v1/incidents/{id}/acknowledge").post(&Api::acknowledge),
      Path("/api/v1/search").text(&Api::search).slow_until_kept(),
      Path("/api/v1/fit").whole(&Api::fit),
      Path("/api/v1/cabling").text(&Api::displayed_by<cabling_view>),
      Path("/api/v1/events").text(&Api::events).moves(),
      Path("/api/v1/reroutes").text(&Api::displayed_by<reroutes_view>),
      Path("/api/v1/manager").text(&Api::displayed_by<manager_view>),
      Path("/api/v1/advice").text(&Api::advice).moves(),
      Path("/api/v1/topology").text(&Api::topology).has_past().slow(),
      Path("/api/v1/stream"),   // handled by the server
      Path("/api/v1/session"),  // handled by the server
      Path("/").whole(&Api::static_answer),
      Path("/login.html").whole(&Api::static_answer),
  };
  return table;
}

std::vector<std::string_view> api_paths() {
  std::vector<std::string_view> list;
  for (const Api::Path& path : Api::paths()) list.push_back(path.pattern);
  return list;
}

const Api::Path* Api::find(const Target& target, bool post) {
  const auto found = std::ranges::find_if(paths(), [&](const Path& path) {
    const bool takes = post ? path.to_post != nullptr : path.to_text || path.to_answer;
    return takes && is_of(target.path(), path.pattern);
  });
  return found == paths().end() ? nullptr : &*found;
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
    return error_answer(
        {503, "not enough memory for this response", "request less data, for example with limit"});
  }
}

ApiAnswer Api::route(const ApiRequest& request) {
  const bool post = request.method == "POST" && control_ != nullptr;
  if (!post && request.method != "GET" && request.method != "HEAD") {
    throw ApiError{405, "this method is not supported", "use GET or HEAD"};
  }
  const Target target(request.target);
  const Path* const path = find(target, post);
  const Asked asked{
      request, target,
      path == nullptr ? std::vector<std::string>() : names_of(target.path(), path->pattern)};
  if (post) {
    if (path == nullptr) throw ApiError{405, "this path does not accept POST", "use GET or HEAD"};
    return (this->*path->to_post)(asked);
  }
  if (path == nullptr) {
    if (target.path().empty() || target.path()[0] != "api") return static_answer(asked);
    throw ApiError{404, "unknown path", "docs/reference/monitor-api.md lists all paths"};
  }
  if (path->to_answer) return (this->*path->to_answer)(asked);
  const LiveViewPointer view = live_.view();
  if (view == nullptr) {
    throw ApiError{503, "no sweep has succeeded yet", "try again in a few seconds"};
  }
  if (path->kept == Path::Kept::past) return past_answer(*path, asked, view);
  if (path->of_any_time) {
    if (const auto time_ms = asked_time(target)) {
      return past_answer(*path, asked, view_at(*view, *time_ms));
    }
  }
  return kept_answer(*path, asked, view);
}

ApiAnswer Api::kept_answer(const Path& path, const Asked& asked, const LiveViewPointer& view) {
  const bool moves = path.kept == Path::Kept::never;
  const std::string key = kept_key(asked.request);
  ApiAnswer answer;
  answer.headers.emplace_back("Cache-Control", "no-store");
  answer.body = moves ? nullptr : kept_.find(key, view);
  if (answer.body == nullptr) {
    answer.body = std::make_shared<const std::string>((this->*path.to_text)(*view, asked) + "\n");
    if (asked.request.accepts_gzip) pack(answer);
    if (!moves) kept_.add(key, view, answer.body);
  } else if (asked.request.accepts_gzip) {
    answer.headers.emplace_back("Content-Encoding", "gzip");
  }
  return answer;
}

/// The history does not change, except at its end, so a client that already has the response gets
/// the status 304.
ApiAnswer Api::past_answer(const Path& path, const Asked& asked, const LiveViewPointer& view) {
  std::string text = (this->*path.to_text)(*view, asked) + "\n";
  Digest digest;  // only of the text after the head, if the head has the time of the last sweep
  const std::size_t head = view->past ? 0 : text.find("\"guid\"");
  digest.add_text(std::string_view(text).substr(std::min(head, text.size())));
  const std::string tag = fmt::format("\"{:016x}\"", digest.value()[0]);
  ApiAnswer answer;
  answer.headers.emplace_back("Cache-Control", "no-cache");
  answer.headers.emplace_back("ETag", tag);
  if (asked.request.if_none_match == tag) {
    answer.status = 304;
    return answer;
  }
  answer.body = std::make_shared<const std::string>(std::move(text));
  if (asked.request.accepts_gzip) pack(answer);
  return answer;
}

bool Api::is_slow(const ApiRequest& request) {
  if (request.method == "POST") return true;  // because it writes
  if (const std::optional<std::string> key = metrics_key(request)) {
    return kept_metrics_.find(*key, live_.view()) == nullptr;
  }
  try {
    const Target target(request.target);
    const Path* const path = find(target, false);
    if (path == nullptr) return false;
    if (path->slowness == Path::Slow::always) return true;
    if (path->of_any_time && target.find("at") != nullptr) return true;
    const bool is_long = path->to_text && target.find("limit") != nullptr;
    return (is_long || path->slowness == Path::Slow::until_kept) &&
           kept_.find(kept_key(request), live_.view()) == nullptr;
  } catch (const ApiError&) {
    return false;  // an error is fast
  }
}

std::optional<std::string> Api::metrics_key(const ApiRequest& request) const {
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  try {
    const Target target(request.target);
    const Path* const path = find(target, false);
    if (path == nullptr || path->to_answer != &Api::metrics) return std::nullopt;
    return key_of(wanted_metrics(request, target), request.accepts_gzip);
  } catch (const ApiError&) {
    return std::nullopt;
  }
}

}  // namespace pssp
