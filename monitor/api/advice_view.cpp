#include "monitor/api/advice_view.h"

#include "base/error.h"
#include "base/untrusted_text.h"
#include "monitor/api/views.h"

namespace pssp {
namespace {

/// Parses GUID:NUMBER, as in the topics of an event stream.
PortKey asked_channel(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    throw ApiError{400, "the parameter channel has no port number",
                   "channel=GUID:NUMBER is the port that the channel leaves"};
  }
  const std::string_view all = text;
  return {parse_guid(all.substr(0, colon)), parse_port_number(all.substr(colon + 1))};
}

}  // namespace

std::string advice_view(const LiveView& view, const Target& target, AdviceSource* source,
                        bool check_only) {
  target.allow({"engines", "channel"});
  if (source == nullptr) {
    throw ApiError{404, "advice is not available",
                   "set database in section [store] of the configuration"};
  }
  const std::string* engines = target.find("engines");
  const std::string* channel = target.find("channel");
  if (channel != nullptr && engines == nullptr) {
    throw ApiError{400, "the parameter channel requires the parameter engines",
                   "engines=best,cassp,pssp&channel=GUID:NUMBER"};
  }
  AdviceRequest request;
  if (channel != nullptr) request.channel = asked_channel(*channel);
  if (engines != nullptr && !check_only) {
    request.engines = *engines;
    bool begun = false;
    try {
      begun = source->start(request);
    } catch (const Error& error) {
      throw ApiError{400, untrusted_text(error.what()), "engines=best,cassp,pssp"};
    }
    if (!begun) {
      throw ApiError{429, "advice is already being computed", "try again when it is complete"};
    }
  }
  const AdviceState state = source->state();
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  json.member("running", state.running).key("running_since");
  state.running ? json.value(state.since_ms) : json.null();
  json.key("running_engines");
  state.running ? json.value(untrusted_text(state.engines)) : json.null();
  json.key("problem");
  state.problem.empty() ? json.null() : json.value(untrusted_text(state.problem));
  json.key("made");
  state.last ? json.value(state.made_ms) : json.null();
  json.key("advice");
  if (state.last) {
    json.raw(*state.last);
  } else {
    json.null().member("advice_reason", "no advice has been computed yet");
  }
  return json.end_object().take();
}

}  // namespace pssp
