#pragma once

#include <cstdint>
#include <string>

namespace pssp {

enum class NotifiedLevels : std::uint8_t { all, bad };

/// Section [notifications]: who is notified of incidents, and of which.
struct NotificationSettings {
  std::string webhook;  ///< URL; empty: no webhook
  std::string token_file;
  std::string ca_file;
  std::string mail_to;   ///< addresses, separated by commas; empty: no mail
  std::string sendmail;  ///< path of the sendmail program
  std::string mail_from;
  std::string page_url;  ///< address of the monitor's pages, for links
  std::uint32_t delay_s = 60;
  NotifiedLevels levels = NotifiedLevels::all;
  bool congestion = true;
};

}  // namespace pssp
