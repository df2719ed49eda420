#include "dtrace/armed_code.hpp"

#include <algorithm>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "core/proc/proc_file.hpp"

namespace strut {
namespace {

/// Where file systems lie on others, /proc/PID/maps names another device than stat(2) does.
bool is_of(Pid pid, const Mapping& mapping, const DCode& code) {
  if (mapping.inode != code.inode) return false;
  if (makedev(mapping.device_major, mapping.device_minor) == code.device) return true;
  struct stat file{};
  std::string path = std::string(proc_path(raw(pid), "root")) + mapping.path;
  return ::stat(path.c_str(), &file) == 0 && file.st_dev == code.device && file.st_ino == code.inode;
}

bool may_have(const DCode& code, Pid pid) { return !code.pid || *code.pid == pid; }

}  // namespace

uint32_t ArmedCode::add(const DCode& code) {
  codes_.push_back(code);
  auto index = static_cast<uint32_t>(codes_.size() - 1);
  by_inode_.emplace(code.inode, index);
  return index;
}

std::set<ArmedCode::Piece> ArmedCode::pieces_of(Pid pid) const {
  std::set<Piece> pieces;
  auto mappings = maps_of(pid);
  if (!mappings) return pieces;
  for (const Mapping& mapping : *mappings) {
    if (!mapping.executable || mapping.inode == 0) continue;
    auto [begin, end] = by_inode_.equal_range(mapping.inode);
    for (auto at = begin; at != end; ++at)
      if (may_have(codes_[at->second], pid) && is_of(pid, mapping, codes_[at->second]))
        pieces.insert({at->second, raw(mapping.start), raw(mapping.end), mapping.offset});
  }
  return pieces;
}

std::vector<uint32_t> ArmedCode::update(Pid pid, uint32_t of) {
  Process& process = processes_[raw(pid)];
  std::set<Piece> now = pieces_of(pid);
  std::vector<uint32_t> failed;
  for (const Piece& piece : process.pieces)
    if (!now.contains(piece)) disarm(pid, process, piece);
  for (const Piece& piece : now)
    if (!process.pieces.contains(piece)) arm(pid, process, piece, of, failed);
  process.pieces = std::move(now);
  return failed;
}

uint64_t ArmedCode::tag_with(uint64_t tag, SiteRef site) {
  auto [place, fresh] = larger_.try_emplace({tag, site}, sets_.size());
  if (fresh) {
    std::vector<SiteRef> set = sets_[tag];
    set.push_back(site);
    sets_.push_back(std::move(set));
  }
  return place->second;
}

void ArmedCode::arm(Pid pid, Process& process, const Piece& piece, uint32_t of, std::vector<uint32_t>& failed) {
  const DCode& code = codes_[piece.code];
  auto by_offset = [](const DSite& site, uint64_t offset) { return site.file_offset < offset; };
  uint64_t bytes = piece.end - piece.start;
  auto first = std::lower_bound(code.sites.begin(), code.sites.end(), piece.offset, by_offset);
  auto last = std::lower_bound(first, code.sites.end(), piece.offset + bytes, by_offset);
  std::vector<HostBreakpoint> breakpoints;
  auto index = static_cast<uint32_t>(first - code.sites.begin());
  for (auto site = first; site != last; ++site, ++index) {
    uint64_t address = piece.start + (site->file_offset - piece.offset);
    uint64_t& tag = process.tags.try_emplace(address, kNone).first->second;
    tag = tag_with(tag, {piece.code, index});
    breakpoints.push_back({Addr{address}, tag});
  }
  std::vector<size_t> refused = host_.insert(pid, breakpoints);
  instructions_ += breakpoints.size() - refused.size();
  for (size_t at : refused) {
    process.tags.erase(raw(breakpoints[at].at));
    if (piece.code == of)
      failed.push_back(static_cast<uint32_t>(first - code.sites.begin() + static_cast<ptrdiff_t>(at)));
  }
}

void ArmedCode::watch_linker(Pid pid, Addr at) {
  uint64_t& tag = processes_[raw(pid)].tags.try_emplace(raw(at), kNone).first->second;
  tag = tag_with(tag, {kLinker, 0});
  HostBreakpoint breakpoint{at, tag};
  host_.insert(pid, {&breakpoint, 1});
}

void ArmedCode::disarm(Pid pid, Process& process, const Piece& piece) {
  std::vector<Addr> gone;
  for (auto at = process.tags.begin(); at != process.tags.end();) {
    bool within = at->first >= piece.start && at->first < piece.end;
    if (within) gone.push_back(Addr{at->first});
    at = within ? process.tags.erase(at) : std::next(at);
  }
  host_.remove(pid, gone);
}

void ArmedCode::copy(Pid parent, Pid child) {
  auto from = processes_.find(raw(parent));
  if (from == processes_.end()) return;
  Process process = from->second;
  std::vector<Addr> foreign;
  for (auto at = process.tags.begin(); at != process.tags.end();) {
    const auto& set = sets_[at->second];
    bool meant = std::any_of(set.begin(), set.end(),
                             [&](SiteRef site) { return is_linker(site) || may_have(codes_[site.code], child); });
    if (!meant) foreign.push_back(Addr{at->first});
    at = meant ? std::next(at) : process.tags.erase(at);
  }
  std::erase_if(process.pieces, [&](const Piece& piece) { return !may_have(codes_[piece.code], child); });
  host_.remove(child, foreign);
  processes_[raw(child)] = std::move(process);
}

}  // namespace strut
