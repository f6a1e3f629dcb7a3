// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/client/environment.h"
#include "runtime/opencl/find.h"
#include "runtime/opencl/program_load.h"
#include "runtime/opencl/the_platform.h"

namespace heddle::opencl {
namespace {

using notify_function = void(CL_CALLBACK*)(cl_program, void*);

std::vector<std::string> link_words(const char* options) {
    try {
        return runtime::split_words(options == nullptr ? "" : options);
    } catch (const runtime::connection_error&) {
        throw error(CL_INVALID_LINKER_OPTIONS);  // a quote that is not closed
    }
}

void check_callback(notify_function notify, const void* data) {
    require(notify != nullptr || data == nullptr, CL_INVALID_VALUE);
}

void notify_later(notify_function notify, cl_program program, void* data) {
    if (notify == nullptr) return;
    the_library().after_call.emplace_back([=] { notify(program, data); });
}

/// What a call returns for options that it does not take, and for all else that is wrong.
struct failures {
    cl_int options, build;
};

/// A build that the server refuses has failed; the log says why.
template <class Request>
runtime::built_answer build(device_session& device, const Request& request) {
    try {
        return device.call(request);
    } catch (const runtime::request_refused& why) {
        runtime::built_answer failed;
        failed.log = why.what();
        return failed;
    }
}

/// Makes what was built the program's. Throws error if it is not good.
void take(_cl_program& program, runtime::built_answer&& built, cl_program_binary_type type,
          const failures& codes) {
    program.log = std::move(built.log);
    if (built.good && type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
        program.binary = std::move(built.binary);
        try {
            program.loaded = load(program);
        } catch (const runtime::request_refused& why) {
            program.log += why.what();
            built.good = false;
        }
    } else if (built.good) {
        program.binary = std::move(built.binary);
    }
    program.status = built.good ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    program.binary_type = built.good ? type : CL_PROGRAM_BINARY_TYPE_NONE;
    require(!built.invalid_options, codes.options);
    require(built.good, codes.build);
}

/// Forgets what was built before.
void begin_build(_cl_program& program, const char* options) {
    require(program.kernels == 0, CL_INVALID_OPERATION);
    program.options = options == nullptr ? "" : options;
    program.log.clear();
    program.loaded.reset();
    program.binary.clear();
    program.status = CL_BUILD_ERROR;
    program.binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
}

}  // namespace

cl_int clBuildProgram(cl_program handle, cl_uint count, const cl_device_id* devices,
                      const char* options, notify_function notify, void* data) {
    return code_of([&] {
        const auto program = find(handle);
        check_devices(count, devices);
        check_callback(notify, data);
        runtime::build_request request;
        request.options = options == nullptr ? "" : options;
        if (!program->has_source) {
            // A binary is as it is.
            require(program->kernels == 0, CL_INVALID_OPERATION);
            if (program->loaded == nullptr) program->loaded = std::move(program->prepared);
            require(program->loaded != nullptr, CL_INVALID_BINARY);
            program->status = CL_BUILD_SUCCESS;
            program->options = options == nullptr ? "" : options;
            return notify_later(notify, handle, data);
        }
        begin_build(*program, options);
        request.source = program->source;
        notify_later(notify, handle, data);
        take(*program, build(*program->context->device, request), CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
             {CL_INVALID_BUILD_OPTIONS, CL_BUILD_PROGRAM_FAILURE});
    });
}

cl_int clCompileProgram(cl_program handle, cl_uint count, const cl_device_id* devices,
                        const char* options, cl_uint headers, const cl_program* header_programs,
                        const char** header_names, notify_function notify, void* data) {
    return code_of([&] {
        const auto program = find(handle);
        check_devices(count, devices);
        check_callback(notify, data);
        require((headers == 0) == (header_programs == nullptr) &&
                    (headers == 0) == (header_names == nullptr),
                CL_INVALID_VALUE);
        runtime::build_request request;
        request.object = true;
        request.options = options == nullptr ? "" : options;
        require(program->has_source, CL_INVALID_OPERATION);
        for (cl_uint i = 0; i < headers; ++i) {
            const auto header = find(header_programs[i]);
            require(header_names[i] != nullptr, CL_INVALID_VALUE);
            require(header->has_source, CL_INVALID_PROGRAM);
            request.headers.push_back({header_names[i], header->source});
        }
        begin_build(*program, options);
        request.source = program->source;
        notify_later(notify, handle, data);
        take(*program, build(*program->context->device, request),
             CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
             {CL_INVALID_COMPILER_OPTIONS, CL_COMPILE_PROGRAM_FAILURE});
    });
}

cl_program clLinkProgram(cl_context handle, cl_uint count, const cl_device_id* devices,
                         const char* options, cl_uint inputs, const cl_program* programs,
                         notify_function notify, void* data, cl_int* code) {
    cl_program made = nullptr;
    const cl_int result = code_of([&] {
        const auto context = find(handle);
        check_devices(count, devices);
        check_callback(notify, data);
        require(inputs != 0 && programs != nullptr, CL_INVALID_VALUE);
        runtime::link_request request;
        for (const std::string& word : link_words(options)) {
            request.library = request.library || word == "-create-library";
            require(word == "-create-library" || word == "-enable-link-options" ||
                        word.rfind("-cl-", 0) == 0,
                    CL_INVALID_LINKER_OPTIONS);
        }
        for (cl_uint i = 0; i < inputs; ++i) {
            const auto input = find(programs[i]);
            require(input->context == context, CL_INVALID_PROGRAM);
            const bool linkable = input->binary_type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                                  input->binary_type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
            require(linkable, CL_INVALID_OPERATION);
            request.objects.push_back(input->binary);
        }
        const auto program = std::make_shared<_cl_program>();
        program->context = context;
        program->options = options == nullptr ? "" : options;
        // It is there even if it can't be linked: it has the log.
        auto built = build(*context->device, request);
        made = the_library().programs.add(program);
        notify_later(notify, made, data);
        take(*program, std::move(built),
             request.library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
             {CL_INVALID_LINKER_OPTIONS, CL_LINK_PROGRAM_FAILURE});
    });
    if (code != nullptr) *code = result;
    return made;
}

}  // namespace heddle::opencl
