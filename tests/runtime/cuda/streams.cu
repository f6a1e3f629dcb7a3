// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The order of streams, events, functions of the program, and simulated times. Prints times, which
// are the same in each run.
#include <pthread.h>

#include "kit.h"

__device__ unsigned order;
__global__ void note(unsigned* when) {
    if (threadIdx.x == 0) *when = atomicAdd(&order, 1);
}
__global__ void work(unsigned* x, int rounds) {
    unsigned v = threadIdx.x;
    for (int i = 0; i < rounds; ++i) v = v * 1664525u + 1013904223u;
    x[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void work_then_note(unsigned* x, int rounds, unsigned* when) {
    unsigned v = threadIdx.x;
    for (int i = 0; i < rounds; ++i) v = v * 1664525u + 1013904223u;
    x[threadIdx.x] = v;
    if (threadIdx.x == 0) *when = atomicAdd(&order, 1);
}

struct fixture {
    unsigned *x, *when;
    cudaStream_t a, b, free;
    cudaEvent_t first, second;
    fixture() {
        GOOD(cudaMalloc(&x, 4096));
        GOOD(cudaMalloc(&when, 64));
        GOOD(cudaMemset(when, 0xff, 64));
        const unsigned zero = 0;
        GOOD(cudaMemcpyToSymbol(order, &zero, 4));
        GOOD(cudaStreamCreate(&a));
        GOOD(cudaStreamCreate(&b));
        GOOD(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking));
        GOOD(cudaEventCreate(&first));
        GOOD(cudaEventCreate(&second));
    }
    ~fixture() {
        GOOD(cudaFree(x));
        GOOD(cudaFree(when));
        GOOD(cudaStreamDestroy(a));
        GOOD(cudaStreamDestroy(b));
        GOOD(cudaStreamDestroy(free));
        GOOD(cudaEventDestroy(first));
        GOOD(cudaEventDestroy(second));
    }
    unsigned at(int i) const {
        unsigned value = 0;
        GOOD(cudaMemcpy(&value, when + i, 4, cudaMemcpyDeviceToHost));
        return value;
    }
};

CASE(events_order_streams) {
    fixture f;
    work_then_note<<<1, 32, 0, f.a>>>(f.x, 400, f.when);
    GOOD(cudaEventRecord(f.first, f.a));
    GOOD(cudaStreamWaitEvent(f.free, f.first, 0));
    note<<<1, 32, 0, f.free>>>(f.when + 1);
    GOOD(cudaDeviceSynchronize());
    THAT(f.at(0) == 0 && f.at(1) == 1);
}

CASE(an_event_is_as_it_was_recorded) {
    fixture f;
    GOOD(cudaEventRecord(f.first, f.a));
    GOOD(cudaStreamWaitEvent(f.free, f.first, 0));  // not for what comes later
    work_then_note<<<1, 32, 0, f.a>>>(f.x, 2000, f.when);
    GOOD(cudaEventRecord(f.first, f.a));
    note<<<1, 32, 0, f.free>>>(f.when + 1);
    GOOD(cudaDeviceSynchronize());
    THAT(f.at(0) == 1 && f.at(1) == 0);
}

// On the functional simulator, too: a launch is timed from the end of the one before.
CASE(a_launch_behind_another_has_its_own_time) {
    fixture f;
    cudaEvent_t end = nullptr;
    float ms = 0;
    GOOD(cudaEventCreate(&end));
    work_then_note<<<1, 32>>>(f.x, 100, f.when);
    GOOD(cudaEventRecord(f.first));
    work_then_note<<<1, 32>>>(f.x, 100, f.when);
    GOOD(cudaEventRecord(end));
    GOOD(cudaEventSynchronize(end));
    GOOD(cudaEventElapsedTime(&ms, f.first, end));
    THAT(ms > 0);
    GOOD(cudaEventDestroy(end));
}

CASE(default_stream_orders_blocking_ones) {
    fixture f;
    work_then_note<<<1, 32, 0, f.a>>>(f.x, 400, f.when);
    note<<<1, 32>>>(f.when + 1);
    note<<<1, 32, 0, f.b>>>(f.when + 2);
    GOOD(cudaDeviceSynchronize());
    THAT(f.at(0) == 0 && f.at(1) == 1 && f.at(2) == 2);
}

CASE(free_streams_overtake) {
    fixture f;
    work_then_note<<<1, 32>>>(f.x, 3000, f.when);
    note<<<1, 32, 0, f.free>>>(f.when + 1);
    GOOD(cudaDeviceSynchronize());
    THAT(f.at(0) == 1 && f.at(1) == 0);
}

CASE(a_stream_is_in_order) {
    fixture f;
    work_then_note<<<1, 32, 0, f.free>>>(f.x, 400, f.when);
    note<<<1, 32, 0, f.free>>>(f.when + 1);
    GOOD(cudaStreamSynchronize(f.free));
    THAT(f.at(0) == 0 && f.at(1) == 1);
}

CASE(a_destroyed_stream_ends_its_work) {
    fixture f;
    cudaStream_t gone;
    GOOD(cudaStreamCreate(&gone));
    work_then_note<<<1, 32, 0, gone>>>(f.x, 400, f.when);
    GOOD(cudaStreamDestroy(gone));
    note<<<1, 32>>>(f.when + 1);
    GOOD(cudaDeviceSynchronize());
    THAT(f.at(0) == 0 && f.at(1) == 1);
}

CASE(times) {
    fixture f;
    float ms[3] = {};
    cudaEvent_t third;
    GOOD(cudaEventCreate(&third));
    GOOD(cudaEventRecord(f.first));
    work<<<1, 32>>>(f.x, 100);
    GOOD(cudaEventRecord(f.second));
    work<<<1, 32>>>(f.x, 1000);
    GOOD(cudaEventRecord(third));
    GOOD(cudaEventSynchronize(third));
    GOOD(cudaEventElapsedTime(&ms[0], f.first, f.second));
    GOOD(cudaEventElapsedTime(&ms[1], f.second, third));
    GOOD(cudaEventElapsedTime(&ms[2], f.first, third));
    std::printf("times %.9g %.9g %.9g\n", ms[0], ms[1], ms[2]);
    THAT(ms[0] > 0 && ms[1] > 5 * ms[0] && ms[1] < 20 * ms[0]);
    THAT(ms[2] > 0.99f * (ms[0] + ms[1]) && ms[2] < 1.01f * (ms[0] + ms[1]));
    GOOD(cudaEventElapsedTime(&ms[0], third, f.first));
    THAT(ms[0] == -ms[2]);
    GOOD(cudaEventDestroy(third));
}

CASE(streams_overlap) {
    fixture f;
    float together = 0, alone = 0;
    GOOD(cudaEventRecord(f.first));
    work<<<1, 32, 0, f.a>>>(f.x, 4000);
    work<<<1, 32, 0, f.b>>>(f.x + 64, 4000);
    GOOD(cudaEventRecord(f.second));
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaEventElapsedTime(&together, f.first, f.second));
    GOOD(cudaEventRecord(f.first));
    work<<<1, 32, 0, f.a>>>(f.x, 4000);
    GOOD(cudaEventRecord(f.second));
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaEventElapsedTime(&alone, f.first, f.second));
    std::printf("overlap %.9g %.9g\n", together, alone);
    if (std::getenv("TIMED") != nullptr) THAT(together < 1.5f * alone);
}

CASE(asking_lets_time_pass) {
    fixture f;
    work<<<1, 32, 0, f.a>>>(f.x, 20000);
    GOOD(cudaEventRecord(f.first, f.a));
    int asked = 0;
    while (cudaEventQuery(f.first) == cudaErrorNotReady) ++asked;
    GOOD(cudaEventQuery(f.first));
    (void)cudaGetLastError();
    work<<<1, 32, 0, f.b>>>(f.x, 20000);
    int again = 0;
    while (cudaStreamQuery(f.b) == cudaErrorNotReady) ++again;
    (void)cudaGetLastError();
    GOOD(cudaStreamQuery(f.b));
    std::printf("asked %d %d\n", asked, again);
    THAT(asked >= 1 && again >= 1 && asked < 1000);
}

struct call_note {
    fixture* f;
    unsigned seen;
    cudaError_t code;
    const char* text;
};
static std::vector<std::string>& called() {
    static std::vector<std::string> all;
    return all;
}
static void note_call(void* data) {
    auto* const n = static_cast<call_note*>(data);
    called().push_back(n->text);
    n->code = cudaMemcpy(&n->seen, n->f->when, 4, cudaMemcpyDeviceToHost);
}
static void note_callback(cudaStream_t, cudaError_t status, void* data) {
    static_cast<call_note*>(data)->code = status;
    called().push_back("callback");
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int passed = 0;
static void pass_gate(void*) {
    pthread_mutex_lock(&gate);
    ++passed;
    pthread_mutex_unlock(&gate);
}

CASE(functions_that_wait_hold_nobody_up) {
    fixture f;
    pthread_mutex_lock(&gate);
    for (int i = 0; i < 3; ++i) GOOD(cudaLaunchHostFunc(f.a, pass_gate, nullptr));
    work<<<1, 32, 0, f.a>>>(f.x, 10);
    pthread_mutex_unlock(&gate);
    // The program may wait for them by means of its own.
    for (int now = 0; now != 3;) {
        pthread_mutex_lock(&gate);
        now = passed;
        pthread_mutex_unlock(&gate);
    }
    GOOD(cudaDeviceSynchronize());
}

CASE(functions_of_the_program) {
    fixture f;
    called().clear();
    call_note one = {&f, 99, cudaSuccess, "one"}, two = {&f, 99, cudaSuccess, "two"},
              three = {&f, 99, cudaErrorUnknown, "three"};
    unsigned* pinned = nullptr;
    GOOD(cudaMallocHost(&pinned, 64));
    *pinned = 99;
    work_then_note<<<1, 32, 0, f.a>>>(f.x, 400, f.when);
    GOOD(cudaMemcpyAsync(pinned, f.when, 4, cudaMemcpyDeviceToHost, f.a));
    GOOD(cudaLaunchHostFunc(f.a, note_call, &one));
    GOOD(cudaLaunchHostFunc(f.a, note_call, &two));
    GOOD(cudaStreamAddCallback(f.b, note_callback, &three, 0));
    GOOD(cudaDeviceSynchronize());
    THAT(*pinned == 0);
    THAT(called().size() == 3 && called()[0] == "one" && called()[1] == "two");
    THAT(one.code == cudaErrorNotPermitted);  // calls of CUDA have no place there
    THAT(three.code == cudaSuccess);
    GOOD(cudaFreeHost(pinned));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
