// The text between angle brackets: files of descriptors, names of processes.
#include "formatters/common/quote.hpp"
#include "formatters/common/value_text.hpp"
#include "syscalls/call_context.hpp"

namespace strut {

namespace {

void put_path(TextBuffer& out, std::string_view path, const ValueLooks& looks) {
  escape_bytes(out, path, looks.hex_strings, "<>");
}

/// Writes the details of a descriptor's target.
class DetailsWriter {
 public:
  DetailsWriter(TextBuffer& out, const FdTarget& target, const ValueLooks& looks)
      : out_(out), target_(target), looks_(looks) {}

  void operator()(std::monostate) {}

  void operator()(const DeviceTarget& device) {
    put_path(out_, target_.path, looks_);
    out_.put(Ink::Punct, "<");
    out_.put(device.block ? "block " : "char ");
    out_.decimal(uint64_t{device.major});
    out_.put(':');
    out_.decimal(uint64_t{device.minor});
    if (!device.peer.empty()) {
      out_.put(" @");
      out_.put(device.peer);
    }
    out_.put(Ink::Punct, ">");
  }

  void operator()(const SocketTarget& socket) {
    out_.put(socket.protocol);
    out_.put(":[");
    out_.put(socket.details);
    if (!socket.path.empty()) {
      bool abstract = socket.path[0] == '\0';
      out_.put(abstract ? ",@" : ",");
      quote(out_, std::string_view(socket.path).substr(abstract ? 1 : 0), looks_.hex_strings);
    }
    out_.put(']');
  }

  void operator()(const EventfdTarget& eventfd) {
    out_.put("{eventfd-count=");
    out_.hex(eventfd.count);
    out_.put(", eventfd-id=");
    out_.decimal(int64_t{eventfd.id});
    out_.put(eventfd.semaphore ? ", eventfd-semaphore=1}" : ", eventfd-semaphore=0}");
  }

  void operator()(const PidfdTarget& pidfd) {
    out_.put("pid:");
    out_.decimal(int64_t{pidfd.pid});
    if (!pidfd.comm.empty()) put_comm(out_, pidfd.comm, looks_);
  }

  void operator()(const SignalfdTarget& signalfd) {
    out_.put("signalfd:");
    put_signal_set(out_, {signalfd.mask}, looks_);
  }

 private:
  TextBuffer& out_;
  const FdTarget& target_;
  const ValueLooks& looks_;
};

/// The kind that each alternative of FdTarget::details belongs to.
constexpr uint8_t kKinds[] = {0, kFdDevice, kFdSocket, kFdEventfd, kFdPidfd, kFdSignalfd};

/// The kind by the path, where no details are known: an unlisted protocol, an exited process.
uint8_t kind_of_path(std::string_view path) {
  if (path.starts_with("socket:[")) return kFdSocket;
  if (path == "anon_inode:[pidfd]") return kFdPidfd;
  return 0;
}

}  // namespace

void put_fd_target(TextBuffer& out, const FdTarget& target, const ValueLooks& looks) {
  bool details = (looks.fd_shows & kKinds[target.details.index()]) != 0;
  if (!details && (looks.fd_shows & (kFdPath | kind_of_path(target.path))) == 0) return;
  out.put(Ink::Punct, "<");
  if (details) std::visit(DetailsWriter(out, target, looks), target.details);
  else put_path(out, target.path, looks);
  out.put(Ink::Punct, ">");
  if (target.deleted) out.put("(deleted)");
}

void put_comm(TextBuffer& out, std::string_view comm, const ValueLooks& looks) {
  out.put(Ink::Punct, "<");
  put_path(out, comm.substr(0, comm.find('\n')), looks);
  out.put(Ink::Punct, ">");
}

}  // namespace strut
