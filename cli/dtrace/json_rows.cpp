#include "cli/dtrace/json_rows.hpp"

#include "formatters/json/time.hpp"
#include "formatters/json/value.hpp"

namespace strut {
namespace {

void separate(TextBuffer& items) {
  if (!items.empty()) items.put(',');
}

void put_stack(JsonWriter& json, const DItem& item, DSymbolizer& symbolizer) {
  auto kind = item.shape.kind == DShape::Kind::UserStack ? DShape::Kind::UserAddress : DShape::Kind::KernelAddress;
  json.begin_array();
  for (size_t i = 0; i < item.frame_count(); i++) {
    uint64_t frame = item.frame(i), address = address_of_frame(frame);
    bool returns = i != 0 && !is_interrupted_at(frame);
    put_json_bytes(json, returns ? symbolizer.name_of_return(item.process, address, kind)
                                 : symbolizer.name(item.process, address, kind));
  }
  json.end_array();
}

void put_item(JsonWriter& json, const DItem& item, DSymbolizer& symbolizer) {
  if (item.shape.is_stack()) return put_stack(json, item, symbolizer);
  if (item.shape.is_address())
    return put_json_bytes(json, symbolizer.name(item.process, item.integer, item.shape.kind));
  switch (item.shape.kind) {
    case DShape::Kind::Integer:
      if (item.shape.is_signed) return json.number(static_cast<int64_t>(item.integer));
      return json.number(item.integer);
    case DShape::Kind::Text: return put_json_bytes(json, item.text);
    case DShape::Kind::CallArgument: return put_json_bytes(json, symbolizer.call_argument(item.text));
    default: break;
  }
  TextBuffer hex;
  for (char c : item.text) hex.hex_digits(static_cast<unsigned char>(c), 2);
  json.begin_object();
  json.member("hex", hex.view());
  json.end_object();
}

/// The value that stands before a bucket in DTrace's tables; of lquantize() the first one is below all others.
void put_bucket(JsonWriter& json, const DAggregate& aggregate, size_t bucket, int64_t count) {
  bool is_below = aggregate.function == DAggregate::Function::Lquantize && bucket == 0;
  bool is_power = aggregate.function == DAggregate::Function::Quantize;
  json.begin_object();
  if (is_below) json.member("below", int64_t{aggregate.low});
  else
    json.member("value",
                is_power ? value_of_power_bucket(static_cast<int>(bucket)) : value_of_bucket(aggregate, bucket));
  json.member("count", count);
  json.end_object();
}

}  // namespace

JsonRows::JsonRows(const DProgram& program) : program_(program) {
  Timestamp at = now();
  realtime_offset_ns_ = at.realtime_ns - at.monotonic_ns;
}

void JsonRows::begin(std::string& out, const DRowHead& head) {
  open_.emplace(Open{head,
                     std::string(head.provider),
                     std::string(head.module),
                     std::string(head.function),
                     std::string(head.name),
                     out.size(),
                     {}});
}

std::string_view JsonRows::take_partial(std::string_view out) {
  if (!open_) return out;
  std::string_view complete = out.substr(0, open_->at);
  open_->text += out.substr(complete.size());
  open_->at = 0;
  return complete;
}

void JsonRows::end(std::string& out, const DSettings& settings) {
  if (!open_) return;
  std::string text = open_->text + out.substr(open_->at);
  out.resize(open_->at);
  bool has_nothing = text.empty() && values_.empty() && aggregations_.empty();
  if (!settings.quiet || !has_nothing) put_line(out, text);
  values_.clear();
  aggregations_.clear();
  open_.reset();
}

void JsonRows::put_line(std::string& out, const std::string& text) {
  line_.clear();
  JsonWriter json(line_);
  json.begin_object();
  if (open_->head.time_ns != 0) put_json_time(json, open_->head.time_ns + realtime_offset_ns_);
  json.member("pid", int64_t{raw(open_->head.pid)});
  json.member("tid", int64_t{raw(open_->head.tid)});
  json.member("type", "probe");
  json.member("cpu", uint64_t{open_->head.cpu});
  json.member("probe", uint64_t{open_->head.id});
  for (auto [key, field] : {std::pair("provider", &open_->provider), std::pair("module", &open_->module),
                            std::pair("function", &open_->function), std::pair("name", &open_->name)}) {
    json.key(key);
    put_json_bytes(json, *field);
  }
  json.key("text");
  put_json_bytes(json, text);
  for (auto [key, items] : {std::pair("values", &values_), std::pair("aggregations", &aggregations_)}) {
    if (items->empty()) continue;
    json.key(key);
    json.begin_array();
    json.literal(items->view());
    json.end_array();
  }
  json.end_object();
  line_.put('\n');
  out += line_.view();
}

void JsonRows::take(const DItem& item, DSymbolizer& symbolizer) {
  separate(values_);
  JsonWriter json(values_);
  put_item(json, item, symbolizer);
}

void JsonRows::take(const DAggregations& from, uint32_t aggregation, const DSortOrder& order, DSymbolizer& symbolizer) {
  for (const DRow& row : from.rows(aggregation, order))
    put_element(program_.aggregations[aggregation], row, from.normal(aggregation), symbolizer);
}

void JsonRows::put_element(const DAggregation& aggregation, const DRow& row, int64_t normal, DSymbolizer& symbolizer) {
  TextBuffer& to = open_ ? aggregations_ : lines_;
  if (open_) separate(to);
  JsonWriter json(to);
  json.begin_object();
  if (!open_) json.member("type", "aggregation");
  json.member("aggregation", '@' + aggregation.name);
  json.member("by", name_of(aggregation.aggregate.function));
  json.key("keys");
  json.begin_array();
  DItemReader reader(row.key);
  for (const DShape& shape : aggregation.keys)
    if (auto item = reader.next(shape)) put_item(json, *item, symbolizer);
  json.end_array();
  if (!aggregation.aggregate.is_distribution()) {
    json.member("value", number_of(aggregation.aggregate, row.words, normal));
  } else {
    json.key("buckets");
    json.begin_array();
    for (size_t i = 0; i < row.words.size(); i++)
      if (row.words[i] != 0) put_bucket(json, aggregation.aggregate, i, normalized(row.words[i], normal));
    json.end_array();
  }
  json.end_object();
  if (!open_) to.put('\n');
}

void JsonRows::put_aggregations(std::string& out) {
  out += lines_.view();
  lines_.clear();
}

}  // namespace strut
