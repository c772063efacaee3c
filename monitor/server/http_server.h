#pragma once

// Serves the web interface on a socket: HTTP/1.1 by RESTinio, with the limits and timeouts of
// docs/reference/monitor-api.md, "Errors".

#include <cstdint>
#include <memory>
#include <string>

#include "monitor/api/access.h"
#include "monitor/api/live_state.h"
#include "monitor/server/listen_address.h"
#include "monitor/service/routes.h"

namespace pssp {

struct HttpOptions {
  ListenAddress listen;
  AccessRules access;
  std::size_t max_event_streams = 200;
};

class HttpServer {
 public:
  /// Listens on the address and answers from three threads: one owns all sockets, one computes slow
  /// answers, and one builds the pages of metrics. Throws Error(usage) if the address cannot be
  /// used, or if other machines could read without a token. `api` and `live` must outlive the
  /// object, which sets on_change() of `live`.
  HttpServer(HttpOptions options, Api& api, LiveState& live);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  /// Closes all connections, after the current slow answer is complete.
  ~HttpServer();

  /// The address as a URL, with the port that the system chose.
  std::string address() const;
  std::uint16_t port() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
