/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#ifndef HEDDLE_CUDA_CUTIL_H
#define HEDDLE_CUDA_CUTIL_H

/* Names of programs older than helper_cuda.h. */

#include <string.h>

#include <fstream>
#include <vector>

#include "cuda.h"
#include "helper_cuda.h"
#include "helper_functions.h"

#define CUDA_SAFE_CALL(call) checkCudaErrors(call)
#define CUDA_SAFE_CALL_NO_SYNC(call) checkCudaErrors(call)
#define cutilSafeCall(call) checkCudaErrors(call)
#define cutilSafeCallNoSync(call) checkCudaErrors(call)
#define CU_SAFE_CALL(call) checkCudaErrors(call)
#define CU_SAFE_CALL_NO_SYNC(call) checkCudaErrors(call)
#define cutilDrvSafeCall(call) checkCudaErrors(call)
#define cutilDrvSafeCallNoSync(call) checkCudaErrors(call)
#define cutilSafeThreadSync() checkCudaErrors(cudaThreadSynchronize())
#define cutilDeviceSynchronize() cudaDeviceSynchronize()
#define cutilThreadSynchronize() cudaThreadSynchronize()
#define cutilDeviceReset() cudaDeviceReset()
#define cutilThreadExit() cudaThreadExit()
#define cutilCheckMsg(message) getLastCudaError(message)
#define cutilCheckMsgAndSync(message)             \
    do {                                          \
        checkCudaErrors(cudaDeviceSynchronize()); \
        getLastCudaError(message);                \
    } while (0)
#define CUT_CHECK_ERROR(message) getLastCudaError(message)
#define CUT_SAFE_CALL(call) heddle_cuda_expect((call) != 0, #call, __FILE__, __LINE__)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define CUT_CONDITION(value) CUT_SAFE_CALL(value)
#define cutilCondition(value) CUT_SAFE_CALL(value)
#define CUT_SAFE_MALLOC(call) CUT_SAFE_CALL(call)
#define cutilSafeMalloc(call) CUT_SAFE_CALL(call)
#define CUT_BANK_CHECKER(array, index) array[index]
#define cutilBankChecker(array, index) array[index]
#define CUT_DEVICE_INIT(argc, argv) (void)gpuDeviceInit(0)
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)
#define cutilExit(argc, argv) exit(EXIT_SUCCESS)
#define cutilDeviceInit(argc, argv) gpuDeviceInit(0)
#define cutilChooseCudaDevice(argc, argv) gpuDeviceInit(0)
#define cutGetMaxGflopsDeviceId() 0
#define cutilGetMaxGflopsDeviceId() 0
#define CUT_DEVICE_INIT_DRV(device, argc, argv)     \
    do {                                            \
        checkCudaErrors(cuInit(0));                 \
        checkCudaErrors(cuDeviceGet(&(device), 0)); \
    } while (0)
#define cutilDeviceInitDrv(device, argc, argv) CUT_DEVICE_INIT_DRV(device, argc, argv)

typedef bool CUTBoolean;
#define CUTTrue true
#define CUTFalse false
enum { CUT_FALSE = 0, CUT_TRUE = 1 };

inline void heddle_cuda_expect(bool good, const char* call, const char* file, int line) {
    if (good) return;
    fprintf(stderr, "%s:%d: %s failed\n", file, line, call);
    exit(EXIT_FAILURE);
}

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
inline bool cutGetCmdLineArgumentf(int argc, const char** argv, const char* name, float* value) {
    if (!checkCmdLineFlag(argc, argv, name)) return false;
    *value = getCmdLineArgumentFloat(argc, argv, name);
    return true;
}
/* The caller gives it back by cutFree(). */
inline bool cutGetCmdLineArgumentstr(int argc, const char** argv, const char* name, char** value) {
    char* found = 0;
    if (!getCmdLineArgumentString(argc, argv, name, &found)) return false;
    *value = strdup(found);
    return true;
}
inline void cutFree(void* memory) {
    free(memory);
}

inline bool cutComparef(const float* reference, const float* data, unsigned int len) {
    return compareData(reference, data, len, 0.0f);
}
inline bool cutComparei(const int* reference, const int* data, unsigned int len) {
    return compareData(reference, data, len, 0);
}
inline bool cutCompareui(const unsigned int* reference, const unsigned int* data,
                         unsigned int len) {
    return compareData(reference, data, len, 0);
}
inline bool cutCompareub(const unsigned char* reference, const unsigned char* data,
                         unsigned int len) {
    return compareData(reference, data, len, 0);
}
inline bool cutCompareube(const unsigned char* reference, const unsigned char* data,
                          unsigned int len, float epsilon) {
    return compareData(reference, data, len, epsilon);
}
inline bool cutComparefe(const float* reference, const float* data, unsigned int len,
                         float epsilon) {
    return compareData(reference, data, len, epsilon);
}
inline bool cutComparefet(const float* reference, const float* data, unsigned int len,
                          float epsilon, float threshold) {
    return compareData(reference, data, len, epsilon, threshold);
}
inline bool cutCompareL2fe(const float* reference, const float* data, unsigned int len,
                           float epsilon) {
    return sdkCompareL2fe(reference, data, len, epsilon);
}

inline char* cutFindFilePath(const char* filename, const char* executable) {
    return sdkFindFilePath(filename, executable);
}
/* Numbers of a text file, as many as there are, or as many as `len` says if there is memory. */
template <class T>
inline bool heddle_cuda_read_numbers(const char* file, T** data, unsigned int* len) {
    std::ifstream in(file);
    std::vector<T> all;
    for (T number; in >> number;) all.push_back(number);
    if (!in.eof() || all.empty() || (*data != 0 && *len != all.size())) return false;
    if (*data == 0) *data = (T*)malloc(all.size() * sizeof(T));
    memcpy(*data, &all[0], all.size() * sizeof(T));
    *len = (unsigned int)all.size();
    return true;
}
template <class T>
inline bool heddle_cuda_write_numbers(const char* file, const T* data, unsigned int len) {
    std::ofstream out(file);
    out.precision(9);
    for (unsigned int i = 0; i < len; ++i) out << data[i] << ' ';
    return out.flush().good();
}
inline bool cutReadFilef(const char* file, float** data, unsigned int* len, bool = false) {
    return heddle_cuda_read_numbers(file, data, len);
}
inline bool cutReadFilei(const char* file, int** data, unsigned int* len, bool = false) {
    return heddle_cuda_read_numbers(file, data, len);
}
inline bool cutReadFileui(const char* file, unsigned int** data, unsigned int* len, bool = false) {
    return heddle_cuda_read_numbers(file, data, len);
}
inline bool cutWriteFilef(const char* file, const float* data, unsigned int len, float,
                          bool = false) {
    return heddle_cuda_write_numbers(file, data, len);
}
inline bool cutWriteFilei(const char* file, const int* data, unsigned int len, bool = false) {
    return heddle_cuda_write_numbers(file, data, len);
}
inline bool cutWriteFileui(const char* file, const unsigned int* data, unsigned int len,
                           bool = false) {
    return heddle_cuda_write_numbers(file, data, len);
}

inline bool cutLoadPGMub(const char* file, unsigned char** data, unsigned int* w, unsigned int* h) {
    return sdkLoadPGM(file, data, w, h);
}
inline bool cutLoadPGMf(const char* file, float** data, unsigned int* w, unsigned int* h) {
    return sdkLoadPGM(file, data, w, h);
}
inline bool cutSavePGMub(const char* file, unsigned char* data, unsigned int w, unsigned int h) {
    return sdkSavePGM(file, data, w, h);
}
inline bool cutSavePGMf(const char* file, float* data, unsigned int w, unsigned int h) {
    return sdkSavePGM(file, data, w, h);
}
inline bool cutLoadPPMub(const char* file, unsigned char** data, unsigned int* w, unsigned int* h) {
    return heddle_cuda_load_picture(file, data, w, h, 3) == 3;
}
inline bool cutSavePPMub(const char* file, unsigned char* data, unsigned int w, unsigned int h) {
    return heddle_cuda_save_picture(file, data, w, h, 3, 3);
}
inline bool cutLoadPPM4ub(const char* file, unsigned char** data, unsigned int* w,
                          unsigned int* h) {
    return sdkLoadPPM4ub(file, data, w, h);
}
inline bool cutSavePPM4ub(const char* file, unsigned char* data, unsigned int w, unsigned int h) {
    return sdkSavePPM4ub(file, data, w, h);
}

#endif
