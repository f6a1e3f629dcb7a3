// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The source that the targets of heddle_precompiled.cmake need to have.
