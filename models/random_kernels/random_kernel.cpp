// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/random_kernels/random_kernel.h"

#include <algorithm>

namespace heddle::iss {

namespace {

using kind = statement_kind;

class kernel_maker {
public:
    kernel_maker(random_stream& random, kernel_tree& kernel) : random_(random), kernel_(kernel) {}

    void make() {
        may_leave_ = random_.chance(0.4) && !kernel_.operations.resizing;
        const auto functions = random_.below(3);
        for (std::size_t f = 0; f < functions; ++f) {
            in_function_ = true;
            kernel_.functions.push_back({block({0, true, false}, 2), random_.chance(0.5)});
        }
        in_function_ = false;
        kernel_.body = block({0, true, false}, 3);
        if (kernel_.operations.resizing) meet_again();
    }

private:
    /// Where a statement stands.
    struct place {
        unsigned loops;  ///< around it
        bool uniform;    ///< all threads that have not returned come here together
        bool breakable;  ///< a break or continue here is one of the innermost loop
    };

    statements block(place at, unsigned levels) {
        statements all;
        const auto count = 1 + random_.below(4);
        for (std::size_t i = 0; i < count; ++i) {
            if (at.uniform && random_.chance(0.4)) twice(all, at);
            all.push_back(next(at, levels));
        }
        return all;
    }

    /// A loop with barriers behind the body: others may have ended by then, and left their room.
    void meet_again() {
        statement turns, inside;
        turns.what = kind::for_loop;
        turns.value = 4;
        inside.depth = 1;
        for (const kind what : {kind::compute, kind::resize, kind::own, kind::fork, kind::offer}) {
            inside.what = what;
            turns.first.push_back(inside);
        }
        kernel_.body.push_back(turns);
    }

    /// A test in a divergent arm, or behind a test of the thread, and again around a collective
    /// operation: what an optimizer likes to make one test of.
    void twice(statements& all, place at) {
        statement arm, again;
        arm.what = again.what = kind::branch;
        arm.depth = again.depth = at.loops;
        arm.when = draw_condition(test_of::thread_and_n);
        again.when = {test_of::n_above, arm.when.other, 0};
        arm.first = {statement{kind::compute, 3, at.loops, false, {}, {}, {}, {}}};
        if (random_.chance(0.3)) {
            arm.first = {again};
            arm.first[0].first = {statement{kind::compute, 5, at.loops, false, {}, {}, {}, {}}};
            arm.when.what = test_of::thread_bits;
        }
        again.first = {statement{collective(), 1, at.loops, false, {}, {}, {}, {}}};
        all.push_back(arm);
        all.push_back(again);
    }

    statement next(place at, unsigned levels) {
        statement made;
        made.value = static_cast<std::uint32_t>(random_.below(8));
        made.depth = at.loops;
        const auto draw = random_.below(levels == 0 ? 8 : 16);
        if (draw < 2) {
            made.what = at.uniform && draw == 0 ? kind::own : kind::compute;
        } else if (draw < 6) {
            made.what = at.uniform ? collective() : alone();
            const bool callable = !in_function_ && at.uniform && !kernel_.functions.empty();
            if (callable && random_.chance(0.3)) {
                made.what = kind::call;
                made.value = static_cast<std::uint32_t>(random_.below(kernel_.functions.size()));
            }
        } else if (draw < 8) {
            jump(made, at);
        } else if (draw < 13) {
            branch(made, at, levels - 1);
        } else if (draw < 15 && at.loops < 3) {
            loop(made, at, levels - 1);
        } else {
            choose(made, at, levels - 1);
        }
        return made;
    }

    kind collective() {
        if (kernel_.language == kernel_language::opencl) return kind::exchange;
        const auto& has = kernel_.operations;
        if (has.transactions && random_.chance(0.4)) {
            return random_.chance(0.5) ? kind::transact : kind::gather;
        }
        if (has.resizing && random_.chance(0.4)) {
            const auto draw = random_.below(6);
            return draw == 0 ? kind::offer : draw < 3 ? kind::fork : kind::resize;
        }
        if (has.cooperation && random_.chance(0.4)) {
            return has_sums(has) && random_.chance(0.2) ? kind::offer : kind::everywhere;
        }
        if (has.launches && random_.chance(0.3)) {
            return random_.chance(0.5) ? kind::launch : kind::children;
        }
        if (has.atomics && random_.chance(0.2)) return kind::add;
        const auto draw = random_.below(4);
        if (draw < 2 || !has.votes) return kind::exchange;
        return draw == 2 || may_leave_ ? kind::vote : kind::shuffle;
    }

    /// What threads may do that part.
    kind alone() {
        const auto& has = kernel_.operations;
        if (has.transactions && random_.chance(0.3)) return kind::transact;
        if (has.launches && random_.chance(0.2)) return kind::launch;
        return has.atomics && random_.chance(0.3) ? kind::add : kind::compute;
    }

    /// Leaves the kernel, the loop or the turn. Other threads go on to barriers only after a
    /// return: a divergent break would keep them from each other.
    void jump(statement& made, place at) {
        if (may_leave_ && !in_function_ && !at.uniform && random_.chance(0.5)) {
            made.what = kind::leave;
        } else if (at.breakable && random_.chance(0.6)) {
            made.what = random_.chance(0.5) ? kind::end_loop : kind::next_turn;
            made.when = at.uniform ? uniform_condition(at.loops) : any_condition(at.loops);
        }
    }

    void branch(statement& made, place at, unsigned levels) {
        made.what = kind::branch;
        const bool uniform = random_.chance(0.6);
        made.when = uniform ? uniform_condition(at.loops) : divergent_condition(at.loops);
        const place arm{at.loops, at.uniform && uniform, at.breakable && (uniform || !at.uniform)};
        made.first = block(arm, levels);
        if (random_.chance(0.4)) made.second = block(arm, levels);
    }

    void loop(statement& made, place at, unsigned levels) {
        constexpr std::array<kind, 3> kinds{kind::for_loop, kind::do_loop, kind::while_loop};
        made.what = kinds[random_.below(kinds.size())];
        made.divergent = random_.chance(0.3);
        made.value = static_cast<std::uint32_t>(random_.below(3));
        made.first = block({at.loops + 1, at.uniform && !made.divergent, true}, levels);
    }

    void choose(statement& made, place at, unsigned levels) {
        made.what = kind::choose;
        made.divergent = random_.chance(0.4);
        const place arm{at.loops, at.uniform && !made.divergent, false};
        made.first = block(arm, levels);
        made.second = block(arm, levels);
        made.third = block(arm, levels);
    }

    condition uniform_condition(unsigned loops) {
        constexpr std::array<test_of, 7> tests{
            test_of::n_above, test_of::m_bit,  test_of::flag_above, test_of::own_bit,
            test_of::both,    test_of::either, test_of::turn_bit};
        return draw_condition(tests[random_.below(loops == 0 ? 6 : 7)]);
    }
    condition divergent_condition(unsigned loops) {
        constexpr std::array<test_of, 6> tests{test_of::thread_and_n, test_of::thread_bits,
                                               test_of::thread_and_n, test_of::sum_bit,
                                               test_of::thread_and_n, test_of::thread_is_turn};
        return draw_condition(tests[random_.below(loops == 0 ? 5 : 6)]);
    }
    condition any_condition(unsigned loops) {
        return random_.chance(0.5) ? uniform_condition(loops) : divergent_condition(loops);
    }
    /// From few values: an optimizer finds the same test again, in an arm and behind it.
    condition draw_condition(test_of what) {
        return {what, static_cast<std::uint32_t>(1 + random_.below(2)),
                static_cast<std::uint32_t>(1 + random_.below(2))};
    }

    random_stream& random_;
    kernel_tree& kernel_;
    bool in_function_ = false;
    bool may_leave_ = false;  ///< threads may return one by one: then there are no shuffles
};

}  // namespace

kernel_tree make_random_kernel(random_stream& random, const std::string& name,
                               kernel_language language, const kernel_operations& operations) {
    kernel_tree kernel;
    kernel.name = name;
    kernel.language = language;
    kernel.operations = operations;
    kernel_maker(random, kernel).make();
    return kernel;
}

}  // namespace heddle::iss
