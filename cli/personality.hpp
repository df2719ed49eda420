// strut's personalities: which tool a run stands for.
#pragma once

#include <span>
#include <string>

namespace strut {

/// How a tool was called.
struct Called {
  std::string program;    ///< argv[0] as typed: the prefix of messages
  std::string tool;       ///< the words that call it again: "./strace", "./strut strace"
  std::string name;       ///< the tool's: "strace"
  bool explains = false;  ///< the backend that --backend=auto would take is explained, and nothing is traced
};

/// Each runs with the words behind the tool's name and returns the status to exit with, or dies of a signal.
int run_strace(const Called& called, std::span<const std::string> words);
int run_trace(const Called& called, std::span<const std::string> words);
int run_symbols(const Called& called, std::span<const std::string> words);
int run_stack(const Called& called, std::span<const std::string> words);
int run_ltrace(const Called& called, std::span<const std::string> words);
int run_truss(const Called& called, std::span<const std::string> words);
int run_dtrace(const Called& called, std::span<const std::string> words);
int run_help(const Called& called, std::span<const std::string> words);
int run_doctor(const Called& called, std::span<const std::string> words);
int run_completion(const Called& called, std::span<const std::string> words);

/// Runs a tool, by its name and words, to be explained (strut doctor --explain).
int explain_tool(const Called& doctor, std::span<const std::string> words);

/// Picks the personality by the name strut was called by, else by its first word.
int run_strut(std::span<const std::string> argv);

/// strut's version, as `--version` prints it.
inline constexpr const char* kVersion = "0.2";

}  // namespace strut
