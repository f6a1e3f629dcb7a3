// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/wire/agent_expression.h"

#include <cstring>
#include <limits>
#include <vector>

namespace heddle::command::gdb {
namespace {

/// Numbers of the appendix.
enum class operation : unsigned char {
    add = 0x02,
    sub = 0x03,
    mul = 0x04,
    div_signed = 0x05,
    div_unsigned = 0x06,
    rem_signed = 0x07,
    rem_unsigned = 0x08,
    lsh = 0x09,
    rsh_signed = 0x0a,
    rsh_unsigned = 0x0b,
    log_not = 0x0e,
    bit_and = 0x0f,
    bit_or = 0x10,
    bit_xor = 0x11,
    bit_not = 0x12,
    equal = 0x13,
    less_signed = 0x14,
    less_unsigned = 0x15,
    ext = 0x16,
    ref8 = 0x17,
    ref16 = 0x18,
    ref32 = 0x19,
    ref64 = 0x1a,
    if_goto = 0x20,
    go_to = 0x21,
    const8 = 0x22,
    const16 = 0x23,
    const32 = 0x24,
    const64 = 0x25,
    reg = 0x26,
    end = 0x27,
    dup = 0x28,
    pop = 0x29,
    zero_ext = 0x2a,
    swap = 0x2b,
    pick = 0x32,
    rot = 0x33,
};

/// Ends an evaluation.
struct no_value {};

class machine {
public:
    machine(std::string_view code, const agent_context& context) : code_(code), context_(context) {}

    std::uint64_t run() {
        constexpr unsigned most_steps = 10'000;
        for (unsigned step = 0; step < most_steps; ++step) {
            const auto what = static_cast<operation>(operand(1));
            if (what == operation::end) return pop();
            if (!moves(what) && !reads(what)) push(computed(what));
        }
        throw no_value();
    }

private:
    using signed_value = std::int64_t;

    /// The next bytes of the code, highest first.
    std::uint64_t operand(std::size_t bytes) {
        if (bytes > code_.size() - position_) throw no_value();
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) {
            value = value << 8U | static_cast<unsigned char>(code_[position_++]);
        }
        return value;
    }
    void push(std::uint64_t value) {
        constexpr std::size_t most_values = 256;
        if (stack_.size() == most_values) throw no_value();
        stack_.push_back(value);
    }
    std::uint64_t pop() {
        if (stack_.empty()) throw no_value();
        const std::uint64_t value = stack_.back();
        stack_.pop_back();
        return value;
    }
    void jump() {
        position_ = operand(2);
        if (position_ > code_.size()) throw no_value();
    }

    /// Control and the stack. False: another operation.
    bool moves(operation what) {
        switch (what) {
            case operation::if_goto: {
                const bool taken = pop() != 0;
                if (taken) {
                    jump();
                } else {
                    operand(2);
                }
                return true;
            }
            case operation::go_to:
                jump();
                return true;
            case operation::dup: {
                const std::uint64_t a = pop();
                push(a);
                push(a);
                return true;
            }
            case operation::pop:
                pop();
                return true;
            case operation::swap: {
                const std::uint64_t b = pop();
                const std::uint64_t a = pop();
                push(b);
                push(a);
                return true;
            }
            case operation::rot: {
                const std::uint64_t c = pop();
                const std::uint64_t b = pop();
                const std::uint64_t a = pop();
                push(c);
                push(a);
                push(b);
                return true;
            }
            case operation::pick: {
                const std::uint64_t depth = operand(1);
                if (depth >= stack_.size()) throw no_value();
                push(stack_[stack_.size() - 1 - depth]);
                return true;
            }
            default:
                return false;
        }
    }

    /// Constants, registers and memory.
    bool reads(operation what) {
        switch (what) {
            case operation::const8:
                push(operand(1));
                return true;
            case operation::const16:
                push(operand(2));
                return true;
            case operation::const32:
                push(operand(4));
                return true;
            case operation::const64:
                push(operand(8));
                return true;
            case operation::reg: {
                const auto value = context_.register_value(static_cast<unsigned>(operand(2)));
                if (!value) throw no_value();
                push(*value);
                return true;
            }
            case operation::ref8:
                push(memory(1));
                return true;
            case operation::ref16:
                push(memory(2));
                return true;
            case operation::ref32:
                push(memory(4));
                return true;
            case operation::ref64:
                push(memory(8));
                return true;
            default:
                return false;
        }
    }
    std::uint64_t memory(std::size_t bytes) {
        std::byte found[8] = {};
        if (!context_.read(static_cast<std::uint32_t>(pop()), found, bytes)) throw no_value();
        std::uint64_t value = 0;
        std::memcpy(&value, found, sizeof value);
        return value;
    }

    std::uint64_t computed(operation what) {
        switch (what) {
            case operation::ext:
                return extended(true);
            case operation::zero_ext:
                return extended(false);
            case operation::log_not:
                return pop() == 0 ? 1 : 0;
            case operation::bit_not:
                return ~pop();
            default:
                break;
        }
        const std::uint64_t b = pop();
        const std::uint64_t a = pop();
        return of_two(what, a, b);
    }
    std::uint64_t extended(bool with_sign) {
        const std::uint64_t bits = operand(1);
        const std::uint64_t value = pop();
        if (bits == 0 || bits >= 64) return value;
        const std::uint64_t low = value & ((std::uint64_t{1} << bits) - 1);
        const bool negative = with_sign && (value >> (bits - 1) & 1U) != 0;
        return negative ? low | ~std::uint64_t{0} << bits : low;
    }
    static std::uint64_t of_two(operation what, std::uint64_t a, std::uint64_t b) {
        const auto sa = static_cast<signed_value>(a);
        const auto sb = static_cast<signed_value>(b);
        switch (what) {
            case operation::add:
                return a + b;
            case operation::sub:
                return a - b;
            case operation::mul:
                return a * b;
            case operation::div_signed:
                return static_cast<std::uint64_t>(divided(sa, sb));
            case operation::rem_signed:
                return a - static_cast<std::uint64_t>(divided(sa, sb)) * b;
            case operation::div_unsigned:
                if (b == 0) throw no_value();
                return a / b;
            case operation::rem_unsigned:
                if (b == 0) throw no_value();
                return a % b;
            case operation::lsh:
                return b < 64 ? a << b : 0;
            case operation::rsh_signed:
                return static_cast<std::uint64_t>(sa >> (b < 64 ? b : 63));
            case operation::rsh_unsigned:
                return b < 64 ? a >> b : 0;
            case operation::bit_and:
                return a & b;
            case operation::bit_or:
                return a | b;
            case operation::bit_xor:
                return a ^ b;
            case operation::equal:
                return a == b ? 1 : 0;
            case operation::less_signed:
                return sa < sb ? 1 : 0;
            case operation::less_unsigned:
                return a < b ? 1 : 0;
            default:
                throw no_value();
        }
    }
    static signed_value divided(signed_value a, signed_value b) {
        if (b == 0) throw no_value();
        return a == std::numeric_limits<signed_value>::min() && b == -1 ? a : a / b;
    }

    std::string_view code_;
    const agent_context& context_;
    std::size_t position_ = 0;
    std::vector<std::uint64_t> stack_;
};

}  // namespace

std::optional<std::uint64_t> evaluate(std::string_view bytecode, const agent_context& context) {
    try {
        return machine(bytecode, context).run();
    } catch (const no_value&) {
        return std::nullopt;
    }
}

}  // namespace heddle::command::gdb
