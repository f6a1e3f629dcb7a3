/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#ifndef HEDDLE_CUDA_HELPER_CUDA_H
#define HEDDLE_CUDA_HELPER_CUDA_H

/* Checks of errors and choice of a device, under the names that programs in the manner of CUDA's
 * samples expect. */

#include <stdio.h>
#include <stdlib.h>

#include "cuda_runtime_api.h"
#include "helper_string.h"

inline const char* _cudaGetErrorEnum(cudaError_t error) {
    return cudaGetErrorName(error);
}

template <class T>
inline void check(T result, const char* call, const char* file, int line) {
    if (result == (T)0) return;
    fprintf(stderr, "CUDA error at %s:%d: %s returned %d (%s)\n", file, line, call, (int)result,
            _cudaGetErrorEnum(static_cast<cudaError_t>(result)));
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, int line) {
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, message, (int)error,
            cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)

inline void __printLastCudaError(const char* message, const char* file, int line) {
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, message, (int)error,
            cudaGetErrorString(error));
}
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
inline int ftoi(float value) {
    return value >= 0 ? (int)(value + 0.5f) : (int)(value - 0.5f);
}

/* Single-precision units of an SMX: a warp instruction a cycle and warp scheduler. */
inline int _ConvertSMVer2Cores(int, int) {
    return 128;
}
inline const char* _ConvertSMVer2ArchName(int, int) {
    return "Heddle";
}

inline int gpuDeviceInit(int device) {
    int count = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (device < 0) device = 0;
    if (device >= count) {
        fprintf(stderr, "There is no device %d; there are %d\n", device, count);
        return -device;
    }
    checkCudaErrors(cudaSetDevice(device));
    return device;
}
inline int gpuGetMaxGflopsDeviceId() {
    return 0;
}
/* The one of the option `-device=N`. */
inline int findCudaDevice(int argc, const char** argv) {
    const int device = checkCmdLineFlag(argc, argv, "device")
                           ? gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"))
                           : 0;
    if (device < 0) exit(EXIT_FAILURE);
    cudaDeviceProp text;
    checkCudaErrors(cudaSetDevice(device));
    checkCudaErrors(cudaGetDeviceProperties(&text, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, text.name, text.major,
           text.minor);
    return device;
}
inline int findIntegratedGPU() {
    return -1;
}
inline bool checkCudaCapabilities(int major, int minor) {
    cudaDeviceProp text;
    checkCudaErrors(cudaGetDeviceProperties(&text, 0));
    return text.major > major || (text.major == major && text.minor >= minor);
}

#endif
