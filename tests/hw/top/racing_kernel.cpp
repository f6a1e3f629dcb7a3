// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/hw/top/racing_kernel.h"

#include <initializer_list>

namespace heddle {

namespace {

/// Prints statements. `x` is a random number of the thread, which no load changes; `s` mixes what
/// has been loaded; `a` chooses a place in memory.
class racing_printer {
public:
    explicit racing_printer(random_stream& random) : random_(random) {}

    std::string print(const std::string& name) {
        line("__global__ void " + name +
             "(unsigned words, unsigned rounds, unsigned* word, unsigned* out) {");
        depth_ = 1;
        line("__shared__ unsigned cell[16];");
        line("const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;");
        line("unsigned x = thread * 2654435761u + " + number(1 + random_.below(1000)) + ";");
        line("unsigned a = next(x), s = thread;");
        line("volatile unsigned mine[8];");
        line("for (unsigned i = 0; i < 8; ++i) mine[i] = x + i;");
        line("for (unsigned round = 0; round < rounds; ++round) {");
        ++depth_;
        for (unsigned left = 4 + below(4); left != 0; --left) {
            statement();
            if (below(8) == 0) line("__syncthreads();");  // here all threads come together
        }
        --depth_;
        line("}");
        line("out[thread] = s;");
        depth_ = 0;
        line("}");
        return text_;
    }

private:
    static constexpr unsigned deepest = 4;

    static std::string number(std::uint64_t value) { return std::to_string(value) + "u"; }
    unsigned below(unsigned n) { return static_cast<unsigned>(random_.below(n)); }
    std::string one_of(std::initializer_list<const char*> names) {
        return names.begin()[below(static_cast<unsigned>(names.size()))];
    }
    void line(const std::string& what) { text_ += std::string(4 * depth_, ' ') + what + "\n"; }
    std::string type() {
        return one_of({"unsigned char", "signed char", "unsigned short", "short", "unsigned",
                       "unsigned", "int"});
    }
    /// A pointer: to the place where the thread was last, to a new one, or to a few that all like.
    std::string place(const std::string& of) {
        const unsigned which = below(8);
        if (which < 3) line("a = x;");
        if (which < 5) line("x = next(x);");
        const std::string words = which == 3 || which == 4 ? "16" : "words";
        return "at<" + of + ">(word, " + words + ", a)";
    }

    void statement() {
        switch (below(depth_ < deepest ? 15 : 12)) {
            case 0:
            case 1:
            case 2:
                return load();
            case 3:
            case 4:
                return store();
            case 5:
            case 6:
                return atomic();
            case 7:
                return line(one_of({"__threadfence();", "__threadfence();",
                                    "__threadfence_block();", "x = next(x);"}));
            case 8:
                return shared();
            case 9:
                return line("mine[a % 8] = s;");
            case 10:
                return line("s = s * 3 + mine[x % 8];");
            case 11:
                return load_again();
            case 12:
            case 13:
                return branch();
            default:
                return loop();
        }
    }
    void load() {
        const std::string of = type();
        const std::string from = place(of);
        const std::string value =
            one_of({"*(volatile T*)", "*(volatile T*)", "*", "__ldcg(", "__ldcv("});
        if (value.back() == '(') return line("s = s * 5 + " + value + from + ");");
        line("s = s * 5 + *(" + std::string(value == "*" ? "" : "volatile ") + of + "*)" + from +
             ";");
    }
    /// Before and behind a fence.
    void load_again() {
        const std::string of = type();
        const std::string from = "*(volatile " + of + "*)" + place(of);
        line("s = s * 5 + " + from + ";");
        line("__threadfence();");
        line("s = s * 5 + " + from + ";");
    }
    void store() {
        const std::string of = type();
        const std::string to = place(of);
        line("*(" + one_of({"", "volatile "}) + of + "*)" + to + " = (" + of + ")(s ^ x);");
    }
    void atomic() {
        const bool is_signed = below(3) == 0;
        const std::string of = is_signed ? "int" : "unsigned";
        const std::string at = place(of);
        const std::string value = "(" + of + ")(x & 255u)";
        const std::string old = below(3) == 0 ? "" : "s += ";
        switch (below(8)) {
            case 0:
                return line("s += atomicCAS(" + at + ", (" + of + ")s, " + value + ");");
            case 1:
                return line("s += reserve_and_add((unsigned*)" + at + ", s);");
            default:
                return line(old +
                            one_of({"atomicAdd(", "atomicSub(", "atomicMin(", "atomicMax(",
                                    "atomicAnd(", "atomicOr(", "atomicXor(", "atomicExch("}) +
                            at + ", " + value + ");");
        }
    }
    void shared() {
        const std::string of = type();
        const std::string at = "at<" + of + ">(cell, 16, x)";
        switch (below(3)) {
            case 0:
                return line("s += *(volatile " + of + "*)" + at + ";");
            case 1:
                return line("*(volatile " + of + "*)" + at + " = (" + of + ")s;");
            default:
                return line("s += atomicAdd(at<unsigned>(cell, 16, x), 1u);");
        }
    }
    void block(unsigned most) {
        ++depth_;
        for (unsigned left = 1 + below(most); left != 0; --left) statement();
        --depth_;
    }
    /// By what the thread is, and by what it has loaded.
    void branch() {
        line("x = next(x);");
        line("if ((" + one_of({"x", "x", "s", "threadIdx.x"}) + " & " + number(1 + below(3)) +
             ") == 0) {");
        block(3);
        if (below(2) == 0) {
            line("} else {");
            block(3);
        }
        line("}");
    }
    void loop() {
        line("x = next(x);");
        line("for (unsigned i = " + one_of({"x & 1u", "x & 3u", "s & 3u"}) + "; i != 0; --i) {");
        block(2);
        line("}");
    }

    random_stream& random_;
    std::string text_;
    unsigned depth_ = 0;
};

}  // namespace

std::string racing_kernel_head() {
    return R"text(#include <heddle.h>

static __device__ unsigned next(unsigned x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}
/// One of the places in the first words of `word`.
template <class T>
static __device__ T* at(unsigned* word, unsigned words, unsigned a) {
    return reinterpret_cast<T*>(word) + (a >> 7) % (words * 4 / sizeof(T));
}
/// Once, whether it succeeds or not.
static __device__ unsigned reserve_and_add(unsigned* word, unsigned more) {
    unsigned old, failed;
    __asm__ __volatile__("lr.w %0, (%1)" : "=r"(old) : "r"(word) : "memory");
    __asm__ __volatile__("sc.w %0, %2, (%1)"
                         : "=r"(failed)
                         : "r"(word), "r"(old + more)
                         : "memory");
    return old + failed;
}
)text";
}

std::string racing_kernel_text(random_stream& random, const std::string& name) {
    return racing_printer(random).print(name);
}

}  // namespace heddle
