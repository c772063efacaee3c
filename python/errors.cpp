// Each kind of error has its own class, so that a notebook can catch the errors that it expects.
// The text is the message of the tools without the name of the tool.

#include "python/errors.h"

#include <array>
#include <exception>
#include <string>

#include "base/error.h"
#include "python/text.h"

namespace pssp {
namespace {

namespace py = pybind11;

struct ErrorClass {
  ErrorKind kind;
  const char* name;
  const char* meaning;
};

constexpr std::array classes{
    ErrorClass{ErrorKind::usage, "UsageError", "Raised if an argument has an invalid value."},
    ErrorClass{ErrorKind::unreadable_input, "InputError",
               "Raised if an input file is missing, truncated, damaged or in an unknown format."},
    ErrorClass{ErrorKind::mismatch, "MismatchError",
               "Raised if the fabric and the forwarding tables do not belong together."},
    ErrorClass{
        ErrorKind::unsuitable_topology, "UnsuitableError",
        "Raised if the engine cannot route the fabric. The message names the switch or link that "
        "the engine cannot handle."},
    ErrorClass{ErrorKind::verification_failed, "VerificationError",
               "Raised if the forwarding tables contain loops, unreachable pairs or entries that "
               "lead to dead ports."},
    ErrorClass{ErrorKind::output, "OutputError", "Raised if an output file cannot be written."},
    ErrorClass{ErrorKind::internal, "InternalError",
               "Raised if the module has a defect. Report the error and attach the input files."}};

/// The Python classes, in the order of `classes`. They are never freed.
std::array<PyObject*, classes.size()> made{};

PyObject* make_class(const std::string& name, const char* meaning, PyObject* base, int exit_code) {
  py::dict members;
  members["exit_code"] = exit_code;
  PyObject* const type =
      PyErr_NewExceptionWithDoc(("pssp." + name).c_str(), meaning, base, members.ptr());
  if (type == nullptr) throw py::error_already_set();
  return type;
}

/// The functions of the module throw no other kinds, so any other kind is an internal error.
PyObject* class_of(ErrorKind kind) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i].kind == kind) return made[i];
  }
  return made.back();
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const Error& error) {
    PyErr_SetObject(class_of(error.kind()), to_python(error.what()).ptr());
  }
}

}  // namespace

void add_errors(py::module_& module) {
  PyObject* const base = make_class("Error",
                                    "`Error` is the base class of all exceptions of `pssp`. Each "
                                    "exception contains the error message and the exit code "
                                    "(`exit_code`) of the command-line tool.",
                                    PyExc_Exception, static_cast<int>(ErrorKind::internal));
  module.add_object("Error", base);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const ErrorClass& each = classes[i];
    made[i] = make_class(each.name, each.meaning, base, static_cast<int>(each.kind));
    Py_INCREF(made[i]);
    module.add_object(each.name, made[i]);
  }
  py::register_exception_translator(translate);
}

}  // namespace pssp
