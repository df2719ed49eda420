// Which bytes of targets are breakpoints, in memory that the guardian reads when the tracer dies (guardian.hpp).
//
// A site is recorded before its int3 is written. The sites of a program belong to its *image*: an address space and
// those that were forked from it share one, because they have the same code at the same addresses. A site that is
// removed stays recorded: restoring writes only over an int3.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/ids.hpp"
#include "ptrace/guardian/guardian.hpp"
#include "ptrace/guardian/shared_pool.hpp"

namespace strut {

struct LedgerImage;
struct LedgerSitePage;
struct LedgerSpace;
struct LedgerRoot;

/// A byte of code and its value before the breakpoint.
struct LedgerSite {
  uint64_t address = 0;
  std::byte original{};
};

/// One per tracer. Used by the thread that traces.
class BreakpointLedger {
 public:
  /// The sites of one program, until the last address space that has it is gone.
  class Image {
   public:
    explicit Image(BreakpointLedger& ledger);
    ~Image();
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    /// Records sites; of two records of one address the later one counts. False: there is no memory for them.
    bool add(std::span<const LedgerSite> sites);
    /// Records a semaphore, a counter of 16 bits that is going to be raised from this value: the guardian lowers it
    /// where it is higher. Of two records of one address the first one counts. False: there is no memory for it.
    bool add_semaphore(uint64_t address, uint16_t before);
    /// Where the guardian writes that the code is restored (TrapGuardData::is_restored).
    void note_mark(uint64_t address);

   private:
    friend class BreakpointLedger;
    /// Pages of one kind of records, linked from the image.
    struct List {
      std::atomic<const LedgerSitePage*>* newest = nullptr;
      std::vector<LedgerSitePage*> pages{};
    };
    bool append(List& list, uint64_t packed);
    LedgerSitePage* page_with_room(List& list);

    BreakpointLedger& ledger_;
    LedgerImage* image_;
    List sites_, semaphores_;
    std::unordered_set<uint64_t> known_semaphores_;
  };

  /// An address space with breakpoints: `memory` is the tracer's descriptor of its /proc/PID/mem.
  class Space {
   public:
    Space(std::shared_ptr<Image> image, Pid pid, int memory);
    ~Space();
    Space(const Space&) = delete;
    Space& operator=(const Space&) = delete;
    const std::shared_ptr<Image>& image() const { return image_; }
    /// False: there was no memory to record it, and its sites would stay in the target.
    bool is_recorded() const { return space_ != nullptr; }

   private:
    std::shared_ptr<Image> image_;
    LedgerSpace* space_;
  };

  /// The ledger of this process, first called by the thread that traces. It has a guardian from then on, which restores
  /// the recorded code when that thread is killed. From then on the thread blocks SIGCHLD.
  static BreakpointLedger& of_this_process();

 private:
  BreakpointLedger();
  ~BreakpointLedger();
  LedgerSpace* free_entry();

  std::unique_ptr<Guardian> guardian_;
  SharedPool pool_;
  LedgerRoot* root_;  ///< nullptr: there is no memory for it, and nothing can be recorded
  std::vector<LedgerSpace*> free_;
};

}  // namespace strut
