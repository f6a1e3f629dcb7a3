// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <array>
#include <map>

#include "models/workloads/amr/amr_field.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct amr_options : pocket_options {
    std::uint32_t across = 8;
    std::uint32_t levels = 2;
    std::uint32_t flames = 6;
    std::uint32_t limit = 100000;

    void declare(parameter_list& p) {
        p.add("across", across, range(1, 1024), "cell", "Cells in a row of the coarse mesh");
        p.add("levels", levels, range(0, 3), "level", "Finer meshes, each 8 times as fine");
        p.add("flames", flames, range(1, 1024), "flame", "Hot kernels of the combustion");
        p.add("limit", limit, range(1, 1 << 30), "",
              "Change of the heat from a cell to its neighbours from which on it is refined; a "
              "flame has 2^20 at most");
        pocket_options::declare(p);
        p.require({"across", "levels"}, "across x 8^levels is at most 16384",
                  [this] { return across * cell_size() <= 16384; });
    }
    /// Of the coarse mesh, in cells of the finest one.
    [[nodiscard]] std::uint32_t cell_size() const { return 1U << (3 * levels); }
};

using words = std::vector<std::uint32_t>;
constexpr std::uint32_t cells = amr::side * amr::side;

std::vector<amr::flame> random_flames(random_stream stream, const amr_options& options) {
    std::vector<amr::flame> flames(options.flames);
    const std::uint32_t width = options.across * options.cell_size();
    for (amr::flame& one : flames) {
        const auto draw = [&](std::uint64_t below) {
            return static_cast<std::uint32_t>(stream.below(below));
        };
        const std::uint32_t radius = 1 + width / 64 + draw(1 + width / 16);
        one = {draw(width), draw(width), radius * radius, (1U << 19) + draw(1U << 19)};
    }
    return flames;
}

/// The heat of the coarse cells, and of the cells of each patch by the size and place of the cell
/// that it refines: the order in which the device makes patches has no meaning.
struct adapted_mesh {
    words coarse;
    std::map<std::array<std::uint32_t, 3>, words> patches;

    [[nodiscard]] words flattened() const {
        words all;
        for (const auto& [place, values] : patches) {
            all.insert(all.end(), place.begin(), place.end());
            all.insert(all.end(), values.begin(), values.end());
        }
        return all;
    }
};

/// One level of cells after the other.
adapted_mesh adapt_serially(const std::vector<amr::flame>& flames, const amr_options& options) {
    struct cell {
        std::uint32_t x, y;
    };
    const auto count = static_cast<std::uint32_t>(flames.size());
    std::uint32_t size = options.cell_size();
    adapted_mesh result;
    std::vector<cell> level;
    for (std::uint32_t i = 0; i < options.across * options.across; ++i) {
        level.push_back({i % options.across * size, i / options.across * size});
        result.coarse.push_back(
            amr::heat(flames.data(), count, level.back().x + size / 2, level.back().y + size / 2));
    }
    for (; size >= amr::side; size /= amr::side) {
        std::vector<cell> finer;
        for (const cell& here : level) {
            const std::uint32_t middle =
                amr::heat(flames.data(), count, here.x + size / 2, here.y + size / 2);
            if (!amr::is_steep(flames.data(), count, here.x, here.y, size, middle, options.limit)) {
                continue;
            }
            words& values = result.patches[{size, here.y, here.x}];
            const std::uint32_t part = size / amr::side;
            for (std::uint32_t i = 0; i < cells; ++i) {
                finer.push_back({here.x + i % amr::side * part, here.y + i / amr::side * part});
                values.push_back(amr::heat(flames.data(), count, finer.back().x + part / 2,
                                           finer.back().y + part / 2));
            }
        }
        level = std::move(finer);
    }
    return result;
}

/// `patches` is the number that there will be.
adapted_mesh adapt_on_device(device& gpu, const std::vector<amr::flame>& flames,
                             std::size_t patches, const amr_options& options,
                             const run_context& context) {
    const std::uint32_t coarse_cells = options.across * options.across;
    const device_buffer<amr::flame> device_flames(gpu, flames, "flames");
    const device_buffer<std::uint32_t> coarse(gpu, coarse_cells, "coarse cells");
    const device_buffer<std::uint32_t> patch_count(gpu, 1, "patch count");
    const std::size_t room = patches + 1;
    const device_buffer<std::uint32_t> places(gpu, 3 * room, "patches");
    const device_buffer<std::uint32_t> values(gpu, cells * room, "values");
    launch(gpu, context.entry("amr_mesh"), options.grid_of_parents(coarse_cells), options.across,
           options.cell_size(), device_flames.get(), static_cast<std::uint32_t>(flames.size()),
           options.limit, coarse.get(), patch_count.get(), places.get(), values.get(),
           options.limits());

    adapted_mesh result{coarse.read(), {}};
    const words place = places.read();
    const words heat = values.read();
    const std::size_t made = std::min<std::size_t>(patch_count.read()[0], room);
    for (std::size_t i = 0; i < made; ++i) {
        result.patches[{place[3 * i + 2], place[3 * i + 1], place[3 * i]}].assign(
            heat.begin() + static_cast<std::ptrdiff_t>(cells * i),
            heat.begin() + static_cast<std::ptrdiff_t>(cells * (i + 1)));
    }
    return result;
}

void run(device& gpu, const amr_options& options, const run_context& context,
         workload_report& report) {
    const auto flames = random_flames(context.random("flames"), options);
    const adapted_mesh expected = adapt_serially(flames, options);
    const adapted_mesh found =
        adapt_on_device(gpu, flames, expected.patches.size(), options, context);
    report.compare("coarse cells", found.coarse, expected.coarse);
    report.compare("patches", found.flattened(), expected.flattened());
    report.declare_deterministic("coarse cells", found.coarse);
    report.declare_deterministic("patches", found.flattened());
    report.add_row("coarse cells", std::uint64_t{expected.coarse.size()});
    std::uint64_t finest = 0;
    for (const auto& patch : expected.patches) finest += patch.first[0] == amr::side ? 1 : 0;
    report.add_row("patches", std::uint64_t{expected.patches.size()});
    report.add_row("patches of the finest level", finest);
    report.add_row("cells",
                   std::uint64_t{expected.coarse.size() + cells * expected.patches.size()});
}

}  // namespace

workload amr() {
    return with_modes(make_workload<amr_options>(
        "amr",
        "Adaptive mesh refinement: cells in which the heat of a combustion is steep get finer "
        "ones",
        "", run));
}

}  // namespace heddle::workloads
