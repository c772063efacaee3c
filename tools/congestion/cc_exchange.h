#pragma once

// Dialogues of a program with the fabric: over the port that its options name, with a line that
// says how far it is.

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

  /// Holds the dialogues (pointers to dialogues of one kind), the CC_Key being theirs. After an
  /// interruption (interrupt.h) it ends early, with every dialogue told. Throws
  /// Error(fabric_access).
  template <class Dialogues>
  void hold(const Dialogues& dialogues) {
    std::vector<Dialogue*> pointers;
    pointers.reserve(dialogues.size());
    for (const auto& dialogue : dialogues) pointers.push_back(dialogue.get());
    hold_all(pointers);
  }
  /// The same, but an interruption of before or meanwhile does not end it: for the way back.
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
