#pragma once

// From a request to its answer: what the web interface is, without sockets.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/api/advice_source.h"
#include "monitor/api/history.h"
#include "monitor/api/incidents_view.h"
#include "monitor/api/kept_answers.h"
#include "monitor/api/live_state.h"
#include "monitor/api/metrics_page.h"
#include "monitor/api/query.h"
#include "monitor/api/request.h"
#include "monitor/api/topology_view.h"
#include "monitor/service/acknowledgement_book.h"
#include "monitor/service/recording_switch.h"
#include "monitor/service/stored_jobs.h"
#include "monitor/service/stored_recordings.h"

namespace pssp {

/// The paths of the interface, with {names} for what varies: for the documentation's test. Those of
/// the server itself are among them.
std::vector<std::string_view> api_paths();

/// May be called from several threads at once.
class Api {
 public:
  /// All must outlive the object. `history` may be null.
  Api(const LiveState& live, HistorySource* history, std::span<const StaticFile> files);

  /// Before the first request. Without it there are no jobs.
  void set_jobs(StoredJobs* jobs) noexcept { jobs_ = jobs; }
  /// Likewise.
  void set_recordings(StoredRecordings* recordings) noexcept { recordings_ = recordings; }
  /// Likewise: then POST begins and ends recordings. The server sees to it that no one but who has
  /// a token does; without one there must be no control.
  void set_recording_control(RecordingSwitch* control) noexcept { control_ = control; }
  /// Likewise: incidents can be acknowledged, by POST where there is a control of recordings.
  void set_acknowledgements(AcknowledgementBook* book) noexcept { acknowledgements_ = book; }
  /// Likewise: what a page of metrics has where the request does not say it.
  void set_metrics_default(const MetricsChoice& choice) noexcept { metrics_default_ = choice; }
  /// Likewise of advice.
  void set_advice(AdviceSource* advice) noexcept { advice_ = advice; }

  /// Never throws but std::bad_alloc. HEAD is answered as GET; leaving out the body is the server's
  /// work. /api/v1/stream and /api/v1/session are the server's, too.
  ApiAnswer answer(const ApiRequest& request);
  /// True for answers that may take more than some milliseconds: another thread should make them.
  bool is_slow(const ApiRequest& request);
  /// Of a page of metrics that can be made, what all requests that get the same page have in
  /// common: one of a few dozen texts, whatever is asked. Nothing of other requests.
  std::optional<std::string> metrics_key(const ApiRequest& request) const;

  std::atomic<std::size_t> event_streams = 0;

 private:
  friend std::vector<std::string_view> api_paths();

  /// A request, and what stands in its target where the path has {names}.
  struct Asked {
    const ApiRequest& request;
    const Target& target;
    std::vector<std::string> names;
  };
  /// A line of the table of paths; answers.cpp has what they point at.
  struct Path;
  static std::span<const Path> paths();
  /// The path that a target means, of those that GET (or POST) takes; null where there is none.
  static const Path* find(const Target& target, bool post);

  ApiAnswer route(const ApiRequest& request);
  ApiAnswer kept_answer(const Path& path, const Asked& asked, const LiveViewPointer& view);
  ApiAnswer past_answer(const Path& path, const Asked& asked, const LiveViewPointer& view);
  LiveViewPointer view_at(const LiveView& now, std::int64_t time_ms);

  // Of the table: whole answers ...
  ApiAnswer static_answer(const Asked& asked);
  ApiAnswer health(const Asked& asked);
  ApiAnswer metrics(const Asked& asked);
  ApiAnswer fit(const Asked& asked);
  ApiAnswer begin_recording(const Asked& asked);
  ApiAnswer end_recording(const Asked& asked);
  ApiAnswer acknowledge(const Asked& asked);
  // ... and texts on a view.
  template <auto view_function>
  std::string displayed_by(const LiveView& view, const Asked& asked);
  std::string status(const LiveView& view, const Asked& asked);
  std::string node(const LiveView& view, const Asked& asked);
  std::string port(const LiveView& view, const Asked& asked);
  std::string port_history(const LiveView& view, const Asked& asked);
  std::string link_users(const LiveView& view, const Asked& asked);
  std::string jobs(const LiveView& view, const Asked& asked);
  std::string job(const LiveView& view, const Asked& asked);
  std::string job_links(const LiveView& view, const Asked& asked);
  std::string recordings(const LiveView& view, const Asked& asked);
  std::string recording(const LiveView& view, const Asked& asked);
  std::string incidents(const LiveView& view, const Asked& asked);
  std::string search(const LiveView& view, const Asked& asked);
  std::string incident(const LiveView& view, const Asked& asked);
  std::string events(const LiveView& view, const Asked& asked);
  std::string advice(const LiveView& view, const Asked& asked);
  std::string topology(const LiveView& view, const Asked& asked);

  template <class Write>
  std::string of_history(const LiveView& view, const Write& write);
  template <class Write>
  std::string of_jobs(const LiveView& view, const Write& write);
  template <class Write>
  std::string of_recordings(const LiveView& view, const Write& write);
  IncidentContext incident_context(std::int64_t now_ms) const;
  static std::string key_of(const MetricsChoice& choice, bool gzip);
  MetricsChoice wanted_metrics(const ApiRequest& request, const Target& target) const;

  const LiveState& live_;
  HistorySource* history_;
  StoredJobs* jobs_ = nullptr;
  StoredRecordings* recordings_ = nullptr;
  RecordingSwitch* control_ = nullptr;
  AcknowledgementBook* acknowledgements_ = nullptr;
  AdviceSource* advice_ = nullptr;
  std::mutex history_mutex_;
  std::span<const StaticFile> files_;
  std::map<std::string_view, std::string> packed_files_;
  TopologyView topology_;

  static constexpr std::size_t most_kept = 256, most_kept_bytes = 32U << 20U;
  KeptAnswers kept_{most_kept, most_kept_bytes};
  // Not among the others, which anybody fills by asking for many lists.
  KeptAnswers kept_metrics_{most_kept, most_kept_bytes};
  std::atomic<std::size_t> plain_metrics_bytes_ = 0;  ///< of the last page, and a little more
  MetricsChoice metrics_default_;
};

}  // namespace pssp
