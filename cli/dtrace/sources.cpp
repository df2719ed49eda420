#include "cli/dtrace/sources.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "cli/dtrace/preprocess.hpp"
#include "dlang/language/lexer.hpp"

namespace strut {
namespace {

using ProgramKind = DtraceProgram::Kind;

/// "12/pid == 3/{…}" with the probe's names in the place of its number.
Result<std::string> text_of_id(const std::string& text, const ProbeTable& table) {
  uint32_t id = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || !table.has(id))
    return fail_because("invalid probe specifier " + text + ": invalid probe identifier " +
                        text.substr(0, text.find_first_of("/{ ")) + ": Unknown probe identifier");
  const OfferedProbe& probe = table.at(id);
  return probe.provider + ':' + probe.module + ':' + probe.function + ':' + probe.name +
         std::string(end, text.data() + text.size());
}

ProbeField last_field(ProgramKind kind) {
  switch (kind) {
    case ProgramKind::Provider: return ProbeField::Provider;
    case ProgramKind::Module: return ProbeField::Module;
    case ProgramKind::Function: return ProbeField::Function;
    default: return ProbeField::Name;
  }
}

Result<DSource> source_of(const DtraceProgram& program, const ProbeTable& table) {
  DSource source;
  source.last_field = last_field(program.kind);
  if (program.script != nullptr) source.text = program.script->text;
  else if (program.kind == ProgramKind::File) source.text = TRY(text_of_file(program.text));
  else if (program.kind == ProgramKind::Id) source.text = TRY(text_of_id(program.text, table));
  else source.text = program.text;
  return source;
}

std::string beginning(const DtraceProgram& program) {
  if (program.kind == ProgramKind::File) return "failed to compile script " + program.text + ": ";
  return "invalid probe specifier " + program.text + ": ";
}

/// The text before the first predicate, clause or semicolon.
size_t description_bytes(std::string_view text) {
  size_t end = text.find_first_of("{/;");
  while (end != std::string_view::npos && text[end] == '/') {
    size_t path = path_bytes(text.substr(0, end), text.substr(end));
    if (path == 0) return end;
    end = text.find_first_of("{/;", end + path);
  }
  return end;
}

}  // namespace

Result<std::string> text_of_file(const std::string& path) {
  errno = 0;
  FILE* file = std::fopen(path.c_str(), "re");
  if (!file) return fail({errno, "failed to open", path, {}, {}});
  std::string text;
  char buffer[16384];
  // Stops at the end of file: on a terminal a second read would wait for a second end.
  for (size_t got = sizeof buffer; got == sizeof buffer;)
    text.append(buffer, got = std::fread(buffer, 1, sizeof buffer, file));
  bool failed = std::ferror(file) != 0;
  int error = errno;
  std::fclose(file);
  if (failed) return fail({error, "failed to read", path, {}, {}});
  return text;
}

Result<std::vector<DSource>> dtrace_sources(const DtraceOptions& options, const ProbeTable& table) {
  std::vector<DSource> sources;
  for (const DtraceProgram& program : options.programs) {
    sources.push_back(TRY(source_of(program, table)));
    if (options.settings.cpp) sources.back().text = TRY(preprocess(sources.back().text, options.settings));
  }
  return sources;
}

namespace {

std::string kind_of(const DtraceProgram& program) {
  return program.kind == ProgramKind::File ? "script" : "description";
}

std::string name_of(const DtraceProgram& program) {
  bool is_file = program.kind == ProgramKind::File;
  return is_file ? program.text : program.text.substr(0, description_bytes(program.text));
}

}  // namespace

std::string title_of(const DtraceProgram& program) { return kind_of(program) + ' ' + name_of(program); }

std::string matched_text(const DtraceProgram& program, uint64_t count) {
  return kind_of(program) + " '" + name_of(program) + "' matched " + std::to_string(count) +
         (count == 1 ? " probe" : " probes");
}

DtraceComplaint error_text(const DtraceProgram& program, const Diagnostic& diagnostic, const DSettings& settings) {
  TagDisplay tags = settings.errtags ? TagDisplay::Shown : TagDisplay::Hidden;
  PlaceDisplay place = program.kind == ProgramKind::File ? PlaceDisplay::Line : PlaceDisplay::Region;
  return {beginning(program) + describe(diagnostic, tags, place), advice(diagnostic, place)};
}

DtraceComplaint description_text(const DtraceProgram& program, const DSettings& settings,
                                 const DescriptionTrouble& trouble) {
  std::string text = beginning(program);
  if (settings.errtags) text += '[' + std::string(trouble.tag) + "] ";
  const DPosition& at = trouble.asked.at;
  std::string line = "line " + std::to_string(at.line), column = "column " + std::to_string(at.column);
  bool is_file = program.kind == ProgramKind::File;
  if (is_file) text += line + ": ";
  std::string place = is_file ? column : line + ", " + column;
  return {text + trouble.what, trouble.advice.empty() ? place : place + ": " + trouble.advice};
}

DtraceComplaint no_match_text(const DtraceProgram& program, const DSettings& settings, const DAsked& asked,
                              const std::string& reason) {
  if (!asked.complaints.empty())
    return description_text(program, settings,
                            {asked, asked.complaints[0].tag, asked.complaints[0].text, asked.complaints[0].advice});
  std::string what = "probe description " + asked.description->text() + " does not match any probes";
  return description_text(program, settings, {asked, "D_PDESC_ZERO", what, reason});
}

/// DTrace has no such limit, so the reason is part of the message.
DtraceComplaint too_many_text(const DtraceProgram& program, const DSettings& settings, const DAsked& asked,
                              const Complaint& complaint) {
  std::string what = "probe description " + asked.description->text() + " matches too many probes: " + complaint.text;
  return description_text(program, settings, {asked, complaint.tag, what, {}});
}

DtraceComplaint not_permitted_text(const DtraceProgram& program, const DProgram& compiled) {
  const DPosition& at = compiled.destructive_at;
  std::string where = "line " + std::to_string(at.line) + ", column " + std::to_string(at.column);
  if (program.kind == ProgramKind::File) where = program.text + ", " + where;
  return {"could not enable tracing: Destructive actions not allowed",
          where + ": " + compiled.destructive + "() needs -w"};
}

}  // namespace strut
