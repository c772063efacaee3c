#pragma once

// Prevents programs from overwriting their input or one of their outputs: compares the files before
// anything is read or written.

#include <string>
#include <vector>

namespace pssp {

/// Collects the files of a program, and compares them. Existing files are compared by device and
/// inode, new outputs by path. Considers only regular files and standard output, because a device
/// or a pipe loses nothing.
class OutputTargets {
 public:
  /// `option` is for messages ("--output"); "-" is standard input.
  void add_input(const std::string& option, const std::string& file);
  /// An input that an output may replace, because it is read completely before.
  void add_replaceable_input(const std::string& option, const std::string& file);
  /// "-" is standard output.
  void add_output(const std::string& option, const std::string& file);

  /// Throws Error(usage) if two outputs are one file, an output is an input, two inputs are
  /// standard input, or an output has no name.
  void require_separate() const;

 private:
  struct Target {
    std::string option, file;
  };

  std::vector<Target> inputs_, replaceable_, outputs_;
};

}  // namespace pssp
