#pragma once

// Sends a notification as mail, with the sendmail program of the system.

#include <chrono>
#include <string>
#include <vector>

#include "monitor/notify/delivery.h"

namespace pssp {

struct MailOptions {
  std::string sendmail;         ///< path of the program
  std::vector<std::string> to;  ///< at least one
  std::string from;             ///< empty: sendmail chooses
  std::chrono::milliseconds time_out{60'000};
};

/// Throws Error(usage) if it is not NAME@HOST or NAME of visible ASCII characters.
void require_mail_address(const std::string& address);

/// The whole message with its head. Names of the fabric cannot add a line to it.
std::string mail_text(const MailOptions& options, const Notification& notification);

/// Calls sendmail without a shell. Throws Stopped, and as run_program() does.
DeliveryResult send_mail(const MailOptions& options, const Notification& notification,
                         const StopSignal& stop);

}  // namespace pssp
