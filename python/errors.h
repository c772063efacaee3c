#pragma once

// Errors of the libraries as exceptions of Python.

#include <pybind11/pybind11.h>

namespace pssp {

/// Gives the module pssp.Error and a class for each kind of error that its functions can have, with
/// the exit code of the tools, and has an Error that leaves a function raised as one of them.
void add_errors(pybind11::module_& module);

}  // namespace pssp
