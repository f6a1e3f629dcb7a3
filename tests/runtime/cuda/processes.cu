// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Programs that fork, have threads, are killed, or end early. The argument says which.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "kit.h"

__global__ void square(int* x) {
    x[threadIdx.x] = threadIdx.x * threadIdx.x;
}
__global__ void speak() {
    printf("kernel %d speaks\n", threadIdx.x);
}
__global__ void forever(volatile int* x) {
    while (*x == 0) x[1] += 1;
}

/// Whether a device squares.
static bool squares(cudaStream_t stream) {
    int *d = nullptr, h[32] = {};
    if (cudaMalloc(&d, sizeof h) != cudaSuccess) return false;
    square<<<1, 32, 0, stream>>>(d);
    if (cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, stream) != cudaSuccess)
        return false;
    if (cudaStreamSynchronize(stream) != cudaSuccess || cudaFree(d) != cudaSuccess) return false;
    return h[31] == 961 && h[1] == 1;
}

/// `bytes`: of a block that the parent has, and of one that the child gets at the same place.
static int forks(size_t bytes) {
    int* d = nullptr;
    GOOD(cudaMalloc(&d, bytes));
    const pid_t child = fork();
    if (child == 0) {
        // What the parent has is none of the child's: it gets a device of its own.
        FAILS(cudaErrorInvalidValue, cudaFree(d));
        int* own = nullptr;
        GOOD(cudaMalloc(&own, bytes));
        THAT(own == d);
        GOOD(cudaFree(own));
        THAT(squares(0));
        std::printf("child has a device\n");
        std::fflush(stdout);
        std::exit(failures() != 0);
    }
    THAT(squares(0));
    int status = 1;
    waitpid(child, &status, 0);
    THAT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    GOOD(cudaFree(d));
    return failures() != 0;
}

static void* run_thread(void* wrong) {
    cudaStream_t stream;
    bool good = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess;
    for (int i = 0; i < 20; ++i) good = good && squares(stream);
    (void)cudaSetDevice(9);  // the error is this thread's alone
    good = good && cudaGetLastError() == cudaErrorInvalidDevice;
    good = good && cudaStreamDestroy(stream) == cudaSuccess;
    *static_cast<bool*>(wrong) = !good;
    return nullptr;
}

static int threads() {
    pthread_t all[4];
    bool wrong[4] = {};
    for (int i = 0; i < 4; ++i) pthread_create(&all[i], nullptr, run_thread, &wrong[i]);
    for (int i = 0; i < 4; ++i) {
        pthread_join(all[i], nullptr);
        THAT(!wrong[i]);
    }
    GOOD(cudaGetLastError());
    return failures() != 0;
}

// A block is where the program itself has nothing.
static int large() {
    void* const middle = reinterpret_cast<void*>(0x56555000);
    THAT(mmap(middle, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) ==
         middle);
    for (const bool shared : {false, true}) {
        unsigned char *d = nullptr, last = 0;
        const size_t bytes = 512u << 20;
        GOOD(shared ? cudaMallocManaged(&d, bytes) : cudaMalloc(&d, bytes));
        THAT(d + bytes <= middle || d > middle);
        GOOD(cudaMemset(d + bytes - 1, 7, 1));
        GOOD(cudaMemcpy(&last, d + bytes - 1, 1, cudaMemcpyDefault));
        THAT(last == 7 && (!shared || d[bytes - 1] == 7));
        GOOD(cudaFree(d));
    }
    return failures() != 0;
}

static void leave(int) {
    std::exit(3);
}

/// A device that can't begin is not tried again before a reset; then it is.
static int retries() {
    int* d = nullptr;
    setenv("HEDDLE_CONFIG", "nonsense", 1);
    FAILS(cudaErrorDevicesUnavailable, cudaMalloc(&d, 4));
    setenv("HEDDLE_CONFIG", "tiny", 1);
    FAILS(cudaErrorDevicesUnavailable, cudaMalloc(&d, 4));
    GOOD(cudaDeviceReset());
    GOOD(cudaMalloc(&d, 4));
    THAT(squares(0));
    return failures() != 0;
}

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "fork") return forks(4);
    if (what == "fork_large") return forks(300u << 20);
    if (what == "large") return large();
    if (what == "threads") return threads();
    if (what == "retries") return retries();
    int* d = nullptr;
    GOOD(cudaMalloc(&d, 8));
    GOOD(cudaMemset(d, 0, 8));
    if (what == "children") {  // there are none but its own
        if (fork() == 0) _exit(3);
        int status = 0, count = 0;
        while (wait(&status) > 0) ++count;
        THAT(count == 1 && WEXITSTATUS(status) == 3);
        THAT(squares(0));
        return failures() != 0;
    }
    if (what == "released") {  // begins no device again
        cudaStream_t stream;
        GOOD(cudaStreamCreate(&stream));
        GOOD(cudaDeviceReset());
        FAILS(cudaErrorInvalidValue, cudaFree(d));
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
        return failures() != 0;
    }
    if (what == "reset") {  // waits by it only
        speak<<<1, 1>>>();
        GOOD(cudaDeviceReset());
        return failures() != 0;
    }
    if (what == "freed") {  // the last call is one that nobody waits for
        char* large = nullptr;
        GOOD(cudaMallocManaged(&large, 64u << 20));
        GOOD(cudaMemset(large, 1, 64u << 20));
        GOOD(cudaFree(large));
        return failures() != 0;
    }
    if (what == "unheard") {  // ends without waiting
        square<<<1, 1>>>(d);
        square<<<1, 1>>>(d);
    }
    if (what == "early") {  // ends while a kernel runs
        forever<<<1, 1>>>(d);
        while (cudaStreamQuery(0) != cudaErrorNotReady) {
        }
    }
    if (what == "signal") {  // whose handler ends the program within a call
        signal(SIGALRM, leave);
        forever<<<1, 1>>>(d);
        ualarm(300000, 0);
        (void)cudaDeviceSynchronize();
    }
    if (what == "killed") {
        forever<<<1, 1>>>(d);
        std::printf("waiting\n");
        std::fflush(stdout);
        if (fork() == 0) {
            usleep(300000);
            kill(getppid(), SIGKILL);
            _exit(0);
        }
        (void)cudaDeviceSynchronize();
    }
    return 0;
}
