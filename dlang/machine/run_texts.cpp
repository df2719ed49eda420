// Steps: strings.
#include <net/if_arp.h>
#include <sys/socket.h>

#include "dlang/language/characters.hpp"
#include "dlang/machine/json_element.hpp"
#include "dlang/machine/run.hpp"
#include "dlang/machine/text_functions.hpp"

namespace strut {
namespace {

int64_t number(DRun& run, int32_t reg, int64_t without) {
  return reg < 0 ? without : static_cast<int64_t>(run.r[static_cast<size_t>(reg)]);
}

/// The string from a position on.
void set_from(DRun& run, const DInstruction& i, size_t at) {
  if (at == std::string_view::npos) run.set_null(i.a);
  else run.set_text(i.a, run.t[i.b].substr(at));
}

void set_next_token(DRun& run, const DInstruction& i) {
  std::string_view token = run.token_text ? next_token(*run.token_text, run.t[i.c], run.token_at) : std::string_view{};
  if (token.empty()) run.set_null(i.a);
  else run.set_text(i.a, token);
}

template <typename Change>
void changed(DRun& run, const DInstruction& i, Change change) {
  run.set_text(i.a, run.t[i.b]);
  for (size_t at = 0; at < run.t[i.a].size(); at++) run.place(i.a)[at] = change(run.place(i.a)[at]);
}

}  // namespace

void DSteps::Text(DRun& run, const DInstruction& i) {
  run.t[i.a] = std::string_view(run.program.texts[static_cast<size_t>(i.imm)]).substr(0, run.text_bytes - 1);
}
void DSteps::TextNull(DRun& run, const DInstruction& i) { run.set_null(i.a); }
void DSteps::TextIsSet(DRun& run, const DInstruction& i) { run.r[i.a] = !run.t[i.b].empty(); }
void DSteps::TextCopy(DRun& run, const DInstruction& i) {
  if (run.is_null(i.b)) run.set_null(i.a);
  else run.set_text(i.a, run.t[i.b]);
}
void DSteps::TextCompare(DRun& run, const DInstruction& i) {
  int order = run.t[i.b].compare(run.t[i.c]);
  run.r[i.a] = static_cast<uint64_t>(order < 0 ? -1 : order > 0 ? 1 : 0);
}
void DSteps::TextLength(DRun& run, const DInstruction& i) { run.r[i.a] = run.t[i.b].size(); }
void DSteps::TextByte(DRun& run, const DInstruction& i) {
  std::string_view text = run.t[i.b];
  run.r[i.a] = run.r[i.c] < text.size() ? static_cast<uint8_t>(text[run.r[i.c]]) : 0;
}

// The destination may be one of the sources: the second half is put in its place first.
void DSteps::TextJoin(DRun& run, const DInstruction& i) {
  std::string_view left = run.t[i.b], right = run.t[i.c];
  size_t right_size = std::min(right.size(), run.text_bytes - 1 - left.size());
  char* to = run.place(i.a);
  if (right_size != 0) std::memmove(to + left.size(), right.data(), right_size);
  if (!left.empty()) std::memmove(to, left.data(), left.size());
  run.t[i.a] = {to, left.size() + right_size};
}

void DSteps::TextFromInteger(DRun& run, const DInstruction& i) { run.set_text(i.a, digits_of(run.r[i.b], i.imm)); }
void DSteps::TextToInteger(DRun& run, const DInstruction& i) {
  if (run.r[i.c] < 2 || run.r[i.c] > 36) return run.fail(DFault::IllegalOperation);
  run.r[i.a] = static_cast<uint64_t>(number_from(run.t[i.b], static_cast<unsigned>(run.r[i.c])));
}
void DSteps::TextFind(DRun& run, const DInstruction& i) {
  size_t at = run.t[i.b].find(static_cast<char>(run.r[i.c]));
  set_from(run, i, at);
}
void DSteps::TextFindLast(DRun& run, const DInstruction& i) {
  size_t at = run.t[i.b].rfind(static_cast<char>(run.r[i.c]));
  set_from(run, i, at);
}
void DSteps::TextFindText(DRun& run, const DInstruction& i) {
  size_t at = run.t[i.b].find(run.t[i.c]);
  set_from(run, i, at);
}
void DSteps::TextPart(DRun& run, const DInstruction& i) {
  run.set_text(i.a, part_of(run.t[i.b], static_cast<int64_t>(run.r[i.c]), number(run, i.imm, INT64_MAX)));
}
void DSteps::TextIndex(DRun& run, const DInstruction& i) {
  run.r[i.a] = static_cast<uint64_t>(first_position(run.t[i.b], run.t[i.c], number(run, i.imm, 0)));
}
void DSteps::TextIndexLast(DRun& run, const DInstruction& i) {
  run.r[i.a] = static_cast<uint64_t>(last_position(run.t[i.b], run.t[i.c], number(run, i.imm, INT64_MAX)));
}
void DSteps::TextToken(DRun& run, const DInstruction& i) {
  if (!run.is_null(i.b)) {
    run.token_text = run.t[i.b];
    run.token_at = 0;
  }
  set_next_token(run, i);
}
void DSteps::TextTokenNext(DRun& run, const DInstruction& i) { set_next_token(run, i); }
void DSteps::TextBasename(DRun& run, const DInstruction& i) { run.set_text(i.a, base_of(run.t[i.b])); }
void DSteps::TextDirname(DRun& run, const DInstruction& i) { run.set_text(i.a, folder_of(run.t[i.b])); }
void DSteps::TextCleanPath(DRun& run, const DInstruction& i) { run.set_text(i.a, clean_path(run.t[i.b])); }
void DSteps::TextLower(DRun& run, const DInstruction& i) {
  changed(run, i, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
}
void DSteps::TextUpper(DRun& run, const DInstruction& i) {
  changed(run, i, [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; });
}
void DSteps::TextJson(DRun& run, const DInstruction& i) {
  auto element = json_element(run.t[i.b], run.t[i.c]);
  if (element) run.set_text(i.a, *element);
  else run.set_null(i.a);
}
void DSteps::TextInet(DRun& run, const DInstruction& i) {
  uint64_t bytes = run.r[i.b] == AF_INET ? 4 : run.r[i.b] == AF_INET6 ? 16 : 0;
  if (bytes == 0) return run.fail(DFault::IllegalOperation);
  if (const std::byte* at = run.scratch_at(run.r[i.c], bytes)) run.set_text(i.a, internet_address({at, bytes}));
}
void DSteps::TextLink(DRun& run, const DInstruction& i) {
  uint64_t bytes = run.r[i.b] == ARPHRD_ETHER ? 6 : run.r[i.b] == ARPHRD_INFINIBAND ? 20 : 0;
  if (bytes == 0) return run.fail(DFault::IllegalOperation);
  if (const std::byte* at = run.scratch_at(run.r[i.c], bytes)) run.set_text(i.a, link_address({at, bytes}));
}

}  // namespace strut
