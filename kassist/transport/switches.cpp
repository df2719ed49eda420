#include "kassist/transport/switches.hpp"

#include <atomic>
#include <latch>

#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kassist/loader/real_time.hpp"
#include "kassist/loader/without_signals.hpp"

namespace strut {

/// A BPF ring in which nothing matters but that something came (its layout: ring_reader.hpp).
class Switches::Ring {
 public:
  explicit Ring(int ring) : ring_(ring), page_(static_cast<size_t>(::sysconf(_SC_PAGESIZE))) {
    consumer_ = ::mmap(nullptr, page_, PROT_READ | PROT_WRITE, MAP_SHARED, ring, 0);
    producer_ = ::mmap(nullptr, page_, PROT_READ, MAP_SHARED, ring, static_cast<off_t>(page_));
  }
  ~Ring() {
    if (consumer_ != MAP_FAILED) ::munmap(consumer_, page_);
    if (producer_ != MAP_FAILED) ::munmap(producer_, page_);
  }
  Ring(const Ring&) = delete;

  bool is_mapped() const { return consumer_ != MAP_FAILED && producer_ != MAP_FAILED; }
  int number() const { return ring_; }
  void empty() const { position(consumer_).store(position(producer_).load()); }

 private:
  static std::atomic_ref<uint64_t> position(void* at) { return std::atomic_ref(*static_cast<uint64_t*>(at)); }

  int ring_;
  size_t page_;
  void *consumer_ = MAP_FAILED, *producer_ = MAP_FAILED;
};

namespace {

bool goes_first_on(unsigned cpu) {
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(cpu, &here);
  sched_param first{1};
  return ::sched_setaffinity(0, sizeof here, &here) == 0 &&
         ::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) == 0;
}

}  // namespace

Switches::Switches(const std::array<int, WIRE_SWITCHES>& rings) : ended_(::eventfd(0, EFD_CLOEXEC)) {
  for (int ring : rings)
    if (rings_.emplace_back(std::make_unique<Ring>(ring)); !rings_.back()->is_mapped()) return;
  auto cpus = static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_CONF));
  std::latch ready(cpus);
  RealTime real_time;  // on a busy machine it would wait long for each of them
  for (unsigned cpu = 0; cpu < cpus; cpu++)
    threads_.push_back(without_signals([this, cpu, &ready] {
      bool goes_first = goes_first_on(cpu);
      ready.count_down();
      if (goes_first) serve(*rings_[cpu % WIRE_SWITCHES]);
    }));
  ready.wait();
}

Switches::~Switches() {
  uint64_t one = 1;
  [[maybe_unused]] ssize_t written = ::write(ended_.number(), &one, sizeof one);
  for (std::thread& thread : threads_) thread.join();
}

// Any thread that sleeps here runs before the thread that woke it goes on. Waking several does no harm.
void Switches::serve(const Ring& ring) const {
  pollfd awaited[] = {{ring.number(), POLLIN, 0}, {ended_.number(), POLLIN, 0}};
  while (::poll(awaited, std::size(awaited), -1) < 0 || awaited[1].revents == 0) ring.empty();
}

}  // namespace strut
