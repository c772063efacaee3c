#pragma once

// The web interface on a socket: HTTP/1.1 by RESTinio, with the limits and deadlines of
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
  /// Opens the address and answers from two threads of its own: one has all sockets, one makes
  /// answers that take long. Throws Error(usage) where the address cannot be used, or others than
  /// this machine could read without a token. `api` and `live` must outlive the object; it takes
  /// the on_change() of `live`.
  HttpServer(HttpOptions options, Api& api, LiveState& live);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  /// Closes all connections; takes as long as an answer that is being made.
  ~HttpServer();

  /// As a reader writes it, with the port that the system chose.
  std::string address() const;
  std::uint16_t port() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
