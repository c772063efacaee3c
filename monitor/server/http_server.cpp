#include "monitor/server/http_server.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <random>
#include <restinio/all.hpp>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "base/wall_clock.h"
#include "monitor/api/event_stream.h"
#include "monitor/api/page_builder.h"
#include "monitor/server/connection_counts.h"
#include "monitor/server/http_tokens.h"
#include "monitor/server/slow_answers.h"
#include "monitor/server/unix_socket.h"

// One thread owns all sockets and all objects of this file. A second thread computes answers that
// take longer than a few milliseconds and posts them back. A third builds the pages of metrics,
// which lists must not delay. Sweeps come from a fourth thread. It only posts that there is news,
// and only once, even if it delivers several sweeps before the web thread reacts.
//
// A stream is a response without an end. Notifications of finished writes count the bytes that a
// client has not yet received. A client that is more than 1 MiB behind is dropped, and RESTinio's
// write timeout closes its socket.

namespace pssp {
namespace {

using namespace std::chrono_literals;
namespace asio_ns = restinio::asio_ns;

constexpr std::size_t most_connections = 512;
constexpr unsigned most_requests_of_connection = 64;
constexpr std::size_t most_behind = 1U << 20U;

std::int64_t monotonic_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string random_session() {
  std::random_device device;
  std::string text;
  for (int i = 0; i < 8; ++i) text += fmt::format("{:08x}", device());
  return text;
}

struct Blocker {
  std::shared_ptr<ConnectionCounts> connections;  // null for a Unix socket, where clients have no
                                                  // addresses

  restinio::ip_blocker::inspection_result_t inspect(
      const restinio::ip_blocker::incoming_info_t& info) const noexcept {
    try {
      return connections == nullptr ||
                     connections->may_open(info.remote_endpoint().address().to_string())
                 ? restinio::ip_blocker::allow()
                 : restinio::ip_blocker::deny();
    } catch (const std::exception&) {
      return restinio::ip_blocker::deny();
    }
  }
};

struct Listener {
  std::function<void(const restinio::connection_state::notice_t&)> changed;

  void state_changed(const restinio::connection_state::notice_t& notice) const noexcept {
    try {
      changed(notice);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the count is then too high
    }
  }
};

using Handler = std::function<restinio::request_handling_status_t(restinio::request_handle_t)>;

/// The parser of the library accepts a line feed alone as the end of a line. A proxy in front that
/// does not would see other requests than this server, so such requests are refused (RFC 9112,
/// 2.2).
class StrictSocket : public asio_ns::ip::tcp::socket {
 public:
  using asio_ns::ip::tcp::socket::socket;

  /// Like that of the socket, for handlers that have their own executor.
  template <class Read>
  void async_read_some(const asio_ns::mutable_buffer& buffer, Read read) {
    const auto executor = asio_ns::get_associated_executor(read);
    asio_ns::ip::tcp::socket::async_read_some(
        buffer,
        asio_ns::bind_executor(executor, [this, data = static_cast<const char*>(buffer.data()),
                                          read = std::move(read)](asio_ns::error_code error,
                                                                  std::size_t length) mutable {
          if (!error && has_bare_line_feed({data, length}, last_)) {
            refuse();
            error = asio_ns::error::invalid_argument;
            length = 0;
          }
          read(error, length);
        }));
  }

 private:
  /// Sends an error response. The connection ends even if the client does not receive it.
  void refuse() {
    constexpr std::string_view answer =
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    static_cast<void>(
        ::send(native_handle(), answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
  }

  char last_ = 0;
};

struct Traits : restinio::default_single_thread_traits_t {
  using stream_socket_t = StrictSocket;
  using request_handler_t = Handler;
  using connection_state_listener_t = Listener;
  using ip_blocker_t = Blocker;
  static constexpr bool use_connection_count_limiter = true;
};
using Server = restinio::http_server_t<Traits>;

std::string field_of(const restinio::request_t& request, restinio::http_field_t field) {
  return request.header().get_field_or(field, std::string());
}

/// If a request has two Host fields, a proxy may have used the other one.
void require_one_host(const restinio::request_t& request) {
  unsigned hosts = 0;
  request.header().for_each_value_of(restinio::http_field::host, [&](const auto&) {
    ++hosts;
    return restinio::http_header_fields_t::continue_enumeration();
  });
  if (hosts > 1) {
    throw ApiError{400, "the request has more than one Host header", "send one Host header"};
  }
}

ApiRequest api_request(const restinio::request_t& request) {
  ApiRequest asked;
  asked.method = request.header().method().c_str();
  asked.target = own_target(request.header().request_target());
  asked.accepts_gzip = accepts(field_of(request, restinio::http_field::accept_encoding), "gzip");
  asked.accepts_openmetrics =
      accepts(field_of(request, restinio::http_field::accept), "application/openmetrics-text");
  asked.if_none_match = field_of(request, restinio::http_field::if_none_match);
  asked.now_ns = monotonic_ns();
  asked.now_ms = wall_clock_ms();
  return asked;
}

template <class Response>
void append_safe_headers(Response& response) {
  response.append_header("Content-Security-Policy",
                         "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
                         "form-action 'self'");
  response.append_header("X-Content-Type-Options", "nosniff");
  response.append_header("Referrer-Policy", "no-referrer");
}

template <class Response>
void append_headers(Response& response, const ApiAnswer& answer, bool close) {
  response.append_header(restinio::http_field::content_type, answer.type);
  for (const auto& [name, value] : answer.headers) response.append_header(name, value);
  response.append_header("Vary", "Accept-Encoding");
  append_safe_headers(response);
  if (close) response.connection_close();
}

restinio::http_status_line_t status_line(int status) {
  return {restinio::http_status_code_t(static_cast<std::uint16_t>(status)), reason_phrase(status)};
}

/// Responses to HEAD, and with status 304, have only a head.
void respond(const restinio::request_handle_t& request, const ApiAnswer& answer, bool close) {
  if (request->header().method() == restinio::http_method_head() || answer.status == 304) {
    auto head =
        request->create_response<restinio::user_controlled_output_t>(status_line(answer.status));
    append_headers(head, answer, close);
    head.set_content_length(answer.body->size());
    head.done();
    return;
  }
  auto response = request->create_response(status_line(answer.status));
  append_headers(response, answer, close);
  response.set_body(answer.body);
  response.done();
}

struct Stream {
  restinio::response_builder_t<restinio::chunked_output_t> response;
  restinio::connection_id_t connection;
  StreamTopics topics;
  StreamCursor cursor;
  std::shared_ptr<std::size_t> behind = std::make_shared<std::size_t>(0);  // bytes not yet received

  bool send(std::string text) {
    const std::size_t size = text.size();
    *behind += size;
    response.append_chunk(std::move(text));
    response.flush([size, left = behind](const asio_ns::error_code&) { *left -= size; });
    return *behind <= most_behind;
  }
};

}  // namespace

struct HttpServer::State {
  State(HttpOptions chosen, Api& an_api, LiveState& a_live)
      : options(std::move(chosen)),
        api(an_api),
        live(a_live),
        access(options.access, random_session()) {}

  void open();
  void close();
  restinio::request_handling_status_t handle(const restinio::request_handle_t& request);
  void answer(const restinio::request_handle_t& request, const std::string& path, bool close_after);
  ApiAnswer session_answer() const;
  void begin_stream(const restinio::request_handle_t& request, const ApiRequest& asked);
  void push_events();
  void push_comments();
  void on_thread(const std::function<void()>& work);
  void connection_changed(const restinio::connection_state::notice_t& notice);
  bool count_request(restinio::connection_id_t connection);
  template <class Message>
  void send_all(const Message& message);

  HttpOptions options;
  Api& api;
  LiveState& live;
  Access access;
  asio_ns::io_context context{1};
  std::shared_ptr<ConnectionCounts> connections = std::make_shared<ConnectionCounts>();
  std::unordered_map<restinio::connection_id_t, unsigned> requests;
  std::list<Stream> streams;
  std::unique_ptr<UnixSocket> unix_socket;  // removes its name together with the server
  std::unique_ptr<Server> server;
  std::unique_ptr<asio_ns::steady_timer> quiet;
  std::atomic<bool> event_posted = false;
  std::uint16_t port = 0;
  bool is_closing = false;  // used only by the thread of the sockets
  std::unique_ptr<SlowAnswers> slow;
  std::unique_ptr<PageBuilder> pages;
  std::thread thread;
};

void HttpServer::State::open() {
  const std::string& address = options.listen.address;
  if (options.access.token.empty() && !is_loopback(options.listen)) {
    throw Error(ErrorKind::usage,
                fmt::format("listening on {} without an access token would expose the fabric to "
                            "other hosts: set token_file, or listen on 127.0.0.1",
                            address));
  }
  const bool is_unix = !options.listen.unix_path.empty();
  if (is_unix) unix_socket = std::make_unique<UnixSocket>(options.listen.unix_path);
  options.access.address = address.find(':') == std::string::npos ? address : "[" + address + "]";
  access = Access(options.access, random_session());
  server = std::make_unique<Server>(
      restinio::external_io_context(context),
      restinio::server_settings_t<Traits>()
          .address(address)
          .port(is_unix ? std::uint16_t{0} : options.listen.port)
          .request_handler(
              [this](const restinio::request_handle_t& request) { return handle(request); })
          .connection_state_listener(std::make_shared<Listener>(
              Listener{[this](const auto& notice) { connection_changed(notice); }}))
          .ip_blocker(std::make_shared<Blocker>(Blocker{is_unix ? nullptr : connections}))
          .max_parallel_connections(most_connections)
          .max_pipelined_requests(4)
          .read_next_http_message_timelimit(5s)
          .write_http_response_timelimit(30s)
          .handle_request_timeout(60s)
          .buffer_size(4096)
          .incoming_http_msg_limits(restinio::incoming_http_msg_limits_t()
                                        .max_url_size(16384)
                                        .max_field_name_size(256)
                                        .max_field_value_size(8192)
                                        .max_field_count(64)
                                        .max_body_size(4096))
          .acceptor_post_bind_hook([this](asio_ns::ip::tcp::acceptor& acceptor) {
            if (unix_socket == nullptr) {
              port = acceptor.local_endpoint().port();
              return;
            }
            // The library accepts only TCP sockets, but its use of the acceptor works for any
            // stream socket. The acceptor therefore gets another socket before any client can
            // connect to its own.
            acceptor.close();
            acceptor.assign(asio_ns::ip::tcp::v4(), unix_socket->release());
          }));
  try {
    server->open_sync();
  } catch (const std::exception& error) {
    throw Error(ErrorKind::usage, fmt::format("cannot listen on {}: {}. Choose another address or "
                                              "port, or stop the process that uses it",
                                              displayed_address(options.listen), error.what()));
  }
  quiet = std::make_unique<asio_ns::steady_timer>(context);
  slow = std::make_unique<SlowAnswers>();
  pages = std::make_unique<PageBuilder>();
  push_comments();
  live.on_change([this] {
    if (!event_posted.exchange(true)) asio_ns::post(context, [this] { push_events(); });
  });
  thread = std::thread([this] { context.run(); });
}

void HttpServer::State::close() {
  live.on_change({});
  // From here on no more answers are requested, and then all finished answers are sent. An answer
  // that is left over would keep a connection alive after the server is destroyed.
  on_thread([this] { is_closing = true; });
  slow.reset();
  pages.reset();
  on_thread([] {});
  context.stop();
  thread.join();
}

/// Waits until the thread of the sockets has run `work` and everything posted before it.
void HttpServer::State::on_thread(const std::function<void()>& work) {
  // Shared, because the waiting thread may continue before set_value() has returned.
  const auto done = std::make_shared<std::promise<void>>();
  asio_ns::post(context, [&work, done] {
    work();
    done->set_value();
  });
  done->get_future().wait();
}

void HttpServer::State::connection_changed(const restinio::connection_state::notice_t& notice) {
  const std::string address = notice.remote_endpoint().address().to_string();
  if (std::holds_alternative<restinio::connection_state::accepted_t>(notice.cause())) {
    connections->opened(address);
  } else if (std::holds_alternative<restinio::connection_state::closed_t>(notice.cause())) {
    connections->closed(address);
    requests.erase(notice.connection_id());
    // Posted, because this may be called while a stream is being written.
    asio_ns::post(context, [this, id = notice.connection_id()] {
      streams.remove_if([&](const Stream& each) { return each.connection == id; });
      api.event_streams = streams.size();
    });
  }
}

/// True if this is the last request that the connection may send.
bool HttpServer::State::count_request(restinio::connection_id_t connection) {
  return ++requests[connection] >= most_requests_of_connection;
}

restinio::request_handling_status_t HttpServer::State::handle(
    const restinio::request_handle_t& request) {
  const bool last = count_request(request->connection_id());
  const std::string target = own_target(request->header().request_target());
  const std::string path = target.substr(0, target.find_first_of("?#"));
  try {
    require_one_host(*request);
    const Access::Credentials who{field_of(*request, restinio::http_field::host),
                                  field_of(*request, restinio::http_field::authorization),
                                  field_of(*request, restinio::http_field::cookie),
                                  request->remote_endpoint().address().to_string(),
                                  monotonic_ns(),
                                  field_of(*request, restinio::http_field::origin)};
    access.check(who, path);
    if (request->header().method() == restinio::http_method_post()) access.check_change(who);
    answer(request, path, last);
  } catch (const ApiError& error) {
    ApiAnswer refused = error_answer(error);
    if (error.status == 401 && path == "/") {
      refused.status = 303;
      refused.headers = {{"Location", "/login.html"}};
    }
    respond(request, refused, last);
  }
  return restinio::request_accepted();
}

void HttpServer::State::answer(const restinio::request_handle_t& request, const std::string& path,
                               bool close_after) {
  const ApiRequest asked = api_request(*request);
  if (asked.method == "GET" && path == "/api/v1/stream") {
    begin_stream(request, asked);
  } else if (asked.method == "GET" && path == "/api/v1/session") {
    respond(request, session_answer(), close_after);
  } else if (!api.is_slow(asked)) {
    respond(request, api.answer(asked), close_after);
  } else if (is_closing) {
    respond(request,
            error_answer({503, "the monitor is shutting down", "try again in a few seconds"}),
            true);
  } else if (const std::optional<std::string> key = api.metrics_key(asked)) {
    pages->ask(
        *key, [this, asked] { return api.answer(asked); },
        [this, request, close_after](const ApiAnswer& made) {
          asio_ns::post(context,
                        [request, close_after, made] { respond(request, made, close_after); });
        });
  } else if (!slow->offer([this, request, asked, close_after] {
               asio_ns::post(context, [request, close_after, made = api.answer(asked)] {
                 respond(request, made, close_after);
               });
             })) {
    respond(request,
            error_answer({503, "too many requests are waiting", "try again in a few seconds"}),
            close_after);
  }
}

ApiAnswer HttpServer::State::session_answer() const {
  ApiAnswer answer;
  answer.body = std::make_shared<const std::string>("{}\n");
  answer.headers = {{"Cache-Control", "no-store"}, {"Set-Cookie", access.cookie()}};
  return answer;
}

void HttpServer::State::begin_stream(const restinio::request_handle_t& request,
                                     const ApiRequest& asked) {
  const StreamTopics topics = stream_topics(Target(asked.target));
  if (streams.size() >= options.max_event_streams) {
    throw ApiError{503, "too many event streams are open", "close one, or poll /api/v1/status"};
  }
  auto response = request->create_response<restinio::chunked_output_t>(status_line(200));
  response.append_header(restinio::http_field::content_type, "text/event-stream");
  response.append_header("Cache-Control", "no-store");
  // Otherwise nginx would buffer the stream.
  response.append_header("X-Accel-Buffering", "no");
  append_safe_headers(response);
  const LiveViewPointer view = live.view();
  const auto events = live.events();
  Stream stream{std::move(response), request->connection_id(), topics, {}};
  stream.cursor = stream_cursor(view.get(), *events,
                                request->header().get_field_or("Last-Event-ID", std::string()));
  stream.send(": welcome\nretry: 3000\n\n" +
              stream_events(view.get(), *events, stream.topics, stream.cursor));
  streams.push_back(std::move(stream));
  api.event_streams = streams.size();
}

/// Drops streams that are too far behind.
template <class Message>
void HttpServer::State::send_all(const Message& message) {
  for (auto each = streams.begin(); each != streams.end();) {
    std::string text = message(*each);
    each = text.empty() || each->send(std::move(text)) ? std::next(each) : streams.erase(each);
  }
  api.event_streams = streams.size();
}

void HttpServer::State::push_events() {
  event_posted = false;
  const LiveViewPointer view = live.view();
  const auto events = live.events();
  send_all([&](Stream& stream) {
    return stream_events(view.get(), *events, stream.topics, stream.cursor);
  });
}

void HttpServer::State::push_comments() {
  quiet->expires_after(15s);
  quiet->async_wait([this](const asio_ns::error_code& error) {
    if (error) return;
    send_all([](Stream&) { return std::string(stream_comment); });
    push_comments();
  });
}

HttpServer::HttpServer(HttpOptions options, Api& api, LiveState& live)
    : state_(std::make_unique<State>(std::move(options), api, live)) {
  state_->open();
}

HttpServer::~HttpServer() { state_->close(); }

std::uint16_t HttpServer::port() const noexcept { return state_->port; }

std::string HttpServer::address() const {
  ListenAddress listen = state_->options.listen;
  listen.port = state_->port;
  return displayed_address(listen);
}

}  // namespace pssp
