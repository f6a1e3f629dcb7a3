// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/hw/protocol/scripted_link.h"

namespace heddle::protocol::testing {

/// A table of what may and what may not be sent over a checked link. `Fixture` derives from
/// checked_link and has `payload& at(unsigned id)`: the payload with this number. A derived table
/// adds words of its own and the rows.
template <typename Fixture>
struct violation_table {
    using payload = typename Fixture::payload;
    using phase = typename Fixture::phase;
    using step = std::function<void(Fixture&)>;

    struct row {
        const char* name;
        std::vector<step> sent;
        std::vector<std::string> reports = {};  ///< rules, in the order of the reports; none: legal
        std::vector<std::string> texts = {};    ///< each is part of a report

        void play() const {
            Fixture f;
            for (const step& each : sent) each(f);
            EXPECT_EQ(report_catcher::ids(), reports) << report_catcher::text();
            for (const std::string& text : texts) {
                EXPECT_THAT(report_catcher::text(), ::testing::HasSubstr(text));
            }
        }
        friend std::ostream& operator<<(std::ostream& out, const row& r) { return out << r.name; }
    };
    static std::string name(const ::testing::TestParamInfo<row>& of) { return of.param.name; }

    // ---- words: calls -------------------------------------------------------------------------
    static step forward(unsigned id, phase ph, double ns = 0) {
        return [=](Fixture& f) { f.forward(f.at(id), ph, sc_time(ns, SC_NS)); };
    }
    static step backward(unsigned id, phase ph, double ns = 0) {
        return [=](Fixture& f) { f.backward(f.at(id), ph, sc_time(ns, SC_NS)); };
    }
    static step blocking(unsigned id) {
        return [=](Fixture& f) { f.blocking(f.at(id)); };
    }
    // ---- words: what the next calls are answered ----------------------------------------------
    static step target_answers(tlm::tlm_sync_enum status, phase ph = {}) {
        return [=](Fixture& f) { f.target_answers(status, ph); };
    }
    static step initiator_answers(tlm::tlm_sync_enum status, phase ph = {}) {
        return [=](Fixture& f) { f.initiator_answers(status, ph); };
    }
    // ---- words: time and the end --------------------------------------------------------------
    static step wait(double ns) {
        return [=](Fixture&) { Fixture::wait(ns); };
    }
    /// All so far was legal.
    static step clean_so_far() {
        return [](Fixture& f) { f.expect_clean(); };
    }
    static step end_of_run() {
        return [](Fixture& f) { f.checker.report_lost(); };
    }
    /// That many transactions have ended.
    static step ended(unsigned count) {
        return [=](Fixture& f) { EXPECT_EQ(f.checker.completed(), count); };
    }
};

}  // namespace heddle::protocol::testing
