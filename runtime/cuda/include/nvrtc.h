/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "nvrtc.h: Heddle does not have compilation at run time"
