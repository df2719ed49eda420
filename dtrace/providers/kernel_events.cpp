// The providers "io", "ip", "tcp", "udp" and "vminfo": events of the kernel, as far as it has tracepoints there.
#include <algorithm>
#include <iterator>
#include <span>

#include "dtrace/providers/kernel_library.hpp"
#include "dtrace/providers/provider.hpp"

namespace strut {
namespace {

/// args[N]: its type, and an expression in D of the tracepoint's own arguments.
struct Argument {
  const char* type;
  const char* value;
};

#define STRUT_XLATE(type, of) {type " *", "xlate <" type " *>(" of ")"}
#define STRUT_SOCKET "(struct sock *)arg0"
#define STRUT_CHANGING "(struct inet_sock *)arg0"  // its state is the new one
#define STRUT_PACKET "(struct sk_buff *)arg0"
#define STRUT_SENT "strut_sent[" STRUT_PACKET "]"
#define STRUT_RECEIVED "strut_received[" STRUT_PACKET "]"
#define STRUT_SENT_FROM "((" STRUT_PACKET ")->sk)"

constexpr Argument kOfSocket[] = {
    STRUT_XLATE("pktinfo_t", STRUT_SOCKET), STRUT_XLATE("csinfo_t", STRUT_SOCKET),
    STRUT_XLATE("ipinfo_t", STRUT_SOCKET),  STRUT_XLATE("tcpsinfo_t", STRUT_CHANGING),
    STRUT_XLATE("tcpinfo_t", STRUT_SOCKET),
};
constexpr Argument kStateChange[] = {
    STRUT_XLATE("pktinfo_t", STRUT_SOCKET), STRUT_XLATE("csinfo_t", STRUT_SOCKET),
    STRUT_XLATE("ipinfo_t", STRUT_SOCKET),  STRUT_XLATE("tcpsinfo_t", STRUT_CHANGING),
    STRUT_XLATE("tcpinfo_t", STRUT_SOCKET), STRUT_XLATE("tcplsinfo_t", "(int)arg1"),
};
constexpr Argument kTcpSent[] = {
    STRUT_XLATE("pktinfo_t", STRUT_PACKET),
    STRUT_XLATE("csinfo_t", STRUT_SENT_FROM),
    STRUT_XLATE("ipinfo_t", STRUT_SENT),
    STRUT_XLATE("tcpsinfo_t", STRUT_SENT_FROM),
    STRUT_XLATE("tcpinfo_t", "(struct tcphdr *)strut_carrier_end[" STRUT_SENT "]"),
};
#define STRUT_RECEIVED_BY "strut_sent[(struct sk_buff *)arg1]"
constexpr Argument kTcpReceived[] = {
    STRUT_XLATE("pktinfo_t", "(struct sk_buff *)arg1"),
    STRUT_XLATE("csinfo_t", STRUT_SOCKET),
    STRUT_XLATE("ipinfo_t", STRUT_RECEIVED_BY),
    STRUT_XLATE("tcpsinfo_t", STRUT_SOCKET),
    STRUT_XLATE("tcpinfo_t", "(struct tcphdr *)((struct sk_buff *)arg1)->data"),
};
constexpr Argument kUdpSent[] = {
    STRUT_XLATE("pktinfo_t", STRUT_PACKET),
    STRUT_XLATE("csinfo_t", STRUT_SENT_FROM),
    STRUT_XLATE("ipinfo_t", STRUT_SENT),
    STRUT_XLATE("udpsinfo_t", STRUT_SENT_FROM),
    STRUT_XLATE("udpinfo_t", "(struct udphdr *)strut_carrier_end[" STRUT_SENT "]"),
};
constexpr Argument kUdpReceived[] = {
    STRUT_XLATE("pktinfo_t", STRUT_PACKET),
    STRUT_XLATE("csinfo_t", STRUT_SENT_FROM),
    STRUT_XLATE("ipinfo_t", STRUT_RECEIVED),
    STRUT_XLATE("udpsinfo_t", STRUT_SENT_FROM),
    STRUT_XLATE("udpinfo_t", "(struct udphdr *)strut_carrier_end[" STRUT_RECEIVED "]"),
};
constexpr Argument kIpSent[] = {
    STRUT_XLATE("pktinfo_t", STRUT_PACKET), STRUT_XLATE("csinfo_t", STRUT_SENT_FROM),
    STRUT_XLATE("ipinfo_t", STRUT_SENT),    STRUT_XLATE("ifinfo_t", "((" STRUT_PACKET ")->dev)"),
    STRUT_XLATE("ipv4info_t", STRUT_SENT),  STRUT_XLATE("ipv6info_t", "(struct ipv6hdr *)" STRUT_SENT),
};
constexpr Argument kIpReceived[] = {
    STRUT_XLATE("pktinfo_t", STRUT_PACKET),    STRUT_XLATE("csinfo_t", STRUT_SENT_FROM),
    STRUT_XLATE("ipinfo_t", STRUT_RECEIVED),   STRUT_XLATE("ifinfo_t", "((" STRUT_PACKET ")->dev)"),
    STRUT_XLATE("ipv4info_t", STRUT_RECEIVED), STRUT_XLATE("ipv6info_t", "(struct ipv6hdr *)" STRUT_RECEIVED),
};
#define STRUT_STARTED "(struct bio *)arg0"
// The bio of a request, whose arg1 is an error's number of one byte, or alone: both tracepoints have the same args[].
#define STRUT_DONE "(arg1 < 256 ? ((struct request *)arg0)->bio : (struct bio *)arg1)"
constexpr Argument kIoStart[] = {
    STRUT_XLATE("bufinfo_t", STRUT_STARTED),
    STRUT_XLATE("devinfo_t", "((" STRUT_STARTED ")->bi_bdev)"),
};
constexpr Argument kIoDone[] = {
    STRUT_XLATE("bufinfo_t", STRUT_DONE),
    STRUT_XLATE("devinfo_t", "(" STRUT_DONE "->bi_bdev)"),
};
constexpr Argument kFault[] = {{"int", "1"}, {"uintptr_t", "arg0"}};

struct Row {
  std::string_view provider, name, tracepoint;
  std::span<const Argument> arguments;
  std::string_view condition;
};
constexpr Row kRows[] = {
#define KERNEL_EVENT(provider, name, tracepoint, arguments, condition) \
  {provider, name, tracepoint, arguments, condition},
#include "dtrace/providers/kernel_events.inc"
#undef KERNEL_EVENT
};

constexpr const char* kModule = "vmlinux";

class KernelEvents final : public Provider {
 public:
  KernelEvents(std::string_view name, BtfTypes& kernel) : name_(name), kernel_(kernel) {}

  std::string_view name() const override { return name_; }

  std::vector<OfferedProbe> all() const override { return {}; }

  /// Only if the provider is named, as tracepoint probes.
  std::vector<OfferedProbe> asked_for(const ProbeDescription& description) const override {
    std::vector<OfferedProbe> probes;
    if (description.provider.empty() || !glob_matches(description.provider, name_)) return probes;
    for (const Row& row : kRows) {
      if (row.provider != name_) continue;
      auto arguments = kernel_.arguments_of(row.tracepoint);
      if (!arguments) continue;  // another kernel's
      DTrigger trigger;
      trigger.kind = DTrigger::Kind::Tracepoint;
      trigger.tracepoint.name = row.tracepoint;
      trigger.tracepoint.arguments = static_cast<uint8_t>(arguments->size());
      probes.push_back(probe_of(row, std::move(trigger)));
    }
    return probes;
  }

  std::optional<std::vector<DArgumentType>> arguments(const OfferedProbe& probe) const override {
    std::vector<DArgumentType> types;
    for (const Argument& argument : row_of(probe).arguments)
      types.push_back({DArgumentType::Kind::Computed, argument.type, false, argument.value});
    return types;
  }

  bool has_conditions() const override { return true; }

  std::string condition(const OfferedProbe& probe) const override { return std::string(row_of(probe).condition); }

  /// Without a provider, by the names alone: the kernel's types are read only where there is such a probe.
  std::string_view library_for(const ProbeDescription& description) const override {
    auto is_meant = [&](const Row& row) {
      return row.provider == name_ &&
             matches(description, ProbeDescription{std::string(name_), kModule, std::string(row.tracepoint),
                                                   std::string(row.name)});
    };
    bool is_needed =
        description.provider.empty() ? std::ranges::any_of(kRows, is_meant) : glob_matches(description.provider, name_);
    return is_needed && !kernel_.tracepoints().empty() ? kKernelLibrary : "";
  }

 private:
  static OfferedProbe probe_of(const Row& row, DTrigger trigger) {
    return {std::string(row.provider), kModule, std::string(row.tracepoint), std::string(row.name), std::move(trigger)};
  }

  static const Row& row_of(const OfferedProbe& probe) {
    auto is_that = [&](const Row& row) {
      return row.provider == probe.provider && row.tracepoint == probe.function && row.name == probe.name;
    };
    return *std::ranges::find_if(kRows, is_that);
  }

  std::string_view name_;
  BtfTypes& kernel_;
};

std::unique_ptr<Provider> made(std::string_view name, BtfTypes& kernel) {
  return std::make_unique<KernelEvents>(name, kernel);
}

}  // namespace

std::unique_ptr<Provider> make_io_provider(BtfTypes& kernel) { return made("io", kernel); }
std::unique_ptr<Provider> make_ip_provider(BtfTypes& kernel) { return made("ip", kernel); }
std::unique_ptr<Provider> make_tcp_provider(BtfTypes& kernel) { return made("tcp", kernel); }
std::unique_ptr<Provider> make_udp_provider(BtfTypes& kernel) { return made("udp", kernel); }
std::unique_ptr<Provider> make_vminfo_provider(BtfTypes& kernel) { return made("vminfo", kernel); }

}  // namespace strut
