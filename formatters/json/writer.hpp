// JSON (RFC 8259), written member by member.
#pragma once

#include <cstdint>
#include <string_view>

#include "formatters/common/text_buffer.hpp"

namespace strut {

/// Appends one JSON value to a buffer. Commas come by themselves; begin and end must match.
class JsonWriter {
 public:
  explicit JsonWriter(TextBuffer& out) : out_(out) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  /// The name of the member that follows.
  void key(std::string_view name);

  void number(int64_t value) { separate(), out_.decimal(value); }
  void number(uint64_t value) { separate(), out_.decimal(value); }
  void boolean(bool value) { separate(), out_.put(value ? "true" : "false"); }
  void null() { separate(), out_.put("null"); }
  /// Text that is UTF-8. Control characters are escaped: C0, DEL, C1.
  void string(std::string_view text);
  /// A number already written in JSON's form.
  void literal(std::string_view text) { separate(), out_.put(text); }
  /// "0x7ffe…"
  void hex_string(uint64_t value);

  void member(std::string_view name, std::string_view text) { key(name), string(text); }
  void member(std::string_view name, int64_t value) { key(name), number(value); }
  void member(std::string_view name, uint64_t value) { key(name), number(value); }
  /// A member that is true.
  void flag(std::string_view name) { key(name), boolean(true); }

 private:
  void separate() {
    if (comma_) out_.put(',');
    comma_ = true;
  }
  void open(char bracket) {
    separate();
    out_.put(bracket);
    comma_ = false;
  }
  void close(char bracket) {
    out_.put(bracket);
    comma_ = true;
  }
  void quoted(std::string_view text);

  TextBuffer& out_;
  bool comma_ = false;  ///< a value was written before this one in the same object or array
};

/// True if the bytes are well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates).
bool is_utf8(std::string_view bytes);

}  // namespace strut
