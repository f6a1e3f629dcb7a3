// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/child_launch.h"
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct ledgers_options {
    std::uint32_t books = 512;
    std::uint32_t accounts = 16;
    std::uint32_t longest = 512;
    std::uint32_t block = 64;
    child_options children;

    void declare(parameter_list& p) {
        p.add("books", books, range(1, 1 << 20), "book", "Books, a thread of a parent each");
        p.add("accounts", accounts, range(2, 64), "account",
              "Accounts of a book: the fewer, the more transactions conflict");
        p.add("longest", longest, range(16, 65535), "transfer",
              "Transfers of a long book, at most; one book in eight is long, the others have up to "
              "16");
        p.add("block", block, range(1, 256), "thread", "Threads of a child");
        children.declare(p);
    }
};

using words = std::vector<std::uint32_t>;

struct ledgers_work {
    words offsets{0};  ///< of each book's first transfer, and their number
    words transfers;   ///< as ledgers_kernel.cpp has them
};

ledgers_work make_work(const ledgers_options& options, const run_context& context) {
    random_stream lengths = context.random("lengths");
    random_stream transfers = context.random("transfers");
    ledgers_work work;
    for (std::uint32_t book = 0; book < options.books; ++book) {
        const std::uint64_t most = lengths.below(8) == 0 ? options.longest : 16;
        for (std::uint64_t left = lengths.below(most + 1); left != 0; --left) {
            const auto pays = static_cast<std::uint32_t>(transfers.below(options.accounts));
            const auto other = static_cast<std::uint32_t>(transfers.below(options.accounts - 1));
            const std::uint32_t paid = other + (other >= pays ? 1 : 0);
            const auto amount = static_cast<std::uint32_t>(1 + transfers.below(1000));
            work.transfers.push_back(pays | paid << 8 | amount << 16);
        }
        work.offsets.push_back(static_cast<std::uint32_t>(work.transfers.size()));
    }
    return work;
}

/// Balances begin at their account's number x 1000.
words opening(const ledgers_options& options) {
    words balances(std::size_t{options.books} * options.accounts);
    for (std::size_t i = 0; i < balances.size(); ++i) {
        balances[i] = static_cast<std::uint32_t>(i % options.accounts * 1000);
    }
    return balances;
}

words posted(const ledgers_options& options, const ledgers_work& work) {
    words balances = opening(options);
    for (std::uint32_t book = 0; book < options.books; ++book) {
        std::uint32_t* const own = &balances[std::size_t{book} * options.accounts];
        for (std::uint32_t i = work.offsets[book]; i < work.offsets[book + 1]; ++i) {
            own[work.transfers[i] & 0xff] -= work.transfers[i] >> 16;
            own[work.transfers[i] >> 8 & 0xff] += work.transfers[i] >> 16;
        }
    }
    return balances;
}

void run(device& gpu, const ledgers_options& options, const run_context& context,
         workload_report& report) {
    ledgers_work work = make_work(options, context);
    if (work.transfers.empty()) work.transfers.push_back(0);  // no buffer is empty
    const device_buffer<std::uint32_t> offsets(gpu, work.offsets, "offsets");
    const device_buffer<std::uint32_t> transfers(gpu, work.transfers, "transfers");
    const device_buffer<std::uint32_t> balances(gpu, opening(options), "balances");
    launch(gpu, context.entry("ledgers"), grid_over(options.books, 64), options.books,
           options.children.threshold, options.block, options.accounts, offsets.get(),
           transfers.get(), balances.get());
    const words found = balances.read();
    report.compare("balances", found, posted(options, work));
    report.declare_deterministic("balances", found);
    report.add_row("transfers", std::uint64_t{work.offsets.back()});
}

}  // namespace

workload ledgers() {
    return with_modes(make_workload<ledgers_options>(
        "ledgers",
        "Books of transfers: a child posts those of a long one as transactions in shared memory",
        "", run));
}

}  // namespace heddle::workloads
