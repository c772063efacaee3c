#pragma once

// Converts errors of the libraries to Python exceptions.

#include <pybind11/pybind11.h>

namespace pssp {

/// Adds pssp.Error and a subclass for each kind of error that functions of the module can throw,
/// with the exit code of the tools. An Error that leaves a function is raised as one of these
/// classes.
void add_errors(pybind11::module_& module);

}  // namespace pssp
