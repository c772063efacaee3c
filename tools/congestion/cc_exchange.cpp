#include "tools/congestion/cc_exchange.h"

#include <array>
#include <utility>

#include "tools/kit/interrupt.h"
#include "tools/kit/program_name.h"
#include "tools/kit/progress_line.h"
#include "wire/congestion/cc_mad.h"

namespace pssp {
namespace {

/// Nodes are identified by subnet management, everything else uses congestion control.
constexpr std::array classes{subnet_class, congestion_class};

}  // namespace

CcExchange::CcExchange(const PortOptions& options, std::string tool)
    : tool_(std::move(tool)),
      options_(options.exchange()),
      port_(find_adapter_pair(options.adapters), classes) {}

void CcExchange::hold_all(std::span<Dialogue* const> dialogues) {
  ProgressLine line(name_as_called(tool_.c_str()));
  hold_dialogues(
      port_, dialogues, options_, [&](std::size_t done) { line.update(done, dialogues.size()); },
      [this] { return heeds_interruptions_ && interrupted(); });
}

}  // namespace pssp
