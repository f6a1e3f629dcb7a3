/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#ifndef HEDDLE_CUDA_HELPER_TIMER_H
#define HEDDLE_CUDA_HELPER_TIMER_H

/* Stop watches of the host's time, in milliseconds. Events tell the simulated time. */

#include <sys/time.h>

class StopWatchInterface {
public:
    StopWatchInterface() : running_(false), begin_(0), last_(0), total_(0), sessions_(0) {}
    virtual ~StopWatchInterface() {}
    virtual void start() {
        begin_ = now();
        running_ = true;
    }
    virtual void stop() {
        last_ = (float)(now() - begin_);
        total_ += last_;
        ++sessions_;
        running_ = false;
    }
    virtual void reset() {
        last_ = total_ = 0;
        sessions_ = 0;
        if (running_) begin_ = now();
    }
    virtual float getTime() { return running_ ? total_ + (float)(now() - begin_) : total_; }
    virtual float getAverageTime() { return sessions_ > 0 ? total_ / (float)sessions_ : 0.f; }

private:
    static double now() {
        struct timeval time;
        gettimeofday(&time, 0);
        return 1000.0 * (double)time.tv_sec + 0.001 * (double)time.tv_usec;
    }
    bool running_;
    double begin_;
    float last_, total_;
    int sessions_;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
    *timer = new StopWatchInterface;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
    delete *timer;
    *timer = 0;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
    if (*timer != 0) (*timer)->start();
    return *timer != 0;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
    if (*timer != 0) (*timer)->stop();
    return *timer != 0;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
    if (*timer != 0) (*timer)->reset();
    return *timer != 0;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) {
    return *timer != 0 ? (*timer)->getTime() : -1.f;
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
    return *timer != 0 ? (*timer)->getAverageTime() : 0.f;
}

#endif
