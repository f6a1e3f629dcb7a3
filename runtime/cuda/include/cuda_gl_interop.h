/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cuda_gl_interop.h: Heddle does not have graphics"
