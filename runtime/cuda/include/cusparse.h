/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors */
#error "cusparse.h: Heddle does not have cuSPARSE"
