// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string_view>
#include <utility>

/// What PTX in asm statements becomes (ptx_statement.h).
namespace heddle::program::ptx {

/// C++ types of PTX's, and of products twice as wide.
struct ptx_type {
    const char *name, *type, *wide;
};
inline constexpr ptx_type ptx_types[] = {
    {"b8", "unsigned char", ""},
    {"u8", "unsigned char", ""},
    {"s8", "signed char", ""},
    {"b16", "unsigned short", "unsigned"},
    {"u16", "unsigned short", "unsigned"},
    {"s16", "short", "int"},
    {"b32", "unsigned", ""},
    {"u32", "unsigned", "unsigned long long"},
    {"s32", "int", "long long"},
    {"f32", "float", ""},
    {"b64", "unsigned long long", ""},
    {"u64", "unsigned long long", ""},
    {"s64", "long long", ""},
    {"f64", "double", ""},
    {"pred", "bool", ""},
};

inline constexpr std::pair<std::string_view, const char*> special_registers[] = {
    {"%laneid", "heddle::lane_id()"},
    {"%warpid", "heddle::warp_id()"},
    {"%nwarpid", "heddle::ptx::warps()"},
    {"%smid", "heddle::sm_id()"},
    {"%gridid", "heddle::grid_id()"},
    {"%clock", "(unsigned)clock()"},
    {"%clock_hi", "(unsigned)(clock64() >> 32)"},
    {"%clock64", "clock64()"},
    {"%globaltimer", "clock64()"},
    {"%globaltimer_lo", "(unsigned)clock64()"},
    {"%globaltimer_hi", "(unsigned)(clock64() >> 32)"},
    {"%lanemask_eq", "(1u << heddle::lane_id())"},
    {"%lanemask_lt", "((1u << heddle::lane_id()) - 1)"},
    {"%lanemask_le", "((2u << heddle::lane_id()) - 1)"},
    {"%lanemask_gt", "~((2u << heddle::lane_id()) - 1)"},
    {"%lanemask_ge", "~((1u << heddle::lane_id()) - 1)"},
    {"%dynamic_smem_size", "heddle::dynamic_shared_size()"},
    {"WARP_SZ", "32"},
};

/// What an instruction gives, by its name without the parts that change nothing here. $1, $2, $3
/// are the operands behind the destination as T, $w3 as twice as wide a type; T is the C++ type, W
/// the wide one.
inline constexpr std::pair<std::string_view, const char*> values[] = {
    {"mov", "$1"},
    {"cvta", "$1"},
    {"add", "heddle::ptx::sum($1, $2)"},
    {"sub", "heddle::ptx::difference($1, $2)"},
    {"mul", "$1 * $2"},
    {"mul.lo", "heddle::ptx::product($1, $2)"},
    {"mul.hi", "heddle::ptx::high_product($1, $2)"},
    {"mul.wide", "(W)$1 * (W)$2"},
    {"mul24.lo", "heddle::ptx::product24($1, $2)"},
    {"mad.lo", "heddle::ptx::sum(heddle::ptx::product($1, $2), $3)"},
    {"mad.hi", "heddle::ptx::sum(heddle::ptx::high_product($1, $2), $3)"},
    {"mad.wide", "heddle::ptx::sum((W)$1 * (W)$2, $w3)"},
    {"mad24.lo", "heddle::ptx::sum(heddle::ptx::product24($1, $2), $3)"},
    {"mad", "heddle::ptx::fused($1, $2, $3)"},
    {"fma", "heddle::ptx::fused($1, $2, $3)"},
    {"add.rz", "__fadd_rz($1, $2)"},
    {"add.rm", "__fadd_rd($1, $2)"},
    {"add.rp", "__fadd_ru($1, $2)"},
    {"mul.rz", "__fmul_rz($1, $2)"},
    {"mul.rm", "__fmul_rd($1, $2)"},
    {"mul.rp", "__fmul_ru($1, $2)"},
    {"div", "$1 / $2"},
    {"rem", "$1 % $2"},
    {"abs", "heddle::ptx::size($1)"},
    {"neg", "-$1"},
    {"min", "heddle::ptx::smaller($1, $2)"},
    {"max", "heddle::ptx::larger($1, $2)"},
    {"sad",
     "(T)(($1 < $2 ? heddle::ptx::difference($2, $1) : heddle::ptx::difference($1, $2)) + $3)"},
    {"and", "$1 & $2"},
    {"or", "$1 | $2"},
    {"xor", "$1 ^ $2"},
    {"not", "heddle::ptx::inverted($1)"},
    {"cnot", "(T)($1 == 0)"},
    {"shl", "heddle::ptx::left($1, $u2)"},
    {"shr", "heddle::ptx::right($1, $u2)"},
    {"shf.l.wrap", "__funnelshift_l($1, $2, $3)"},
    {"shf.r.wrap", "__funnelshift_r($1, $2, $3)"},
    {"shf.l.clamp", "__funnelshift_lc($1, $2, $3)"},
    {"shf.r.clamp", "__funnelshift_rc($1, $2, $3)"},
    {"popc", "heddle::ptx::ones($1)"},
    {"clz", "heddle::ptx::zeros($1)"},
    {"brev", "heddle::ptx::reversed($1)"},
    {"bfind", "heddle::ptx::highest($1)"},
    {"bfe", "heddle::ptx::field($1, $u2, $u3)"},
    {"bfi", "heddle::ptx::with_field($1, $2, $u3, $u4)"},
    {"prmt", "__byte_perm($1, $2, $3)"},
    {"lop3", "heddle::ptx::logic($1, $2, $3, $4)"},
    {"selp", "$p3 ? $1 : $2"},
    {"rcp", "heddle::ptx::reciprocal($1)"},
    {"sqrt", "heddle::ptx::root($1)"},
    {"rsqrt", "heddle::ptx::reciprocal_root($1)"},
    {"ex2", "__exp2f($1)"},
    {"lg2", "__log2f($1)"},
    {"sin", "__sinf($1)"},
    {"cos", "__cosf($1)"},
    {"tanh", "tanhf($1)"},
    {"activemask", "__activemask()"},
    {"vote.ballot", "__ballot($p1)"},
    {"vote.any", "(bool)__any($p1)"},
    {"vote.all", "(bool)__all($p1)"},
    {"vote.sync.ballot", "__ballot_sync($u2, $p1)"},
    {"vote.sync.any", "(bool)__any_sync($u2, $p1)"},
    {"vote.sync.all", "(bool)__all_sync($u2, $p1)"},
    {"isspacep.global", "(bool)__isGlobal((const void*)$u1)"},
    {"isspacep.shared", "(bool)__isShared((const void*)$u1)"},
    {"isspacep.local", "(bool)__isLocal((const void*)$u1)"},
};

/// Instructions that give nothing.
inline constexpr std::pair<std::string_view, const char*> actions[] = {
    {"bar.warp.sync", "__syncwarp()"},
    {"membar", "__threadfence()"},
    {"membar.cta", "__threadfence_block()"},
    {"fence", "__threadfence()"},
    {"trap", "__trap()"},
    {"brkpt", "__brkpt()"},
    {"exit", "heddle::exit()"},
    {"nanosleep", ""},
    {"pmevent", ""},
    {"prefetch", ""},
    {"prefetchu", ""},
};

/// Parts of names that mean nothing here: the nearest rounding, subnormals, which stay; spaces,
/// whose addresses are the same in all of them; scopes and orders. What is spelt out stands in the
/// tables.
inline constexpr std::string_view idle_parts[] = {
    "ftz", "rn",  "approx", "full",    "noftz",   "to",      "space",   "generic", "aligned", "gl",
    "sys", "gpu", "sc",     "acq_rel", "relaxed", "acquire", "release", "proxy",   "L1",      "L2"};
inline constexpr std::string_view spaces[] = {"global", "shared", "local", "const", "param", "cta"};

/// Hints of loads and stores that change nothing here.
inline constexpr std::pair<std::string_view, const char*> cache_hints[] = {
    {"cs", ""}, {"lu", ""}, {"wb", ""}, {"wt", ""}, {"weak", ""}};

/// Parts of the names of atom and red.
inline constexpr std::pair<std::string_view, const char*> atomics[] = {
    {"add", "atomicAdd"}, {"min", "atomicMin"}, {"max", "atomicMax"},   {"and", "atomicAnd"},
    {"or", "atomicOr"},   {"xor", "atomicXor"}, {"exch", "atomicExch"}, {"cas", "atomicCAS"},
    {"inc", "atomicInc"}, {"dec", "atomicDec"}};

/// Of setp; $ are the operands in order. Those with a u at their end hold for a NaN.
inline constexpr std::pair<std::string_view, const char*> comparisons[] = {
    {"eq", "$ == $"},
    {"ne", "heddle::ptx::differs($, $)"},
    {"lt", "$ < $"},
    {"le", "$ <= $"},
    {"gt", "$ > $"},
    {"ge", "$ >= $"},
    {"lo", "$ < $"},
    {"ls", "$ <= $"},
    {"hi", "$ > $"},
    {"hs", "$ >= $"},
    {"equ", "!heddle::ptx::differs($, $)"},
    {"neu", "$ != $"},
    {"ltu", "!($ >= $)"},
    {"leu", "!($ > $)"},
    {"gtu", "!($ <= $)"},
    {"geu", "!($ < $)"}};

}  // namespace heddle::program::ptx
