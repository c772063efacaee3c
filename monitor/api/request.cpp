#include "monitor/api/request.h"

#include "monitor/api/json_writer.h"

namespace pssp {
namespace {

std::string_view kind_of_status(int status) {
  switch (status) {
    case 400:
      return "bad_request";
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not_found";
    case 405:
      return "method_not_allowed";
    case 409:
      return "conflict";
    case 413:
      return "too_large";
    case 414:
      return "address_too_long";
    case 429:
      return "too_many";
    default:
      return "unavailable";
  }
}

}  // namespace

ApiAnswer error_answer(const ApiError& error) {
  JsonWriter json;
  json.begin_object().key("error").begin_object();
  json.member("kind", kind_of_status(error.status)).member("message", error.message);
  json.member("hint", error.hint).end_object().end_object();
  ApiAnswer answer;
  answer.status = error.status;
  answer.body = std::make_shared<const std::string>(json.take() + "\n");
  answer.headers.emplace_back("Cache-Control", "no-store");
  if (error.status == 405) answer.headers.emplace_back("Allow", "GET, HEAD");
  if (error.status == 429 || error.status == 503) answer.headers.emplace_back("Retry-After", "10");
  if (error.status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

}  // namespace pssp
