// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/workloads/workload.h"

/// The declarations that registry.cpp's table is made of; each is defined in the workload's folder.
namespace heddle::workloads {

workload amr();
workload atax();
workload audit();
workload bandwidth();
workload barrier();
workload bfs();
workload bfs_pockets();
workload bht();
workload bicg();
workload bitonic();
workload black();
workload children();
workload clr();
workload color();
workload compute();
workload contrived();
workload divergence();
workload fft();
workload game();
workload gc();
workload histogram();
workload hmmer();
workload ht();
workload it();
workload join();
workload km();
workload l_bfs();
workload l_sssp();
workload laplace();
workload latency();
workload launch();
workload lbm();
workload ledgers();
workload lock();
workload lps();
workload lu();
workload matrix();
workload mis();
workload montecarlo();
workload mvt();
workload octree();
workload octree_pockets();
workload p_sssp();
workload pathfinder();
workload pre();
workload reduction();
workload regx();
workload saxpy();
workload sobolqrng();
workload sssp();
workload stencil();
workload throughput();
workload transpose();
workload uts();

}  // namespace heddle::workloads
