#pragma once

// Runs a program's dialogues with the fabric over the port in its options, and shows the progress.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/kit/port_options.h"
#include "wire/fabric_port.h"

namespace pssp {

class CcExchange {
 public:
  /// Opens the port. Throws Error(fabric_access).
  CcExchange(const PortOptions& options, std::string tool);

  /// Runs the dialogues (pointers to dialogues of one kind), which contain the CC_Key. After an
  /// interruption (interrupt.h) it ends early, and informs every dialogue. Throws
  /// Error(fabric_access).
  template <class Dialogues>
  void hold(const Dialogues& dialogues) {
    std::vector<Dialogue*> pointers;
    pointers.reserve(dialogues.size());
    for (const auto& dialogue : dialogues) pointers.push_back(dialogue.get());
    hold_all(pointers);
  }
  /// The same, but not ended by an earlier or new interruption: for restoring.
  template <class Dialogues>
  void hold_in_any_case(const Dialogues& dialogues) {
    heeds_interruptions_ = false;
    hold(dialogues);
  }

 private:
  void hold_all(std::span<Dialogue* const> dialogues);

  std::string tool_;
  ExchangeOptions options_;
  FabricPort port_;
  bool heeds_interruptions_ = true;
};

}  // namespace pssp
