// The programs of `dtrace`'s command line as D sources, and their names in messages.
#pragma once

#include <string>
#include <vector>

#include "cli/dtrace/complaint.hpp"
#include "cli/dtrace/options.hpp"
#include "dlang/compiler/compile.hpp"
#include "dtrace/session/enabling.hpp"

namespace strut {

/// One source for each program of the options. Errors: a file that cannot be read, an id without a probe, cpp failed.
Result<std::vector<DSource>> dtrace_sources(const DtraceOptions& options, const ProbeTable& table);

/// The bytes of a file. Errors: it cannot be read.
Result<std::string> text_of_file(const std::string& path);

/// "description BEGIN", "script x.d".
std::string title_of(const DtraceProgram& program);
/// "description 'syscall::mu*:' matched 6 probes", "script 'x.d' matched 1 probe".
std::string matched_text(const DtraceProgram& program, uint64_t count);
/// "invalid probe specifier X: …", "failed to compile script x.d: line 3: …".
DtraceComplaint error_text(const DtraceProgram& program, const Diagnostic& diagnostic, const DSettings& settings);
/// An error in one of the descriptions.
struct DescriptionTrouble {
  const DAsked& asked;
  std::string_view tag;
  std::string what;    ///< "probe description X does not match any probes"
  std::string advice;  ///< empty: there is none
};
DtraceComplaint description_text(const DtraceProgram& program, const DSettings& settings,
                                 const DescriptionTrouble& trouble);
/// The first complaint about it, if there is one; else that it does not match, and as advice the reason.
DtraceComplaint no_match_text(const DtraceProgram& program, const DSettings& settings, const DAsked& asked,
                              const std::string& reason);
DtraceComplaint too_many_text(const DtraceProgram& program, const DSettings& settings, const DAsked& asked,
                              const Complaint& complaint);
/// The message that the program needs -w, with the place.
DtraceComplaint not_permitted_text(const DtraceProgram& program, const DProgram& compiled);

}  // namespace strut
