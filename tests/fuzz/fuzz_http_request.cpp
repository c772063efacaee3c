// Requests to the web interface: the line "METHOD TARGET", then one line each with the values of
// Host, Authorization, Cookie and If-None-Match. Answers must have a status that the server uses,
// must not have control characters in error texts, and must not have header lines that the request
// injected.

#include <algorithm>
#include <array>

#include "monitor/api/access.h"
#include "monitor/api/event_stream.h"
#include "monitor/server/http_tokens.h"
#include "monitor/service/routes.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/monitor/synthetic_fabric.h"

namespace pssp::test {
namespace {

std::string_view take_line(std::string_view& input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view line = input.substr(0, end);
  input.remove_prefix(std::min(end + 1, input.size()));
  return line;
}

/// A small fabric after three sweeps.
struct WatchedFabric {
  WatchedFabric() {
    SyntheticFabric fabric("k-ary-n-tree 2 2");
    for (int i = 0; i < 3; ++i) live.publish(fabric.sweep(), {});
    live.add_event({.time_ms = 1, .text = "the first topology"});
  }

  LiveState live;
  Api api{live, nullptr, {}};
};

void require_answer(const ApiAnswer& answer) {
  constexpr std::array known{200, 303, 304, 400, 401, 403, 404, 405, 413, 414, 429, 503};
  require(std::ranges::count(known, answer.status) == 1, "a response has an unknown status");
  require(answer.body != nullptr, "a response has no body");
  for (const auto& [name, value] : answer.headers) {
    require(name.find_first_of("\r\n:") == std::string::npos &&
                value.find_first_of("\r\n") == std::string::npos,
            "a header contains a line break");
  }
  if (answer.status < 400) return;
  require(
      std::ranges::none_of(
          *answer.body, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }),
      "an error message contains control characters");
}

}  // namespace

void fuzz_http_request(std::string_view input) {
  static WatchedFabric watched;
  std::string_view first = take_line(input);
  ApiRequest request;
  const std::size_t blank = std::min(first.find(' '), first.size());
  request.method = std::string(first.substr(0, blank));
  first.remove_prefix(std::min(blank + 1, first.size()));
  request.target = own_target(std::string(first));
  Access::Credentials who;
  who.host = std::string(take_line(input));
  who.authorization = std::string(take_line(input));
  who.cookie = std::string(take_line(input));
  who.address = "::1";
  request.if_none_match = std::string(take_line(input));
  request.now_ms = 1'700'000'000'000;
  for (const char* const token : {"", "a token of these tests"}) {
    Access access({{}, token}, "session");
    try {
      access.check(who, request.target.substr(0, request.target.find_first_of("?#")));
    } catch (const ApiError& error) {
      require_answer(error_answer(error));
    }
  }
  request.accepts_gzip = input.find('z') != std::string_view::npos;
  static_cast<void>(watched.api.is_slow(request));
  require_answer(watched.api.answer(request));
  try {
    static_cast<void>(stream_topics(Target(request.target)));
  } catch (const ApiError& error) {
    require_answer(error_answer(error));
  }
}

}  // namespace pssp::test
