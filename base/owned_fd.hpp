// A descriptor that is closed with its owner.
#pragma once

#include <utility>

#include <unistd.h>

namespace strut {

class OwnedFd {
 public:
  OwnedFd() = default;
  /// A call's result: below 0 it is not a descriptor, and the number is kept (-errno, where the call returns that).
  explicit OwnedFd(int fd) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd() {
    if (fd_ >= 0) ::close(fd_);
  }

  int number() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace strut
