#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Every built-in function of OpenCL C 1.2, for every type and width, compiles and links.

    every_built_in.py HEDDLE

What the functions compute is the business of opencl_test.
"""
import itertools
import pathlib
import subprocess
import sys
import tempfile

WIDTHS = ("", "2", "3", "4", "8", "16")
REALS = ("float", "double")
SIGNED = ("char", "short", "int", "long")
INTEGERS = SIGNED + tuple("u" + name for name in SIGNED)
LONGER = {"char": "short", "uchar": "ushort", "short": "int", "ushort": "uint", "int": "long", "uint": "ulong"}
BITS = {"float": "int", "double": "long"}
SPACES = ("global", "local", "private", "constant")

AT_ONCE = 100  # kernels; those of 16 double numbers are large

ONE = """acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10
    expm1 fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma
    trunc degrees radians sign""".split()
TWO = """atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder max min
    step""".split()
THREE = "fma mad clamp mix smoothstep bitselect".split()
COMPARISONS = """isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered
    isunordered""".split()
CLASSES = "isfinite isinf isnan isnormal signbit".split()
FAST = "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan".split()
ROUNDINGS = ("", "_rte", "_rtz", "_rtp", "_rtn")


def at(kind, name):
    return f"((global {kind}*)raw)[{name}]"


def of_reals():
    for scalar in REALS:
        for width in WIDTHS:
            t = scalar + width
            a, b, c = at(t, "i"), at(t, "i + 1"), at(t, "i + 2")
            signs = BITS[scalar] + width
            answers = signs if width else "int"
            whole = "int" + width
            yield from (f"{a} = {f}({a});" for f in ONE)
            yield from (f"{a} = {f}({a}, {b});" for f in TWO)
            yield from (f"{a} = {f}({a}, {b}, {c});" for f in THREE)
            yield from (f"{at(answers, 'i')} = {f}({a}, {b});" for f in COMPARISONS)
            yield from (f"{at(answers, 'i')} = {f}({a});" for f in CLASSES)
            yield f"{whole} e; {a} = frexp({a}, &e); {b} = ldexp({a}, e); {c} = lgamma_r({a}, &e);"
            yield f"{whole} e; {a} = remquo({a}, {b}, &e); {b} = pown({a}, e); {c} = rootn({a}, e);"
            yield f"{t} e; {a} = fract({a}, &e); {b} = modf({b}, &e); {c} = sincos({c}, &e) + e;"
            yield f"{a} = ldexp({a}, 3); {at(whole, 'i')} = ilogb({b});"
            yield f"{a} = nan({at('u' + signs, 'i + 1')});"
            yield f"{a} = select({a}, {b}, {at(signs, 'i')}); {b} = select({a}, {b}, {at('u' + signs, 'i')});"
            if width:
                one = f"({scalar})1"
                yield from (f"{a} = {f}({a}, {one});" for f in ("fmax", "fmin", "max", "min"))
                yield f"{a} = step({one}, {a}); {b} = smoothstep(({scalar})0, {one}, {a});"
                yield f"{a} = clamp({a}, ({scalar})0, {one}); {b} = mix({a}, {b}, {one});"
            if width in ("", "2", "3", "4"):
                yield f"{at(scalar, 'i')} = dot({a}, {b}) + length({a}) + distance({a}, {b}); {b} = normalize({a});"
            if width in ("3", "4"):
                yield f"{a} = cross({a}, {b});"
    for width in WIDTHS:
        t = "float" + width
        a, b = at(t, "i"), at(t, "i + 1")
        for kind in ("native", "half"):
            yield from (f"{a} = {kind}_{f}({a});" for f in FAST)
            yield from (f"{a} = {kind}_{f}({a}, {b});" for f in ("divide", "powr"))
        if width in ("", "2", "3", "4"):
            yield f"{at('float', 'i')} = fast_length({a}) + fast_distance({a}, {b}); {b} = fast_normalize({a});"


def of_integers():
    for scalar in INTEGERS:
        bare = scalar.removeprefix("u")
        for width in WIDTHS:
            t, unsigned, signed = scalar + width, "u" + bare + width, bare + width
            a, b, c = at(t, "i"), at(t, "i + 1"), at(t, "i + 2")
            yield from (f"{a} = {f}({a});" for f in ("clz", "popcount"))
            yield from (f"{a} = {f}({a}, {b});"
                        for f in "add_sat sub_sat hadd rhadd max min mul_hi rotate".split())
            yield from (f"{a} = {f}({a}, {b}, {c});" for f in "clamp mad_hi mad_sat bitselect".split())
            yield f"{at(unsigned, 'i')} = abs({a}) + abs_diff({a}, {b});"
            yield f"{a} = select({a}, {b}, {at(unsigned, 'i')}); {b} = select({a}, {b}, {at(signed, 'i')});"
            if width:
                yield f"{a} = max({a}, ({scalar})2); {b} = min({b}, ({scalar})2); {c} = clamp({c}, ({scalar})1, ({scalar})2);"
            if scalar == bare:
                yield f"{at('int', 'i')} = any({a}) + all({a});"
            if bare == "int":
                yield f"{a} = mul24({a}, {b}) + mad24({a}, {b}, {c});"
            if scalar in LONGER:
                yield f"{at(LONGER[scalar] + width, 'i')} = upsample({a}, {at(unsigned, 'i')});"


def pointer(space, kind, name):
    """Declares a pointer to so many words."""
    if space in ("global", "constant"):
        return f"{space} {kind}* {name} = ({space} {kind}*)(uint)raw;"
    storage = "short" if kind == "half" else kind
    return f"{space} {storage} there[64]; there[i & 63] = 1; {space} {kind}* {name} = ({space} {kind}*)there;"


def of_memory():
    for scalar in REALS + INTEGERS:
        for width in WIDTHS[1:]:
            for space in SPACES:
                store = "" if space == "constant" else f" vstore{width}({at(scalar + width, 'i')}, i, p);"
                yield f"{pointer(space, scalar, 'p')} {at(scalar + width, 'i')} = vload{width}(i, p);{store}"
        for width in WIDTHS:
            t = scalar + width
            yield (f"local {t} l[32]; global {t}* g = (global {t}*)raw; event_t e = async_work_group_copy(l, g, 32, 0);"
                   f" e = async_work_group_strided_copy(l, g, 16, 2, e); wait_group_events(1, &e);"
                   f" e = async_work_group_copy(g, l, 32, 0); e = async_work_group_strided_copy(g, l, 16, 2, e);"
                   f" wait_group_events(1, &e); prefetch(g, 32);")
        mask = "u" + BITS.get(scalar, scalar.removeprefix("u"))
        for width in ("2", "4", "8", "16"):
            for other in ("2", "4", "8", "16"):
                a, b, m = at(scalar + width, "i"), at(scalar + width, "i + 1"), at(mask + other, "i")
                result = at(scalar + other, "i")
                yield f"{result} = shuffle({a}, {m}); {result} = shuffle2({a}, {b}, {m});"
    for width in WIDTHS:
        for kind in ("_half" + width, "a_half" + width) if width else ("_half",):
            for space in SPACES:
                place = pointer(space, "half", "h")
                yield f"{place} {at('float' + width, 'i')} = vload{kind}(i, h);"
                if space == "constant":
                    continue
                for scalar in REALS:
                    yield place + "".join(f" vstore{kind}{r}({at(scalar + width, 'i')}, i, h);" for r in ROUNDINGS)
    yield (f"{at('int', 'i')} = vec_step(int3) + vec_step({at('short8', 'i')}) + as_int(as_float({at('int', 'i')}));"
           " local float f; atomic_xchg(&f, atomic_xchg((global float*)raw, 1.0f));")
    yield "mem_fence(CLK_LOCAL_MEM_FENCE); read_mem_fence(CLK_GLOBAL_MEM_FENCE); write_mem_fence(CLK_GLOBAL_MEM_FENCE);"


def main():
    heddle = sys.argv[1]
    kernels = [f"kernel void k{n}(global char* raw) {{ size_t i = get_global_id(0); {body} }}\n"
               for n, body in enumerate(itertools.chain(of_reals(), of_integers(), of_memory()))]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "k.cl")
        for first in range(0, len(kernels), AT_ONCE):
            source.write_text("".join(kernels[first:first + AT_ONCE]))
            done = subprocess.run([heddle, "compile", "-O", "1", source, "-o", source.with_suffix(".elf")],
                                  capture_output=True, text=True)
            print(f"kernels from {first} on: exit code {done.returncode}")
            if done.returncode != 0:
                failed = True
                print("\n".join(line for line in done.stderr.splitlines() if "error" in line))
    print(f"{len(kernels)} kernels")
    sys.exit(failed)


if __name__ == "__main__":
    main()
