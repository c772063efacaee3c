#include "simulator/traffic/trace_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/tables/service_levels.h"
#include "simulator/traffic/traffic_file.h"
#include "simulator/traffic/traffic_tokens.h"
#include "simulator/values.h"

namespace pssp {
namespace {

TracedMessage traced_message(TrafficTokens& tokens, const HostSets& hosts) {
  TracedMessage message;
  message.time = read_time(tokens.take("a time").text);
  message.hosts.source = hosts.host(tokens.take("a source").text);
  message.hosts.destination = hosts.host(tokens.take("a destination").text);
  message.bytes = read_size(tokens.take("a size").text);
  if (!tokens.empty()) {
    message.level = static_cast<std::uint8_t>(
        read_count(tokens.take("a level").text, "a service level", 0, service_level_count - 1));
  }
  if (!tokens.empty()) {
    throw Error(ErrorKind::usage, "more words than TIME SOURCE DESTINATION BYTES [LEVEL]");
  }
  if (message.hosts.source == message.hosts.destination) {
    throw Error(ErrorKind::usage, hosts.name(message.hosts.source) + " sends to itself");
  }
  return message;
}

}  // namespace

std::vector<TracedMessage> parse_trace(std::string_view text, std::string_view name,
                                       const HostSets& hosts) {
  std::vector<TracedMessage> trace;
  TextLines lines(text, name);
  while (lines.next()) {
    try {
      for (TrafficTokens& tokens : split_statements(lines.line())) {
        if (trace.size() == most_traced_messages) {
          throw Error(ErrorKind::usage, "more than " + std::to_string(most_traced_messages) +
                                            " messages; expected a shorter trace");
        }
        trace.push_back(traced_message(tokens, hosts));
      }
    } catch (const Error& error) {
      lines.fail(error.what());
    }
  }
  std::ranges::stable_sort(trace, {}, &TracedMessage::time);
  return trace;
}

}  // namespace pssp
