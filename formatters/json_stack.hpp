// User stacks in JSON (docs/json.md, "Stacks").
#pragma once

#include "core/unwinder.hpp"
#include "formatters/json_writer.hpp"
#include "formatters/readable_names.hpp"

namespace strut {

class JsonStacks {
 public:
  /// The members "stack" and what is to be said of it as a whole.
  void put(JsonWriter& json, const Stack& stack);

 private:
  void put_frame(JsonWriter& json, const StackFrame& frame);
  void put_native(JsonWriter& json, const StackFrame& frame);

  ReadableNames names_;
};

}  // namespace strut
