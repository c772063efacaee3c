#pragma once

// Sends notifications by mail, using the system's sendmail program.

#include <chrono>
#include <string>
#include <vector>

#include "monitor/notify/delivery.h"

namespace pssp {

struct MailOptions {
  std::string sendmail;         ///< path of the sendmail program
  std::vector<std::string> to;  ///< recipients, at least one
  std::string from;             ///< sender; empty: chosen by sendmail
  std::chrono::milliseconds time_out{60'000};
};

/// Throws Error(usage) unless the address is NAME@HOST or NAME and consists of visible ASCII
/// characters.
void require_mail_address(const std::string& address);

/// The complete message with headers. Untrusted names cannot add header or body lines.
std::string mail_text(const MailOptions& options, const Notification& notification);

/// Runs sendmail without a shell. Throws Stopped, and throws as run_program() does.
DeliveryResult send_mail(const MailOptions& options, const Notification& notification,
                         const StopSignal& stop);

}  // namespace pssp
