/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "curand.h: Heddle does not have cuRAND's functions for the host; curand_kernel.h is there"
