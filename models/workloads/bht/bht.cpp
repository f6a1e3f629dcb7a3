// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cmath>
#include <iterator>

#include "models/workloads/bht/body_tree.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct bht_options : pocket_options {
    std::uint32_t bodies = 2560;
    std::uint32_t leaf = 96;
    double theta = 0.8;

    void declare(parameter_list& p) {
        p.add("bodies", bodies, range(1, 1 << 22), "body",
              "Bodies at random places; a leaf has about 40, if they are 5 x 8^k");
        p.add("leaf", leaf, range(1, 4096), "body", "Most bodies of a leaf");
        p.add("theta", theta, range(0.1, 2.0), "",
              "Ratio of a node's side to its distance from which on the node is opened");
        pocket_options::declare(p);
    }
};

/// Uniform in the unit cube; all masses are equal and add up to 1.
point_list random_bodies(random_stream stream, std::uint32_t count) {
    point_list bodies;
    const float mass = 1.0F / static_cast<float>(count);
    const auto draw = [&] {
        return static_cast<float>(static_cast<std::int32_t>(stream.next() >> 40)) * 0x1p-24F;
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        const float x = draw();
        const float y = draw();
        bodies.add(x, y, draw(), mass);
    }
    return bodies;
}

/// The force on one body, serially: recursive, with bht_kernel.cpp's arithmetic.
class serial_walk {
public:
    serial_walk(const body_tree& tree, std::uint32_t body)
        : tree_(tree), x_(tree.bodies.x[body]), y_(tree.bodies.y[body]), z_(tree.bodies.z[body]) {}

    void visit(std::uint32_t node) {
        if (square_of_distance(tree_.centres, node) >= tree_.reach[node]) {
            add(tree_.centres, node);
        } else if (tree_.count[node] != 0) {
            const std::uint32_t first = tree_.first[node];
            for (std::uint32_t i = 0; i < tree_.count[node]; ++i) add(tree_.bodies, first + i);
            interactions += tree_.count[node];
        } else {
            for (std::uint32_t k = node + 1; k < tree_.skip[node]; k = tree_.skip[k]) visit(k);
        }
    }

    float force[3]{};
    std::uint64_t interactions = 0;  ///< with bodies of leaves

private:
    [[nodiscard]] float square_of_distance(const point_list& from, std::uint32_t k) const {
        const float dx = from.x[k] - x_;
        const float dy = from.y[k] - y_;
        const float dz = from.z[k] - z_;
        return std::fma(dx, dx, std::fma(dy, dy, dz * dz));
    }
    void add(const point_list& from, std::uint32_t k) {
        const float near = 1.0F / std::sqrt(square_of_distance(from, k) + 0x1p-10F);
        const float scale = from.mass[k] * near * near * near;
        force[0] = std::fma(from.x[k] - x_, scale, force[0]);
        force[1] = std::fma(from.y[k] - y_, scale, force[1]);
        force[2] = std::fma(from.z[k] - z_, scale, force[2]);
    }

    const body_tree& tree_;
    float x_, y_, z_;
};

std::vector<float> forces_on_device(device& gpu, const body_tree& tree, const bht_options& options,
                                    const run_context& context) {
    const point_list& bodies = tree.bodies;
    const device_buffer<float> x(gpu, bodies.x, "x");
    const device_buffer<float> y(gpu, bodies.y, "y");
    const device_buffer<float> z(gpu, bodies.z, "z");
    const device_buffer<float> mass(gpu, bodies.mass, "mass");
    const device_buffer<std::uint32_t> skip(gpu, tree.skip, "skip");
    const device_buffer<std::uint32_t> first(gpu, tree.first, "first bodies");
    const device_buffer<std::uint32_t> count(gpu, tree.count, "bodies of leaves");
    const device_buffer<float> reach(gpu, tree.reach, "reach");
    const device_buffer<float> node_x(gpu, tree.centres.x, "node x");
    const device_buffer<float> node_y(gpu, tree.centres.y, "node y");
    const device_buffer<float> node_z(gpu, tree.centres.z, "node z");
    const device_buffer<float> node_mass(gpu, tree.centres.mass, "node mass");
    const device_buffer<float> forces(gpu, std::size_t{3} * bodies.size(), "forces");
    std::vector<std::uint32_t> leaves;
    for (std::uint32_t node = 0; node < tree.count.size(); ++node) {
        if (tree.count[node] != 0) leaves.push_back(node);
    }
    const device_buffer<std::uint32_t> nodes_of_leaves(gpu, leaves, "leaves");
    const auto leaf_count = static_cast<std::uint32_t>(leaves.size());
    launch(gpu, context.entry("bht_leaves"), options.grid_of_parents(leaf_count), leaf_count,
           nodes_of_leaves.get(), x.get(), y.get(), z.get(), mass.get(), tree.centres.size(),
           skip.get(), first.get(), count.get(), reach.get(), node_x.get(), node_y.get(),
           node_z.get(), node_mass.get(), forces.get(), options.limits());
    return forces.read();
}

void run(device& gpu, const bht_options& options, const run_context& context,
         workload_report& report) {
    const body_tree tree(random_bodies(context.random("bodies"), options.bodies), options.leaf,
                         static_cast<float>(options.theta));
    const auto forces = forces_on_device(gpu, tree, options, context);

    std::vector<float> expected;
    std::uint64_t interactions = 0;
    for (std::uint32_t body = 0; body < tree.bodies.size(); ++body) {
        serial_walk walk(tree, body);
        walk.visit(0);
        interactions += walk.interactions;
        expected.insert(expected.end(), std::begin(walk.force), std::end(walk.force));
    }
    report.compare("forces", forces, expected);
    report.declare_deterministic("forces", forces);
    report.add_row("bodies", std::uint64_t{options.bodies});
    report.add_row("nodes", std::uint64_t{tree.centres.size()});
    report.add_row("interactions with bodies", interactions);
}

}  // namespace

workload bht() {
    return with_modes(make_workload<bht_options>(
        "bht", "Barnes-Hut tree: the forces on bodies at random places, a thread a leaf", "", run));
}

}  // namespace heddle::workloads
