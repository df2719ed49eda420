#include "kassist/functions/parts.hpp"

#include <algorithm>
#include <unordered_set>

#include "kassist/uprobes/code_uprobes.hpp"

namespace strut {

namespace {

using When = UprobeRequest::When;

constexpr uint8_t kNoCondition = 0xff;

wire_site site_of(FunctionSite::Kind kind) {
  switch (kind) {
    case FunctionSite::Kind::Entry: return WIRE_SITE_ENTRY;
    case FunctionSite::Kind::Return: return WIRE_SITE_RETURN;
    case FunctionSite::Kind::Jump: return WIRE_SITE_JUMP;
    case FunctionSite::Kind::Behind: return WIRE_SITE_RETURNED;
    case FunctionSite::Kind::Outward: break;
  }
  return WIRE_SITE_OUTWARD;
}

}  // namespace

FunctionParts::FunctionParts(FunctionPoints& functions, FunctionPrograms& programs)
    : functions_(functions), programs_(programs), replaces_returns_(programs.replaces_returns()) {}

bool FunctionParts::is_armed_by_return(const FunctionSite& site) const {
  if (site.kind == FunctionSite::Kind::Outward) return false;
  const TracedFunction& function = functions_.function(site.function);
  return replaces_returns_ && function.may_replace_return;
}

bool FunctionParts::is_return_seen(const FunctionSite& site) const {
  return site.kind == FunctionSite::Kind::Entry && is_armed_by_return(site) &&
         functions_.function(site.function).wants_returns;
}

/// nullopt: the site needs no such uprobe.
std::optional<uint64_t> FunctionParts::cookie_of(const FunctionSite& site, When when) {
  uint8_t condition = site.condition == kNoCondition ? 0 : static_cast<uint8_t>(site.condition + 1);
  if (site.kind == FunctionSite::Kind::Outward) {
    if (when == When::Returned) return std::nullopt;
    return wire_cookie_of(site.function, WIRE_SITE_OUTWARD, condition, 0);
  }
  const TracedFunction& function = functions_.function(site.function);
  if (when == When::Returned) {
    if (!is_return_seen(site)) return std::nullopt;
    return programs_.cookie(site.function, function, WIRE_SITE_RETURNED, 0);
  }
  if (site.kind != FunctionSite::Kind::Entry && is_armed_by_return(site)) return std::nullopt;
  bool in_session = when == When::Called && is_return_seen(site);
  return programs_.cookie(site.function, function, site_of(site.kind), condition) |
         (in_session ? WIRE_COOKIE_RETURNS : 0) | uint64_t{site.call_bytes} << WIRE_COOKIE_CALL_SHIFT;
}

std::vector<FunctionPart> FunctionParts::of(FunctionCode code) {
  for (const FunctionSite& site : code.sites)
    if (!site.uprobe_offset && cookie_of(site, When::Executed))
      functions_.refused(code, site, "no uprobe is safe on this instruction");
  std::vector<FunctionPart> parts;
  if (programs_.has_sessions()) {
    auto [called, executed] = parted(code);
    add(std::move(called), When::Called, parts);
    add(std::move(executed), When::Executed, parts);
  } else {
    add(code, When::Executed, parts);
    add(std::move(code), When::Returned, parts);
  }
  return parts;
}

void FunctionParts::add(FunctionCode code, When when, std::vector<FunctionPart>& into) {
  std::erase_if(code.sites, [&](const FunctionSite& site) { return !site.uprobe_offset || !cookie_of(site, when); });
  if (!code.sites.empty()) into.push_back({std::move(code), when});
}

/// Sites with returns that are seen by their return addresses, and others. Where another tool has a uprobe in another
/// process, too, a session link that is limited to one process replaces return addresses there (6.18: the program is
/// not asked): it has no functions that an exception may pass. Sites of one instruction stay together, in their order.
std::pair<FunctionCode, FunctionCode> FunctionParts::parted(const FunctionCode& code) const {
  std::unordered_set<uint64_t> returning;
  for (const FunctionSite& site : code.sites)
    if (site.uprobe_offset && is_return_seen(site)) returning.insert(*site.uprobe_offset);
  FunctionCode called{code.path, code.device, code.inode, {}, {}}, executed = called;
  for (const FunctionSite& site : code.sites)
    (site.uprobe_offset && returning.contains(*site.uprobe_offset) ? called : executed).sites.push_back(site);
  return {std::move(called), std::move(executed)};
}

UprobeRequest FunctionParts::request(const FunctionPart& part) {
  return uprobes_for(part.code, part.when,
                     [&](const FunctionSite& site, size_t) { return cookie_of(site, part.when); });
}

void FunctionParts::refused(const FunctionPart& part, const std::vector<RefusedUprobe>& refused) {
  each_refused(part.code, refused, [&](size_t site, int error) {
    functions_.refused(part.code, part.code.sites[site], why_refused(error));
  });
}

void FunctionParts::give_up(const FunctionPart& part, std::string_view why) {
  for (const FunctionSite& site : part.code.sites) functions_.refused(part.code, site, why);
}

}  // namespace strut
