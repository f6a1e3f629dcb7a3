// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// SystemC's library wants it; the fuzz targets simulate nothing.
extern "C" int sc_main(int argc, char** argv);

extern "C" int sc_main(int, char**) {
    return 0;
}
