#pragma once

// Ctrl-C, SIGTERM and SIGHUP as a wish that the program ends in order, and SIGPIPE as none.

namespace pssp {

/// From here on the first of these signals is only noted; one that comes more than a second later
/// ends the program at once.
void note_interruptions();
/// True once one has come.
bool interrupted() noexcept;

/// From here on a pipe whose reader is gone is an error of what writes to it, and does not end the
/// program: for one that must not stop half-way, for it changes a fabric. Programs that it starts
/// are not concerned.
void outlive_readers();

}  // namespace pssp
