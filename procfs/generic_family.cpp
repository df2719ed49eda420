#include "procfs/generic_family.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

namespace strut {
namespace {

struct Question {
  nlmsghdr header;
  genlmsghdr command;
  nlattr attribute;
  uint16_t number;
  uint16_t padding;
};

bool ask(int fd, uint16_t number) {
  Question question{};
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = GENL_ID_CTRL;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.command = {CTRL_CMD_GETFAMILY, 1, 0};
  question.attribute = {static_cast<uint16_t>(NLA_HDRLEN + sizeof number), CTRL_ATTR_FAMILY_ID};
  question.number = number;
  return ::send(fd, &question, sizeof question, 0) == sizeof question;
}

std::optional<std::string> name_in(const char* at, size_t bytes) {
  nlattr attribute;
  while (bytes >= sizeof attribute) {
    std::memcpy(&attribute, at, sizeof attribute);
    if (attribute.nla_len < NLA_HDRLEN || attribute.nla_len > bytes) return std::nullopt;
    const char* content = at + NLA_HDRLEN;
    if (attribute.nla_type == CTRL_ATTR_FAMILY_NAME)
      return std::string(content, strnlen(content, attribute.nla_len - NLA_HDRLEN));
    size_t step = std::min<size_t>(NLA_ALIGN(attribute.nla_len), bytes);
    at += step;
    bytes -= step;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_generic_family(uint16_t number) {
  int fd = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
  if (fd < 0) return std::nullopt;
  constexpr size_t kHeaderBytes = NLMSG_HDRLEN + GENL_HDRLEN;
  std::array<char, 8192> answer;
  ssize_t received = ask(fd, number) ? ::recv(fd, answer.data(), answer.size(), 0) : -1;
  ::close(fd);
  nlmsghdr header;
  if (received < static_cast<ssize_t>(kHeaderBytes)) return std::nullopt;
  std::memcpy(&header, answer.data(), sizeof header);
  if (header.nlmsg_type != GENL_ID_CTRL) return std::nullopt;
  return name_in(answer.data() + kHeaderBytes, static_cast<size_t>(received) - kHeaderBytes);
}

}  // namespace strut
