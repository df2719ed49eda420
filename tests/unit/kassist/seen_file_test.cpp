// The files and sockets in records, as descriptors' targets.
#include "kassist/transport/seen_file.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "kassist/transport/recorded_context.hpp"

namespace strut::test {

namespace {

std::vector<std::byte> file_bytes(wire_file header, std::string_view names) {
  header.names = static_cast<wire_u32>(names.size());
  std::vector<std::byte> bytes(sizeof header + names.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, names.data(), names.size());
  return bytes;
}

std::optional<FdTarget> target(wire_file header, std::string_view names, bool directory = false) {
  auto bytes = file_bytes(header, names);
  auto file = seen_file(bytes);
  REQUIRE(file);
  return target_of(*file, directory);
}

wire_file plain(uint16_t flags = 0) {
  wire_file file{};
  file.mode = S_IFREG;
  file.flags = flags;
  return file;
}

wire_file nameless(uint32_t magic, uint64_t inode = 0) {
  wire_file file = plain(WIRE_FILE_NAMELESS);
  file.magic = magic;
  file.inode = inode;
  return file;
}

/// The inode of our network namespace.
uint32_t our_network() {
  struct stat status;
  REQUIRE(::stat("/proc/self/ns/net", &status) == 0);
  return static_cast<uint32_t>(status.st_ino);
}

}  // namespace

using namespace std::string_view_literals;

TEST_CASE("seen file: names come from the last to the first") {
  CHECK(target(plain(), "hosts\0etc\0"sv)->path == "/etc/hosts");
  CHECK(target(plain(), "x\0"sv)->path == "/x");
  CHECK(target(plain(), ""sv)->path == "/");
}

TEST_CASE("seen file: a removed file is deleted, a removed directory says so in its path") {
  auto file = target(plain(WIRE_FILE_DELETED), "a (deleted)\0tmp\0"sv);
  CHECK(file->path == "/tmp/a (deleted)");
  CHECK(file->deleted);
  auto directory = target(plain(WIRE_FILE_DELETED), "a\0tmp\0"sv, true);
  CHECK(directory->path == "/tmp/a (deleted)");
  CHECK_FALSE(directory->deleted);
}

TEST_CASE("seen file: a path that was cut is not known") { CHECK_FALSE(target(plain(WIRE_FILE_CUT), "a\0"sv)); }

TEST_CASE("seen file: names that filesystems make up") {
  CHECK(target(nameless(0x50495045, 12), "\0"sv)->path == "pipe:[12]");
  CHECK(target(nameless(0x534f434b, 13), "TCP\0"sv)->path == "socket:[13]");
  CHECK(target(nameless(0x09041934), "[eventpoll]\0"sv)->path == "anon_inode:[eventpoll]");
  CHECK(target(nameless(0x6e736673, 4026531840), "net\0"sv)->path == "net:[4026531840]");
  CHECK(target(nameless(0x50494446, 5), "\0"sv)->path == "anon_inode:[pidfd]");
  auto memfd = target(nameless(0x01021994), "memfd:x\0"sv);
  CHECK(memfd->path == "/memfd:x");
  CHECK(memfd->deleted);
}

TEST_CASE("seen file: malformed content is none") {
  auto bytes = file_bytes(plain(), "abc\0"sv);
  CHECK_FALSE(seen_file(std::span(bytes).first(8)));
  CHECK_FALSE(seen_file(std::span(bytes).first(bytes.size() - 1)));
  CHECK(target(plain(), "no end"sv));
  CHECK(target(plain(), "\0\0"sv)->path == "//");
}

TEST_CASE("seen file: devices") {
  SocketDetails sockets;
  wire_file header = plain();
  header.mode = S_IFCHR;
  header.device = 5 << 20 | 2;
  wire_details terminal{};
  terminal.of = WIRE_OF_TERMINAL;
  terminal.number = 7;
  SeenDetails details{terminal, {}};
  SeenFile file{header, "ptmx\0dev\0"sv};
  auto device = std::get<DeviceTarget>(details_of(file, &details, "/dev/ptmx", sockets));
  CHECK(device.major == 5);
  CHECK(device.minor == 2);
  CHECK_FALSE(device.block);
  CHECK(device.peer == "/dev/pts/7");
}

TEST_CASE("seen file: anonymous files") {
  SocketDetails sockets;
  SeenFile file{nameless(0x09041934), "[eventfd]\0"sv};
  wire_details seen{};
  seen.of = WIRE_OF_EVENTFD;
  seen.value = 3;
  seen.number = 9;
  seen.flags = 1;
  SeenDetails details{seen, {}};
  auto eventfd = std::get<EventfdTarget>(details_of(file, &details, "anon_inode:[eventfd]", sockets));
  CHECK(eventfd.count == 3);
  CHECK(eventfd.id == 9);
  CHECK(eventfd.semaphore);
  details.header.of = WIRE_OF_PIDFD;
  details.header.number = 0;  // it is gone
  CHECK(std::holds_alternative<std::monostate>(details_of(file, &details, "anon_inode:[pidfd]", sockets)));
}

TEST_CASE("seen file: a socket shows for ever what was first learned of it") {
  SocketDetails sockets;
  wire_file header = nameless(0x534f434b, 77);
  header.mode = S_IFSOCK;
  SeenFile file{header, "TCP\0"sv};
  wire_details seen{};
  seen.of = WIRE_OF_SOCKET;
  seen.family = AF_INET;
  seen.network = our_network();
  SeenDetails details{seen, {}};
  auto text = [&] { return std::get<SocketTarget>(details_of(file, &details, "socket:[77]", sockets)).details; };
  CHECK(text() == "77");
  details.header.flags = WIRE_SOCKET_LISTED;
  details.header.address[0] = 127;
  details.header.address[3] = 1;
  details.header.port = htons(80);
  CHECK(text() == "127.0.0.1:80");
  details.header.peer_port = htons(5000);
  CHECK(text() == "127.0.0.1:80");
}

TEST_CASE("seen file: sockets of another network are only numbers, as sock_diag reports our own") {
  SocketDetails sockets;
  wire_file header = nameless(0x534f434b, 78);
  header.mode = S_IFSOCK;
  SeenFile file{header, "UNIX-STREAM\0"sv};
  wire_details seen{};
  seen.of = WIRE_OF_SOCKET;
  seen.family = AF_UNIX;
  seen.flags = WIRE_SOCKET_LISTED;
  seen.value = 79;
  seen.network = our_network() + 1;
  SeenDetails details{seen, "\0name"sv};
  CHECK(std::get<SocketTarget>(details_of(file, &details, "socket:[78]", sockets)).details == "78");
  details.header.network = our_network();
  auto socket = std::get<SocketTarget>(details_of(file, &details, "socket:[78]", sockets));
  CHECK(socket.protocol == "UNIX-STREAM");
  CHECK(socket.details == "78->79");
  CHECK(socket.path == "\0name"sv);
}

namespace {

/// A record of chunks around a call.
class Record {
 public:
  Record() : bytes_(sizeof(wire_record)) {}
  void add(wire_chunk_kind kind, int64_t at, std::span<const std::byte> content, wire_chunk_kind phase = WIRE_MEMORY) {
    wire_chunk chunk{static_cast<uint64_t>(at), static_cast<wire_u16>(content.size()), static_cast<wire_u8>(kind), 0,
                     static_cast<wire_u32>(phase)};
    append(std::as_bytes(std::span(&chunk, 1)));
    append(content);
    bytes_.resize((bytes_.size() + 7) & ~size_t{7});
  }
  RecordView view() {
    auto* header = reinterpret_cast<wire_record*>(bytes_.data());
    header->bytes = static_cast<wire_u32>(bytes_.size());
    return RecordView(header);
  }

 private:
  void append(std::span<const std::byte> content) { bytes_.insert(bytes_.end(), content.begin(), content.end()); }
  std::vector<std::byte> bytes_;
};

}  // namespace

TEST_CASE("recorded context: arguments have the state at enter, results that at exit") {
  DecodeOptions options;
  options.fd_targets = true;
  SocketDetails sockets;
  RecordedContext around(Tid{1}, options, sockets);
  Record record;
  auto before = file_bytes(plain(), "before\0"sv), after = file_bytes(plain(), "after\0"sv);
  record.add(WIRE_FILE, 3, before);
  record.add(WIRE_FILE, 4, {});
  record.add(WIRE_FILE, 3, after, WIRE_RESULTS);
  record.add(WIRE_FILE, -100, before);
  around.add(record.view());
  CHECK(around.fd_target(3, false)->path == "/before");
  CHECK(around.fd_target(-100, false)->path == "/before");
  CHECK_FALSE(around.fd_target(4, false));
  around.show_results();
  CHECK(around.fd_target(3, false)->path == "/after");
  CHECK_FALSE(around.fd_target(-1, false));
  CHECK(around.late() == 0);
}

TEST_CASE("recorded context: the processes that ids name; unseen state is counted") {
  DecodeOptions options;
  SocketDetails sockets;
  RecordedContext around(Tid{1}, options, sockets);
  Record record;
  wire_process process{77, 1, {'m', 'a', 'k', 'e'}};
  record.add(WIRE_PROCESS, 5, std::as_bytes(std::span(&process, 1)));
  record.add(WIRE_PROCESS, 6, {});
  around.add(record.view());
  CHECK(around.comm(5) == "make");
  CHECK(around.translate_pid(5) == 77);
  CHECK_FALSE(around.comm(6));
  CHECK_FALSE(around.translate_pid(6));
  CHECK(around.late() == 0);
  CHECK_FALSE(around.comm(1 << 30));
  CHECK(around.late() == 1);
}

TEST_CASE("recorded context: namespaces, netlink sockets and devices without paths") {
  DecodeOptions options;
  SocketDetails sockets;
  RecordedContext around(Tid{1}, options, sockets);
  Record record;
  wire_namespaces spaces{};
  spaces.net = 42;
  record.add(WIRE_NAMESPACES, 0, std::as_bytes(std::span(&spaces, 1)));
  wire_details netlink{};
  netlink.of = WIRE_OF_SOCKET;
  netlink.family = AF_NETLINK;
  netlink.protocol = 15;
  netlink.network = our_network();
  record.add(WIRE_DETAILS, 3, std::as_bytes(std::span(&netlink, 1)));
  wire_details terminal{};
  terminal.of = WIRE_OF_DEVICE;
  terminal.value = 136 << 20 | 5;
  record.add(WIRE_DETAILS, 4, std::as_bytes(std::span(&terminal, 1)));
  record.add(WIRE_DETAILS, 5, {});
  around.add(record.view());
  CHECK(around.namespace_of(0, "net") == "net:[42]");
  CHECK_FALSE(around.namespace_of(0, "pid"));
  REQUIRE(around.netlink_socket(3));
  CHECK_FALSE(around.netlink_socket(3)->protocol);  // not bound: the protocol is unknown
  CHECK_FALSE(around.netlink_socket(5));
  CHECK(std::get<DeviceTarget>(around.fd_target(4, true)->details).major == 136);
  CHECK(std::holds_alternative<std::monostate>(around.fd_target(5, true)->details));
  CHECK(around.late() == 0);
}

}  // namespace strut::test
