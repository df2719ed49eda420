// The text of a session: rows of records, and what actions of the program do to its output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dtrace/session/consumer.hpp"
#include "dtrace/session/drop_tally.hpp"
#include "dtrace/session/session_probes.hpp"
#include "dtrace/session/symbolizer.hpp"

namespace strut {

class SessionOutput final : DConsole, DSymbolizer {
 public:
  /// All outlive it. `escape_controls`: the output is a terminal.
  SessionOutput(const DProgram& program, bool escape_controls, const SessionProbes& probes, DEngine& engine,
                DConsumer& consumer, ModuleCache& modules);

  /// The engine has loaded the program.
  void begin();
  void print(const DFired& fired);
  /// Text has a newline before rows that follow the terminal's "^C", and before the rest.
  void end_line();
  /// Prints the aggregations that no action has printed, and ends the rows.
  void report_rest();
  /// Writes what was printed. A failure is said once, and nothing is written any more.
  void flush();
  /// Lines for stderr come behind the rows that were printed before them.
  void complain(std::string_view line);
  void mention(std::string_view line);
  void report_drops(const std::vector<DropTally::Dropped>& drops);

  bool has_failed() const { return has_failed_; }
  /// By the action exit(), where the engine leaves it to the reader of records.
  const std::optional<int32_t>& exit_status() const { return exit_status_; }
  /// The program prints stacks or symbols of processes.
  bool names_addresses() const { return names_addresses_; }
  ProcessSymbolizer& symbolizer() { return symbolizer_; }

 private:
  DTextStyle style() const;
  // DSymbolizer
  std::string name(uint64_t process, uint64_t address, DShape::Kind kind) override {
    return symbolizer_.name(process, address, kind);
  }
  std::string name_of_return(uint64_t process, uint64_t address, DShape::Kind kind) override {
    return symbolizer_.name_of_return(process, address, kind);
  }
  std::string call_argument(std::string_view recorded) override;
  // DConsole
  void write(std::string_view text) override;
  void exit(int32_t status) override { exit_status_ = status; }
  void system(const std::string& command) override { consumer_.system(command); }
  void freopen(const std::string& path) override;
  void ftruncate() override { consumer_.ftruncate(); }
  void setopt(const std::string& name, const std::string& value) override;

  const DProgram& program_;
  const bool escape_controls_;
  const SessionProbes& probes_;
  DEngine& engine_;
  DConsumer& consumer_;
  DSettings settings_;
  DTextStyle style_;
  ProcessSymbolizer symbolizer_;
  std::optional<DFormatter> formatter_;
  const bool names_addresses_;
  std::vector<bool> reads_aggregations_;  ///< by clause
  const DProbe* reported_ = nullptr;      ///< the probe of the printed record, and the thread in which it fired
  Tid reported_in_{};
  std::string out_;
  bool has_failed_ = false;
  std::optional<int32_t> exit_status_;
};

}  // namespace strut
