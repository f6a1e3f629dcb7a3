/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "curand_mtgp32_host.h: Heddle does not have cuRAND's MTGP32"
