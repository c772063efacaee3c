#pragma once

#include <functional>
#include <string>

#include "base/stop_signal.h"
#include "monitor/notify/notification.h"

namespace pssp {

/// How an attempt to deliver a notification ended.
struct DeliveryResult {
  std::string failure;      ///< why the receiver did not take it; empty: it did
  bool is_refused = false;  ///< another attempt with the same notification cannot succeed
};

/// One attempt. Returns within about a minute; throws Stopped.
using Deliver = std::function<DeliveryResult(const Notification&, const StopSignal&)>;

}  // namespace pssp
