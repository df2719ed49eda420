#include "base/close_names.hpp"

#include <algorithm>
#include <utility>

namespace strut {

namespace {

constexpr size_t kFarthest = 3;
constexpr size_t kMaxNames = 3;

}  // namespace

std::vector<std::string> close_names(std::string_view name, std::span<const std::string_view> among) {
  std::vector<std::pair<size_t, std::string_view>> close;
  for (std::string_view other : among) {
    size_t distance = edit_distance(name, other, kFarthest);
    if (distance > kFarthest && name.size() > kFarthest && other.find(name) != std::string::npos) distance = kFarthest;
    if (distance <= kFarthest) close.push_back({distance, other});
  }
  std::ranges::sort(close);
  std::vector<std::string> names;
  for (auto& [distance, other] : close)
    if (names.size() < kMaxNames && (names.empty() || names.back() != other)) names.emplace_back(other);
  return names;
}

std::string nearest_names(std::string_view name, std::span<const std::string_view> among) {
  std::string text;
  for (const std::string& close : close_names(name, among)) text += (text.empty() ? "; nearest: " : ", ") + close;
  return text;
}

size_t edit_distance(std::string_view a, std::string_view b, size_t most) {
  if (a.size() > b.size() + most || b.size() > a.size() + most) return most + 1;
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return std::min(row[b.size()], most + 1);
}

}  // namespace strut
