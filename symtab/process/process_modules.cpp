#include "symtab/process/process_modules.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "procfs/proc_root.hpp"
#include "procfs/process_status.hpp"
#include "procfs/remote_memory.hpp"
#include "symtab/elf/narrow_vdso.hpp"

namespace strut {

namespace {

constexpr std::string_view kDeleted = " (deleted)";
constexpr std::string_view kVdso = "[vdso]";
constexpr uint64_t kMaxVdsoBytes = 1 << 20;

std::string proc_of(Pid pid) { return std::string(proc_root()) + "/" + std::to_string(raw(pid)); }

/// maps(5) writes a newline in a path as \012.
std::string without_escapes(std::string_view text) {
  std::string path;
  for (size_t i = 0; i < text.size(); i++) {
    bool newline = text.substr(i).starts_with("\\012");
    path += newline ? '\n' : text[i];
    if (newline) i += 3;
  }
  return path;
}

bool is_file(const Mapping& mapping) { return mapping.inode != 0 && mapping.path.starts_with('/'); }

std::string_view without_mark(std::string_view path) {
  if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  return path;
}

}  // namespace

namespace {

/// In front of paths as a process names them; empty: its root directory is ours, or it is gone.
std::string root_of(Pid pid) {
  struct stat its{}, ours{};
  std::string root = proc_of(pid) + "/root";
  bool other = ::stat(root.c_str(), &its) == 0 && ::stat("/", &ours) == 0 &&
               (its.st_dev != ours.st_dev || its.st_ino != ours.st_ino);
  return other ? root : std::string();
}

// map_files needs privileges, and the path may name another file by now: the inode decides. A deleted program is still
// its process's exe.
std::array<std::string, 3> ways_to(Pid pid, const Mapping& mapping, const std::string& root) {
  return {map_file_path(pid, mapping), root + without_escapes(without_mark(mapping.path)), proc_of(pid) + "/exe"};
}

}  // namespace

std::string opened_path(Pid pid, const Mapping& mapping) {
  struct stat status{};
  for (const std::string& way : ways_to(pid, mapping, root_of(pid)))
    if (::stat(way.c_str(), &status) == 0 && status.st_ino == mapping.inode) return way;
  return {};
}

std::string lasting_path(const Mapping& mapping, const std::string& opened) {
  struct stat by_path{}, by_process{};
  bool same = ::stat(mapping.path.c_str(), &by_path) == 0 && ::stat(opened.c_str(), &by_process) == 0 &&
              by_path.st_dev == by_process.st_dev && by_path.st_ino == by_process.st_ino;
  return same ? mapping.path : opened;
}

std::string path_through_any_process(uint64_t device, uint64_t inode) {
  for (Pid pid : processes()) {
    auto mappings = maps_of(pid);
    for (const Mapping& mapping : mappings ? *mappings : std::vector<Mapping>{}) {
      struct stat file{};
      if (!mapping.executable || mapping.inode != inode) continue;
      std::string path = opened_path(pid, mapping);
      if (::stat(path.c_str(), &file) == 0 && file.st_dev == device && file.st_ino == inode)
        return lasting_path(mapping, path);
    }
  }
  return {};
}

// A process may end between two looks at it: then another way leads to the file.
std::shared_ptr<const ModuleFile> ModuleCache::file_of(Pid pid, const Mapping& mapping) {
  std::string path = without_escapes(without_mark(mapping.path)), root = root_of(pid);
  for (const std::string& way : ways_to(pid, mapping, root))
    if (auto file = file_at(way, mapping.inode, path, root)) return file;
  return nullptr;
}

std::shared_ptr<const ModuleFile> ModuleCache::file_once_of(Pid pid, const Mapping& mapping) {
  std::string path = without_escapes(without_mark(mapping.path));
  struct stat status{};
  bool is_the_file = ::stat(path.c_str(), &status) == 0 && major(status.st_dev) == mapping.device_major &&
                     minor(status.st_dev) == mapping.device_minor;
  if (auto file = is_the_file ? file_at(path, mapping.inode, path, {}) : nullptr) return file;
  return file_of(pid, mapping);
}

std::shared_ptr<const ModuleFile> ModuleCache::file_at(const std::string& way, uint64_t inode, const std::string& path,
                                                       const std::string& root) {
  struct stat status{};
  if (::stat(way.c_str(), &status) != 0 || status.st_ino != inode) return nullptr;
  int64_t changed_ns = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
  Key key{status.st_dev, status.st_ino, static_cast<uint64_t>(status.st_size), changed_ns};
  if (auto known = files_.find(key); known != files_.end()) return known->second;
  auto file = ElfFile::open(way);
  if (!file) {
    if (::stat(way.c_str(), &status) != 0) return nullptr;  // the path is gone, not the file
    files_[key] = nullptr;
    if (int error = file.error().code; error != ENOEXEC)
      unread_.push_back(path + " cannot be read (" + std::strerror(error) + ")");
    return nullptr;
  }
  std::string build_id = file->build_id();
  // A file and its stripped copy have the same build-id, but not the same size.
  auto& same_build = builds_[{build_id, file->bytes().size()}];
  if (build_id.empty() || !same_build) same_build = std::make_shared<ModuleFile>(std::move(*file), path, root);
  return files_[key] = same_build;
}

std::shared_ptr<const ModuleFile> ModuleCache::vdso_of(Pid pid, const Mapping& mapping) {
  uint64_t bytes = raw(mapping.end) - raw(mapping.start);
  if (bytes > kMaxVdsoBytes) return nullptr;
  std::vector<std::byte> content(bytes);
  RemoteMemory memory(leader_of(pid));
  if (memory.read(mapping.start, content).bytes != bytes) return nullptr;
  std::string key(reinterpret_cast<const char*>(content.data()), content.size());
  auto [slot, is_new] = vdsos_.try_emplace(std::move(key));
  if (!is_new) return slot->second;
  auto file = ElfFile::over(std::move(content), mapping.path);
  if (file) slot->second = std::make_shared<ModuleFile>(std::move(*file), mapping.path, std::string());
  return slot->second;
}

std::shared_ptr<const ModuleFile> ModuleCache::vdso_at(Addr at) {
  bool is_narrow = raw(at) >> 32 == 0;
  return is_narrow ? narrow_vdso() : own_vdso();
}

/// The kernel gives it to all 64-bit processes.
std::shared_ptr<const ModuleFile> ModuleCache::own_vdso() {
  auto own = strut::own_vdso();
  return own ? vdso_of(Pid{::getpid()}, *own) : nullptr;
}

/// The kernel gives it to 32-bit processes.
std::shared_ptr<const ModuleFile> ModuleCache::narrow_vdso() {
  if (narrow_vdso_) return *narrow_vdso_;
  narrow_vdso_.emplace();
  NarrowVdsoProcess process;
  if (auto mapping = vdso_mapping(process.pid())) narrow_vdso_ = vdso_of(process.pid(), *mapping);
  return *narrow_vdso_;
}

std::optional<Mapping> vdso_mapping(Pid pid) {
  auto mappings = maps_of(pid);
  if (!mappings) return std::nullopt;
  auto vdso = std::ranges::find(*mappings, kVdso, &Mapping::path);
  return vdso == mappings->end() ? std::nullopt : std::optional(*vdso);
}

std::optional<Mapping> own_vdso() { return vdso_mapping(Pid{::getpid()}); }

namespace {

constexpr uint64_t kPage = 4096;
uint64_t page_of(uint64_t offset) { return offset / kPage * kPage; }

/// Segments begin anywhere in their first page, mappings at its beginning.
bool may_come_from(const Mapping& mapping, const Segment& segment) {
  return mapping.offset >= page_of(segment.offset) && mapping.offset < segment.offset + segment.file_bytes;
}

/// For segments that share the mapping's first page (lld puts the end of one and the beginning of the next there, a
/// page of memory apart) the one with its permissions, and preferably one that begins in that page.
int likeness(const Mapping& mapping, const Segment& segment) {
  return (segment.executable == mapping.executable ? 2 : 0) + (page_of(segment.offset) == mapping.offset ? 1 : 0);
}

}  // namespace

std::optional<uint64_t> load_bias(const ElfFile& file, const Mapping& mapping) {
  const Segment* found = nullptr;
  for (const Segment& segment : file.segments())
    if (may_come_from(mapping, segment) && (!found || likeness(mapping, segment) > likeness(mapping, *found)))
      found = &segment;
  if (!found) return std::nullopt;
  return raw(mapping.start) - (found->address - found->offset + mapping.offset);
}

namespace {

/// Consecutive mappings of one file, with the gaps between them.
struct Group {
  const Mapping* first;
  const Mapping* last;
  Addr end;
  bool executable;
};

/// A loader maps a file from its beginning to its end; where a segment has one page, that may come again as the first
/// one of the next, right above, and look the same where relocations have made it read-only (PT_GNU_RELRO). A process
/// that reads the file as data may have it mapped right below.
bool goes_on(const Group& group, const Mapping& mapping) {
  const Mapping& last = *group.last;
  if (group.first->path != mapping.path) return false;
  bool is_other = mapping.writable != last.writable || mapping.executable != last.executable;
  bool page_again = mapping.offset == last.offset && raw(last.end) - raw(last.start) == kPage &&
                    mapping.start == last.end && (is_other || group.executable);
  bool data_after_code = mapping.offset == last.offset && mapping.writable && !last.writable;
  return mapping.offset > last.offset || page_again || data_after_code;
}

/// Files that are mapped as data only (a locale archive, a file that is being read) are no modules.
std::vector<Group> groups_of(const std::vector<Mapping>& mappings) {
  std::vector<Group> groups;
  for (const Mapping& mapping : mappings) {
    if (mapping.path != kVdso && !is_file(mapping)) continue;
    if (groups.empty() || !goes_on(groups.back(), mapping)) groups.push_back({&mapping, nullptr, {}, false});
    groups.back().last = &mapping;
    groups.back().end = mapping.end;
    groups.back().executable |= mapping.executable;
  }
  std::erase_if(groups, [](const Group& group) { return !group.executable; });
  return groups;
}

}  // namespace

ProcessModules::ProcessModules(Pid child, const ProcessModules& parent)
    : pid_(child), cache_(parent.cache_), made_(parent.made_) {
  modules_.reserve(parent.modules_.size());
  for (const auto& module : parent.modules_) modules_.push_back(std::make_unique<Module>(*module));
}

Result<void> ProcessModules::refresh() {
  std::vector<Mapping> mappings = TRY(maps_of(pid_));
  std::vector<std::unique_ptr<Module>> before = std::move(modules_);
  modules_.clear();
  made_.clear();
  for (const Mapping& mapping : mappings)
    if (mapping.executable && !is_file(mapping)) made_.push_back(mapping);
  for (const Group& group : groups_of(mappings)) {
    auto known = std::ranges::find_if(before, [&](const auto& module) {
      return module && module->start == group.first->start && module->path == without_mark(group.first->path);
    });
    modules_.push_back(known != before.end() ? std::move(*known) : read_module(*group.first));
    modules_.back()->end = group.end;
  }
  return {};
}

std::unique_ptr<Module> ProcessModules::read_module(const Mapping& first) {
  auto module = std::make_unique<Module>();
  module->path = without_mark(first.path);
  module->deleted = first.path.ends_with(kDeleted);
  module->start = first.start;
  module->file = first.path == kVdso ? cache_.vdso_of(pid_, first) : cache_.file_of(pid_, first);
  if (module->file) module->bias = load_bias(module->file->elf(), first).value_or(raw(first.start) - first.offset);
  return module;
}

bool ProcessModules::knows(const Mapping& mapping) const {
  const Module* module = module_at(mapping.start);
  if (!module || mapping.end > module->end || module->path != without_mark(mapping.path)) return false;
  return !module->file || load_bias(module->file->elf(), mapping) == module->bias;
}

void ProcessModules::mapped(const Mapping& mapping) {
  if (knows(mapping)) return;
  auto overlaps = [&](const auto& other) { return other.start < mapping.end && mapping.start < other.end; };
  std::erase_if(modules_, [&](const auto& module) { return overlaps(*module); });
  std::erase_if(made_, overlaps);
  if (mapping.path != kVdso && !is_file(mapping)) return made_.push_back(mapping);
  auto module = std::make_unique<Module>();
  module->path = without_mark(mapping.path);
  module->deleted = mapping.path.ends_with(kDeleted);
  module->start = mapping.start;
  module->end = mapping.end;
  module->file = mapping.path == kVdso ? cache_.vdso_at(mapping.start) : cache_.file_once_of(pid_, mapping);
  if (module->file)
    module->bias = load_bias(module->file->elf(), mapping).value_or(raw(mapping.start) - mapping.offset);
  auto above =
      std::ranges::upper_bound(modules_, raw(mapping.start), {}, [](const auto& known) { return raw(known->start); });
  modules_.insert(above, std::move(module));
}

const Module* ProcessModules::module_at(Addr address) const {
  auto above =
      std::ranges::upper_bound(modules_, raw(address), {}, [](const auto& module) { return raw(module->start); });
  if (above == modules_.begin()) return nullptr;
  const Module* module = std::prev(above)->get();
  return raw(address) < raw(module->end) ? module : nullptr;
}

const Module* ProcessModules::named(std::string_view name) const {
  auto find = [&](auto matches) -> const Module* {
    auto found = std::ranges::find_if(modules_, [&](const auto& module) { return matches(*module); });
    return found == modules_.end() ? nullptr : found->get();
  };
  if (name == "a.out") {
    char target[4096];
    ssize_t length = ::readlink((proc_of(pid_) + "/exe").c_str(), target, sizeof(target));
    std::string_view exe = without_mark({target, static_cast<size_t>(std::max<ssize_t>(length, 0))});
    return find([&](const Module& module) { return module.path == exe; });
  }
  if (auto* module = find([&](const Module& module) { return module.path == name; })) return module;
  if (auto* module = find([&](const Module& module) { return module.name() == name; })) return module;
  return find([&](const Module& module) { return module.is_called(name); });
}

std::optional<JitSymbols::Found> ProcessModules::made_at(Addr address) const {
  bool is_made = std::ranges::any_of(
      made_, [&](const Mapping& mapping) { return address >= mapping.start && address < mapping.end; });
  return is_made ? jit_.at(pid_, address) : std::nullopt;
}

Location ProcessModules::locate(Addr address) const {
  const Module* module = module_at(address);
  if (module && module->file) return locate_in(*module, raw(address) - module->bias);
  Location location;
  location.module = module;
  if (auto made = module ? std::nullopt : made_at(address)) {
    location.name = made->name;
    location.offset = made->offset;
  }
  return location;
}

}  // namespace strut
