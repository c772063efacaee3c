#pragma once

// Sends the body of a notification to a URL by HTTP POST.

#include <chrono>
#include <string>

#include "monitor/notify/delivery.h"

namespace pssp {

struct WebhookOptions {
  std::string url;      ///< http:// or https://
  std::string token;    ///< sent as a bearer token; empty: none
  std::string ca_file;  ///< certificates that are trusted; empty: those of the system
  std::chrono::milliseconds time_out{10'000};  ///< of a whole request
};

/// Throws Error(usage) if the URL is not one of http or https with a host. No message of this file
/// contains the URL, which may contain a secret.
void require_webhook_url(const std::string& url);

/// The receiver accepts with a status from 200 to 299. A request that can never succeed (status
/// 400, 405, 410, 413, 415 or 422) is refused; everything else is a failure that may pass.
/// Redirections are not followed, proxies of the environment are not used, and an answer is read up
/// to 64 KiB. Throws Stopped within a second.
DeliveryResult post_webhook(const WebhookOptions& options, const Notification& notification,
                            const StopSignal& stop);

}  // namespace pssp
