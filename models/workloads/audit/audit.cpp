// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <numeric>

#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct audit_options {
    std::uint32_t blocks = 32;
    std::uint32_t block = 256;
    std::uint32_t accounts = 32;
    std::uint32_t orders = 8;
    std::uint32_t audits = 5;
    std::uint32_t shares = 30;

    void declare(parameter_list& p) {
        p.add("blocks", blocks, range(1, 65535), "block", "Blocks, each with accounts of its own");
        p.add("block", block, range(1, 256), "thread", "Threads in a block");
        p.add("accounts", accounts, range(2, 64), "account",
              "Accounts of a block: the fewer, the more transactions conflict");
        p.add("orders", orders, range(0, 1024), "order", "Orders of a thread, at most");
        p.add("audits", audits, range(0, 100), "percent", "Orders that add up all accounts");
        p.add("shares", shares, range(0, 100), "percent",
              "Orders in which one account pays several");
        p.require({"audits", "shares"}, "audits and shares are together at most 100",
                  [this] { return audits + shares <= 100; });
    }
};

using words = std::vector<std::uint32_t>;

// Those of audit_kernel.cpp.
enum class kind : std::uint32_t { transfer, shares, audit_of_all };
struct order {
    std::uint32_t what, amount;

    [[nodiscard]] kind what_kind() const noexcept { return static_cast<kind>(what & 3); }
    [[nodiscard]] std::uint32_t pays() const noexcept { return what >> 8 & 0xff; }
    [[nodiscard]] std::uint32_t paid() const noexcept { return what >> 16 & 0xff; }
    [[nodiscard]] std::uint32_t count() const noexcept { return what >> 24; }
};

struct audit_work {
    words offsets{0};  ///< of each thread's first order, and their number
    std::vector<order> orders;
};

constexpr std::uint32_t most_shares = 8;

order random_order(random_stream& random, const audit_options& options) {
    const auto drawn = random.below(100);
    const kind what = drawn < options.audits                    ? kind::audit_of_all
                      : drawn < options.audits + options.shares ? kind::shares
                                                                : kind::transfer;
    const auto pays = static_cast<std::uint32_t>(random.below(options.accounts));
    const auto paid = static_cast<std::uint32_t>((pays + 1 + random.below(options.accounts - 1)) %
                                                 options.accounts);
    const auto count = static_cast<std::uint32_t>(2 + random.below(most_shares - 1));
    const auto amount = static_cast<std::uint32_t>(1 + random.below(1000));
    return {static_cast<std::uint32_t>(what) | pays << 8 | paid << 16 | count << 24, amount};
}

audit_work make_work(const audit_options& options, const run_context& context) {
    random_stream numbers = context.random("numbers");
    random_stream orders = context.random("orders");
    audit_work work;
    for (std::uint32_t thread = 0; thread < options.blocks * options.block; ++thread) {
        for (std::uint64_t left = numbers.below(options.orders + 1); left != 0; --left) {
            work.orders.push_back(random_order(orders, options));
        }
        work.offsets.push_back(static_cast<std::uint32_t>(work.orders.size()));
    }
    return work;
}

struct audit_result {
    words balances, receipts;
};

/// Payments may have any order, and an audit at any time sees the sum of before.
audit_result carried_out(const audit_options& options, const audit_work& work,
                         const words& opening) {
    audit_result result{opening, words(std::size_t{options.blocks} * options.block)};
    for (std::size_t thread = 0; thread < result.receipts.size(); ++thread) {
        const std::size_t first = thread / options.block * options.accounts;
        std::uint32_t* const held = &result.balances[first];
        std::uint32_t& receipt = result.receipts[thread];
        for (std::uint32_t i = work.offsets[thread]; i < work.offsets[thread + 1]; ++i) {
            const order& one = work.orders[i];
            std::uint32_t seen = 0;
            if (one.what_kind() == kind::audit_of_all) {
                seen = std::accumulate(&opening[first], &opening[first] + options.accounts, 0U);
            } else {
                const std::uint32_t count = one.what_kind() == kind::shares ? one.count() : 1;
                held[one.pays()] -= one.amount * count;
                for (std::uint32_t k = 0; k < count; ++k) {
                    held[(one.paid() + k) % options.accounts] += one.amount;
                }
            }
            for (std::uint32_t turn = 0; turn <= one.amount % 16; ++turn) {
                receipt = receipt * 5 + seen + turn;
            }
        }
    }
    return result;
}

void run(device& gpu, const audit_options& options, const run_context& context,
         workload_report& report) {
    audit_work work = make_work(options, context);
    const std::size_t count = work.orders.size();
    if (work.orders.empty()) work.orders.push_back({0, 0});  // no buffer is empty
    const words opening =
        random_words(context.random("balances"), std::size_t{options.blocks} * options.accounts);
    const device_buffer<std::uint32_t> offsets(gpu, work.offsets, "offsets");
    const device_buffer<order> orders(gpu, work.orders, "orders");
    const device_buffer<std::uint32_t> balances(gpu, opening, "balances");
    const device_buffer<std::uint32_t> receipts(gpu, std::size_t{options.blocks} * options.block,
                                                "receipts");
    launch(gpu, "audit", launch_shape{{options.blocks}, {options.block}}, options.accounts,
           offsets.get(), orders.get(), balances.get(), receipts.get());
    const audit_result expected = carried_out(options, work, opening);
    const words found = balances.read();
    const words stamped = receipts.read();
    report.compare("balances", found, expected.balances);
    report.compare("receipts", stamped, expected.receipts);
    report.declare_deterministic("balances", found);
    report.declare_deterministic("receipts", stamped);
    report.add_row("transactions", std::uint64_t{count});
}

}  // namespace

workload audit() {
    return make_workload<audit_options>(
        "audit",
        "Payments and audits of accounts in shared memory: transactions with different bodies", "",
        run);
}

}  // namespace heddle::workloads
