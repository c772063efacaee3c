// Only the status of the receiver's answer is used. Headers and body are counted and discarded.

#include "monitor/notify/webhook.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include "base/version.h"

namespace pssp {
namespace {

constexpr std::size_t longest_answer = std::size_t{64} << 10;
constexpr std::array refusals{400L, 405L, 410L, 413L, 415L, 422L};

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;
using Headers = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

void initialise_curl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

/// The number of bytes received so far, and the signal that aborts the transfer.
struct Transfer {
  std::size_t received = 0;
  const StopSignal& stop;
};

/// Called for headers and body. A return value other than the size aborts the transfer.
std::size_t count_answer(const char*, std::size_t size, std::size_t count, void* transfer) {
  auto& to = *static_cast<Transfer*>(transfer);
  to.received += size * count;
  return to.received > longest_answer ? 0 : size * count;
}

int is_stopped(void* transfer, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<Transfer*>(transfer)->stop.asked() ? 1 : 0;
}

void add_header(Headers& headers, const std::string& line) {
  curl_slist* const all = curl_slist_append(headers.get(), line.c_str());
  if (all == nullptr) throw std::bad_alloc();
  static_cast<void>(headers.release());
  headers.reset(all);
}

Headers request_headers(const WebhookOptions& options) {
  Headers headers(nullptr, &curl_slist_free_all);
  add_header(headers, "Content-Type: application/json");
  add_header(headers, "Expect:");
  if (!options.token.empty()) add_header(headers, "Authorization: Bearer " + options.token);
  return headers;
}

void set_up(CURL* handle, const WebhookOptions& options, const Notification& notification,
            const curl_slist* headers, Transfer& transfer) {
  const std::string agent = fmt::format("monitor_fabric/{}", version());
  curl_easy_setopt(handle, CURLOPT_URL, options.url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROXY, "");
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(options.time_out.count()));
  curl_easy_setopt(handle, CURLOPT_USERAGENT, agent.c_str());
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                   static_cast<curl_off_t>(notification.body.size()));
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, notification.body.data());
  if (!options.ca_file.empty()) {
    curl_easy_setopt(handle, CURLOPT_CAINFO, options.ca_file.c_str());
  }
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &count_answer);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &count_answer);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, &is_stopped);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &transfer);
}

}  // namespace

void require_webhook_url(const std::string& url) {
  const Url parsed(curl_url(), &curl_url_cleanup);
  const bool is_url = url.starts_with("http://") || url.starts_with("https://");
  if (is_url && curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK) return;
  throw Error(ErrorKind::usage,
              "webhook in [notifications] is not a URL with http:// or https:// and a host, such "
              "as https://chat.example.org/hooks/fabric");
}

DeliveryResult post_webhook(const WebhookOptions& options, const Notification& notification,
                            const StopSignal& stop) {
  initialise_curl();
  const Handle handle(curl_easy_init(), &curl_easy_cleanup);
  if (handle == nullptr) throw std::bad_alloc();
  const Headers headers = request_headers(options);
  Transfer transfer{0, stop};
  set_up(handle.get(), options, notification, headers.get(), transfer);
  const CURLcode code = curl_easy_perform(handle.get());
  stop.check("sending a notification");
  long status = 0;
  curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  // A receiver that has accepted may send more than is read, or less than it announced.
  if (status >= 200 && status < 300) return {};
  if (status >= 200) {
    return {fmt::format("the receiver answered with HTTP status {}", status),
            std::ranges::count(refusals, status) != 0};
  }
  return {fmt::format("the receiver cannot be reached: {}", curl_easy_strerror(code)), false};
}

}  // namespace pssp
