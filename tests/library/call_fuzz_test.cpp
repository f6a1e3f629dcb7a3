// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Random calls with random arguments: good ones, bad ones, nulls, handles of the past. Each has a
// status and, if that is not HEDDLE_OK, a text; nothing crashes; afterwards a machine works.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>

#include "tests/base/temporary_directory.h"
#include "tests/library/library_kit.h"

namespace heddle {
namespace {

class random_caller {
public:
    explicit random_caller(std::uint64_t seed) : random_(seed) {}

    ~random_caller() {
        for (heddle_machine* const machine : open_) heddle_close(machine);
    }
    random_caller(const random_caller&) = delete;
    random_caller& operator=(const random_caller&) = delete;

    void call_one() { call_one(pick(calls), handle()); }
    void call_one(unsigned which, heddle_machine* machine) {
        const heddle_status status = call(which, machine);
        ++statuses[status];
        if (status == HEDDLE_OK) {
            ++good[which];
            return;
        }
        const std::string text =
            std::string(heddle_error_text(machine)) + heddle_error_text(nullptr);
        ASSERT_FALSE(text.empty()) << "call " << which << ", " << heddle_status_name(status);
        ASSERT_NE(status, HEDDLE_FAILED) << text;
    }

    static constexpr unsigned calls = 34;
    std::map<int, unsigned> statuses;
    std::array<unsigned, calls> good{};

private:
    unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
    bool once_in(unsigned times) { return pick(times) == 0; }

    heddle_machine* handle() {
        if (once_in(50)) return nullptr;
        if (open_.empty() || once_in(50)) {
            return reinterpret_cast<heddle_machine*>(random_() % 65536);  // perhaps a closed one
        }
        return open_[pick(static_cast<unsigned>(open_.size()))];
    }
    const char* name() {
        static constexpr std::array names{
            "add",           "turn",       "count_up",      "far_away", "counter",
            "smx.scheduler", "gpu.cycles", "gpu.smx_count", "tiny",     "",
            "no such",       "1:2",        "smx=0",         "gpu.smx_0"};
        return once_in(20) ? nullptr : names[pick(names.size())];
    }
    std::string file() {
        static constexpr std::array names{"a.vcd", "a.json", "a.txt", "no such/a.vcd", "a.elf"};
        return files_ / names[pick(names.size())];
    }
    /// Often one that there is.
    std::uint32_t address() {
        if (buffers_.empty() || once_in(8)) return static_cast<std::uint32_t>(random_());
        return buffers_[pick(static_cast<unsigned>(buffers_.size()))] + (once_in(4) ? pick(70) : 0);
    }
    std::size_t size() { return once_in(10) ? bytes_.size() : pick(64); }
    template <class Struct>
    Struct* structure(Struct& one) {
        one.size = once_in(20) ? random_() : sizeof one;
        return once_in(20) ? nullptr : &one;
    }
    template <class Value>
    Value* place(Value& value) {
        return once_in(20) ? nullptr : &value;
    }

    heddle_status create() {
        heddle_options options = tiny(!once_in(3));
        if (once_in(10)) options.configuration = name();
        if (once_in(10)) options.text = name();
        if (once_in(10)) options.max_cycles = pick(2000);
        if (once_in(10)) options.check = 1;
        const char* const settings[] = {once_in(2) ? "gpu.smx_count=1" : name()};
        options.settings = once_in(10) ? nullptr : settings;
        options.setting_count = pick(2);
        heddle_machine* made = nullptr;
        const heddle_status status = heddle_create(structure(options), place(made));
        if (made != nullptr) {
            open_.push_back(made);
            while (once_in(2))
                call_one(once_in(4) ? 31 : 5 + pick(3),
                         made);  // what it writes, before it is built
            if (once_in(2)) heddle_load(made, kernels_.c_str());
        }
        return status;
    }
    heddle_argument argument() {
        heddle_argument one{};
        one.kind = static_cast<int>(pick(7)) - (once_in(50) ? 9 : 0);
        one.value.natural = once_in(2) ? pick(100) : random_();
        if (one.kind == HEDDLE_STRUCT) one.value.data = place(bytes_);
        if (one.kind == HEDDLE_POINTER) one.value.pointer = address();
        one.bytes = pick(32);
        return one;
    }
    heddle_status launch(heddle_machine* machine) {
        heddle_shape shape = shape_of(pick(3), pick(70));
        shape.block[1] = pick(2);
        shape.stream = once_in(4) ? pick(3) : 0;
        shape.shared_bytes = once_in(10) ? static_cast<std::uint32_t>(random_()) : 0;
        shape.cooperative = once_in(20) ? 1 : 0;
        const heddle_argument good[] = {heddle_pointer(address()), heddle_pointer(address()),
                                        heddle_pointer(address()), heddle_integer(pick(20))};
        if (once_in(2)) return heddle_launch(machine, "add", structure(shape), good, 4);
        const heddle_argument arguments[] = {argument(), argument(), argument(), argument()};
        return heddle_launch(machine, name(), structure(shape), once_in(20) ? nullptr : arguments,
                             pick(5));
    }
    heddle_status allocate(heddle_machine* machine) {
        std::uint32_t found = 0;
        const std::uint64_t bytes = once_in(10) ? random_() : pick(300);
        const heddle_status status = heddle_allocate(machine, bytes, name(), place(found));
        if (status == HEDDLE_OK) buffers_.push_back(found);
        if (buffers_.size() > 30) buffers_.clear();
        return status;
    }
    /// Machines live for some hundred calls.
    heddle_status close(heddle_machine* machine) {
        if (open_.size() < 5 && !once_in(4)) return heddle_synchronize(machine);
        open_.erase(std::remove(open_.begin(), open_.end(), machine), open_.end());
        return heddle_close(machine);
    }

    heddle_status call(unsigned which, heddle_machine* m) {
        switch (which) {
            case 0:
                return once_in(4) ? create() : allocate(m);
            case 1:
                return close(m);
            case 2:
                return heddle_parameter_count(m, place(size_));
            case 3:
                return heddle_get_parameter(m, pick(500), structure(parameter_));
            case 4:
                return heddle_find_parameter(m, name(), structure(parameter_));
            case 5:
                return heddle_attach_waveform(m, file().c_str());
            case 6:
                return heddle_attach_retire(m, file().c_str());
            case 7:
                return heddle_trace_scope(m, name());
            case 8:
                return heddle_load(m, once_in(2) ? kernels_.c_str() : name());
            case 9:
                return heddle_diagnostics(m, place(text_));
            case 10:
                return heddle_kernel_count(m, place(size_));
            case 11:
                return heddle_get_kernel(m, pick(9), structure(kernel_));
            case 12:
                return heddle_get_kernel_parameter(m, name(), pick(9), structure(field_));
            case 13:
                return heddle_release(m, address());
            case 14:
                return heddle_write(m, address(), place(bytes_), size());
            case 15:
                return heddle_read(m, place(bytes_), address(), size());
            case 16:
                return heddle_fill(m, address(), 7, once_in(50) ? random_() : size());
            case 17:
                return heddle_find_variable(m, name(), place(word_), place(other_));
            case 18:
                return heddle_launch(m, "count_up", structure(one_), nullptr, 0);
            case 19:
                return launch(m);
            case 20:
                return heddle_create_stream(m, place(word_));
            case 21:
                return heddle_record(m, pick(4), place(word_));
            case 22:
                return heddle_event_done(m, pick(20), place(flag_));
            case 23:
                return heddle_wait(m, pick(20));
            case 24:
                return heddle_run_until(m, pick(3000), place(number_));
            case 25:
                return once_in(20) ? heddle_finish(m) : heddle_synchronize(m);
            case 26:
                return heddle_cycle(m, place(number_));
            case 27:
                return heddle_statistic_count(m, place(size_));
            case 28:
                return heddle_get_statistic(m, pick(2000), structure(statistic_));
            case 29:
                return heddle_find_statistic(m, name(), structure(statistic_));
            case 30:
                return heddle_set_poll(m, nullptr, nullptr);
            case 31:
                return heddle_keep_retired(m);
            case 32:
                return heddle_next_retired(m, structure(retired_[0]), pick(9), place(size_));
            case 33:
                return heddle_retired_text(structure(retired_[pick(8)]), line_.data(), pick(300));
            default:
                return HEDDLE_FAILED;
        }
    }

    std::mt19937_64 random_;
    const std::string kernels_ = kernels_of_test();
    const temporary_directory files_;
    std::vector<heddle_machine*> open_;
    std::vector<std::uint32_t> buffers_;
    std::array<std::byte, 256> bytes_{};
    std::size_t size_ = 0;
    std::uint32_t word_ = 0;
    std::uint32_t other_ = 0;
    std::uint64_t number_ = 0;
    int flag_ = 0;
    const char* text_ = nullptr;
    heddle_shape one_ = shape_of(1, 1);
    heddle_parameter parameter_{};
    heddle_kernel kernel_{};
    heddle_kernel_parameter field_{};
    heddle_statistic statistic_{};
    std::array<heddle_retired, 8> retired_{};
    std::array<char, 300> line_{};
};

unsigned long number_from(const char* variable, unsigned long otherwise) {
    const char* const text = std::getenv(variable);
    return text != nullptr ? std::stoul(text) : otherwise;
}

TEST(library_fuzz, random_calls_have_answers) {
    const unsigned long count = number_from("HEDDLE_LIBRARY_CALLS", 100'000);
    const unsigned long seed = number_from("HEDDLE_LIBRARY_SEED", 20261126);
    {
        random_caller caller(seed);
        for (unsigned long i = 0; i < count && !HasFatalFailure(); ++i) caller.call_one();
        for (unsigned which = 0; which < random_caller::calls; ++which) {
            EXPECT_GT(caller.good[which], 10U) << "call " << which << " was never good";
        }
        for (const int status : {HEDDLE_OK, HEDDLE_USAGE, HEDDLE_KERNEL_FAULT}) {
            EXPECT_GT(caller.statuses[status], 100U) << heddle_status_name(status);
        }
    }
    machine_of_test(tiny()).expect_working();
}

}  // namespace
}  // namespace heddle
