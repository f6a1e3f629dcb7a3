// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/random_kernels/random_kernel.h"

namespace heddle::iss {

namespace {

using kind = statement_kind;

std::string number(std::uint32_t value) {
    return std::to_string(value) + "u";
}

class kernel_printer {
public:
    explicit kernel_printer(const kernel_tree& kernel)
        : kernel_(kernel), opencl_(kernel.language == kernel_language::opencl) {}

    std::string print() {
        const std::string memory = opencl_ ? "__global " : "", shared = opencl_ ? "__local " : "";
        const std::string given = "unsigned n, unsigned m, " + memory + "const unsigned* flags";
        if (kernel_.operations.launches) print_child();
        if (resizes()) print_joining(given + ", unsigned* out");
        for (std::size_t f = 0; f < kernel_.functions.size(); ++f) {
            const auto& function = kernel_.functions[f];
            const std::string attribute =
                function.inlined ? "__attribute__((always_inline)) " : "__attribute__((noinline)) ";
            text_ += (opencl_ ? "static " : "static __device__ ") + attribute + "unsigned " +
                     function_name(f) + "(unsigned s, unsigned u, " + given + ", " + shared +
                     "volatile unsigned* word, " + shared + "unsigned* total" + sums() +
                     (resizes() ? ", " + kernel_.name + "_joining* at" : "") +
                     ") {\n    const unsigned tid = " + thread() + ";\n    (void)tid;\n";
            print_all(function.body, 1);
            text_ += "    return s + u;\n}\n";
        }
        const std::string all = given + ", " + memory + "unsigned* out" + sums();
        text_ += resizes() ? "static __device__ void " + kernel_.name + "_body(" + kernel_.name +
                                 "_joining* at, " + all + ") {\n"
                           : (opencl_ ? "__kernel void " : "__global__ void ") + kernel_.name +
                                 "(" + all + ") {\n";
        text_ += std::string("    ") + (opencl_ ? "__local " : "__shared__ ") +
                 "volatile unsigned word[64];\n    " + (opencl_ ? "__local " : "__shared__ ") +
                 "unsigned total[1];\n    const unsigned tid = " + thread() +
                 ";\n    unsigned s = tid + " + block() + " * 64u, u = n;\n    out += " + block() +
                 " * " + threads() + ";\n    word[tid] = 0;\n    total[0] = 0;\n";
        if (has_sums(kernel_.operations)) {
            line(1, "sums += " + block() + " * " + number(sums_of_block) + ";");
        }
        if (kernel_.operations.transactions) line(1, "__syncthreads();");
        print_all(kernel_.body, 1);
        text_ += "    out[tid] = s + u;\n}\n";
        if (resizes()) print_entries(all);
        return text_;
    }

private:
    [[nodiscard]] std::string thread() const { return opencl_ ? "get_local_id(0)" : "threadIdx.x"; }
    [[nodiscard]] std::string block() const { return opencl_ ? "get_group_id(0)" : "blockIdx.x"; }
    [[nodiscard]] std::string threads() const {
        return opencl_ ? "(unsigned)get_local_size(0)" : "blockDim.x";
    }
    [[nodiscard]] bool resizes() const { return kernel_.operations.resizing; }
    [[nodiscard]] std::string state() const { return kernel_.name + "_state{at->passed}"; }
    [[nodiscard]] std::string child() const { return kernel_.name + "_child"; }
    [[nodiscard]] std::string sums() const {
        return has_sums(kernel_.operations) ? ", unsigned* sums" : "";
    }
    [[nodiscard]] std::string function_name(std::size_t f) const {
        return kernel_.name + "_" + std::to_string(f);
    }

    static std::string turn(unsigned loops) {
        return loops == 0 ? "0u" : "i" + std::to_string(loops - 1);
    }

    static std::string text_of(const condition& c, unsigned loops) {
        const std::string value = number(c.value), bit = number(1u << c.other);
        switch (c.what) {
            case test_of::n_above:
                return "n > " + value;
            case test_of::m_bit:
                return "(m & " + bit + ") != 0";
            case test_of::flag_above:
                return "flags[" + value + "] > " + number(c.other);
            case test_of::turn_bit:
                return "((" + turn(loops) + " + m) & " + bit + ") == 0";
            case test_of::own_bit:
                return "(u & " + bit + ") != 0";
            case test_of::both:
                return "n > " + value + " && (m & " + bit + ") != 0";
            case test_of::either:
                return "n > " + value + " || flags[" + number(c.other) + "] > 1u";
            case test_of::thread_bits:
                return "(tid & 3u) == " + value;
            case test_of::thread_is_turn:
                return "tid == " + turn(loops) + " + " + value;
            case test_of::thread_and_n:
                return "tid > " + value + " && n > " + number(c.other);
            case test_of::sum_bit:
                return "(s & " + bit + ") != 0";
        }
        return "";
    }

    void line(unsigned indent, const std::string& text) {
        text_ += std::string(4 * indent, ' ') + text + "\n";
    }
    void print_all(const statements& all, unsigned indent) {
        for (const auto& each : all) print(each, indent);
    }
    void print_block(const std::string& head, const statements& all, unsigned indent,
                     const std::string& tail = "}") {
        line(indent, head + " {");
        print_all(all, indent + 1);
        line(indent, tail);
    }

    void print(const statement& s, unsigned indent) {
        const std::string value = number(s.value), i = turn(s.depth);
        const std::string barrier = opencl_ ? "barrier(CLK_LOCAL_MEM_FENCE);" : "__syncthreads();";
        switch (s.what) {
            case kind::compute:
                return line(indent, "s = s * 5u + tid * " + value + " + " + i + ";");
            case kind::own:
                return line(indent, "u = u * 3u + " + value + " + " + i + ";");
            case kind::transact:
                line(indent, "heddle::tx_begin();");
                line(indent, "total[0] += s & 7u;");
                line(indent, "if ((s & " + number(1u << s.value) + ") != 0) total[0] += s & 7u;");
                return line(indent, "heddle::tx_commit();");
            case kind::gather:
                line(indent, barrier);
                line(indent, "s += total[0];");
                return line(indent, barrier);
            case kind::everywhere:
                return print_exchange(s, indent, everywhere(), everywhere());
            case kind::resize:
                return print_exchange(s, indent, resizing_barrier(), everywhere());
            case kind::exchange:
                return print_exchange(s, indent, barrier, barrier);
            case kind::offer:
                return line(indent, joined() + "heddle::offer_kill();");
            case kind::fork:
                return line(indent, joined() + "heddle::request_fork<" + kernel_.name + "_join>(" +
                                        state() + ");");
            case kind::add:
                return line(indent, "atomicAdd(&sums[" + number(s.value % 4) + "], s & 15u);");
            case kind::launch:
                return print_launch(s, indent);
            case kind::children:
                line(indent, barrier);
                line(indent, "cudaDeviceSynchronize();");
                line(indent, "s += __ldcg(&sums[4]);");
                return line(indent, barrier);
            case kind::vote:
                return line(indent, "s += __popc(__ballot_sync(0xffffffff, (s & " +
                                        number(1u << s.value) + ") != 0));");
            case kind::shuffle:
                // What a lane without a thread gives is undefined.
                return line(indent,
                            "{ const unsigned other = __shfl_xor_sync(0xffffffff, s, 1); s "
                            "+= (tid ^ 1u) < blockDim.x ? other : s; }");
            case kind::call:
                return line(indent, "s = " + function_name(s.value) +
                                        "(s, u, n, m, flags, word, total" +
                                        (sums().empty() ? "" : ", sums") +
                                        (resizes() ? ", at" : "") + ");");
            case kind::leave:
                return line(indent, "{ out[tid] = s + " + value + "; return; }");
            case kind::end_loop:
                return line(indent, "if (" + text_of(s.when, s.depth) + ") break;");
            case kind::next_turn:
                return line(indent, "if (" + text_of(s.when, s.depth) + ") continue;");
            case kind::branch:
                print_block("if (" + text_of(s.when, s.depth) + ")", s.first, indent);
                if (!s.second.empty()) print_block("else", s.second, indent);
                return;
            case kind::choose:
                line(indent, std::string("switch (") + (s.divergent ? "s" : "u") + " % 3u) {");
                print_block("case 0u:", s.first, indent, "} break;");
                print_block("case 1u:", s.second, indent);
                print_block("default:", s.third, indent);
                return line(indent, "}");
            default:
                return print_loop(s, indent);
        }
    }

    void print_exchange(const statement& s, unsigned indent, const std::string& first,
                        const std::string& second) {
        line(indent, "word[tid] = s;");
        line(indent, first);
        line(indent, "s += word[(tid + " + number(s.value + 1) + ") % " + threads() + "];");
        line(indent, second);
    }
    /// A new block waits for others from where it joined them.
    [[nodiscard]] std::string joined() const {
        return resizes() ? "if (at->passed >= at->joined) " : "";
    }
    [[nodiscard]] std::string behind_the_place_of_joining(const std::string& barrier) const {
        return "if (++at->passed > at->joined) " + barrier + " else __syncthreads();";
    }
    [[nodiscard]] std::string everywhere() const {
        const std::string barrier = "heddle::global_barrier();";
        return resizes() ? behind_the_place_of_joining(barrier) : barrier;
    }
    [[nodiscard]] std::string resizing_barrier() const {
        return behind_the_place_of_joining("heddle::resizing_global_barrier<" + kernel_.name +
                                           "_join>(" + state() + ");");
    }

    void print_joining(const std::string& parameters) {
        line(0, "struct " + kernel_.name + "_joining { unsigned passed, joined; };");
        line(0, "struct " + kernel_.name + "_state { unsigned passed; };");
        line(0, "__device__ void " + kernel_.name + "_join(" + kernel_.name + "_state, " +
                    parameters + ");");
    }
    /// Of the kernel and of new blocks, which have state of others.
    void print_entries(const std::string& parameters) {
        const std::string body = kernel_.name + "_body(&at, n, m, flags, out); }";
        const std::string at = ") { " + kernel_.name + "_joining at{0u, ";
        line(0, "__device__ void " + kernel_.name + "_join(" + kernel_.name + "_state from, " +
                    parameters + at + "from.passed}; " + body);
        line(0, "__global__ void " + kernel_.name + "(" + parameters + at + "0u}; " + body);
    }

    /// What launches launch: sums[4] += value and sums[5] += tid & 3 from each thread, the latter
    /// in a loop whose turns differ. With transactions the values are added up by these.
    void print_child() {
        const bool transacts = kernel_.operations.transactions;
        line(0, "__global__ void " + child() + "(unsigned* sums, unsigned value) {");
        line(1, "const unsigned tid = threadIdx.x;");
        if (transacts) line(1, "__shared__ unsigned total[1];");
        if (transacts) line(1, "total[0] = 0;");
        line(1, "for (unsigned i = 0; i < (tid & 3u); ++i) atomicAdd(&sums[5], 1u);");
        line(1, "__syncthreads();");
        if (transacts) {
            line(1, "heddle::tx_begin();");
            line(1, "total[0] += value;");
            line(1, "heddle::tx_commit();");
            line(1, "__syncthreads();");
            line(1, "if (tid == 0) atomicAdd(&sums[4], total[0]);");
        } else {
            line(1, "atomicAdd(&sums[4], value);");
        }
        line(0, "}");
    }
    /// A launch that is refused shows in sums[7], which has to stay 0.
    void print_launch(const statement& s, unsigned indent) {
        const bool group = (s.value & 2) != 0;
        const std::string stream = (s.value & 4) != 0 ? "heddle::create_stream(), " : "0u, ";
        line(indent, "if ((tid & 15u) == " + number(s.value) + ") {");
        line(indent + 1, "if (heddle::launch" + std::string(group ? "_group" : "") + "(" + child() +
                             ", {dim3(" + number(1 + (s.value & 1)) + "), dim3(" +
                             number(child_threads) + ")}, " + (group ? "" : stream) +
                             "sums, s & 7u) != 0) atomicAdd(&sums[7], 1u);");
        line(indent, "}");
    }

    void print_loop(const statement& s, unsigned indent) {
        const std::string i = turn(s.depth + 1);
        const std::string bound = s.divergent ? "(tid & 3u)" : "(n & 3u) + " + number(s.value);
        if (s.what == kind::for_loop) {
            print_block("for (unsigned " + i + " = 0; " + i + " < " + bound + "; ++" + i + ")",
                        s.first, indent);
            return;
        }
        line(indent, "{");
        line(indent + 1, "unsigned " + i + " = 0;");
        if (s.what == kind::do_loop) {
            print_block("do", s.first, indent + 1, "} while (++" + i + " < " + bound + ");");
        } else {
            line(indent + 1, "while (1) {");
            line(indent + 2, "if (" + i + " >= " + bound + ") break;");
            line(indent + 2, "++" + i + ";");
            print_all(s.first, indent + 2);
            line(indent + 1, "}");
        }
        line(indent, "}");
    }

    const kernel_tree& kernel_;
    bool opencl_;
    std::string text_;
};

}  // namespace

std::string source_text(const kernel_tree& kernel) {
    return kernel_printer(kernel).print();
}

}  // namespace heddle::iss
