// The numbers of the DWARF 5 standard (chapter 7) and of GNU's and LLVM's extensions that strut reads.
#pragma once

#include <cstdint>

namespace strut::dwarf {

// clang-format off: a table
enum Tag : uint16_t {
  kArrayType = 0x01, kClassType = 0x02, kEnumerationType = 0x04, kFormalParameter = 0x05, kLexicalBlock = 0x0b, kMember = 0x0d,
  kPointerType = 0x0f, kReferenceType = 0x10, kCompileUnit = 0x11, kStructureType = 0x13, kSubroutineType = 0x15, kTypedef = 0x16,
  kUnionType = 0x17, kUnspecifiedParameters = 0x18, kInheritance = 0x1c, kInlinedSubroutine = 0x1d, kPtrToMemberType = 0x1f,
  kSubrangeType = 0x21, kBaseType = 0x24, kConstType = 0x26, kEnumerator = 0x28, kSubprogram = 0x2e, kVolatileType = 0x35,
  kRestrictType = 0x37, kNamespace = 0x39, kUnspecifiedType = 0x3b, kPartialUnit = 0x3c, kRvalueReferenceType = 0x42, kAtomicType = 0x47,
  kSkeletonUnit = 0x4a,
};

enum Attribute : uint16_t {
  kSibling = 0x01, kName = 0x03, kByteSize = 0x0b, kBitOffset = 0x0c, kBitSize = 0x0d, kStmtList = 0x10, kLowPc = 0x11, kHighPc = 0x12, kCompDir = 0x1b,
  kConstValue = 0x1c, kLocation = 0x02, kCallingConvention = 0x36, kUpperBound = 0x2f, kPrototyped = 0x27, kAbstractOrigin = 0x31, kArtificial = 0x34, kCount = 0x37,
  kDataMemberLocation = 0x38, kDeclaration = 0x3c, kEncoding = 0x3e, kExternal = 0x3f, kSpecification = 0x47, kType = 0x49,
  kRanges = 0x55, kCallColumn = 0x57, kCallFile = 0x58, kCallLine = 0x59, kSignature = 0x69, kDataBitOffset = 0x6b, kLinkageName = 0x6e,
  kStrOffsetsBase = 0x72, kAddrBase = 0x73, kRnglistsBase = 0x74, kDwoName = 0x76, kMipsLinkageName = 0x2007,
  kGnuDwoName = 0x2130, kGnuDwoId = 0x2131, kGnuRangesBase = 0x2132, kGnuAddrBase = 0x2133,
};

enum Form : uint16_t {
  kAddr = 0x01, kBlock2 = 0x03, kBlock4 = 0x04, kData2 = 0x05, kData4 = 0x06, kData8 = 0x07, kString = 0x08, kBlock = 0x09,
  kBlock1 = 0x0a, kData1 = 0x0b, kFlag = 0x0c, kSdata = 0x0d, kStrp = 0x0e, kUdata = 0x0f, kRefAddr = 0x10, kRef1 = 0x11, kRef2 = 0x12,
  kRef4 = 0x13, kRef8 = 0x14, kRefUdata = 0x15, kIndirect = 0x16, kSecOffset = 0x17, kExprloc = 0x18, kFlagPresent = 0x19, kStrx = 0x1a,
  kAddrx = 0x1b, kRefSup4 = 0x1c, kStrpSup = 0x1d, kData16 = 0x1e, kLineStrp = 0x1f, kRefSig8 = 0x20, kImplicitConst = 0x21,
  kLoclistx = 0x22, kRnglistx = 0x23, kRefSup8 = 0x24, kStrx1 = 0x25, kStrx2 = 0x26, kStrx3 = 0x27, kStrx4 = 0x28, kAddrx1 = 0x29,
  kAddrx2 = 0x2a, kAddrx3 = 0x2b, kAddrx4 = 0x2c, kGnuAddrIndex = 0x1f01, kGnuStrIndex = 0x1f02, kGnuRefAlt = 0x1f20,
  kGnuStrpAlt = 0x1f21,
};

/// DW_AT_calling_convention (DWARF 5, 7.15).
enum CallingConvention : uint8_t { kNoCall = 3 };

/// Operations of DWARF expressions (DWARF 5, 7.7.1): the value is in a register, 0 to 31.
enum Operation : uint8_t { kReg0 = 0x50, kReg31 = 0x6f };

enum UnitType : uint8_t { kUnitCompile = 1, kUnitType = 2, kUnitPartial = 3, kUnitSkeleton = 4, kUnitSplitCompile = 5, kUnitSplitType = 6 };

enum RangeEntry : uint8_t {
  kEndOfList = 0, kBaseAddressx = 1, kStartxEndx = 2, kStartxLength = 3, kOffsetPair = 4, kBaseAddress = 5, kStartEnd = 6, kStartLength = 7,
};

enum LineOpcode : uint8_t {
  kExtended = 0, kCopy = 1, kAdvancePc = 2, kAdvanceLine = 3, kSetFile = 4, kSetColumn = 5, kNegateStmt = 6, kSetBasicBlock = 7,
  kConstAddPc = 8, kFixedAdvancePc = 9,
};
enum LineExtended : uint8_t { kEndSequence = 1, kSetAddress = 2 };
enum LineContent : uint8_t { kPath = 1, kDirectoryIndex = 2 };

enum Encoding : uint8_t { kBoolean = 2, kComplexFloat = 3, kFloat = 4, kSigned = 5, kSignedChar = 6, kUnsigned = 7, kUnsignedChar = 8, kUtf = 16 };
// clang-format on

}  // namespace strut::dwarf
