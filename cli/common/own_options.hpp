// The options that every personality takes besides the ones of the tool it stands for.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "cli/common/option_scanner.hpp"
#include "formatters/formats.hpp"
#include "trace/request.hpp"

namespace strut {

enum class BackendChoice : uint8_t { Auto, Ptrace, Kassist };

struct OwnOptions {
  BackendChoice backend = BackendChoice::Auto;
  const OutputFormat* format = &usual_format();  ///< --format
  std::string stats_file;           ///< --stats; empty: none
  bool brake = true;                ///< --no-brake: kassist never holds a thread
  uint32_t ring_bytes = 0;          ///< --ring-size: of kassist's ring; 0: as fits the request
  uint32_t stack_bytes = 64 << 10;  ///< --stack-bytes: of each stack that kassist captures
  bool frames_only = false;         ///< --stack-bytes=frames: only the frames that frame pointers lead to
  bool explains = false;            ///< nothing is traced (strut doctor --explain)
  bool all = false;                 ///< --all: every process there is or will be …
  std::string uid;                  ///< --uid: … of this user, by name or number; empty: of any
  std::string container;            ///< --container: … of this container, by name or id; empty: of any
  SystemWide filter;                ///< --cgroup, --comm
  bool filters() const { return !uid.empty() || !container.empty() || filter.cgroup || filter.comm; }
};

/// Ids of our own long options; tools' ids stay below.
inline constexpr int kOwnBackend = 10000;
inline constexpr int kOwnStats = 10001;
inline constexpr int kOwnNoBrake = 10002;
inline constexpr int kOwnRingSize = 10003;
inline constexpr int kOwnAll = 10004;
inline constexpr int kOwnUid = 10005;
inline constexpr int kOwnCgroup = 10006;
inline constexpr int kOwnComm = 10007;
inline constexpr int kOwnContainer = 10008;
inline constexpr int kOwnStackBytes = 10009;
inline constexpr int kOwnFormat = 10010;

/// To be put into every personality's table. Never abbreviated, so that the tool's own abbreviations keep working.
inline constexpr LongOption kOwnOptions[] = {
    {"backend", Takes::Value, kOwnBackend, LongOption::Spelling::Full},
    {"format", Takes::Value, kOwnFormat, LongOption::Spelling::Full},
    {"stats", Takes::Value, kOwnStats, LongOption::Spelling::Full},
    {"no-brake", Takes::Nothing, kOwnNoBrake, LongOption::Spelling::Full},
    {"ring-size", Takes::Value, kOwnRingSize, LongOption::Spelling::Full},
    {"all", Takes::Nothing, kOwnAll, LongOption::Spelling::Full},
    {"uid", Takes::Value, kOwnUid, LongOption::Spelling::Full},
    {"cgroup", Takes::Value, kOwnCgroup, LongOption::Spelling::Full},
    {"comm", Takes::Value, kOwnComm, LongOption::Spelling::Full},
    {"container", Takes::Value, kOwnContainer, LongOption::Spelling::Full},
    {"stack-bytes", Takes::Value, kOwnStackBytes, LongOption::Spelling::Full},
};

/// True for --all and the options that choose among all processes.
constexpr bool chooses_among_all(int id) { return id >= kOwnAll && id <= kOwnContainer; }

/// The processes that --all selects. Error: no such user or container.
Result<SystemWide> asked_for(const OwnOptions& own);

/// Error: the format does not show counts.
Result<void> check_counts(const OutputFormat& format);

/// Takes an option of kOwnOptions. Error: its value is not one that it takes.
Result<void> take_own_option(OwnOptions& options, const ScannedOption& option);

}  // namespace strut
