#include "kassist/functions/armed_processes.hpp"

#include <algorithm>
#include <cerrno>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "kassist/syscalls/leaving.hpp"
#include "kassist/uprobes/linker_breakpoint.hpp"
#include "procfs/maps.hpp"
#include "symtab/process/process_modules.hpp"

namespace strut {

namespace {

bool is_of_exited(int error) { return error == ENOENT || error == ESRCH || error == ENOTDIR; }

/// As this process has the file mapped; empty: it has not.
std::string path_in(Pid pid, const FunctionCode& code) {
  auto maps = maps_of(pid);
  if (!maps) return {};
  for (const Mapping& mapping : *maps) {
    struct stat file;
    if (!mapping.executable || mapping.inode != code.inode) continue;
    std::string path = opened_path(pid, mapping);
    if (::stat(path.c_str(), &file) == 0 && file.st_dev == code.device && file.st_ino == code.inode) return path;
  }
  return {};
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

ArmedProcesses::ArmedProcesses(const TraceRequest& request, FunctionPrograms& programs, bool is_held)
    : programs_(programs),
      made_(*request.functions, programs),
      places_({.executors = is_held,
               .makers = is_held && request.follow && programs.arms_processes(),
               .is_of_followed = programs.arms_processes()}) {}

bool ArmedProcesses::add(FunctionCode code) {
  std::vector<FunctionPart> parts = made_.of(std::move(code));
  for (FunctionPart& part : parts) parts_.push_back({std::move(part)});
  return !parts.empty();
}

ArmedProcesses::Armed& ArmedProcesses::armed_in(Pid pid) { return armed_[one_by_one() ? pid : Pid{0}]; }

/// The process that a link is limited to.
std::optional<Pid> ArmedProcesses::only(Pid pid) const { return one_by_one() ? std::optional(pid) : std::nullopt; }

ArmedProcesses::Look ArmedProcesses::arm(Pid pid) {
  Look look;
  auto maps = maps_of(pid);
  look.is_there = maps && !maps->empty();
  if (!look.is_there) return look;
  arm_asking_places(pid, *maps, look);
  arm_parts(pid, *maps, look);
  return look;
}

void ArmedProcesses::arm_asking_places(Pid pid, const std::vector<Mapping>& maps, Look& look) {
  for (const Mapping& mapping : maps) {
    if (!mapping.executable || mapping.inode == 0) continue;
    bool is_new = arm_asking_places(pid, opened_path(pid, mapping), mapping);
    if (!is_linker(mapping.path) || places_.in({}, mapping).empty()) continue;
    look.has_linker = true;
    look.asks_from_now_on |= is_new;
  }
}

/// True: they are armed from now on.
bool ArmedProcesses::arm_asking_places(Pid pid, const std::string& opened, const Mapping& mapping) {
  Armed& armed = armed_in(pid);
  if (armed.asking.contains(AskingPlaces::file_of(mapping))) return false;
  const std::vector<UprobePoint>& points = places_.in(opened, mapping);
  UprobeRequest request{opened, points, UprobeRequest::When::Executed, only(pid)};
  auto done = points.empty() ? std::vector<RefusedUprobe>{}
                             : armed.uprobes.arm(programs_.program_for_asking(), programs_.mechanism(), request);
  if (!done && is_of_exited(done.error().code)) return false;
  armed.asking.insert(AskingPlaces::file_of(mapping));
  return true;
}

void ArmedProcesses::expect_linker(Pid pid, const std::string& path) {
  struct stat file;
  if (::stat(path.c_str(), &file) != 0) return;
  Mapping mapping;
  mapping.device_major = major(file.st_dev);
  mapping.device_minor = minor(file.st_dev);
  mapping.inode = file.st_ino;
  mapping.path = path;
  arm_asking_places(pid, path, mapping);
}

/// The parts of the process's mapped files that are not armed yet.
void ArmedProcesses::arm_parts(Pid pid, const std::vector<Mapping>& maps, Look& look) {
  Armed& armed = armed_in(pid);
  for (const Mapping& mapping : maps)
    if (mapping.executable) look.mapped.insert(mapping.inode);
  for (size_t i = 0; i < parts_.size(); i++) {
    const FunctionCode& code = parts_[i].part.code;
    if (given_up_) {
      was_cut_short_ = true;
      return;
    }
    if (armed.parts.contains(i) || !look.mapped.contains(code.inode)) continue;
    Outcome outcome = arm(pid, i);
    if (outcome == Outcome::Gone) look.is_there = false;
    if (outcome != Outcome::Armed) continue;
    std::string name(last_name(code.path));
    for (const Mapping& mapping : maps)
      if (mapping.inode == code.inode) name = last_name(mapping.path);
    if (std::ranges::find(look.armed, name) == look.armed.end()) look.armed.push_back(std::move(name));
  }
}

ArmedProcesses::Outcome ArmedProcesses::arm(Pid pid, size_t index) {
  Part& known = parts_[index];
  const FunctionPart& part = known.part;
  Armed& armed = armed_in(pid);
  UprobeRequest request = made_.request(part);
  request.pid = only(pid);
  if (request.pid && !lives(leader_of(pid)) && has_living(pid)) {
    armed.parts.insert(index);
    known.is_armed = true;
    made_.give_up(part, "the first thread of its process has ended, by which the kernel knows it");
    return Outcome::Refused;
  }
  auto done = armed.uprobes.arm(programs_.program(part.when), programs_.mechanism(), request);
  // The way that the file was found by may have ended with a process.
  if (!done && is_of_exited(done.error().code)) {
    request.path = path_in(pid, part.code);
    if (!request.path.empty()) done = armed.uprobes.arm(programs_.program(part.when), programs_.mechanism(), request);
  }
  if (!done && is_of_exited(done.error().code)) return Outcome::Gone;
  armed.parts.insert(index);
  known.is_armed = true;
  if (done) made_.refused(part, *done);
  else made_.give_up(part, describe(done.error()));
  return done ? Outcome::Armed : Outcome::Refused;
}

void ArmedProcesses::forget(Pid pid) {
  if (!one_by_one()) return;
  if (auto gone = armed_.extract(pid)) dead_.take(std::move(gone.mapped().uprobes));
}

std::vector<UprobeDemand> ArmedProcesses::demands() const {
  std::vector<UprobeDemand> demands;
  for (const auto& [pid, armed] : armed_)
    for (size_t index : armed.parts) {
      const FunctionCode& code = parts_[index].part.code;
      demands.push_back({code.device, code.inode, only(pid), code.sites.size()});
    }
  return demands;
}

void ArmedProcesses::disarm() {
  for (const Part& known : parts_)
    if (!known.is_armed && !armed_.empty() && !was_cut_short_)
      made_.give_up(known.part, "the process that mapped it exited before its functions could be armed");
  Uprobes all;
  for (auto& [pid, armed] : armed_) all.join(std::move(armed.uprobes));
  armed_.clear();
  parts_.clear();
}

}  // namespace strut
