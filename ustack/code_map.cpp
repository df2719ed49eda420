#include "ustack/code_map.hpp"

#include <algorithm>

namespace strut {

namespace {

constexpr std::string_view kVdso = "[vdso]";

}  // namespace

std::shared_ptr<CodeModule> CodeModules::keep(const std::string& path, std::shared_ptr<const ModuleFile> file) {
  auto& slot = modules_[{path, file.get()}];
  if (!slot) slot = std::make_shared<CodeModule>(path, std::move(file), detail_, complaint_);
  return slot;
}

std::shared_ptr<CodeModule> CodeModules::of(Pid pid, const Mapping& mapping) {
  if (mapping.path == kVdso) return keep(mapping.path, files_.vdso_of(pid, mapping));
  return keep(mapping.path, files_.file_of(pid, mapping));
}

std::shared_ptr<CodeModule> CodeModules::vdso_at(Addr at) { return keep(std::string(kVdso), files_.vdso_at(at)); }

bool CodeMap::read(Pid pid, CodeModules& modules) {
  auto mappings = maps_of(pid);
  if (!mappings) return false;
  std::map<uint64_t, CodeRange> before = std::move(ranges_);
  ranges_.clear();
  for (const Mapping& mapping : *mappings) {
    if (!mapping.executable) continue;
    auto known = before.find(raw(mapping.start));
    bool same = known != before.end() && known->second.end == raw(mapping.end) && known->second.module &&
                known->second.module->path() == mapping.path;
    if (same) ranges_.insert(before.extract(known));
    else add(pid, mapping, modules);
  }
  return true;
}

void CodeMap::add(Pid pid, const Mapping& mapping, CodeModules& modules) {
  bool of_file = mapping.inode != 0 || mapping.path == kVdso;
  place(mapping, of_file ? modules.of(pid, mapping) : nullptr);
}

void CodeMap::place(const Mapping& mapping, std::shared_ptr<CodeModule> module) {
  make_way(raw(mapping.start), raw(mapping.end));
  CodeRange range{raw(mapping.start), raw(mapping.end), raw(mapping.start) - mapping.offset, std::move(module)};
  if (range.module && range.module->file())
    range.bias = load_bias(range.module->file()->elf(), mapping).value_or(range.bias);
  ranges_.insert_or_assign(range.start, std::move(range));
}

/// Mappings that reach into [start, end) are cut.
void CodeMap::make_way(uint64_t start, uint64_t end) {
  auto at = ranges_.lower_bound(start);
  if (at != ranges_.begin() && std::prev(at)->second.end > start) --at;
  while (at != ranges_.end() && at->second.start < end) {
    CodeRange old = std::move(at->second);
    at = ranges_.erase(at);
    if (old.end > end) {
      CodeRange rest = old;
      rest.start = end;
      at = std::next(ranges_.insert_or_assign(end, std::move(rest)).first);
    }
    if (old.start < start) {
      old.end = start;
      ranges_.insert_or_assign(old.start, std::move(old));
    }
  }
}

const FrameAbi& CodeMap::abi() const {
  for (const auto& [start, range] : ranges_)
    if (const FrameAbi* abi = range.module ? range.module->abi() : nullptr) return *abi;
  return kAbiX86_64;
}

const CodeRange* CodeMap::at(uint64_t address) const {
  auto above = ranges_.upper_bound(address);
  if (above == ranges_.begin()) return nullptr;
  const CodeRange& range = std::prev(above)->second;
  return address < range.end ? &range : nullptr;
}

}  // namespace strut
