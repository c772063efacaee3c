#include "monitor/notify/mail.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/child_process.h"
#include "base/printable.h"
#include "base/utc_time.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_subject = 200, longest_line = 900, most_output = 64 << 10;

std::string string_of(const Json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Mail headers must contain only printable ASCII characters and no line breaks.
std::string ascii_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  text.resize(std::min(text.size(), longest_subject));
  return text;
}

std::string body_line(std::string_view name, const std::string& value) {
  if (value.empty()) return {};
  return fmt::format("{:<10}{}\n", name, printable(value.substr(0, longest_line)));
}

std::string time_line(std::string_view name, const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_number_integer()) return {};
  return body_line(name, utc_text(found->get<std::int64_t>()));
}

std::string joined(const Json& body, const char* key) {
  std::string all;
  const auto found = body.find(key);
  if (found == body.end() || !found->is_array()) return all;
  for (const Json& each : *found) {
    if (each.is_string()) all += (all.empty() ? "" : ", ") + each.get<std::string>();
  }
  return all;
}

}  // namespace

void require_mail_address(const std::string& address) {
  const bool is_address =
      !address.empty() && address.front() != '-' && std::ranges::all_of(address, [](char c) {
        constexpr std::string_view special = "<>(),;:\\\"[]|";
        return c > ' ' && c <= '~' && special.find(c) == std::string_view::npos;
      });
  if (is_address) return;
  throw Error(ErrorKind::usage,
              fmt::format("'{}' is not a mail address; expected NAME@HOST", excerpt(address)));
}

std::string mail_text(const MailOptions& options, const Notification& notification) {
  const Json body = Json::parse(notification.body, nullptr, false);
  std::string to;
  for (const std::string& each : options.to) to += (to.empty() ? "" : ", ") + each;
  std::string text;
  if (!options.from.empty()) text += fmt::format("From: {}\n", options.from);
  text += fmt::format("To: {}\nSubject: [fabric] {}\n", to, ascii_line(string_of(body, "text")));
  text +=
      "Auto-Submitted: auto-generated\nMIME-Version: 1.0\n"
      "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n";
  text += body_line("Status", string_of(body, "status"));
  text += body_line("What", string_of(body, "text"));
  text += body_line("Level", string_of(body, "level"));
  text += body_line("Counter", string_of(body, "what"));
  text += body_line("Measured", string_of(body, "measured"));
  text += time_line("Since", body, "since");
  text += time_line("Time", body, "time");
  text += body_line("Jobs", joined(body, "jobs"));
  text += body_line("To do", string_of(body, "advice"));
  text += body_line("Page", string_of(body, "url"));
  return text;
}

DeliveryResult send_mail(const MailOptions& options, const Notification& notification,
                         const StopSignal& stop) {
  // -i: a line that contains only a dot does not end the message.
  ChildSetup setup{{options.sendmail, "-i"}};
  if (!options.from.empty()) {
    setup.arguments.insert(setup.arguments.end(), {"-f", options.from});
  }
  setup.arguments.insert(setup.arguments.end(), options.to.begin(), options.to.end());
  const ProgramAnswer answer =
      run_program(setup, mail_text(options, notification), {options.time_out, most_output}, stop);
  return {answer.failure, false};
}

}  // namespace pssp
