// User stacks in JSON (docs/json.md, "Stacks").
#pragma once

#include "formatters/common/readable_names.hpp"
#include "formatters/json/writer.hpp"
#include "trace/unwinder.hpp"

namespace strut {

class JsonStacks {
 public:
  /// The member "stack" and remarks about the whole stack.
  void put(JsonWriter& json, const Stack& stack);

 private:
  void put_frame(JsonWriter& json, const StackFrame& frame);
  void put_native(JsonWriter& json, const StackFrame& frame);

  ReadableNames names_;
};

}  // namespace strut
