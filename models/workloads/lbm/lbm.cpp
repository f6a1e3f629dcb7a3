// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/helpers.h"
#include "models/workloads/lbm/lattice.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

using namespace lattice;

struct lbm_options {
    std::uint32_t nx = 32;
    std::uint32_t ny = 32;
    std::uint32_t nz = 12;
    std::uint32_t iterations = 1;
    std::uint32_t solid = 10;
    std::uint32_t value_bytes = 4;
    std::uint32_t block = 256;

    void declare(parameter_list& p) {
        p.add("nx", nx, range(3, 512), "cell", "Width of the grid");
        p.add("ny", ny, range(3, 512), "cell", "Height of the grid");
        p.add("nz", nz, range(3, 512), "cell", "Depth of the grid");
        p.add("iterations", iterations, range(0, 10000), "step", "Steps of the method");
        p.add("solid", solid, range(0, 100), "%", "Cells inside the walls that are solid");
        p.add("value_bytes", value_bytes, one_of({4, 8}), "byte",
              "Place of a value in memory; 8 is that of a double, of which half is not used");
        p.add("block", block, range(1, 1024), "thread", "Threads in a block");
    }
    [[nodiscard]] std::size_t plane() const noexcept { return std::size_t{nx} * ny; }
    [[nodiscard]] std::size_t cells() const noexcept { return plane() * nz; }
    /// Cells before and behind the grid that take what leaves it.
    [[nodiscard]] std::size_t margin() const noexcept { return plane() + nx + 1; }
    [[nodiscard]] std::size_t first_word() const noexcept { return margin() * site_words; }
};

/// A box of fluid at rest with solid walls and random solid cells; the cells below its upper wall
/// are driven. The grid has its margins.
std::vector<float> cavity(const lbm_options& options, random_stream stream) {
    std::vector<float> grid((options.cells() + 2 * options.margin()) * site_words);
    float* cell = grid.data() + options.first_word();
    for (std::uint32_t z = 0; z < options.nz; ++z) {
        for (std::uint32_t y = 0; y < options.ny; ++y) {
            for (std::uint32_t x = 0; x < options.nx; ++x, cell += site_words) {
                const bool wall = x == 0 || y == 0 || z == 0 || x + 1 == options.nx ||
                                  y + 1 == options.ny || z + 1 == options.nz;
                for (unsigned d = 0; d < directions; ++d) cell[d] = weight(d);
                const bool blocked = stream.below(100) < options.solid;
                cell[kind_word] = wall || blocked       ? lattice::solid
                                  : z + 2 == options.nz ? driven
                                                        : fluid;
            }
        }
    }
    return grid;
}

/// What a cell that is not solid sends out.
void collide(const float* cell, float* out) {
    float density = 0;
    float x = 0;
    float y = 0;
    float z = 0;
    for (unsigned d = 0; d < directions; ++d) {
        density += cell[d];
        x += static_cast<float>(velocities[d].x) * cell[d];
        y += static_cast<float>(velocities[d].y) * cell[d];
        z += static_cast<float>(velocities[d].z) * cell[d];
    }
    x /= density;
    y /= density;
    z /= density;
    if (cell[kind_word] == driven) {
        x = driven_x;
        y = driven_y;
        z = 0;
    }
    const float energy = 1.5F * (x * x + y * y + z * z);
    for (unsigned d = 0; d < directions; ++d) {
        const velocity v = velocities[d];
        const float along =
            static_cast<float>(v.x) * x + static_cast<float>(v.y) * y + static_cast<float>(v.z) * z;
        const float level = weight(d) * density * (1.0F + along * (3.0F + 4.5F * along) - energy);
        out[d] = (1.0F - relaxation) * cell[d] + relaxation * level;
    }
}

/// The serial reference.
std::vector<float> stepped(const lbm_options& options, std::vector<float> grid) {
    std::vector<float> next = grid;
    const auto row = static_cast<std::ptrdiff_t>(options.nx);
    const auto plane = static_cast<std::ptrdiff_t>(options.plane());
    for (std::uint32_t step = 0; step < options.iterations; ++step) {
        for (std::size_t i = 0; i < options.cells(); ++i) {
            const std::size_t place = options.first_word() + i * site_words;
            const float* const cell = grid.data() + place;
            float out[directions];
            if (cell[kind_word] == lattice::solid) {
                for (unsigned d = 0; d < directions; ++d) out[d] = cell[opposite(d)];
            } else {
                collide(cell, out);
            }
            for (unsigned d = 0; d < directions; ++d) {
                const velocity v = velocities[d];
                const std::ptrdiff_t shift = v.x + v.y * row + v.z * plane;
                next[place + static_cast<std::size_t>(shift) * site_words + d] = out[d];
            }
        }
        std::swap(grid, next);
    }
    return grid;
}

void run(device& gpu, const lbm_options& options, const run_context& context,
         workload_report& report) {
    const auto start = cavity(options, context.random("cells"));
    const std::uint32_t words = options.value_bytes / 4;
    const auto spread = spread_out(start, words);
    const device_buffer<float> grids[] = {{gpu, spread, "grid 0"}, {gpu, spread, "grid 1"}};
    const auto first_byte = static_cast<device_address>(options.first_word() * options.value_bytes);
    const auto inside = [&](unsigned which) {
        return device_ptr<float>{grids[which].get().address + first_byte};
    };
    const auto cells = static_cast<std::uint32_t>(options.cells());
    for (std::uint32_t step = 0; step < options.iterations; ++step) {
        launch(gpu, words == 1 ? "lbm" : "lbm_wide", grid_over(cells, options.block), cells,
               options.nx, static_cast<std::uint32_t>(options.plane()), inside(step % 2),
               inside(1 - step % 2));
    }
    const auto result = drawn_together(grids[options.iterations % 2].read(), words);
    report.compare("grid", result, stepped(options, start));
    report.declare_deterministic("grid", result);
    report.add_row("cells", std::uint64_t{cells});
    report.add_row("iterations", std::uint64_t{options.iterations});
}

}  // namespace

workload lbm() {
    return make_workload<lbm_options>(
        "lbm", "Lattice Boltzmann method (D3Q19) in a porous box, a thread a cell", "", run);
}

}  // namespace heddle::workloads
