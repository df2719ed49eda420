#include "ptrace/guardian/breakpoint_ledger.hpp"

#include <algorithm>
#include <csignal>
#include <initializer_list>

#include <unistd.h>

#include "ptrace/guardian/breakpoint_rescue.hpp"
#include "ptrace/guardian/ledger_pages.hpp"

namespace strut {
namespace {

/// The tracer is traced by its guardian: each SIGCHLD, one for every stop and every end of a tracee, would stop it, and
/// at such a stop SIGKILL is dangerous (guardian_watch.cpp).
void block_sigchld() {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &only, nullptr);
}

}  // namespace

BreakpointLedger::BreakpointLedger()
    : guardian_(Guardian::start(Tid{::gettid()})),
      pool_(guardian_ ? guardian_->memory() : std::span<std::byte>()),
      root_(static_cast<LedgerRoot*>(pool_.take())) {
  if (!root_ || !guardian_ || !guardian_->await_hold()) return;
  block_sigchld();
  guardian_->record(Guardian::kCode)
      .arm<restore_code, restore_late_children>(TracerLedger{Tid{::gettid()}, root_, guardian_->memory()});
}

BreakpointLedger::~BreakpointLedger() {
  if (guardian_) guardian_->record(Guardian::kCode).disarm();
}

BreakpointLedger& BreakpointLedger::of_this_process() {
  static BreakpointLedger ledger;
  return ledger;
}

LedgerSpace* BreakpointLedger::free_entry() {
  if (free_.empty()) {
    if (!root_ || root_->count == LedgerRoot::kPages) return nullptr;
    auto* page = static_cast<LedgerSpacePage*>(pool_.take());
    if (!page) return nullptr;
    free_.reserve(free_.size() + LedgerSpacePage::kSpaces);
    for (LedgerSpace& space : page->spaces) free_.push_back(&space);
    root_->pages[root_->count] = page;
    root_->count.fetch_add(1, std::memory_order_release);
  }
  LedgerSpace* entry = free_.back();
  free_.pop_back();
  return entry;
}

// -- an image -------------------------------------------------------------------------------------------------------

BreakpointLedger::Image::Image(BreakpointLedger& ledger)
    : ledger_(ledger), image_(static_cast<LedgerImage*>(ledger.pool_.take())) {
  if (!image_) return;
  sites_.newest = &image_->newest;
  semaphores_.newest = &image_->semaphores;
}

BreakpointLedger::Image::~Image() {
  for (const List* list : {&sites_, &semaphores_})
    for (LedgerSitePage* page : list->pages) ledger_.pool_.give_back(page);
  if (image_) ledger_.pool_.give_back(image_);
}

LedgerSitePage* BreakpointLedger::Image::page_with_room(List& list) {
  if (!list.pages.empty() && list.pages.back()->count < LedgerSitePage::kSites) return list.pages.back();
  auto* page = static_cast<LedgerSitePage*>(ledger_.pool_.take());
  if (!page) return nullptr;
  list.pages.push_back(page);
  page->older = *list.newest;
  list.newest->store(page, std::memory_order_release);
  return page;
}

bool BreakpointLedger::Image::append(List& list, uint64_t packed) {
  LedgerSitePage* page = page_with_room(list);
  if (!page) return false;
  page->sites[page->count] = packed;
  page->count.fetch_add(1, std::memory_order_release);
  return true;
}

bool BreakpointLedger::Image::add(std::span<const LedgerSite> sites) {
  if (!image_) return false;
  for (const LedgerSite& site : sites)
    if (!append(sites_, pack_site(site.address, std::to_integer<uint8_t>(site.original)))) return false;
  return true;
}

bool BreakpointLedger::Image::add_semaphore(uint64_t address, uint16_t before) {
  if (!image_) return false;
  if (!known_semaphores_.insert(address).second) return true;
  return append(semaphores_, pack_site(address, static_cast<uint8_t>(std::min<uint16_t>(before, UINT8_MAX))));
}

void BreakpointLedger::Image::note_mark(uint64_t address) {
  if (image_) image_->mark.store(address, std::memory_order_release);
}

// -- an address space -----------------------------------------------------------------------------------------------

BreakpointLedger::Space::Space(std::shared_ptr<Image> image, Pid pid, int memory)
    : image_(std::move(image)), space_(image_->image_ ? image_->ledger_.free_entry() : nullptr) {
  if (!space_) return;
  space_->pid = raw(pid);
  space_->memory = memory;
  space_->image.store(image_->image_, std::memory_order_release);
}

BreakpointLedger::Space::~Space() {
  if (!space_) return;
  space_->image.store(nullptr, std::memory_order_release);
  image_->ledger_.free_.push_back(space_);
}

}  // namespace strut
