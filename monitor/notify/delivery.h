#pragma once

#include <functional>
#include <string>

#include "base/stop_signal.h"
#include "monitor/notify/notification.h"

namespace pssp {

/// The result of an attempt to deliver a notification.
struct DeliveryResult {
  std::string failure;      ///< why the receiver did not accept it; empty: accepted
  bool is_refused = false;  ///< further attempts with this notification cannot succeed
};

/// Makes one attempt and returns within about a minute. Throws Stopped.
using Deliver = std::function<DeliveryResult(const Notification&, const StopSignal&)>;

}  // namespace pssp
