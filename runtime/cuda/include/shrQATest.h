/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#include "shrUtils.h"
