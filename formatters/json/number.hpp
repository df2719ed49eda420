// Numbers as JSON, with their meanings.
#pragma once

#include "formatters/json/writer.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// A plain number, or an object with the parts of a mode, a device, a limit; addresses as text.
void put_json_number(JsonWriter& json, const Number& number);

/// {"value":2,"name":"SEEK_END"}, {"value":4162,"names":["O_RDWR","O_CREAT"],"unnamed":4096}
void put_json_named(JsonWriter& json, const Named& named);

/// The bits that a number of so many bytes has.
uint64_t mask_of(uint8_t bytes);

}  // namespace strut
