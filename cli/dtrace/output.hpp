// The output of `dtrace`, and the files that programs open.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/owned_fd.hpp"
#include "cli/common/arming_progress.hpp"
#include "cli/common/message.hpp"
#include "cli/dtrace/json_rows.hpp"
#include "dtrace/session/session.hpp"
#include "formatters/common/format_context.hpp"
#include "formatters/dtrace/rows.hpp"

namespace strut {

class DtraceOutput final : public DConsumer {
 public:
  /// Standard output, or a file that is appended to. Error: it cannot be opened.
  static Result<std::unique_ptr<DtraceOutput>> open(const std::string& path, const DSettings& settings,
                                                    Messages& messages);

  /// From now on rows are JSON lines; the first one says what run this is.
  Result<void> write_json(const DProgram& program, const RunFacts& facts, std::string_view backend);

  bool is_terminal() const;

  void begin_row(std::string& out, const DRowHead& head, const DSettings& settings) override;
  void end_row(std::string& out, const DSettings& settings) override;
  void end_rows(std::string& out) override;
  DValues* values() override { return json_ ? &*json_ : nullptr; }
  std::string call_argument(const DTrigger::Syscall& call, Tid caller, std::string_view recorded) override;
  Result<void> write(std::string_view text) override;
  void complain(std::string_view line) override { messages_.say(line); }
  void mention(std::string_view line) override;
  void system(const std::string& command) override;
  Result<void> freopen(const std::string& path) override;
  void ftruncate() override;
  void arming(uint64_t done, uint64_t wanted) override;
  void armed() override;
  bool is_interrupted() override;

 private:
  DtraceOutput(OwnedFd file, std::string name, const DSettings& settings, Messages& messages);
  int fd() const;

  OwnedFd file_;      ///< for -o; none: standard output
  OwnedFd reopened_;  ///< by freopen(); none: the original output
  std::string name_, reopened_name_;
  const DSettings& settings_;
  Messages& messages_;
  DtraceRows rows_;
  std::optional<JsonRows> json_;
  ArmingProgress progress_;
};

}  // namespace strut
