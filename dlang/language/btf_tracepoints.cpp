// The kernel's tracepoints: for each there is a typedef btf_trace_NAME of a pointer to its probes' prototype, whose
// first parameter is the probe's own (include/trace/bpf_probe.h).
#include "base/btf_records.hpp"
#include "dlang/language/btf_types.hpp"

namespace strut {
namespace {

constexpr std::string_view kPrefix = "btf_trace_";
constexpr size_t kRecordBytes = sizeof(btf_type), kParameterBytes = sizeof(btf_param);
constexpr int kMaxTypedefs = 16;

/// As D spells an integer: by its size and sign.
std::string integer_name(uint32_t bytes, uint32_t encoding) {
  if ((encoding & BTF_INT_BOOL) != 0) return "bool";
  std::string name = bytes == 1 ? "char" : bytes == 2 ? "short" : bytes == 4 ? "int" : "long";
  return (encoding & BTF_INT_SIGNED) != 0 ? name : "unsigned " + name;
}

}  // namespace

void BtfTypes::find_tracepoints() {
  load();
  if (!tracepoints_.empty()) return;
  for (uint32_t id = 1; id < places_.size(); id++) {
    if (BTF_INFO_KIND(word(places_[id] + 4)) != BTF_KIND_TYPEDEF) continue;
    std::string_view of = name(word(places_[id]));
    if (!of.starts_with(kPrefix)) continue;
    if (uint32_t prototype = prototype_of(id); prototype != 0)
      tracepoints_.emplace(of.substr(kPrefix.size()), prototype);
  }
}

std::vector<std::string> BtfTypes::tracepoints() {
  find_tracepoints();
  std::vector<std::string> names;
  for (const auto& [name, prototype] : tracepoints_) names.push_back(name);
  return names;
}

/// The id of the function prototype that a typedef's pointer leads to; 0: it leads to something else.
uint32_t BtfTypes::prototype_of(uint32_t id) const {
  for (uint32_t kind : {BTF_KIND_PTR, BTF_KIND_FUNC_PROTO}) {
    id = word(places_[id] + 8);
    if (id >= places_.size() || BTF_INFO_KIND(word(places_[id] + 4)) != kind) return 0;
  }
  return id;
}

std::optional<std::vector<std::string>> BtfTypes::arguments_of(std::string_view tracepoint) {
  find_tracepoints();
  auto at = tracepoints_.find(tracepoint);
  if (at == tracepoints_.end()) return std::nullopt;
  Record prototype = record(at->second);
  std::vector<std::string> types;
  for (uint32_t i = 1; i < prototype.count; i++)
    types.push_back(spelling(word(prototype.at + kRecordBytes + i * kParameterBytes + 4), 0));
  return types;
}

std::string BtfTypes::spelling(uint32_t id, int depth) const {
  if (id == 0 || id >= places_.size() || depth > kMaxTypedefs) return "void";
  Record of = record(id);
  switch (of.kind) {
    case BTF_KIND_INT: return integer_name(of.size_or_type, word(of.at + kRecordBytes) >> 24);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_FWD: return of.tagged();
    case BTF_KIND_ENUM:
    case kBtfKindEnum64: return of.name.empty() ? "int" : "enum " + of.name;
    case BTF_KIND_TYPEDEF: return of.name;
    case BTF_KIND_PTR: {
      std::string target = spelling(of.size_or_type, depth + 1);
      return target + (target.ends_with('*') ? "*" : " *");
    }
    case BTF_KIND_CONST: {
      std::string target = spelling(of.size_or_type, depth + 1);
      return target.ends_with('*') ? target : "const " + target;
    }
    case BTF_KIND_VOLATILE:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_TYPE_TAG: return spelling(of.size_or_type, depth + 1);
    default: return "void";
  }
}

}  // namespace strut
