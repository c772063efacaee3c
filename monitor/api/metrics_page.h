#pragma once

// Writes /metrics in Prometheus' text format 0.0.4, or OpenMetrics 1.0.
//
// Names and labels of ports are those of treydock/infiniband_exporter, so that its dashboards work
// unchanged. Unknown counters have no sample.

#include <cstdint>
#include <functional>
#include <string_view>

#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

struct MetricsChoice {
  bool switches = true, adapters = true, own = true;
  /// Also write error counters that are 0. Otherwise the first errors of a port are no increase,
  /// because there is no sample before them.
  bool zeros = true;
  bool openmetrics = false;
};
/// Reads `select` and `all`; values that they do not set are those of `otherwise`. Throws ApiError.
MetricsChoice metrics_choice(const Target& target, const MetricsChoice& otherwise = {});

/// Passes the page on in pieces of about 64 KiB. O(samples). If `view` is null, the page has only
/// the metrics of the monitor itself.
void write_metrics(const LiveView* view, const MetricsChoice& choice, std::size_t event_streams,
                   const std::function<void(std::string_view)>& piece);

}  // namespace pssp
