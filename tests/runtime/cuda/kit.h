// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

// Cases of a CUDA program that checks the runtime library from within. main() runs those whose
// names begin with its argument, all without one, and says which checks failed.

struct test_case {
    const char* name;
    void (*run)();
};
inline std::vector<test_case>& test_cases() {
    static std::vector<test_case> all;
    return all;
}
inline int& failures() {
    static int count = 0;
    return count;
}
struct test_registration {
    test_registration(const char* name, void (*run)()) { test_cases().push_back({name, run}); }
};

#define CASE(name)                                      \
    static void name();                                 \
    static test_registration name##_case(#name, &name); \
    static void name()

inline void check_that(bool holds, const char* text, const char* file, int line) {
    if (holds) return;
    ++failures();
    std::printf("%s:%d: not so: %s\n", file, line, text);
}
#define THAT(condition) check_that((condition), #condition, __FILE__, __LINE__)

inline void check_code(int got, int wanted, const char* text, const char* file, int line) {
    if (got == wanted) return;
    ++failures();
    std::printf("%s:%d: %s is %s, not %s\n", file, line, text, cudaGetErrorName((cudaError_t)got),
                cudaGetErrorName((cudaError_t)wanted));
}
/// A call returns this code.
#define GIVES(code, call) check_code((int)(call), (int)(code), #call, __FILE__, __LINE__)
#define GOOD(call) GIVES(0, call)
/// The same, and cudaGetLastError() has it once.
#define FAILS(code, call)                                                                    \
    do {                                                                                     \
        GIVES(code, call);                                                                   \
        check_code(cudaGetLastError(), code, "last error after " #call, __FILE__, __LINE__); \
        check_code(cudaGetLastError(), 0, "its next one after " #call, __FILE__, __LINE__);  \
    } while (false)

/// Arguments that are wrong.
template <class T>
T* null() {
    return nullptr;
}
const cudaStream_t no_stream = (cudaStream_t)0x1234;
const cudaEvent_t no_event = (cudaEvent_t)0x1234;

inline int run_cases(const std::string& which) {
    int run = 0;
    for (const test_case& each : test_cases()) {
        if (std::string(each.name).compare(0, which.size(), which) != 0) continue;
        const int before = failures();
        each.run();
        ++run;
        if (failures() != before) std::printf("case %s failed\n", each.name);
    }
    std::printf("%d cases, %d failures\n", run, failures());
    return run == 0 || failures() != 0;
}
