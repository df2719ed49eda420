// Commands of ioctl(2) on the device mapper, answered without being run.
// The recorded texts are strut's, compared with those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -v | -X raw | -X verbose -v
#include "golden_answer.h"

#include <linux/dm-ioctl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

// A request is a head and data behind it, which end where memory ends.
static struct {
  struct dm_ioctl head;
  char data[512];
} request;

static void begin(uint32_t flags, uint32_t data_size) {
  memset(&request, 0, sizeof request);
  request.head = (struct dm_ioctl){
      .version = {4, 1, 2}, .data_size = data_size, .data_start = sizeof request.head, .flags = flags};
}
static void identify(uint64_t dev, const char *name, const char *uuid) {
  request.head.dev = dev;
  strcpy(request.head.name, name);
  strcpy(request.head.uuid, uuid);
}
static void ask(unsigned long command) {
  volatile size_t size = request.head.data_size;  // volatile: GCC warns of the page's fixed address if it knows the range
  if (size < sizeof request.head) size = sizeof request.head;
  BOTH(SYS_ioctl, -1, command, golden_at_end(&request, size));
}

static const unsigned long kCommands[] = {
    DM_VERSION,    DM_REMOVE_ALL,  DM_LIST_DEVICES, DM_DEV_CREATE,   DM_DEV_REMOVE,    DM_DEV_RENAME,
    DM_DEV_SUSPEND, DM_DEV_STATUS, DM_DEV_WAIT,     DM_TABLE_LOAD,   DM_TABLE_CLEAR,   DM_TABLE_DEPS,
    DM_TABLE_STATUS, DM_LIST_VERSIONS, DM_TARGET_MSG, DM_DEV_SET_GEOMETRY, DM_DEV_ARM_POLL, DM_GET_TARGET_VERSION};
#define COMMANDS (sizeof kCommands / sizeof *kCommands)

static void heads(void) {
  for (size_t i = 0; i < COMMANDS; i++) {
    begin(0, sizeof request.head);
    ask(kCommands[i]);
    begin(DM_READONLY_FLAG | DM_SECURE_DATA_FLAG | 0x80000000, sizeof request.head);
    identify(0xfd07, "na\"me", "uuid");
    request.head.event_nr = 7, request.head.open_count = 8, request.head.target_count = 0;
    ask(kCommands[i]);
    begin(DM_SUSPEND_FLAG | DM_UUID_FLAG, 200);
    identify(0xfd07, "name", "");
    ask(kCommands[i]);
    begin(0, sizeof request);
    request.head.version[0] = 5;
    ask(kCommands[i]);
    begin(0, sizeof request);
    request.head.data_start = 600;
    request.head.target_count = 2;
    ask(kCommands[i]);
    begin(0, sizeof request.head);
    request.head.target_count = 3;
    ask(kCommands[i]);
    begin(0, sizeof request);
    ask(kCommands[i]);
    request.head.data_start = 8;
    ask(kCommands[i]);
    BOTH(SYS_ioctl, -1, kCommands[i], (long)golden_at_end(&request, sizeof request.head) + 1);
    BOTH(SYS_ioctl, -1, kCommands[i], 0);
  }
}

static void names(void) {
  begin(0, sizeof request.head);
  memset(request.head.name, 'n', sizeof request.head.name);
  memset(request.head.uuid, 'u', sizeof request.head.uuid);
  ask(DM_DEV_STATUS);
}

static void put_at(size_t offset, const void *bytes, size_t size) {
  memcpy((char *)&request + request.head.data_start + offset, bytes, size);
}
static void target(size_t offset, uint64_t start, uint64_t length, int32_t status, uint32_t next, const char *type,
                   const char *parameters) {
  struct dm_target_spec spec = {start, length, status, next, ""};
  strncpy(spec.target_type, type, sizeof spec.target_type);
  put_at(offset, &spec, sizeof spec);
  put_at(offset + sizeof spec, parameters, strlen(parameters) + 1);
}
static void tables(unsigned long command) {
  begin(DM_READONLY_FLAG, sizeof request);
  identify(0xfd01, "table", "");
  request.head.target_count = 2;
  target(0, 0, 10, 0, 64, "linear", "/dev/sda 0");
  target(64, 10, ~0ull, -5, 0, "crypt", "a \"key\"");
  ask(command);
  target(0, 0, 10, 0, 4000, "linear", "/dev/sda 0");
  ask(command);
  target(0, 0, 10, 0, 3, "0123456789abcdef", "parameters");
  ask(command);
  request.head.target_count = 40;
  target(0, 0, 10, 0, 64, "linear", "/dev/sda 0");
  target(64, 10, 11, 0, 64, "linear", "");
  ask(command);
  request.head.target_count = 1;
  request.head.data_start = sizeof request - 20;
  ask(command);
  request.head.data_start = sizeof request - sizeof(struct dm_target_spec);
  target(0, 1, 2, 3, 0, "error", "");
  ask(command);
}

static void lists(void) {
  begin(0, sizeof request);
  struct dm_name_list *names = (void *)request.data;
  *names = (struct dm_name_list){0xfd02, 32};
  strcpy(names->name, "first");
  names = (void *)(request.data + 32);
  *names = (struct dm_name_list){0xfd03, 0};
  strcpy(names->name, "sec\"ond");
  ask(DM_LIST_DEVICES);
  ((struct dm_name_list *)request.data)->next = 5;
  ask(DM_LIST_DEVICES);
  ((struct dm_name_list *)request.data)->next = 5000;
  ask(DM_LIST_DEVICES);
  *(struct dm_name_list *)request.data = (struct dm_name_list){0, 0};
  ask(DM_LIST_DEVICES);

  begin(0, sizeof request);
  struct dm_target_versions *versions = (void *)request.data;
  *versions = (struct dm_target_versions){32, {1, 2, 3}};
  strcpy(versions->name, "linear");
  versions = (void *)(request.data + 32);
  *versions = (struct dm_target_versions){0, {4, 5, 6}};
  strcpy(versions->name, "crypt");
  ask(DM_LIST_VERSIONS);
  ask(DM_GET_TARGET_VERSION);
  ((struct dm_target_versions *)request.data)->next = 7;
  ask(DM_LIST_VERSIONS);

  begin(DM_UUID_FLAG, sizeof request);
  identify(0xfd01, "deps", "");
  struct dm_target_deps *deps = (void *)request.data;
  deps->count = 2;
  deps->dev[0] = 0x801, deps->dev[1] = 0xfd05;
  ask(DM_TABLE_DEPS);
  deps->count = 0;
  ask(DM_TABLE_DEPS);
  deps->count = 100;
  ask(DM_TABLE_DEPS);
}

static void words(void) {
  begin(0, sizeof request);
  identify(0xfd01, "old", "");
  strcpy(request.data, "new \"name\"");
  ask(DM_DEV_RENAME);
  ask(DM_DEV_SET_GEOMETRY);
  request.head.flags = DM_UUID_FLAG;
  ask(DM_DEV_RENAME);
  begin(0, sizeof request);
  identify(0xfd01, "told", "");
  *(uint64_t *)request.data = 77;
  strcpy(request.data + 8, "mess\"age");
  ask(DM_TARGET_MSG);
  request.head.data_start = sizeof request - 8;
  ask(DM_TARGET_MSG);
  memset(request.data, 'x', sizeof request.data);
  request.head.data_start = sizeof request.head;
  ask(DM_TARGET_MSG);
  ask(DM_DEV_RENAME);
}

int main(void) {
  answer_begin();
  heads();
  names();
  tables(DM_TABLE_LOAD);
  tables(DM_TABLE_STATUS);
  tables(DM_DEV_WAIT);
  lists();
  words();
  golden_end();
  return 0;
}
