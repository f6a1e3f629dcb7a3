/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#ifndef HEDDLE_CUDA_SHR_UTILS_H
#define HEDDLE_CUDA_SHR_UTILS_H

/* Names that samples of CUDA and OpenCL shared before helper_functions.h. Nothing goes to a log
 * file. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "helper_string.h"

enum { shrFALSE = 0, shrTRUE = 1 };
typedef unsigned char shrBOOL;

inline int shrLog(const char* text, ...) {
    va_list values;
    va_start(values, text);
    const int written = vprintf(text, values);
    va_end(values);
    return written < 0;
}
inline void shrSetLogFileName(const char*) {}
inline char* shrFindFilePath(const char* filename, const char* executable) {
    return sdkFindFilePath(filename, executable);
}
inline shrBOOL shrCheckCmdLineFlag(int argc, const char** argv, const char* name) {
    return checkCmdLineFlag(argc, argv, name);
}
inline shrBOOL shrGetCmdLineArgumenti(int argc, const char** argv, const char* name, int* value) {
    return getCmdLineArgumentValue(argc, argv, name, value);
}
inline shrBOOL shrGetCmdLineArgumentstr(int argc, const char** argv, const char* name,
                                        char** value) {
    return getCmdLineArgumentString(argc, argv, name, value);
}
inline size_t shrRoundUp(int group, int all) {
    return (size_t)((all + group - 1) / group * group);
}
/* Seconds since the last call for this counter. */
inline double shrDeltaT(int counter = 0) {
    static timeval last[3];
    timeval now;
    gettimeofday(&now, 0);
    timeval& before = last[counter];
    const double seconds = before.tv_sec == 0 ? 0.0
                                              : (double)(now.tv_sec - before.tv_sec) +
                                                    1e-6 * (double)(now.tv_usec - before.tv_usec);
    before = now;
    return seconds;
}
#define shrEXIT(argc, argv) exit(EXIT_SUCCESS)

enum { QA_FAILED, QA_PASSED, QA_WAIVED };
inline void shrQAStart(int, char** argv) {
    printf("[%s] starting...\n", argv[0]);
}
inline void shrQAFinish(int, const char** argv, int status) {
    printf("[%s] test results...\n%s\n", argv[0],
           status == QA_PASSED   ? "PASSED"
           : status == QA_WAIVED ? "WAIVED"
                                 : "FAILED");
}
inline void shrQAFinishExit(int argc, const char** argv, int status) {
    shrQAFinish(argc, argv, status);
    exit(status == QA_FAILED ? EXIT_FAILURE : EXIT_SUCCESS);
}

#endif
