// Commands of ioctl(2) on clocks of network cards, GPIO lines, counters and flash memory, answered without being run.
// The recorded texts are strut's, compared with those of strace 6.1: no strace 7.2 was at hand. They differ in what
// <linux/ptp_clock.h> has gained since (max_phase_adj, clockid, PTP_EXT_OFFSET), and in dates with -X raw.
// strut: golden: | -v | -X raw | -X verbose -v
#include "golden_answer.h"

#include <linux/counter.h>
#include <linux/gpio.h>
#include <linux/ptp_clock.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include <mtd/mtd-abi.h>

// A structure ends where memory ends, so that no byte behind it can be read; the last one lacks a byte.
#define ASK(command, type, ...)                                                                           \
  (OK(SYS_ioctl, -1, command, golden_at_end(&(type){__VA_ARGS__}, sizeof(type))),                         \
   FAIL(SYS_ioctl, -1, command, golden_at_end(&(type){__VA_ARGS__}, sizeof(type))),                       \
   OK(SYS_ioctl, -1, command, (long)golden_at_end(&(type){__VA_ARGS__}, sizeof(type)) + 1))
#define ASK2(command, type, ...) (ASK(command, type, __VA_ARGS__), ASK(command##2, type, __VA_ARGS__))

static void clocks(void) {
  ASK2(PTP_CLOCK_GETCAPS, struct ptp_clock_caps, -1, 2, 3, 4, 5, 6, 7, 8, {9});
  ASK2(PTP_CLOCK_GETCAPS, struct ptp_clock_caps, .rsv = {9, 1, 0, 2});
  ASK2(PTP_EXTTS_REQUEST, struct ptp_extts_request, ~0u, ~0u);
  ASK2(PTP_EXTTS_REQUEST, struct ptp_extts_request, 5, 9, {1});
  ASK2(PTP_PEROUT_REQUEST, struct ptp_perout_request, .phase = {-5, 7, 0}, .period = {-3, ~0u, 1}, .index = ~0u,
       .flags = ~0u, .on = {9, 8, 7});
  ASK2(PTP_PEROUT_REQUEST, struct ptp_perout_request, .start = {5, 7, 0}, .period = {3, 9}, .index = 3, .flags = 2,
       .on = {9, 8});
  ASK2(PTP_PEROUT_REQUEST, struct ptp_perout_request, .period = {3, 9}, .flags = 1, .rsv = {0, 5});
  ASK2(PTP_SYS_OFFSET, struct ptp_sys_offset, 2, {0}, {{1, 2}, {-3, 4}, {5, 1000000000}, {7, 8, 9}});
  ASK2(PTP_SYS_OFFSET, struct ptp_sys_offset, 0);
  ASK2(PTP_SYS_OFFSET, struct ptp_sys_offset, 26, {0, 1}, {{1, 2}, {3, 4}});
  ASK2(PTP_SYS_OFFSET, struct ptp_sys_offset, ~0u, {0}, {{1, 2}, {3, 4}});
  ASK2(PTP_SYS_OFFSET_EXTENDED, struct ptp_sys_offset_extended, 2, {0}, {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8, 9}}});
  ASK2(PTP_SYS_OFFSET_EXTENDED, struct ptp_sys_offset_extended, 26, {4, 1}, {{{1, 2}}});
  ASK2(PTP_SYS_OFFSET_PRECISE, struct ptp_sys_offset_precise, {1, 2, 3}, {4, 5}, {6, 7});
  ASK2(PTP_SYS_OFFSET_PRECISE, struct ptp_sys_offset_precise, .rsv = {0, 1});
  ASK2(PTP_PIN_GETFUNC, struct ptp_pin_desc, "a\"b", ~0u, 3, ~0u);
  ASK2(PTP_PIN_GETFUNC, struct ptp_pin_desc, "0123456789012345678901234567890123456789012345678901234567890123", 1, 4,
       5, {1});
  ASK2(PTP_PIN_SETFUNC, struct ptp_pin_desc, "a\"b", ~0u, 2, ~0u);
  ASK2(PTP_PIN_SETFUNC, struct ptp_pin_desc, "x", 1, 4, 5, {1});
}

static void lines(void) {
  ASK(GPIO_GET_CHIPINFO_IOCTL, struct gpiochip_info, "na\"", "01234567890123456789012345678901", ~0u);
  ASK(GPIO_GET_LINEINFO_IOCTL, struct gpioline_info, 7, ~0u, "name", "consumer");
  ASK(GPIO_GET_LINEINFO_WATCH_IOCTL, struct gpioline_info, 7, 5, "name", "consumer");
  ASK(GPIO_GET_LINEINFO_UNWATCH_IOCTL, unsigned, ~0u);
  ASK(GPIO_GET_LINEHANDLE_IOCTL, struct gpiohandle_request, {1, 2, 3, 4}, 2, {9, 8, 7}, "label", 3, -5);
  ASK(GPIO_GET_LINEHANDLE_IOCTL, struct gpiohandle_request, {1, 2, 3, 4}, ~0u, {9, 8, 7}, "label", 65, 5);
  ASK(GPIO_GET_LINEHANDLE_IOCTL, struct gpiohandle_request, {1});
  ASK(GPIO_GET_LINEEVENT_IOCTL, struct gpioevent_request, 1, ~0u, ~0u, "label", 5);
  ASK(GPIO_GET_LINEEVENT_IOCTL, struct gpioevent_request, 1, 1, 2, "label", 5);
  ASK(GPIOHANDLE_GET_LINE_VALUES_IOCTL, struct gpiohandle_data, {1, 2, 3});
  ASK(GPIOHANDLE_SET_LINE_VALUES_IOCTL, struct gpiohandle_data, {1, 2, 3});
  ASK(GPIOHANDLE_SET_CONFIG_IOCTL, struct gpiohandle_config, ~0u, {1, 2, 3}, {1});
}

#define ATTRIBUTES(pad) \
  {1, pad, {.flags = 3}}, {3, pad, {.debounce_period_us = ~0u}}, {2, pad, {.values = 5}}, {4, pad, {6}}
#define MASKED(pad)                                                                                                  \
  {{1, pad, {.flags = 3}}, 6}, {{3, pad, {.debounce_period_us = ~0u}}, 7}, {{2, pad, {.values = 5}}, ~0ull}, {       \
    {4, pad, {6}}, 0                                                                                                 \
  }
static void lines_of_version_2(void) {
  ASK(GPIO_V2_GET_LINEINFO_IOCTL, struct gpio_v2_line_info, "name", "consumer", 7, 4, ~0ull, {ATTRIBUTES(0)});
  ASK(GPIO_V2_GET_LINEINFO_IOCTL, struct gpio_v2_line_info, "name", "consumer", 7, 4, 4, {ATTRIBUTES(1)}, {1});
  ASK(GPIO_V2_GET_LINEINFO_WATCH_IOCTL, struct gpio_v2_line_info, "", "", 7, 11, 0);
  ASK(GPIO_V2_GET_LINEINFO_WATCH_IOCTL, struct gpio_v2_line_info, "", "", 7, 0, 8);
  ASK(GPIO_V2_GET_LINE_IOCTL, struct gpio_v2_line_request, {1, 2, 3}, "consumer", {4, 4, {0}, {MASKED(0)}}, 3, 9, {0},
      -2);
  ASK(GPIO_V2_GET_LINE_IOCTL, struct gpio_v2_line_request, {1, 2, 3}, "consumer", {4, 11, {1}, {MASKED(1)}}, 65, 9,
      {1}, 7);
  ASK(GPIO_V2_GET_LINE_IOCTL, struct gpio_v2_line_request, {1});
  ASK(GPIO_V2_LINE_SET_CONFIG_IOCTL, struct gpio_v2_line_config, 4, 4, {0}, {MASKED(0)});
  ASK(GPIO_V2_LINE_GET_VALUES_IOCTL, struct gpio_v2_line_values, 5, ~0ull);
  ASK(GPIO_V2_LINE_SET_VALUES_IOCTL, struct gpio_v2_line_values, 5, ~0ull);
}

static void counters(void) {
  ASK(COUNTER_ADD_WATCH_IOCTL, struct counter_watch, {COUNTER_COMPONENT_SIGNAL, COUNTER_SCOPE_COUNT, 2, 255}, 5, 255);
  ASK(COUNTER_ADD_WATCH_IOCTL, struct counter_watch, {COUNTER_COMPONENT_NONE}, 0, 0);
  ASK(COUNTER_ADD_WATCH_IOCTL, struct counter_watch, {255, 255, 1, 2}, 255, 3);
}

static void flash(void) {
  for (int type = 0; type < 10; type++)
    ASK(MEMGETINFO, struct mtd_info_user, type, 0x402c00 << type, ~0u, 4, 5, 6, ~0ull);
  ASK(MEMERASE, struct erase_info_user, ~0u, 5);
  ASK(MEMLOCK, struct erase_info_user, 3, 5);
  ASK(MEMUNLOCK, struct erase_info_user, 3, 5);
  ASK(MEMISLOCKED, struct erase_info_user, 3, 5);
  ASK(MEMERASE64, struct erase_info_user64, ~0ull, 5);
  ASK(MEMGETBADBLOCK, long long, 5);
  ASK(MEMSETBADBLOCK, long long, -5);
  for (int mode = 0; mode < 4; mode++) ASK(OTPSELECT, int, mode);
  ASK(OTPGETREGIONCOUNT, int, -5);
  ASK(MEMGETREGIONCOUNT, int, -5);
  ASK(OTPGETREGIONINFO, struct otp_info, ~0u, 2, 3);
  ASK(OTPLOCK, struct otp_info, ~0u, 2, 3);
  ASK(ECCGETLAYOUT, struct nand_ecclayout_user, 5, {1, 2, ~0u}, 7, {{1, 2}, {3, ~0u}});
  ASK(ECCGETSTATS, struct mtd_ecc_stats, ~0u, 2, 3, 4);
  for (unsigned code = 0; code < 6; code++)
    ASK(MEMGETOOBSEL, struct nand_oobinfo, code, 2, {{1, 2}, {~0u, 5}}, {6, ~0u});
}

int main(void) {
  answer_begin();
  clocks();
  lines();
  lines_of_version_2();
  counters();
  flash();
  golden_end();
  return 0;
}
