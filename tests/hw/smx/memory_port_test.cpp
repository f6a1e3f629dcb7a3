// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Which of the two queues of the memory port sends next.
#include <gmock/gmock.h>

#include <string>

#include "tb/lsu/lsu_rig.h"

namespace heddle {
namespace {

using protocol::memory_kind;

class memory_port_test : public testing::Test, private memory_requester {
protected:
    explicit memory_port_test(std::uint32_t request_latency = 0) {
        options.memory.accept_in_call = true;
        options.lsu.request_latency = request_latency;
        rig = std::make_unique<lsu_rig>("rig", domain, options);
        rig->step = [this](lsu_rig&) {
            send(memory_port::queue::data, memory_kind::load, data);
            send(memory_port::queue::instructions, memory_kind::instruction_fetch, fetches);
            return awake != 0 && awake-- != 0;
        };
    }
    /// Requests that the next step sends, all at one edge.
    unsigned data = 0;
    unsigned fetches = 0;
    unsigned awake = 0;  ///< edges at which the SMX is awake for other reasons

    /// What has begun since the last call, in its order: d for data, i for instructions.
    std::string sent() {
        sc_core::sc_start();
        std::string order;
        for (; seen < rig->memory.log().size(); ++seen) {
            order += rig->memory.log()[seen].kind == memory_kind::load ? 'd' : 'i';
        }
        return order;
    }

private:
    void responded(memory_request&) override {}
    void send(memory_port::queue which, memory_kind kind, unsigned& count) {
        for (; count != 0; --count) {
            memory_request& request = rig->port().make();
            request.prepare(kind, 0x40000000 + 128 * count, 128);
            request.back.requester = this;
            rig->port().send(which, request);
        }
    }

    lsu_rig_options options;
    clock_domain domain{"core", frequency::megahertz(706)};
    std::size_t seen = 0;

protected:
    std::unique_ptr<lsu_rig> rig;
};

TEST_F(memory_port_test, data_and_instructions_take_turns) {
    data = 3, fetches = 3;
    EXPECT_EQ(sent(), "dididi");
}

TEST_F(memory_port_test, a_queue_that_is_alone_keeps_no_turn_for_the_other) {
    data = 5, fetches = 2;
    EXPECT_EQ(sent(), "dididdd");
    data = 1, fetches = 2;
    rig->wake();
    EXPECT_EQ(sent(), "idi") << "data was the last to send";
}

class late_memory_port_test : public memory_port_test {
protected:
    late_memory_port_test() : memory_port_test(4) {}
};

TEST_F(late_memory_port_test, waiting_changes_no_turn) {
    for (unsigned edges = 0; edges < 4; ++edges) {
        data = 1, fetches = 1, awake = edges;
        rig->wake();
        EXPECT_EQ(sent(), "di") << edges;
    }
}

/// Sends requests with names, and notes the names of the answers and how long they were inside.
class named_requests final : private protocol::naming_requester<bank_id> {
public:
    void send(memory_port& port, bank_id name) {
        memory_request& request = port.make();
        request.prepare(memory_kind::load, 0x40000000, 128);
        expect_answer(request, name);
        port.send(memory_port::queue::data, request);
    }
    std::vector<bank_id> answered;
    std::vector<std::uint32_t> inside;

private:
    void responded(memory_request& answer) override {
        answered.push_back(name_of(answer));
        inside.push_back(answer.back.inside);
    }
};

TEST(memory_port, an_answer_has_the_name_of_its_request_and_the_time_since_its_arrival) {
    lsu_rig_options options;
    options.lsu.return_latency = 7;
    clock_domain domain{"core", frequency::megahertz(706)};
    lsu_rig rig("rig", domain, options);
    named_requests one;
    named_requests other;
    unsigned left = 2;
    rig.step = [&](lsu_rig&) {
        if (left == 0) return false;
        one.send(rig.port(), bank_id(left));
        other.send(rig.port(), bank_id(100 + left));
        return --left != 0;
    };
    sc_core::sc_start();
    EXPECT_THAT(one.answered, testing::UnorderedElementsAre(bank_id(1), bank_id(2)));
    EXPECT_THAT(other.answered, testing::UnorderedElementsAre(bank_id(101), bank_id(102)));
    EXPECT_THAT(one.inside, testing::Each(6U));
}

}  // namespace
}  // namespace heddle
