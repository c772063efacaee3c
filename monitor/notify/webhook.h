#pragma once

// Sends the body of a notification to a URL by HTTP POST.

#include <chrono>
#include <string>

#include "monitor/notify/delivery.h"

namespace pssp {

struct WebhookOptions {
  std::string url;                             ///< http:// or https://
  std::string token;                           ///< sent as a bearer token; empty: no token
  std::string ca_file;                         ///< trusted certificates; empty: those of the system
  std::chrono::milliseconds time_out{10'000};  ///< limit for the whole request
};

/// Throws Error(usage) unless the URL is http or https with a host. No message of this file
/// contains the URL, because it may contain a secret.
void require_webhook_url(const std::string& url);

/// Sends one request. A status from 200 to 299 means that the receiver accepted. Status 400, 405,
/// 410, 413, 415 or 422 means that the request can never succeed (is_refused). Any other result is
/// a temporary failure. Redirections are not followed, proxy settings of the environment are
/// ignored, and at most 64 KiB of the answer are read. Throws Stopped within a second.
DeliveryResult post_webhook(const WebhookOptions& options, const Notification& notification,
                            const StopSignal& stop);

}  // namespace pssp
