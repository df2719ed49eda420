// One line for the user, behind the name the program was called by.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "trace/backend.hpp"

namespace strut {

/// Error::advice of an Error that getopt-style tools close with "Try 'strace -h' for more information."
inline constexpr std::string_view kTryHelp = "Try -h";

/// `text` with all bytes escaped that a terminal could interpret: control characters of ASCII and Unicode, and invalid
/// UTF-8. Names from a target or a command line never reach a terminal raw.
std::string printable(std::string_view text);

/// Writes all of the text, as far as stderr takes it: a closed stderr is no reason to stop.
void write_to_stderr(std::string_view text);

/// Writes lines to stderr, prefixed with argv[0] as typed.
class Messages final : public Listener {
 public:
  /// `tool`: the command to type before -h.
  Messages(std::string program, std::string tool) : program_(std::move(program)), tool_(std::move(tool)) {}

  void say(std::string_view line) override;
  void mention(std::string_view line) override;
  /// From now on nothing is mentioned.
  void keep_quiet() { quiet_ = true; }
  /// An Error in one line; its advice, where it has one, closes the line, or is strace's hint on a line of its own.
  void say(const Error& error);
  const std::string& program() const { return program_; }

 private:
  std::string program_;
  std::string tool_;
  bool quiet_ = false;
};

}  // namespace strut
