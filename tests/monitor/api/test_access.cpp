#include <catch2/catch.hpp>

#include "monitor/api/access.h"

using namespace pssp;

namespace {

int asked(Access& access, const Access::Credentials& who, std::string_view path = "/metrics") {
  try {
    access.check(who, path);
    return 200;
  } catch (const ApiError& error) {
    return error.status;
  }
}

}  // namespace

TEST_CASE("requests are accepted only for the server's own names") {
  Access access({{"Monitor.Example", "10.0.0.1"}, ""}, "s");
  for (const char* host : {"localhost", "LOCALHOST:9684", "127.0.0.1:80", "[::1]:9684",
                           "monitor.example", "monitor.EXAMPLE:443", "10.0.0.1"}) {
    CHECK(asked(access, {host, "", "", "a", 0}) == 200);
  }
  for (const char* host : {"evil.example", "monitor.example.evil", "10.0.0.11", "[::2]"}) {
    CHECK(asked(access, {host, "", "", "a", 0}) == 403);
  }
  CHECK(asked(access, {"", "", "", "a", 0}) == 400);
}

TEST_CASE("access requires the token in a header or the session cookie") {
  Access access({{}, "secret"}, "session");
  CHECK(asked(access, {"localhost", "", "", "a", 0}) == 401);
  CHECK(asked(access, {"localhost", "Bearer secret", "", "a", 0}) == 200);
  CHECK(asked(access, {"localhost", "Bearer secreT", "", "a", 0}) == 401);
  CHECK(asked(access, {"localhost", "Bearer secret ", "", "a", 0}) == 401);
  CHECK(asked(access, {"localhost", "secret", "", "a", 0}) == 401);
  CHECK(asked(access, {"localhost", "", "x=1; pssp_session=session; y=2", "a", 0}) == 200);
  CHECK(asked(access, {"localhost", "", "pssp_session=secret", "a", 0}) == 401);
  CHECK(asked(access, {"localhost", "", "", "a", 0}, "/healthz") == 200);
  CHECK(asked(access, {"localhost", "", "", "a", 0}, "/login.html") == 200);
  CHECK(asked(access, {"elsewhere", "", "", "a", 0}, "/healthz") == 403);
  CHECK(access.cookie().find("HttpOnly; SameSite=Strict") != std::string::npos);
  CHECK(access.cookie().find("secret") == std::string::npos);
}

TEST_CASE(
    "ten wrong tokens in a minute block further attempts, but not clients with the right token") {
  Access access({{}, "secret"}, "session");
  constexpr std::int64_t second = 1'000'000'000;
  for (int i = 0; i < 10; ++i) {
    CHECK(asked(access, {"localhost", "Bearer no", "", "a", i * second}) == 401);
  }
  CHECK(asked(access, {"localhost", "Bearer no", "", "a", 10 * second}) == 429);
  CHECK(asked(access, {"localhost", "Bearer no", "", "b", 10 * second}) == 401);
  // All clients behind a proxy have the same address.
  CHECK(asked(access, {"localhost", "Bearer secret", "", "a", 10 * second}) == 200);
  CHECK(asked(access, {"localhost", "", "pssp_session=session", "a", 10 * second}) == 200);
  // A request without a token gets 401, which leads a browser to the login page, and does not count
  // as an attempt.
  CHECK(asked(access, {"localhost", "", "", "a", 10 * second}) == 401);
  CHECK(asked(access, {"localhost", "Bearer no", "", "a", 72 * second}) == 401);
}

TEST_CASE("secrets are equal only if their length and all characters agree") {
  CHECK(same_secret("", ""));
  CHECK(same_secret("abc", "abc"));
  CHECK_FALSE(same_secret("abc", "abd"));
  CHECK_FALSE(same_secret("abc", "ab"));
}

TEST_CASE("a change requires an origin of this server, or the token without an origin") {
  Access access({{"monitor.example"}, "0123456789abcdef"}, "session");
  Access::Credentials who{"localhost:9684", "", "pssp_session=session", "::1", 0};
  const auto status = [&](const char* origin) {
    who.origin = origin;
    try {
      access.check_change(who);
      return 200;
    } catch (const ApiError& error) {
      return error.status;
    }
  };
  CHECK(status("http://localhost:9684") == 200);
  CHECK(status("HTTP://LOCALHOST:9684") == 200);
  CHECK(status("https://monitor.example") == 200);  // a proxy that forwards requests to localhost
  for (const char* other :
       {"", "null", "http://localhost:8000", "http://localhost", "http://127.0.0.1:9684",
        "https://evil.example", "http://monitor.example:8000", "http://localhost:9684.evil.example",
        "localhost:9684", "://", "http://"}) {
    INFO(other);
    CHECK(status(other) == 403);
  }
  who.authorization = "Bearer 0123456789abcdef";
  CHECK(status("") == 200);
  CHECK(status("https://evil.example") == 403);
}
