#pragma once

// Ctrl-C, SIGTERM and SIGHUP as a wish that the program ends in order.

namespace pssp {

/// From here on the first of these signals is only noted; one that comes more than a second later
/// ends the program at once.
void note_interruptions();
/// True once one has come.
bool interrupted() noexcept;

}  // namespace pssp
