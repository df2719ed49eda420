#include "kassist/dtrace/aggregates.hpp"

#include <cerrno>
#include <cstring>

#include <bpf/bpf.h>
#include <sched.h>

#include "kassist/loader/object_types.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {
namespace {

bool is_extreme(const DAggregate& aggregate) {
  return aggregate.function == DAggregate::Function::Min || aggregate.function == DAggregate::Function::Max;
}

int64_t difference(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

/// 128 bits, low half first.
void subtract_squares(std::span<int64_t> words, std::span<const int64_t> before) {
  auto wide = [](std::span<const int64_t> of) {
    return static_cast<unsigned __int128>(static_cast<uint64_t>(of[3])) << 64 | static_cast<uint64_t>(of[2]);
  };
  unsigned __int128 left = wide(words) - wide(before);
  words[2] = static_cast<int64_t>(static_cast<uint64_t>(left));
  words[3] = static_cast<int64_t>(static_cast<uint64_t>(left >> 64));
}

}  // namespace

/// Keys of the kernel's maps have fixed places; items are as long as they are.
std::vector<std::byte> DAggregatesSeen::as_items(uint32_t index, std::string_view key) const {
  DRecordWriter items;
  size_t at = 0;
  for (const DShape& shape : program_.aggregations[index].keys) {
    uint64_t words[2] = {};
    std::memcpy(words, key.data() + at, std::min<size_t>(sizeof words, maps_.key_bytes(shape)));
    if (shape.kind == DShape::Kind::Text) {
      d_text head;
      std::memcpy(&head, key.data() + at, sizeof head);
      items.text(key.substr(at + sizeof head, head.length));
    } else if (shape.kind == DShape::Kind::Bytes) {
      items.text(key.substr(at, shape.bytes));
    } else if (shape.is_address()) {
      items.address(words[0], words[1]);
    } else {
      items.integer(words[0]);
    }
    at += maps_.key_bytes(shape);
  }
  auto bytes = items.bytes();
  return {bytes.begin(), bytes.end()};
}

/// The known state of an element is its round and its value. Values that were added to the previous round after that
/// are reported with the new one: no output has shown them.
void DAggregatesSeen::take_over_round(uint32_t index, const std::string& key, std::span<const int64_t> now,
                                      DAggregations& into) {
  constexpr int64_t kNoRound = -1;
  auto [seen, is_new] = seen_[index].try_emplace(key, Words{kNoRound, 0});
  Words& before = seen->second;
  auto worst = worst_of(program_.aggregations[index].aggregate.function == DAggregate::Function::Min);
  auto take = [&](int64_t kept) {
    const int64_t words[] = {1, static_cast<int64_t>(static_cast<uint64_t>(kept) ^ worst)};
    into.merge(index, as_items(index, key), words);
  };
  bool has_moved = now[kRoundWord] != before[0];
  if (has_moved && now[kRoundBefore] != 0 && now[kRoundBefore] != before[1]) take(now[kRoundBefore]);
  if (has_moved || now[kRoundValue] != before[1]) take(now[kRoundValue]);
  before = {now[kRoundWord], now[kRoundValue]};
}

/// An element with words that belong together is read until no CPU changes it meanwhile.
int DAggregatesSeen::look_up(uint32_t index, const std::string& key, Words& words) const {
  int map = maps_.aggregations[index].number();
  int error = bpf_map_lookup_elem(map, key.data(), words.data());
  if (error != 0 || !begins_anew(program_, index)) return error;
  for (Words again = words;; words = again) {
    error = bpf_map_lookup_elem(map, key.data(), again.data());
    if (error != 0 || (again == words && again[kRoundLock] == 0)) return error;
    ::sched_yield();
  }
}

void DAggregatesSeen::take_over(uint32_t index, const std::string& key, std::span<const int64_t> now,
                                DAggregations& into) {
  if (begins_anew(program_, index)) {
    if (now.back() != 0) take_over_round(index, key, now, into);
    return;
  }
  const DAggregate& aggregate = program_.aggregations[index].aggregate;
  size_t count = words_of(aggregate);
  if (now.back() == 0) return;  // made, and nothing was taken yet
  Words words(now.begin(), now.begin() + static_cast<ptrdiff_t>(count));
  if (is_extreme(aggregate))
    words = {1, static_cast<int64_t>(static_cast<uint64_t>(now[1]) ^
                                     worst_of(aggregate.function == DAggregate::Function::Min))};
  auto [before, is_new] = seen_[index].try_emplace(key, count);
  if (!is_new && before->second == words) return;
  Words more = words;
  if (!is_extreme(aggregate)) {
    for (size_t i = 0; i < count; i++) more[i] = difference(words[i], before->second[i]);
    if (aggregate.function == DAggregate::Function::Stddev) {
      more[2] = words[2], more[3] = words[3];
      subtract_squares(more, before->second);
    }
  }
  before->second = std::move(words);
  into.merge(index, as_items(index, key), more);
}

Result<void> DAggregatesSeen::merge(DAggregations& into) {
  for (uint32_t index = 0; index < program_.aggregations.size(); index++) {
    if (maps_.tuples[index].outside) continue;
    int map = maps_.aggregations[index].number();
    Words words(kernel_words_of(program_, index));
    std::string key(std::max<size_t>(maps_.tuples[index].bytes, 4), '\0'), next = key;
    if (program_.aggregations[index].keys.empty()) {
      if (int error = look_up(index, key, words)) return fail(refused("read an aggregation", -error));
      take_over(index, {}, words, into);
      continue;
    }
    const void* last = nullptr;
    while (bpf_map_get_next_key(map, last, next.data()) == 0) {
      key = next;
      last = key.data();
      if (look_up(index, key, words) == 0) take_over(index, key, words, into);
    }
  }
  return {};
}

}  // namespace strut
