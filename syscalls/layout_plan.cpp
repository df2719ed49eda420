#include "syscalls/layout_plan.hpp"

#include <array>
#include <memory>
#include <unordered_map>

namespace strut {

LayoutPlan computed_plan(const StructLayout& layout, Abi abi) {
  LayoutPlan plan;
  plan.bytes = static_cast<uint32_t>(size_of(layout, abi));
  size_t start = 0, end = 0;
  for (const FieldType& field : layout.fields_of(abi)) {
    size_t align = layout.packed ? 1 : align_of(field.type, abi);
    if (field.offset >= 0) start = static_cast<size_t>(field.offset);
    else if (!field.overlaps) start = align > 1 ? (end + align - 1) / align * align : end;
    size_t field_end = start + size_of(field.type, abi);
    if (field_end > end) end = field_end;
    plan.places.push_back({static_cast<uint32_t>(start), static_cast<uint32_t>(field_end)});
  }
  return plan;
}

const LayoutPlan& plan_of(const StructLayout& layout, Abi abi) {
  if (layout.plan) return *layout.plan;
  thread_local std::unordered_map<const StructLayout*, std::array<std::unique_ptr<LayoutPlan>, kAbiCount>> plans;
  std::unique_ptr<LayoutPlan>& plan = plans[&layout][static_cast<size_t>(abi)];
  if (!plan) plan = std::make_unique<LayoutPlan>(computed_plan(layout, abi));
  return *plan;
}

}  // namespace strut
