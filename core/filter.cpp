#include "core/filter.hpp"

#include <algorithm>

namespace strut {

namespace {

/// Looks for one of the request's paths or descriptors anywhere in a value.
class Search {
 public:
  explicit Search(const TraceRequest& request) : request_(request) {}

  bool in(const Value& value) const {
    return std::visit([this](const auto& found) { return matches(found); }, value.is);
  }

 private:
  bool path(std::string_view name) const {
    return std::find(request_.paths.begin(), request_.paths.end(), name) != request_.paths.end();
  }
  bool number(int fd) const {
    bool named = std::find(request_.fds.begin(), request_.fds.end(), fd) != request_.fds.end();
    return fd >= 0 && named != request_.fds_inverted;
  }
  template <typename Items>
  bool any(const Items& items) const {
    return std::any_of(items.begin(), items.end(), [this](const Value& item) { return in(item); });
  }

  bool matches(const Fd& fd) const { return number(fd.number) || (fd.target && path(fd.target->path)); }
  bool matches(const Text& text) const { return text.kind == TextKind::Path && !text.cut && path(text.bytes); }
  bool matches(const Array& array) const { return any(array.items); }
  bool matches(const Union& word) const { return any(word.parts); }
  bool matches(const Form& form) const { return any(form.args); }
  bool matches(const Change& change) const { return in(*change.before) || in(*change.after); }
  bool matches(const Struct& structure) const {
    return std::any_of(structure.fields.begin(), structure.fields.end(),
                       [this](const FieldValue& field) { return in(field.value); });
  }
  template <typename Other>
  bool matches(const Other&) const {
    return false;
  }

  const TraceRequest& request_;
};

}  // namespace

bool touches(const TraceRequest& request, const Call&, const DecodedCall& decoded) {
  if (request.paths.empty() && request.fds.empty() && !request.fds_inverted) return true;
  Search search(request);
  return std::any_of(decoded.args.begin(), decoded.args.begin() + static_cast<ptrdiff_t>(decoded.count),
                     [&](const DecodedArg& arg) { return search.in(arg.value); });
}

bool passes(const StatusFilter& filter, const Call& call) {
  if (!call.returned) return filter.unfinished;
  return call.error == 0 ? filter.successful : filter.failed;
}

}  // namespace strut
