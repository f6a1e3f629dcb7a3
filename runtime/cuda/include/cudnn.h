/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cudnn.h: Heddle does not have cuDNN"
