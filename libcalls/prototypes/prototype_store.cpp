#include "libcalls/prototypes/prototype_store.hpp"

namespace strut {

const FunctionDesc* PrototypeStore::find(std::string_view name) const {
  auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second.get();
}

const FunctionDesc& PrototypeStore::add(FunctionDesc desc, std::string_view name, std::vector<ArgType> args) {
  desc.name = keep(name);
  desc.args = args_.emplace_back(std::move(args));
  std::unique_ptr<FunctionDesc>& slot = functions_[desc.name];
  // Holders of the old pointer see the change: the name decides.
  if (slot) *slot = desc;
  else slot = std::make_unique<FunctionDesc>(desc);
  return *slot;
}

const char* PrototypeStore::keep(std::string_view text) { return texts_.emplace_back(text).c_str(); }

const Type& PrototypeStore::keep(const Type& type) { return types_.emplace_back(type); }

const ConstantSet& PrototypeStore::keep_enumeration(std::vector<Constant> entries) {
  return sets_.emplace_back(enumeration(nullptr, constants_.emplace_back(std::move(entries)), NumberBase::Decimal));
}

StructLayout& PrototypeStore::declare_structure(std::string_view name) {
  StructLayout& layout = layouts_.emplace_back(StructLayout{keep(name), {}});
  layout.plan = &plans_.emplace_back();
  return layout;
}

void PrototypeStore::define_structure(StructLayout& layout, std::vector<FieldType> fields) {
  layout.fields = fields_.emplace_back(std::move(fields));
  LayoutPlan* own = const_cast<LayoutPlan*>(layout.plan);  // for plans_, which this object owns
  *own = computed_plan(layout, Abi::X86_64);
}

}  // namespace strut
