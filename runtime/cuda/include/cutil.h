/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#ifndef HEDDLE_CUDA_CUTIL_H
#define HEDDLE_CUDA_CUTIL_H

/* Names of programs older than helper_cuda.h. */

#include "helper_cuda.h"
#include "helper_functions.h"

#define CUDA_SAFE_CALL(call) checkCudaErrors(call)
#define CUDA_SAFE_CALL_NO_SYNC(call) checkCudaErrors(call)
#define cutilSafeCall(call) checkCudaErrors(call)
#define cutilSafeCallNoSync(call) checkCudaErrors(call)
#define cutilCheckMsg(message) getLastCudaError(message)
#define CUT_CHECK_ERROR(message) getLastCudaError(message)
#define CUT_SAFE_CALL(call) (void)(call)
#define cutilCheckError(call) (void)(call)
#define CUT_DEVICE_INIT(argc, argv) (void)gpuDeviceInit(0)
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)
#define cutilExit(argc, argv) exit(EXIT_SUCCESS)
#define cutilDeviceInit(argc, argv) gpuDeviceInit(0)
#define cutGetMaxGflopsDeviceId() 0
#define cutilThreadSynchronize() cudaThreadSynchronize()

typedef bool CUTBoolean;
#define CUTTrue true
#define CUTFalse false

/* A timer is a number, as it was. */
inline std::vector<StopWatchInterface*>& heddle_cuda_timers() {
    static std::vector<StopWatchInterface*> timers;
    return timers;
}
inline bool cutCreateTimer(unsigned int* timer) {
    heddle_cuda_timers().push_back(new StopWatchInterface);
    *timer = (unsigned int)heddle_cuda_timers().size() - 1;
    return true;
}
inline bool cutStartTimer(unsigned int timer) {
    heddle_cuda_timers()[timer]->start();
    return true;
}
inline bool cutStopTimer(unsigned int timer) {
    heddle_cuda_timers()[timer]->stop();
    return true;
}
inline bool cutResetTimer(unsigned int timer) {
    heddle_cuda_timers()[timer]->reset();
    return true;
}
inline bool cutDeleteTimer(unsigned int) {
    return true;
}
inline float cutGetTimerValue(unsigned int timer) {
    return heddle_cuda_timers()[timer]->getTime();
}
inline float cutGetAverageTimerValue(unsigned int timer) {
    return heddle_cuda_timers()[timer]->getAverageTime();
}
inline bool cutCheckCmdLineFlag(int argc, const char** argv, const char* name) {
    return checkCmdLineFlag(argc, argv, name);
}
inline bool cutGetCmdLineArgumenti(int argc, const char** argv, const char* name, int* value) {
    return getCmdLineArgumentValue(argc, argv, name, value);
}
inline bool cutComparefe(const float* reference, const float* data, unsigned int len,
                         float epsilon) {
    return compareData(reference, data, len, epsilon);
}
inline bool cutCompareL2fe(const float* reference, const float* data, unsigned int len,
                           float epsilon) {
    return sdkCompareL2fe(reference, data, len, epsilon);
}

#endif
