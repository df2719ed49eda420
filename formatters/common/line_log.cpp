#include "formatters/common/line_log.hpp"

namespace strut {

Result<void> LineLog::begin(Tid thread, OpenLine& line) {
  if (output_->separate()) return end(thread, line, " <unfinished ...>");
  if (open_ != nullptr) TRY_VOID(end(open_thread_, *open_, " <unfinished ...>"));
  open_ = &line;
  open_thread_ = thread;
  return {};
}

Result<void> LineLog::end(Tid thread, OpenLine& line, std::string_view text) {
  if (!line.is_open()) return {};
  line.text.put(text);
  line.text.ink(Ink::Plain);
  line.text.put('\n');
  return finish(thread, line);
}

Result<void> LineLog::finish(Tid thread, OpenLine& line) {
  Result<void> sent = send(thread, line);
  line.text.clear();
  line.written = 0;
  if (open_ == &line) open_ = nullptr;
  return sent;
}

Result<void> LineLog::send(Tid thread, OpenLine& line) {
  std::string_view unsent = line.text.view().substr(line.written);
  if (unsent.empty()) return {};
  line.written = line.text.size();
  return output_->write(thread, unsent);
}

Result<void> LineLog::send_open() { return open_ != nullptr ? send(open_thread_, *open_) : Result<void>{}; }

Result<void> LineLog::close(Tid thread, const OpenLine& line) {
  if (open_ == &line) open_ = nullptr;
  return output_->close(thread);
}

}  // namespace strut
