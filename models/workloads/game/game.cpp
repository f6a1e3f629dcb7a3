// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <array>
#include <string>

#include "models/workloads/cooperative_run.h"
#include "models/workloads/work_queues.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct game_options : cooperative_options {
    std::uint32_t plies = 7;
    std::uint32_t below = 3;

    void declare(parameter_list& p) {
        p.add("plies", plies, range(1, 12), "ply", "Moves that are looked ahead");
        p.add("below", below, range(1, 4), "ply", "The last plies, which a block plays at once");
        cooperative_options::declare(p);
        p.require({"plies", "below"}, "below is at most plies", [this] { return below <= plies; });
    }
};

// Those of game_kernel.cpp.
constexpr int columns = 6;
constexpr int rows = 4;
constexpr int win = 1000;
constexpr int no_value = -100'000;

struct position {
    std::uint32_t own, others, ply, node;
};
struct node {
    std::int32_t value;
    std::uint32_t pending, parent;
};
struct game_tree {
    device_ptr<node> nodes;
    device_ptr<std::uint32_t> used, played, sum;
    device_ptr<std::int32_t> result;
    std::uint32_t plies, below;
};

/// The same search, one move after another on a board of squares.
class serial_search {
public:
    explicit serial_search(int plies, int below) : plies_(plies), below_(below) {}

    /// Value for the player who moves.
    int search(int ply) {
        if (ply <= plies_ - below_) ++nodes;
        if (ply == plies_) return end_line(pairs(ply % 2) - pairs(1 - ply % 2), ply);
        int best = no_value;
        for (int column = 0; column < columns; ++column) {
            const int row = fallen_[column];
            if (row == rows) continue;
            board_[column][row] = 1 + ply % 2;
            ++fallen_[column];
            const int value = wins(column, row) ? won(ply + 1) : -search(ply + 1);
            --fallen_[column];
            board_[column][row] = 0;
            best = std::max(best, value);
        }
        return best;
    }

    std::uint32_t nodes = 0;   ///< positions that are tasks
    std::uint32_t played = 0;  ///< lines to their end, as the last plies of a block count them
    std::uint32_t sum = 0;     ///< of their values, for the player who moves where a block begins

private:
    /// A line that ends early stands for all that would go on from it.
    int won(int ply) {
        if (ply > plies_ - below_) {
            const int value = win - ply;
            std::uint32_t lines = 1;
            for (int left = ply; left < plies_; ++left) lines *= columns;
            count(value, (ply - 1 - (plies_ - below_)) % 2 == 0, lines);
        }
        return win - ply;
    }
    int end_line(int value, int ply) {
        count(value, (ply - (plies_ - below_)) % 2 == 0, 1);
        return value;
    }
    void count(int value, bool first_player, std::uint32_t lines) {
        played += lines;
        sum += lines * static_cast<std::uint32_t>(first_player ? value : -value);
    }
    [[nodiscard]] bool wins(int column, int row) const {
        static constexpr std::array<std::array<int, 2>, 4> directions{
            {{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
        for (const auto& [right, up] : directions) {
            int length = 1;
            for (const int way : {1, -1}) {
                for (int step = way; same(column, row, column + step * right, row + step * up);
                     step += way) {
                    ++length;
                }
            }
            if (length >= 4) return true;
        }
        return false;
    }
    [[nodiscard]] bool same(int column, int row, int x, int y) const {
        return x >= 0 && x < columns && y >= 0 && y < rows && board_[x][y] == board_[column][row];
    }
    /// Stones of a player side by side.
    [[nodiscard]] int pairs(int player) const {
        int found = 0;
        for (int column = 0; column + 1 < columns; ++column) {
            for (int row = 0; row < rows; ++row) {
                found += board_[column][row] == 1 + player && board_[column + 1][row] == 1 + player
                             ? 1
                             : 0;
            }
        }
        return found;
    }

    const int plies_;
    const int below_;
    std::array<std::array<int, rows>, columns> board_{};
    std::array<int, columns> fallen_{};
};

void run(device& gpu, const game_options& options, const run_context&, workload_report& report) {
    serial_search serial(static_cast<int>(options.plies), static_cast<int>(options.below));
    const int value = serial.search(0);

    cooperative_run kernel(gpu, options);
    const std::uint32_t tasks = serial.nodes;
    const device_buffer<node> nodes(gpu, tasks, "nodes");
    const device_buffer<std::uint32_t> used(gpu, std::vector<std::uint32_t>{1}, "used");
    const device_buffer<std::uint32_t> played(gpu, 1, "played");
    const device_buffer<std::uint32_t> sum(gpu, 1, "sum");
    const device_buffer<std::int32_t> result(gpu, 1, "result");
    const work_queues<position> queues(gpu, kernel.blocks(), tasks, {position{0, 0, 0, 0}});
    kernel.run("game", queues.get(),
               game_tree{nodes.get(), used.get(), played.get(), sum.get(), result.get(),
                         options.plies, options.below});

    const std::vector<std::uint32_t> found{static_cast<std::uint32_t>(result.read()[0]),
                                           used.read()[0], played.read()[0], sum.read()[0]};
    report.compare("value, positions, lines, their sum", found,
                   {static_cast<std::uint32_t>(value), serial.nodes, serial.played, serial.sum});
    report.declare_deterministic("found", found);
    report.add_row("value", std::to_string(value));
    report.add_row("tasks", std::uint64_t{tasks});
    kernel.report(report);
}

}  // namespace

workload game() {
    return make_workload<game_options>(
        "game", "Search of a game tree (four in a row) by blocks that steal tasks", "", run);
}

}  // namespace heddle::workloads
