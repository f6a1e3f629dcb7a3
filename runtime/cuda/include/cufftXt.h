/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cufftXt.h: Heddle does not have cuFFT"
