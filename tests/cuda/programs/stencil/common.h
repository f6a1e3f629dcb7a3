// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The order of a volume's elements.
#ifndef COMMON_H_
#define COMMON_H_
#define Index3D(_nx, _ny, _i, _j, _k) ((_i) + _nx * ((_j) + _ny * (_k)))
#endif
