/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "nvml.h: Heddle does not have NVIDIA's management library"
