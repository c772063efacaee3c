#include "monitor/service/notification_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/error.h"
#include "base/names_in_list.h"
#include "base/printable.h"
#include "monitor/notify/mail.h"
#include "monitor/notify/webhook.h"
#include "monitor/store/notified_rows.h"

namespace pssp {
namespace {

void require_access(const std::string& file, int mode, std::string_view setting,
                    std::string_view what) {
  if (file.empty() || access(file.c_str(), mode) == 0) return;
  throw Error(ErrorKind::usage, fmt::format("{}: {} in [notifications] must be a file that the "
                                            "monitor can {}",
                                            excerpt(file), setting, what));
}

std::string without_end(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

MailOptions mail_options(const NotificationSettings& settings) {
  MailOptions options;
  options.sendmail = settings.sendmail;
  options.to = names_in_list(settings.mail_to);
  options.from = settings.mail_from;
  for (const std::string& each : options.to) require_mail_address(each);
  if (!options.from.empty()) require_mail_address(options.from);
  if (options.to.empty() != options.sendmail.empty()) {
    throw Error(ErrorKind::usage,
                "mail needs both mail_to and sendmail in [notifications], for example sendmail = "
                "/usr/sbin/sendmail");
  }
  return options;
}

}  // namespace

NotificationOutput::NotificationOutput(const MonitorConfiguration& configuration,
                                       const std::string& token, HistoryThread* history,
                                       const ServiceLog& log) {
  const NotificationSettings& settings = configuration.notifications;
  require_access(settings.ca_file, R_OK, "ca_file", "read");
  require_access(settings.sendmail, X_OK, "sendmail", "run");
  const MailOptions mail = mail_options(settings);
  if (!settings.webhook.empty()) {
    require_webhook_url(settings.webhook);
    const WebhookOptions webhook{settings.webhook, token, settings.ca_file};
    add_receiver(
        configuration, "webhook",
        [webhook](const Notification& notification, const StopSignal& stop) {
          return post_webhook(webhook, notification, stop);
        },
        history, log);
  }
  if (mail.to.empty()) return;
  add_receiver(
      configuration, "mail",
      [mail](const Notification& notification, const StopSignal& stop) {
        return send_mail(mail, notification, stop);
      },
      history, log);
}

void NotificationOutput::add_receiver(const MonitorConfiguration& configuration,
                                      const std::string& name, Deliver deliver,
                                      HistoryThread* history, const ServiceLog& log) {
  const NotificationSettings& settings = configuration.notifications;
  NotificationRules rules;
  rules.delay_ns = std::int64_t{settings.delay_s} * 1'000'000'000;
  rules.only_bad = settings.levels == NotifiedLevels::bad;
  rules.has_congestion = settings.congestion && !rules.only_bad;
  rules.page_url = without_end(settings.page_url);
  std::map<std::string, std::string> known;
  if (history != nullptr) known = read_notified_rows(configuration.store.database, name);
  DeliveryQueue::Functions functions;
  functions.deliver = std::move(deliver);
  functions.log = log;
  functions.delivered = [name, history](const Notification& notification) {
    if (history == nullptr) return;
    history->add_notified(
        {name, notification.incident, notification.is_cleared ? std::string() : notification.body});
  };
  receivers_.push_back(std::make_unique<Receiver>(IncidentTracker(std::move(rules), known),
                                                  "the " + name, std::move(functions)));
}

void NotificationOutput::take(const IncidentList& incidents, std::int64_t monotonic_ns,
                              std::int64_t time_ms) {
  for (const auto& receiver : receivers_) {
    receiver->tracker.add(incidents, monotonic_ns, time_ms, [&](Notification notification) {
      return receiver->queue.offer(std::move(notification));
    });
  }
}

std::vector<std::string> NotificationOutput::problems() const {
  std::vector<std::string> all;
  for (const auto& receiver : receivers_) {
    if (std::string problem = receiver->queue.problem(); !problem.empty()) {
      all.push_back(std::move(problem));
    }
  }
  return all;
}

}  // namespace pssp
