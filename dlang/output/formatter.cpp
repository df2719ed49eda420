#include "dlang/output/formatter.hpp"

#include <algorithm>
#include <vector>

namespace strut {

DFormatter::DFormatter(const DProgram& program, DAggregations& aggregations, DSymbolizer& symbolizer, DConsole& console,
                       const DTextStyle& style, DValues* values)
    : program_(program),
      aggregations_(aggregations),
      symbolizer_(symbolizer),
      console_(console),
      style_(style),
      taken_by_(values),
      values_(symbolizer, style),
      aggregation_text_(program, values_, style),
      shown_(program.aggregations.size()) {}

void DFormatter::report(std::string& out, std::span<const std::byte> record) {
  DRecordReader reader(record);
  while (auto recorded = reader.next())
    if (recorded->action < program_.actions.size()) report(out, program_.actions[recorded->action], recorded->items);
}

void DFormatter::pass_values(const DAction& action, std::span<const std::byte> items) {
  using enum DAction::Kind;
  bool shows = action.kind == Printf || action.kind == Trace || action.kind == Tracemem || action.kind == Stack ||
               action.kind == Symbol;
  DItemReader reader(items);
  for (const DShape& shape : action.items)
    if (auto item = shows ? reader.next(shape) : std::nullopt) taken_by_->take(*item, symbolizer_);
}

void DFormatter::plain(std::string& out, std::span<const uint32_t> aggregations) {
  if (taken_by_ == nullptr) return aggregation_text_.plain(out, aggregations_, aggregations);
  for (uint32_t aggregation : aggregations) taken_by_->take(aggregations_, aggregation, style_.order, symbolizer_);
}

void DFormatter::report(std::string& out, const DAction& action, std::span<const std::byte> items) {
  if (taken_by_ != nullptr) pass_values(action, items);
  switch (action.kind) {
    case DAction::Kind::Fired:
    case DAction::Kind::Speculate:
    case DAction::Kind::Commit:
    case DAction::Kind::Discard: return;
    case DAction::Kind::Printf: return values_.format(out, action.format, action.items, DItemReader(items));
    case DAction::Kind::Trace:
    case DAction::Kind::Tracemem:
    case DAction::Kind::Printa:
    case DAction::Kind::Stack:
    case DAction::Kind::Symbol: return print(out, action, items);
    case DAction::Kind::Print:
      if (auto item = DItemReader(items).next({DShape::Kind::Bytes}))
        out += printed(program_.printed_types, action.printed_type, item->text);
      return;
    case DAction::Kind::Clear:
    case DAction::Kind::Trunc:
    case DAction::Kind::Normalize:
    case DAction::Kind::Denormalize: return change_aggregation(action, items);
    default: return act(out, action, items);
  }
}

void DFormatter::print(std::string& out, const DAction& action, std::span<const std::byte> items) {
  if (action.kind == DAction::Kind::Printa) {
    unite(action.aggregations);
    for (uint32_t aggregation : action.aggregations)
      if (!aggregations_.empty(aggregation)) shown_[aggregation] = true;
    if (!action.format.empty())
      return aggregation_text_.formatted(out, aggregations_, action.aggregations, action.format);
    if (taken_by_ == nullptr) out += '\n';
    return plain(out, action.aggregations);
  }
  DItemReader reader(items);
  auto columns = style_.quiet ? DFormatText::Columns::None : DFormatText::Columns::Trace;
  for (const DShape& shape : action.items) {
    auto item = reader.next(shape);
    if (item && shape.kind == DShape::Kind::Bytes && action.kind == DAction::Kind::Trace)
      values_.bytes(out, *item, columns);
    else if (item) values_.plain(out, *item, columns);
  }
}

void DFormatter::change_aggregation(const DAction& action, std::span<const std::byte> items) {
  uint32_t aggregation = action.aggregations[0];
  if (action.kind == DAction::Kind::Trunc) unite(action.aggregations);
  auto amount = action.items.empty() ? std::nullopt : DItemReader(items).next(action.items[0]);
  switch (action.kind) {
    case DAction::Kind::Clear: return aggregations_.clear(aggregation);
    case DAction::Kind::Denormalize: return aggregations_.normalize(aggregation, 1);
    case DAction::Kind::Normalize:
      if (amount) aggregations_.normalize(aggregation, static_cast<int64_t>(amount->integer));
      return;
    default:
      if (amount) aggregations_.truncate(aggregation, static_cast<int64_t>(amount->integer));
      else aggregations_.truncate(aggregation);
  }
}

std::string DFormatter::formatted(const DAction& action, std::span<const std::byte> items) {
  std::string text;
  values_.format(text, action.format, action.items, DItemReader(items));
  return text;
}

/// Text is written before other actions, so that order is kept.
void DFormatter::act(std::string& out, const DAction& action, std::span<const std::byte> items) {
  DItemReader reader(items);
  std::vector<DItem> given;
  for (const DShape& shape : action.items)
    if (auto item = reader.next(shape)) given.push_back(*item);
  if (action.kind == DAction::Kind::Exit) {
    if (!given.empty()) console_.exit(static_cast<int32_t>(given[0].integer));
    return;
  }
  console_.write(out);
  out.clear();
  switch (action.kind) {
    case DAction::Kind::System: return console_.system(formatted(action, items));
    case DAction::Kind::Freopen: return console_.freopen(formatted(action, items));
    case DAction::Kind::Ftruncate: return console_.ftruncate();
    case DAction::Kind::Setopt:
      if (!given.empty())
        console_.setopt(std::string(given[0].text), given.size() > 1 ? std::string(given[1].text) : "");
      return;
    default: return;
  }
}

void DFormatter::unite(std::span<const uint32_t> aggregations) {
  for (uint32_t aggregation : aggregations)
    aggregations_.unite(
        aggregation, [&](const DItem& item) { return symbolizer_.name(item.process, item.integer, item.shape.kind); });
}

void DFormatter::report_rest(std::string& out) {
  for (uint32_t i = 0; i < shown_.size(); i++)
    if (!shown_[i] && !aggregations_.empty(i)) {
      unite(std::span(&i, 1));
      plain(out, std::span(&i, 1));
    }
}

}  // namespace strut
