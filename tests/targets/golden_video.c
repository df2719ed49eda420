// Commands of ioctl(2) on cameras and tuners (V4L2), answered without being run.
// The recorded texts are strut's, compared with those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -v | -X raw | -X verbose -v
#include "golden_answer.h"

#include <linux/videodev2.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

// A structure ends where memory ends, so that no byte behind it can be read; the last one lacks a byte.
#define ASK(command, type, ...)                                                   \
  (OK(SYS_ioctl, -1, command, golden_at_end(&(type){__VA_ARGS__}, sizeof(type))), \
   FAIL(SYS_ioctl, -1, command, golden_at_end(&(type){__VA_ARGS__}, sizeof(type))))
#define SHORT(command, type) OK(SYS_ioctl, -1, command, (long)golden_at_end(&(type){0}, sizeof(type)) + 1)

static void devices(void) {
  ASK(VIDIOC_QUERYCAP, struct v4l2_capability, "driv\"er", "card", "bus", 0x50607, ~0u, 0x84200001);
  ASK(VIDIOC_QUERYCAP, struct v4l2_capability, "0123456789abcdef", "", "", 0, 0, 0, {1, 2});
  SHORT(VIDIOC_QUERYCAP, struct v4l2_capability);
  ASK(VIDIOC_ENUM_FMT, struct v4l2_fmtdesc, 7, 1, 3, "YUYV 4:2:2", V4L2_PIX_FMT_NV12, 5);
  ASK(VIDIOC_ENUM_FMT, struct v4l2_fmtdesc, 7, 99, ~0u, "", 0x01ff2722);
  ASK(VIDIOC_ENUM_FMT, struct v4l2_fmtdesc, 0, 2, 0, "x", v4l2_fourcc_be('Y', '1', '6', ' '));
  SHORT(VIDIOC_ENUM_FMT, struct v4l2_fmtdesc);
  ASK(VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum, 1, V4L2_PIX_FMT_MJPEG, 1, .discrete = {640, 480});
  ASK(VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum, 1, V4L2_PIX_FMT_MJPEG, 3, .stepwise = {1, 2, 3, 4, 5, 6});
  ASK(VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum, 1, V4L2_PIX_FMT_MJPEG, 2, .stepwise = {1, 2, 3, 4, 5, 6});
  ASK(VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum, 1, 0, 9, .stepwise = {1, 2, 3, 4, 5, 6});
  SHORT(VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum);
  ASK(VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum, 1, V4L2_PIX_FMT_MJPEG, 640, 480, 1, .discrete = {1, 30});
  ASK(VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum, 1, V4L2_PIX_FMT_MJPEG, 640, 480, 3,
      .stepwise = {{1, 30}, {1, 60}, {2, 5}});
  ASK(VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum, 1, V4L2_PIX_FMT_MJPEG, 640, 480, 2,
      .stepwise = {{1, 30}, {1, 60}, {2, 5}});
  ASK(VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum, 1, 0, 640, 480, 8, .discrete = {1, 30});
}

static void format(unsigned type, const void *bytes, size_t size) {
  struct v4l2_format all = {.type = type};
  memcpy(&all.fmt, bytes, size);
  ASK(VIDIOC_G_FMT, struct v4l2_format, all.type, all.fmt);
  ASK(VIDIOC_S_FMT, struct v4l2_format, all.type, all.fmt);
  ASK(VIDIOC_TRY_FMT, struct v4l2_format, all.type, all.fmt);
}
#define FORMAT(type, structure, ...) format(type, &(structure){__VA_ARGS__}, sizeof(structure))

static void formats(void) {
  FORMAT(V4L2_BUF_TYPE_VIDEO_CAPTURE, struct v4l2_pix_format, 640, 480, V4L2_PIX_FMT_NV12, 1, 1280, 614400, 8, 0);
  FORMAT(V4L2_BUF_TYPE_VIDEO_OUTPUT, struct v4l2_pix_format, ~0u, 480, 0x04030201, 99, 1280, 614400, 99, 5);
  FORMAT(V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE, struct v4l2_pix_format_mplane, 640, 480, V4L2_PIX_FMT_NV12, 2, 1,
         {{1, 2}, {3, 4}}, 2, 7);
  FORMAT(V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE, struct v4l2_pix_format_mplane, 640, 480, V4L2_PIX_FMT_NV12, 9, 99,
         {{1, 2}, {3, 4}}, 0, 7);
  FORMAT(V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE, struct v4l2_pix_format_mplane, 640, 480, V4L2_PIX_FMT_NV12, 9, 99,
         {{1, 2}, {3, 4}}, 200, 7);
  FORMAT(V4L2_BUF_TYPE_VIDEO_OVERLAY, struct v4l2_window, {1, -2, 3, 4}, 5, 6, 0, 0, 0, 7);
  FORMAT(V4L2_BUF_TYPE_VIDEO_OVERLAY, struct v4l2_window, {1, -2, 3, 4}, 99, 6, (void *)0x1234, 3, (void *)0x5678, 9);
  static struct v4l2_clip clips[2] = {{{1, 2, 3, 4}}, {{5, 6, 7, 8}}};
  FORMAT(V4L2_BUF_TYPE_VIDEO_OUTPUT_OVERLAY, struct v4l2_window, {1, -2, 3, 4}, 1, 6, clips, 2, (void *)0x5678, 9);
  FORMAT(V4L2_BUF_TYPE_VBI_CAPTURE, struct v4l2_vbi_format, 1, 2, 3, V4L2_PIX_FMT_GREY, {-1, 5}, {6, 7}, 3);
  FORMAT(V4L2_BUF_TYPE_VBI_OUTPUT, struct v4l2_vbi_format, 1, 2, 3, V4L2_PIX_FMT_GREY, {4, 5}, {6, 7}, 0xf0);
  FORMAT(V4L2_BUF_TYPE_SLICED_VBI_CAPTURE, struct v4l2_sliced_vbi_format, 0x1001, {{1, 2}, {0x400}}, 5);
  FORMAT(V4L2_BUF_TYPE_SLICED_VBI_OUTPUT, struct v4l2_sliced_vbi_format, 8, {{0}, {0}}, 5);
  FORMAT(V4L2_BUF_TYPE_SDR_CAPTURE, struct v4l2_sdr_format, V4L2_SDR_FMT_CU8, 77);
  FORMAT(V4L2_BUF_TYPE_SDR_OUTPUT, struct v4l2_sdr_format, 0, 77);
  FORMAT(V4L2_BUF_TYPE_META_CAPTURE, struct v4l2_meta_format, V4L2_META_FMT_UVC, 7);
  FORMAT(V4L2_BUF_TYPE_META_OUTPUT, struct v4l2_meta_format, V4L2_META_FMT_UVC, 7);
  FORMAT(0, struct v4l2_meta_format, V4L2_META_FMT_UVC, 7);
  FORMAT(128, struct v4l2_meta_format, V4L2_META_FMT_UVC, 7);
  SHORT(VIDIOC_G_FMT, struct v4l2_format);
}

static void buffers(void) {
  ASK(VIDIOC_REQBUFS, struct v4l2_requestbuffers, 4, 1, 1, 0x3f, 1);
  ASK(VIDIOC_REQBUFS, struct v4l2_requestbuffers, 4, 77, 9, ~0u);
  SHORT(VIDIOC_REQBUFS, struct v4l2_requestbuffers);
  static struct v4l2_plane planes[2] = {{1, 2, {3}, 4}, {5, 6, {7}, 8}};
  static const unsigned long kCommands[] = {VIDIOC_QUERYBUF, VIDIOC_QBUF, VIDIOC_DQBUF, VIDIOC_PREPARE_BUF};
  for (int i = 0; i < 4; i++) {
    ASK(kCommands[i], struct v4l2_buffer, 1, 1, 2, 3, 4, {5, 6}, {7, 8, 9, 10, 11, 12, "abc"}, 13, 1, {14}, 15);
    ASK(kCommands[i], struct v4l2_buffer, ~0u, 2, 2, ~0u, 99, {-5, -6}, {.flags = 9}, 13, 2, {.userptr = 14}, 15);
    ASK(kCommands[i], struct v4l2_buffer, 1, 9, 2, 0x8001, 4, {5, 6}, {7}, 13, 1, {.planes = planes}, 2);
    ASK(kCommands[i], struct v4l2_buffer, 1, 10, 2, 0x4000, 4, {5, 6}, {7}, 13, 2, {.planes = 0}, 2);
    ASK(kCommands[i], struct v4l2_buffer, 1, 1, 2, 3, 4, {5, 6}, {7}, 13, 4, {.fd = -1}, 15, 0, {99});
    ASK(kCommands[i], struct v4l2_buffer, 1, 1, 2, 3, 4, {5, 6}, {7}, 13, 3, {.offset = 5}, 15, 0, {99});
    ASK(kCommands[i], struct v4l2_buffer, 1, 99, 2, 0, 4, {5, 6}, {7}, 13, 9, {.offset = 5}, 15, 0, {99});
    SHORT(kCommands[i], struct v4l2_buffer);
  }
  ASK(VIDIOC_EXPBUF, struct v4l2_exportbuffer, 1, 2, 3, 02000000, 5);
  ASK(VIDIOC_CREATE_BUFS, struct v4l2_create_buffers, 1, 2, 1,
      {1, {.pix = {640, 480, V4L2_PIX_FMT_NV12, 1, 1280, 614400, 8}}}, 5);
  ASK(VIDIOC_CREATE_BUFS, struct v4l2_create_buffers, ~0u, 2, 2, {99}, 0x3f, 7, {1});
  SHORT(VIDIOC_CREATE_BUFS, struct v4l2_create_buffers);
  ASK(VIDIOC_STREAMON, int, 1);
  ASK(VIDIOC_STREAMOFF, int, 99);
  SHORT(VIDIOC_STREAMON, int);
  ASK(VIDIOC_OVERLAY, int, -1);
  ASK(VIDIOC_G_FBUF, struct v4l2_framebuffer, ~0u, 7, (void *)0x1234, {640, 480, V4L2_PIX_FMT_NV12, 1, 2, 3, 4, 5});
  SHORT(VIDIOC_G_FBUF, struct v4l2_framebuffer);
  ASK(VIDIOC_S_FBUF, struct v4l2_framebuffer, 5, 0, 0, {640, 480, V4L2_PIX_FMT_NV12, 1, 2, 3, 99, 5});
}

static void inputs(void) {
  ASK(VIDIOC_G_PARM, struct v4l2_streamparm, 1, {.capture = {~0u, 1, {1, 30}, 5, 6}});
  ASK(VIDIOC_S_PARM, struct v4l2_streamparm, 1, {.capture = {0x1000, 2, {1, 30}, 5, 6}});
  ASK(VIDIOC_G_PARM, struct v4l2_streamparm, 2, {.output = {~0u, 1, {1, 30}, 5, 6}});
  ASK(VIDIOC_S_PARM, struct v4l2_streamparm, 2, {.output = {0x1000, 3, {1, 30}, 5, 6}});
  ASK(VIDIOC_S_PARM, struct v4l2_streamparm, 9, {.output = {0x1000, 3, {1, 30}, 5, 6}});
  ASK(VIDIOC_S_PARM, struct v4l2_streamparm, 99, {.output = {0x1000, 3, {1, 30}, 5, 6}});
  ASK(VIDIOC_G_STD, v4l2_std_id, 0xff);
  ASK(VIDIOC_S_STD, v4l2_std_id, ~0ull);
  ASK(VIDIOC_QUERYSTD, v4l2_std_id, 0xff);
  SHORT(VIDIOC_G_STD, v4l2_std_id);
  ASK(VIDIOC_ENUMSTD, struct v4l2_standard, 1, 0xb000, "NTSC", {1001, 30000}, 525);
  ASK(VIDIOC_ENUMSTD, struct v4l2_standard, 1, 1ull << 40, "NTSC", {1001, 30000}, 525, {1});
  SHORT(VIDIOC_ENUMSTD, struct v4l2_standard);
  ASK(VIDIOC_ENUMINPUT, struct v4l2_input, 1, "Camera 1", 2, 3, 4, 0xff, ~0u, 6);
  ASK(VIDIOC_ENUMINPUT, struct v4l2_input, ~0u, "", 99, 3, 99, 0, 0, 0);
  ASK(VIDIOC_ENUMOUTPUT, struct v4l2_output, 1, "out", 2, 3, 4, 0xff, 6);
  ASK(VIDIOC_G_INPUT, int, 7);
  ASK(VIDIOC_S_INPUT, int, -1);
  SHORT(VIDIOC_S_INPUT, int);
  ASK(VIDIOC_G_OUTPUT, int, 7);
  ASK(VIDIOC_S_OUTPUT, int, 7);
  ASK(VIDIOC_G_TUNER, struct v4l2_tuner, 1, "tuner", 4, ~0u, 5, 6, 0x1f, 3, -7, -8);
  ASK(VIDIOC_S_TUNER, struct v4l2_tuner, 1, "tu\"ner", 99, 1, 5, 6, 0, 99, -7, -8, {1});
  SHORT(VIDIOC_S_TUNER, struct v4l2_tuner);
  ASK(VIDIOC_CROPCAP, struct v4l2_cropcap, 1, {-1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10});
  ASK(VIDIOC_CROPCAP, struct v4l2_cropcap, 99);
  ASK(VIDIOC_G_CROP, struct v4l2_crop, 1, {-1, 2, 3, ~0u});
  ASK(VIDIOC_S_CROP, struct v4l2_crop, 77, {1, 2, 3, 4});
  SHORT(VIDIOC_S_CROP, struct v4l2_crop);
}

static void controls(void) {
  ASK(VIDIOC_G_CTRL, struct v4l2_control, V4L2_CID_BRIGHTNESS, -5);
  ASK(VIDIOC_S_CTRL, struct v4l2_control, V4L2_CID_CONTRAST, 5);
  ASK(VIDIOC_S_CTRL, struct v4l2_control, 0x12345, 5);
  SHORT(VIDIOC_S_CTRL, struct v4l2_control);
  ASK(VIDIOC_QUERYCTRL, struct v4l2_queryctrl, V4L2_CID_HUE, 1, "Hue", -1, 2, 3, 4, 0x3ff);
  ASK(VIDIOC_QUERYCTRL, struct v4l2_queryctrl, V4L2_CID_HUE | 0x80000000, 99, "Hue", -1, 2, 3, 4, 0, {1, 2});
  ASK(VIDIOC_QUERYCTRL, struct v4l2_queryctrl, 0xc0000001, 99, "Hue", -1, 2, 3, 4, ~0u, {1, 2});
  SHORT(VIDIOC_QUERYCTRL, struct v4l2_queryctrl);
  ASK(VIDIOC_QUERY_EXT_CTRL, struct v4l2_query_ext_ctrl, V4L2_CID_HUE, 1, "Hue", -1, 2, 3, 4, 0x3ff, 5, 6, 7,
      {8, 9, 10, 11});
  ASK(VIDIOC_QUERY_EXT_CTRL, struct v4l2_query_ext_ctrl, 0x80000001, 99, "Hue", -1, ~0ull, ~0ull, -4, ~0u, 5, 6, 2,
      {8, 9, 10, 11}, {[3] = 7});
  SHORT(VIDIOC_QUERY_EXT_CTRL, struct v4l2_query_ext_ctrl);
  static struct v4l2_ext_control values[3] = {
      {V4L2_CID_BRIGHTNESS, 0, {0}, {.value = -5}}, {V4L2_CID_CONTRAST, 5, {7}, {.value64 = -6}}, {0x12345, 9}};
  values[1].string = (char *)"string";
  static const unsigned long kCommands[] = {VIDIOC_G_EXT_CTRLS, VIDIOC_S_EXT_CTRLS, VIDIOC_TRY_EXT_CTRLS};
  for (int i = 0; i < 3; i++) {
    ASK(kCommands[i], struct v4l2_ext_controls, {0x980000}, 3, 0, 5, {0}, values);
    ASK(kCommands[i], struct v4l2_ext_controls, {0xf010000}, 1, 2, 5, {7}, values);
    ASK(kCommands[i], struct v4l2_ext_controls, {0x123}, 0, 3, 5, {0}, values);
    ASK(kCommands[i], struct v4l2_ext_controls, {0}, 2, ~0u, 5, {0}, (void *)0x1234);
    ASK(kCommands[i], struct v4l2_ext_controls, {0}, 2, ~0u, 5, {0}, 0);
    SHORT(kCommands[i], struct v4l2_ext_controls);
  }
}

int main(void) {
  answer_begin();
  devices();
  formats();
  buffers();
  inputs();
  controls();
  golden_end();
  return 0;
}
