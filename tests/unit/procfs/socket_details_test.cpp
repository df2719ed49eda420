#include "procfs/socket_details.hpp"

#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "procfs/proc_file.hpp"
#include <doctest/doctest.h>

namespace strut::test {

namespace {

struct Socket {
  explicit Socket(int fd) : fd(fd) {}
  ~Socket() { ::close(fd); }
  Socket(const Socket&) = delete;
  std::string link() const { return read_proc_link(proc_path(::getpid(), "fd", fd)).value_or(""); }
  std::string inode() const { return link().substr(8, link().size() - 9); }
  int fd;
};

}  // namespace

TEST_CASE("socket details: a TCP socket has none until it is bound, and keeps the first ones") {
  Socket server(::socket(AF_INET, SOCK_STREAM, 0));
  Tid self{::getpid()};
  SocketDetails details;
  auto unbound = details.find(self, server.fd, server.link());
  REQUIRE(unbound);
  CHECK(unbound->protocol == "TCP");
  CHECK(unbound->details == server.inode());
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  REQUIRE(::bind(server.fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(::listen(server.fd, 1) == 0);
  socklen_t length = sizeof address;
  REQUIRE(::getsockname(server.fd, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  std::string end = "127.0.0.1:" + std::to_string(::ntohs(address.sin_port));
  auto bound = details.find(self, server.fd, server.link());
  REQUIRE(bound);
  // A kernel without inet_diag reports nothing.
  CHECK((bound->details == end || bound->details == server.inode()));
}

TEST_CASE("socket details: a pair of AF_UNIX sockets name each other") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  Socket one(ends[0]), other(ends[1]);
  SocketDetails details;
  auto target = details.find(Tid{::getpid()}, one.fd, one.link());
  REQUIRE(target);
  CHECK(target->protocol == "UNIX-STREAM");
  CHECK((target->details == one.inode() + "->" + other.inode() || target->details == one.inode()));
  CHECK(target->path.empty());
}

TEST_CASE("socket details: what is no socket has none") {
  SocketDetails details;
  CHECK_FALSE(details.find(Tid{::getpid()}, 0, "pipe:[12]"));
  CHECK_FALSE(details.find(Tid{::getpid()}, 0, "socket:[1x]"));
  CHECK_FALSE(details.netlink_socket(Tid{::getpid()}, 0, "/dev/null"));
}

}  // namespace strut::test
