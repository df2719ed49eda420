#include "libcalls/arming/site_table.hpp"

#include <algorithm>

#include "pid-provider/displacement.hpp"

namespace strut {

bool CodeOwner::has_caller(const CallModule* caller) const {
  if (callers.empty()) return true;
  return caller && std::ranges::find(callers, CodeFile{caller->device(), caller->inode()}) != callers.end();
}

TracedCode* SiteTable::code_at(const CallModule& module, uint64_t address) {
  if (module.inode() == 0) return nullptr;
  std::unique_ptr<TracedCode>& code = codes_[{&module, address}];
  if (!code) {
    code = std::make_unique<TracedCode>();
    code->id = codes_.size();
    code->module = &module;
    code->address = address;
    code->functions = {{&module, address}};
    code->callee = module.names().soname;
    code->sites = sites_of(module, address);
  }
  return code.get();
}

TracedCode& SiteTable::stub_at(const CallModule& importer, uint64_t stub, std::span<const Definition> functions,
                               std::string_view callee) {
  std::unique_ptr<TracedCode>& code = codes_[{&importer, stub}];
  if (code) return *code;
  code = std::make_unique<TracedCode>();
  code->id = codes_.size();
  code->module = &importer;
  code->address = stub;
  code->is_stub = true;
  code->functions.assign(functions.begin(), functions.end());
  code->callee = callee;
  if (auto entry = site_on(importer, stub, FunctionSite::Kind::Entry)) code->sites.emplace().entry = *entry;
  return *code;
}

TracedCode* SiteTable::known_at(const CallModule* module, uint64_t address) const {
  auto known = codes_.find({module, address});
  return known != codes_.end() ? known->second.get() : nullptr;
}

bool SiteTable::is_armed_itself(const Definition& function) const {
  const TracedCode* known = known_at(function.module, function.address);
  return known && (known->is_wanted_itself || !known->reported.empty());
}

uint32_t SiteTable::add_owner(const CodeOwner& owner, const TracedFunction& function) {
  auto index = static_cast<uint32_t>(owners_.size());
  CHECK_THAT(index / kChunk < kChunks);
  auto& chunk = functions_[index / kChunk];
  if (!chunk) chunk = std::make_unique<std::array<TracedFunction, kChunk>>();
  owners_.push_back(std::make_unique<CodeOwner>(owner));
  TracedFunction& traced = (*chunk)[index % kChunk];
  traced = function;
  traced.callers = owners_.back()->callers;
  return index;
}

uint32_t SiteTable::add_reported(TracedCode& code, const CodeOwner& owner, const TracedFunction& function) {
  uint32_t index = add_owner(owner, function);
  reported_ += code.reported.empty();
  code.reported.push_back(index);
  return index;
}

SiteOwner SiteTable::seen_as(uint32_t index) const {
  const CodeOwner& owner = *owners_[index];
  if (!owner.code) return {.is_outward = true};
  const auto& sites = owner.code->sites;
  // Calls seen by their return addresses end without their jumps. The code after a stub may jump, unseen.
  bool may_jump = (owner.code->is_stub && owner.code->calls.empty()) || (sites && sites->is_left_otherwise());
  // A function without jumps has reported all of them: a call with another one in its place was left by an exception.
  bool is_seen_elsewhere = owner.code->is_stub || owner.returns_behind || function(index).may_replace_return;
  bool shows_jumps = sites && !sites->runs_out && !is_seen_elsewhere;
  bool reports_jumps = shows_jumps || (sites && !may_jump);
  bool is_met_twice = (sites && sites->is_looped_to) || !owner.code->stubs.empty();
  return {owner.code->id, reports_jumps, may_jump, owner.is_reported, is_met_twice};
}

// A jump through a pointer is not followed: its target ends all calls that no other owner of the same code is for.
bool SiteTable::may_end(uint32_t index, uint64_t code) const {
  const CodeOwner& owner = *owners_[index];
  if (!owner.code) return false;
  bool is_own = owner.is_reported ? owner.code->id == code : owner.jumpers.contains(code);
  if (is_own) return true;
  bool is_its_own = owner.code->id == code && !owner.code->reported.empty();
  return !is_its_own && std::ranges::none_of(owner.code->hidden, [&](const auto& hidden) {
    return owners_[hidden.second]->jumpers.contains(code);
  });
}

void SiteTable::add_site(const CallModule& module, FunctionSite site, uint32_t owner) {
  site.function = owner;
  new_sites_[&module].push_back(site);
}

std::vector<FunctionCode> SiteTable::take_new_sites() {
  std::vector<FunctionCode> codes;
  for (auto& [module, sites] : new_sites_) {
    // At one address, report the return of the previous call before the entry of the next.
    auto place = [](const FunctionSite& site) {
      return std::pair(site.file_offset, site.kind != FunctionSite::Kind::Behind);
    };
    std::ranges::stable_sort(sites, {}, place);
    auto file = module->shared_file();
    codes.push_back({module->opened(), module->device(), module->inode(), std::move(sites),
                     [file](const FunctionSite& site) { return displaced_at(file->elf(), site.file_offset); }});
  }
  new_sites_.clear();
  return codes;
}

}  // namespace strut
