// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Two queues that wait for each other by events, a user event that holds one back, callbacks. */
#include <pthread.h>

#include "kit.h"

static const char* const source =
    "kernel void scale(global int* v, int by) { v[get_global_id(0)] *= by; }"
    "kernel void shift(global int* v, int by) { v[get_global_id(0)] += by; }";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int calls = 0;

static void CL_CALLBACK on_end(cl_event event, cl_int status, void* data) {
    (void)event;
    pthread_mutex_lock(&lock);
    calls += status == CL_COMPLETE && data == &calls;
    pthread_cond_signal(&called);
    pthread_mutex_unlock(&lock);
}

int main(int argc, char** argv) {
    const int n = size_of_run(argc, argv, 96);
    setup s = make_setup(source, "");
    cl_int code;
    cl_command_queue other = clCreateCommandQueue(s.context, s.device, 0, &code);
    CHECK(code);
    int* v = malloc(sizeof(int) * n);
    for (int i = 0; i < n; ++i) v[i] = i;
    cl_mem V = make_buffer(&s, CL_MEM_COPY_HOST_PTR, sizeof(int) * n, v);
    cl_kernel scale = make_kernel(&s, "scale"), shift = make_kernel(&s, "shift");
    set_buffer(scale, 0, V);
    set_int(scale, 1, 3);
    set_buffer(shift, 0, V);
    set_int(shift, 1, 10);
    const size_t global = n;
    cl_event go = clCreateUserEvent(s.context, &code), events[3];
    CHECK(code);
    CHECK(clEnqueueNDRangeKernel(s.queue, scale, 1, NULL, &global, NULL, 1, &go, &events[0]));
    CHECK(clEnqueueNDRangeKernel(other, shift, 1, NULL, &global, NULL, 1, &events[0], &events[1]));
    CHECK(clEnqueueNDRangeKernel(s.queue, scale, 1, NULL, &global, NULL, 1, &events[1],
                                 &events[2]));
    CHECK(clFlush(s.queue));
    CHECK(clFlush(other));
    cl_int status;
    CHECK(clGetEventInfo(events[2], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                         NULL));
    int wrong = status == CL_COMPLETE;
    CHECK(clSetUserEventStatus(go, CL_COMPLETE));
    CHECK(clSetEventCallback(events[2], CL_COMPLETE, on_end, &calls));
    pthread_mutex_lock(&lock);
    while (calls == 0) pthread_cond_wait(&called, &lock);
    pthread_mutex_unlock(&lock);
    read_all(&s, V, v, sizeof(int) * n);
    for (int i = 0; i < n; ++i) wrong += v[i] != (i * 3 + 10) * 3;
    print_bytes("v", v, sizeof(int) * n);
    for (int e = 0; e < 3; ++e) CHECK(clReleaseEvent(events[e]));
    CHECK(clReleaseEvent(go));
    CHECK(clReleaseCommandQueue(other));
    return verdict(wrong);
}
