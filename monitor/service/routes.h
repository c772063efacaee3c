#pragma once

// Turns a request into its response: the web interface without sockets.

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

/// The paths of the interface, with {names} for variable parts, for the test of the documentation.
/// Includes the paths that the server handles.
std::vector<std::string_view> api_paths();

/// Functions may be called from several threads at once.
class Api {
 public:
  /// All arguments must outlive the object. `history` may be null.
  Api(const LiveState& live, HistorySource* history, std::span<const StaticFile> files);

  /// Must be called before the first request, like all setters. Without it there are no jobs.
  void set_jobs(StoredJobs* jobs) noexcept { jobs_ = jobs; }
  /// Without it there are no recordings.
  void set_recordings(StoredRecordings* recordings) noexcept { recordings_ = recordings; }
  /// Allows POST to start and end recordings. The server ensures that only clients with a token can
  /// do this; without a token, no control may be set.
  void set_recording_control(RecordingSwitch* control) noexcept { control_ = control; }
  /// Allows incidents to be acknowledged, by POST if a recording control is set.
  void set_acknowledgements(AcknowledgementBook* book) noexcept { acknowledgements_ = book; }
  /// Sets the content of a page of metrics if the request does not choose it.
  void set_metrics_default(const MetricsChoice& choice) noexcept { metrics_default_ = choice; }
  /// Sets the source of advice.
  void set_advice(AdviceSource* advice) noexcept { advice_ = advice; }

  /// Throws only std::bad_alloc. HEAD is answered like GET; the server omits the body. The server
  /// also handles /api/v1/stream and /api/v1/session.
  ApiAnswer answer(const ApiRequest& request);
  /// True if the response may take more than a few milliseconds, so that another thread should
  /// compute it.
  bool is_slow(const ApiRequest& request);
  /// For a valid request of a page of metrics, a key that all requests for the same page share;
  /// there are only a few dozen keys. Nullopt for all other requests.
  std::optional<std::string> metrics_key(const ApiRequest& request) const;

  std::atomic<std::size_t> event_streams = 0;

 private:
  friend std::vector<std::string_view> api_paths();

  /// A request, and the values in its target for the {names} of the path.
  struct Asked {
    const ApiRequest& request;
    const Target& target;
    std::vector<std::string> names;
  };
  /// A row of the table of paths; answers.cpp has the functions.
  struct Path;
  static std::span<const Path> paths();
  /// The path that matches a target, among those for GET (or POST); null if there is none.
  static const Path* find(const Target& target, bool post);

  ApiAnswer route(const ApiRequest& request);
  ApiAnswer kept_answer(const Path& path, const Asked& asked, const LiveViewPointer& view);
  ApiAnswer past_answer(const Path& path, const Asked& asked, const LiveViewPointer& view);
  LiveViewPointer view_at(const LiveView& now, std::int64_t time_ms);

  // Functions in the table that make complete responses.
  ApiAnswer static_answer(const Asked& asked);
  ApiAnswer health(const Asked& asked);
  ApiAnswer metrics(const Asked& asked);
  ApiAnswer fit(const Asked& asked);
  ApiAnswer begin_recording(const Asked& asked);
  ApiAnswer end_recording(const Asked& asked);
  ApiAnswer acknowledge(const Asked& asked);
  // Functions in the table that make texts from a view.
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
  // Separate from kept_, which requests for many lists can fill.
  KeptAnswers kept_metrics_{most_kept, most_kept_bytes};
  std::atomic<std::size_t> plain_metrics_bytes_ = 0;  ///< size of the last page, and a little more
  MetricsChoice metrics_default_;
};

}  // namespace pssp
