#pragma once

// From a request to its answer: what the web interface is, without sockets.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "monitor/api/advice_source.h"
#include "monitor/api/history.h"
#include "monitor/api/job_answers.h"
#include "monitor/api/kept_answers.h"
#include "monitor/api/live_state.h"
#include "monitor/api/metrics_page.h"
#include "monitor/api/recording_answers.h"
#include "monitor/api/request.h"
#include "monitor/api/topology_view.h"

namespace pssp {

struct StaticFile {
  std::string_view path, type;  ///< "/chart.js", "text/javascript"
  std::string_view content;
};

/// A path of the interface, with {names} for what varies: for the documentation's test.
std::span<const std::string_view> api_paths();

/// May be called from several threads at once.
class Api {
 public:
  /// All must outlive the object. `history` may be null.
  Api(const LiveState& live, HistorySource* history, std::span<const StaticFile> files);

  /// Before the first request. Without it there are no jobs.
  void set_jobs(JobAnswers* jobs) noexcept { jobs_ = jobs; }
  /// Likewise.
  void set_recordings(RecordingAnswers* recordings) noexcept { recordings_ = recordings; }
  /// Likewise: then POST begins and ends recordings. The server sees to it that nobody but who has
  /// a token does; without one there must be no control.
  void set_recording_control(RecordingControl* control) noexcept { control_ = control; }
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
  ApiAnswer route(const ApiRequest& request);
  ApiAnswer static_answer(const ApiRequest& request, const Target& target) const;
  ApiAnswer health(const ApiRequest& request) const;
  ApiAnswer metrics(const ApiRequest& request, const Target& target);
  ApiAnswer live_answer(const ApiRequest& request, const Target& target);
  ApiAnswer past_answer(const ApiRequest& request, const Target& target,
                        const LiveViewPointer& view);
  LiveViewPointer view_at(const LiveView& now, std::int64_t time_ms);
  std::string live_text(const LiveView& view, const Target& target, std::int64_t now_ms);
  std::string node(const LiveView& view, const Target& target, std::uint32_t node);
  std::string history(const LiveView& view, const Target& target, std::uint32_t port);
  std::string job_text(const LiveView& view, const Target& target);
  ApiAnswer change_recording(const Target& target);
  std::string recording_text(const LiveView& view, const Target& target);
  MetricsChoice wanted_metrics(const ApiRequest& request, const Target& target) const;

  const LiveState& live_;
  HistorySource* history_;
  JobAnswers* jobs_ = nullptr;
  RecordingAnswers* recordings_ = nullptr;
  RecordingControl* control_ = nullptr;
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
