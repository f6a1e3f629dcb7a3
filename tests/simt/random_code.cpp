// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/simt/random_code.h"

#include <algorithm>

namespace heddle::simt::test {
namespace {

using isa::instruction_class;
using isa::opcode;

enum class ending { fall, jump, branch, table, guard, call, call_any, tail, tail_any, ret, exit };

constexpr std::size_t caller = ~std::size_t{0};  ///< what follows the end of a function

struct basic_block {
    unsigned fillers = 0;  ///< instructions before the last one
    ending last = ending::fall;
    std::vector<std::size_t> to;         ///< blocks that a jump, branch or table names
    std::vector<std::size_t> functions;  ///< that a call names
    std::uint32_t first_pc = 0;
    std::uint32_t last_pc = 0;
};
using function = std::vector<basic_block>;

/// Blocks (or `caller`) that may follow block `b`. A call comes back; exit leads nowhere.
std::vector<std::size_t> successors(const function& f, std::size_t b) {
    std::vector<std::size_t> next = f[b].to;
    switch (f[b].last) {
        case ending::fall:
        case ending::branch:
        case ending::guard:
        case ending::call:
        case ending::call_any:
            next.push_back(b + 1);
            break;
        case ending::tail:
        case ending::tail_any:
        case ending::ret:
            next.push_back(caller);
            break;
        default:
            break;
    }
    return next;
}

/// Whether a path from block `from` that avoids block `without` leaves the function: to its
/// caller, or (`by_exit`) because the thread ends.
bool leaves(const function& f, std::size_t from, std::size_t without, bool by_exit) {
    std::set<std::size_t> seen{without};
    std::vector<std::size_t> left{from};
    while (!left.empty()) {
        const std::size_t b = left.back();
        left.pop_back();
        if (b == caller) {
            if (!by_exit) return true;
            continue;
        }
        if (!seen.insert(b).second) continue;
        if (by_exit && f[b].last == ending::exit) return true;
        for (const std::size_t next : successors(f, b)) left.push_back(next);
    }
    return false;
}

/// The immediate post-dominator by its definition: the block without which no path from `b` leaves
/// the function, and after which all other such blocks come. Paths that end the thread count only
/// where no path comes back. `caller` if there is none.
std::size_t immediate_post_dominator(const function& f, std::size_t b) {
    const bool by_exit = !leaves(f, b, caller, false);
    const auto dominates = [&](std::size_t p, std::size_t from) {
        return p != from && !leaves(f, from, p, by_exit);
    };
    for (std::size_t p = 0; p < f.size(); ++p) {
        if (!dominates(p, b)) continue;
        bool nearest = true;
        for (std::size_t q = 0; q < f.size(); ++q) {
            if (q != p && dominates(q, b) && !dominates(q, p)) nearest = false;
        }
        if (nearest) return p;
    }
    return caller;
}

/// How many functions there are decides who may call whom: the last one calls nobody.
class generator {
public:
    generator(random_stream& random, unsigned functions) : random_(random), count_(functions) {}

    random_code make() {
        for (std::size_t f = 0; f < count_; ++f) functions_.push_back(make_function(f));
        place();
        for (const function& f : functions_) {
            for (std::size_t b = 0; b < f.size(); ++b) emit(f, b);
        }
        return std::move(made_);
    }

private:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }

    function make_function(std::size_t index) {
        function f(3 + below(6));
        const bool lethal = random_.chance(0.2);
        for (std::size_t b = 0; b < f.size(); ++b) {
            f[b].fillers = static_cast<unsigned>(below(3));
            f[b].last = b + 1 == f.size() ? ending::ret : choose(index, f.size() - b);
            // The kernel has no caller; from some functions nobody comes back.
            const bool no_return = index == 0 || lethal;
            if (no_return && f[b].last == ending::ret) f[b].last = ending::exit;
            fill(f, b, index);
            // A guarded call is two blocks: the branch around it, and the call.
            if (f[b].last == ending::guard) {
                ++b;
                f[b].last = ending::call;
                f[b].functions = {1 + below(count_ - 1)};
            }
        }
        // Nobody else comes to the call.
        for (basic_block& b : f) {
            for (std::size_t& to : b.to) to += to != 0 && f[to - 1].last == ending::guard ? 1 : 0;
        }
        return f;
    }

    ending choose(std::size_t index, std::size_t blocks_left) {
        const bool leaf = index + 1 == count_;
        switch (below(16)) {
            case 0:
                return ending::fall;
            case 1:
                return ending::jump;
            case 2:
            case 3:
                return ending::table;
            case 4:
                return blocks_left > 3 && count_ > 1 ? ending::guard : ending::branch;
            case 5:
                return leaf ? ending::branch : ending::call;
            case 6:
            case 7:
                return leaf ? ending::branch : ending::call_any;
            case 8:
                return leaf || index == 0 ? ending::branch : ending::tail;
            case 9:
                return leaf || index == 0 ? ending::branch : ending::tail_any;
            case 10:
                return ending::ret;
            case 11:
                return ending::exit;
            default:
                return ending::branch;
        }
    }

    /// Blocks and functions that the last instruction names.
    void fill(function& f, std::size_t b, std::size_t index) {
        const auto forward = [&] { return b + 1 + below(f.size() - b - 1); };
        const auto later_function = [&] { return index + 1 + below(count_ - index - 1); };
        switch (f[b].last) {
            case ending::jump:
                f[b].to = {forward()};
                break;
            case ending::branch:
                // Not to the next block, where it would not be a branch.
                f[b].to = {below(f.size())};
                if (f[b].to[0] == b + 1) f[b].to = {b};
                break;
            case ending::guard:
                f[b].to = {b + 2};
                break;
            case ending::table:
                f[b].to = {forward()};
                for (std::size_t n = below(4); n != 0; --n) f[b].to.push_back(below(f.size()));
                break;
            case ending::call:
            case ending::tail:
                f[b].functions = {later_function()};
                break;
            case ending::call_any:
                f[b].functions = {later_function()};
                for (std::size_t n = below(4); n != 0 && count_ > 1; --n) {
                    f[b].functions.push_back(1 + below(count_ - 1));
                }
                break;
            case ending::tail_any:
                for (std::size_t n = 1 + below(3); n != 0; --n) {
                    f[b].functions.push_back(later_function());
                }
                break;
            default:
                break;
        }
    }

    void place() {
        std::uint32_t pc = made_.code.base = 0x10000;
        for (function& f : functions_) {
            for (basic_block& b : f) {
                b.first_pc = pc;
                b.last_pc = pc + 4 * b.fillers;
                pc = b.last_pc + 4;
            }
        }
        const std::size_t size = (pc - made_.code.base) / 4;
        made_.entry = made_.code.base;
        made_.code.instructions.resize(size);
        made_.code.reconvergence.assign(size, program::no_branch);
        made_.targets.resize(size);
    }

    void emit(const function& f, std::size_t index) {
        const basic_block& b = f[index];
        for (std::uint32_t pc = b.first_pc; pc < b.last_pc; pc += 4) put(pc, opcode::addi, 0);
        switch (b.last) {
            case ending::jump:
                return put(b.last_pc, opcode::jal, 0, f[b.to[0]].first_pc);
            case ending::guard:
                made_.guards.insert(b.last_pc);
                [[fallthrough]];
            case ending::branch:
                meet(f, index);
                return put(b.last_pc, opcode::beq, 0, f[b.to[0]].first_pc);
            case ending::table:
                meet(f, index);
                for (const std::size_t to : b.to) targets(b).push_back(f[to].first_pc);
                return put(b.last_pc, opcode::jalr, 0);
            case ending::call:
                made_.calls = true;
                return put(b.last_pc, opcode::jal, isa::flag::call, start(b.functions[0]));
            case ending::tail:
                return put(b.last_pc, opcode::jal, 0, start(b.functions[0]));
            case ending::call_any:
                made_.calls = true;
                for (const std::size_t to : b.functions) targets(b).push_back(start(to));
                return put(b.last_pc, opcode::jalr, isa::flag::call);
            case ending::tail_any:
                meet(f, index);
                for (const std::size_t to : b.functions) targets(b).push_back(start(to));
                return put(b.last_pc, opcode::jalr, 0);
            case ending::ret:
                return put(b.last_pc, opcode::jalr, isa::flag::returns);
            case ending::exit:
                return put(b.last_pc, opcode::exit, 0);
            case ending::fall:
                return put(b.last_pc, opcode::addi, 0);
        }
    }

    std::uint32_t start(std::size_t f) const { return functions_[f].front().first_pc; }
    std::vector<std::uint32_t>& targets(const basic_block& b) {
        return made_.targets[made_.code.index(b.last_pc)];
    }

    void meet(const function& f, std::size_t b) {
        const std::size_t at = immediate_post_dominator(f, b);
        made_.code.reconvergence[made_.code.index(f[b].last_pc)] =
            at == caller ? program::function_exit : f[at].first_pc;
    }

    void put(std::uint32_t pc, opcode op, std::uint8_t flags, std::uint32_t target = 0) {
        isa::instruction& i = made_.code.instructions[made_.code.index(pc)];
        i.op = op;
        i.flags = flags;
        i.imm = target == 0 ? 0 : static_cast<std::int32_t>(target - pc);
        i.cls = op == opcode::beq    ? instruction_class::branch
                : op == opcode::jal  ? instruction_class::jump
                : op == opcode::jalr ? instruction_class::jump_register
                : op == opcode::exit ? instruction_class::simt_control
                                     : instruction_class::integer;
    }

    random_stream& random_;
    std::size_t count_;
    std::vector<function> functions_;
    random_code made_;
};

}  // namespace

random_code make_random_code(random_stream& random, unsigned functions) {
    return generator(random, functions).make();
}

}  // namespace heddle::simt::test
