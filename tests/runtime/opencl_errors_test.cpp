// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What each call of OpenCL says of wrong use: objects.
#include "tests/runtime/opencl_fixture.h"

namespace heddle {
namespace {

class opencl_errors : public opencl_test {};

TEST_F(opencl_errors, of_platforms) {
    cl_uint found = 0;
    std::size_t size = 0;
    char text[100];
    EXPECT_EQ(clGetPlatformIDs(0, nullptr, &found), CL_SUCCESS);
    EXPECT_EQ(found, 1u);
    EXPECT_EQ(clGetPlatformIDs(0, &platform, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 3, text, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetPlatformInfo(platform, 0x1234, 100, text, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 100, text, &size), CL_SUCCESS);
    EXPECT_EQ(std::string(text), "Heddle");
    EXPECT_EQ(size, 7u);
    EXPECT_EQ(clUnloadPlatformCompiler(platform), CL_SUCCESS);
    EXPECT_EQ(clUnloadCompiler(), CL_SUCCESS);
}

TEST_F(opencl_errors, of_devices) {
    cl_device_id other = nullptr;
    cl_uint found = 7;
    char text[400];
    EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &other, &found), CL_DEVICE_NOT_FOUND);
    EXPECT_EQ(found, 0u);
    EXPECT_EQ(clGetDeviceIDs(platform, 0, 1, &other, nullptr), CL_INVALID_DEVICE_TYPE);
    EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &other, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetDeviceInfo(device, 0x9999, 400, text, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_NAME, 2, text, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetDeviceInfo(stranger<cl_device_id>(), CL_DEVICE_NAME, 400, text, nullptr),
              CL_INVALID_DEVICE);
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    EXPECT_EQ(clCreateSubDevices(device, equally, 1, &other, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clRetainDevice(device), CL_SUCCESS);
    EXPECT_EQ(clReleaseDevice(device), CL_SUCCESS);
}

TEST_F(opencl_errors, no_device_information_is_missing) {
    // All of OpenCL 1.2, the names between that nobody has left out.
    for (cl_device_info name = CL_DEVICE_TYPE; name <= CL_DEVICE_PRINTF_BUFFER_SIZE; ++name) {
        const bool later = name == 0x102E || (name >= 0x104D && name <= 0x1053);
        const bool absent = name == 0x1039;
        if (later || absent) continue;
        std::size_t size = 0;
        char value[1000];
        EXPECT_EQ(clGetDeviceInfo(device, name, sizeof value, value, &size), CL_SUCCESS)
            << std::hex << name;
    }
}

TEST_F(opencl_errors, of_contexts) {
    cl_context_properties unknown[] = {0x4242, 0, 0};
    const cl_device_id other = stranger<cl_device_id>();
    int data = 0;
    const auto make = [&](const cl_context_properties* properties, cl_uint count,
                          const cl_device_id* devices, void* user) {
        code = 0;
        EXPECT_EQ(clCreateContext(properties, count, devices, nullptr, user, &code), nullptr);
        return code;
    };
    EXPECT_EQ(make(nullptr, 0, &device, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(make(nullptr, 1, &device, &data), CL_INVALID_VALUE);
    EXPECT_EQ(make(nullptr, 1, &other, nullptr), CL_INVALID_DEVICE);
    cl_context_properties named[] = {CL_CONTEXT_PLATFORM,
                                     reinterpret_cast<cl_context_properties>(platform), 0, 0};
    EXPECT_EQ(clCreateContextFromType(named, CL_DEVICE_TYPE_CPU, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_DEVICE_NOT_FOUND);
    const cl_context second =
        clCreateContextFromType(named, CL_DEVICE_TYPE_GPU, nullptr, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    cl_context_properties got[4];
    std::size_t size = 0;
    EXPECT_EQ(clGetContextInfo(second, CL_CONTEXT_PROPERTIES, sizeof got, got, &size), CL_SUCCESS);
    EXPECT_EQ(size, 3 * sizeof got[0]);
    EXPECT_EQ(make(unknown, 1, &device, nullptr), CL_INVALID_PROPERTY);
    EXPECT_EQ(clGetContextInfo(context, 0x1, 8, got, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clRetainContext(second), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(second), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(second), CL_SUCCESS);
    EXPECT_EQ(clRetainContext(stranger<cl_context>()), CL_INVALID_CONTEXT);
}

TEST_F(opencl_errors, of_queues) {
    EXPECT_EQ(clCreateCommandQueue(context, device, 1 << 10, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_QUEUE_PROPERTIES);
    EXPECT_EQ(clCreateCommandQueue(context, stranger<cl_device_id>(), 0, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_DEVICE);
    cl_command_queue_properties properties = 0;
    EXPECT_EQ(
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(properties, cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
    EXPECT_EQ(clGetCommandQueueInfo(queue, 1, 8, &properties, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clFinish(stranger<cl_command_queue>()), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clFlush(stranger<cl_command_queue>()), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clRetainCommandQueue(stranger<cl_command_queue>()), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clReleaseCommandQueue(stranger<cl_command_queue>()), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clEnqueueMarker(queue, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueWaitForEvents(queue, 0, nullptr), CL_INVALID_VALUE);
    const cl_event none = stranger<cl_event>();
    EXPECT_EQ(clEnqueueWaitForEvents(queue, 1, &none), CL_INVALID_EVENT);
    EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 1, &none, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
}

TEST_F(opencl_errors, of_buffers) {
    int host = 0;
    const auto make = [&](cl_mem_flags flags, std::size_t size, void* pointer) {
        code = 0;
        EXPECT_EQ(clCreateBuffer(context, flags, size, pointer, &code), nullptr);
        return code;
    };
    EXPECT_EQ(make(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(make(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, &host), CL_INVALID_VALUE);
    EXPECT_EQ(make(CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY, 4, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(make(0, 0, nullptr), CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(make(0, std::size_t{1} << 31, nullptr), CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(make(0, 4, &host), CL_INVALID_HOST_PTR);
    EXPECT_EQ(make(CL_MEM_COPY_HOST_PTR, 4, nullptr), CL_INVALID_HOST_PTR);
}

TEST_F(opencl_errors, memory_that_is_used_up_is_an_error_of_its_own) {
    std::vector<cl_mem> taken;
    for (int i = 0; i < 4; ++i) {
        taken.push_back(clCreateBuffer(context, 0, std::size_t{900} << 20, nullptr, &code));
        if (code != CL_SUCCESS) break;
    }
    EXPECT_EQ(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    EXPECT_GT(taken.size(), 1u);
    (void)buffer(100);  // there is room for this one
}

TEST_F(opencl_errors, of_parts_of_buffers) {
    const cl_mem whole = buffer(1024, CL_MEM_READ_ONLY);
    const auto make = [&](cl_mem of, cl_mem_flags flags, std::size_t origin, std::size_t size) {
        const cl_buffer_region region{origin, size};
        return clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    };
    EXPECT_EQ(make(whole, CL_MEM_WRITE_ONLY, 0, 4), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(make(whole, 0, 4, 4), nullptr);
    EXPECT_EQ(code, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    EXPECT_EQ(make(whole, 0, 256, 769), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(make(whole, 0, 256, 0), nullptr);
    EXPECT_EQ(code, CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(make(whole, CL_MEM_ALLOC_HOST_PTR, 0, 4), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    const cl_mem part = make(whole, 0, 256, 768);
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(make(part, 0, 0, 4), nullptr);
    EXPECT_EQ(code, CL_INVALID_MEM_OBJECT);
    std::size_t offset = 0;
    cl_mem parent = nullptr;
    cl_mem_flags flags = 0;
    EXPECT_EQ(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, nullptr), CL_SUCCESS);
    EXPECT_EQ(
        clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), CL_SUCCESS);
    EXPECT_EQ(offset, 256u);
    EXPECT_EQ(parent, whole);
    EXPECT_EQ(flags, cl_mem_flags{CL_MEM_READ_ONLY});
    EXPECT_EQ(clGetMemObjectInfo(part, 1, 8, &offset, nullptr), CL_INVALID_VALUE);
}

TEST_F(opencl_errors, destructors_of_buffers_are_called_last_first) {
    static std::vector<int> order;
    static int first = 1, second = 2;
    const auto notify = [](cl_mem, void* which) { order.push_back(*static_cast<int*>(which)); };
    const cl_mem memory = buffer(4);
    EXPECT_EQ(clSetMemObjectDestructorCallback(memory, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clSetMemObjectDestructorCallback(memory, notify, &first), CL_SUCCESS);
    EXPECT_EQ(clSetMemObjectDestructorCallback(memory, notify, &second), CL_SUCCESS);
    EXPECT_EQ(clRetainMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_TRUE(order.empty());
    EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
    EXPECT_EQ(order, (std::vector<int>{2, 1}));
}

TEST_F(opencl_errors, of_programs) {
    const char* const source = "kernel void k() {}";
    const char* const nothing = nullptr;
    EXPECT_EQ(clCreateProgramWithSource(context, 0, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(
        clCreateProgramWithSource(context, 1, const_cast<const char**>(&nothing), nullptr, &code),
        nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(clCreateProgramWithBuiltInKernels(context, 1, &device, "none", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    const unsigned char garbage[] = "garbage";
    const unsigned char* binary = garbage;
    const std::size_t size = sizeof garbage;
    cl_int status = 0;
    EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_BINARY);
    EXPECT_EQ(status, CL_INVALID_BINARY);
    const unsigned char damaged[] = {0x7f, 'E', 'L', 'F', 1, 1, 1, 0};
    binary = damaged;
    EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_BINARY);
    EXPECT_EQ(status, CL_INVALID_BINARY);
    const std::size_t empty = 0;
    EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &empty, &binary, &status, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);

    const cl_program program = make_program(source);
    EXPECT_EQ(clCreateKernel(program, "k", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
    EXPECT_EQ(clBuildProgram(program, 1, nullptr, "", nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, this), CL_INVALID_VALUE);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "'", nullptr, nullptr), CL_INVALID_BUILD_OPTIONS);
    EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
    const cl_kernel attached = kernel(program, "k");
    EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_INVALID_OPERATION);
    EXPECT_EQ(clReleaseKernel(attached), CL_SUCCESS);
    EXPECT_EQ(clCreateKernel(program, "other", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
    char text[100];
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, nullptr), CL_SUCCESS);
    EXPECT_EQ(std::string(text), source);
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(std::string(text), "k");
    EXPECT_EQ(clGetProgramInfo(program, 3, sizeof text, text, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetProgramBuildInfo(program, device, 3, sizeof text, text, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clLinkProgram(context, 0, nullptr, "", 1, &program, nullptr, nullptr, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
    EXPECT_EQ(clLinkProgram(context, 0, nullptr, "-nonsense", 1, &program, nullptr, nullptr, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_LINKER_OPTIONS);
}

TEST_F(opencl_errors, of_compiling_leave_no_binary) {
    const cl_program program =
        make_program("#ifndef WRONG\nkernel void k() {}\n#else\nwrong\n#endif");
    const auto bytes = [&] {
        std::size_t size = 1;
        EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr),
                  CL_SUCCESS);
        return size;
    };
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    EXPECT_GT(bytes(), 0u);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-DWRONG", nullptr, nullptr),
              CL_BUILD_PROGRAM_FAILURE);
    EXPECT_EQ(bytes(), 0u);
}

TEST_F(opencl_errors, of_what_the_server_refuses_stand_in_the_log) {
    const cl_program program = make_program("kernel void k() {}");
    const cl_program header = make_program("int x;");
    const char* name = "../x.h";
    EXPECT_EQ(clCompileProgram(program, 0, nullptr, "", 1, &header, &name, nullptr, nullptr),
              CL_COMPILE_PROGRAM_FAILURE);
    EXPECT_THAT(log(program), testing::HasSubstr("../x.h"));
}

TEST_F(opencl_errors, of_a_source_stand_in_the_log) {
    const cl_program program = make_program("kernel void k() {\n  wrong here;\n}");
    static bool called;
    const auto notify = [](cl_program, void* data) { *static_cast<bool*>(data) = true; };
    EXPECT_EQ(clBuildProgram(program, 1, &device, "", notify, &called), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_TRUE(called);
    EXPECT_THAT(log(program), testing::HasSubstr(":2:3: error: "));
    EXPECT_THAT(log(program), testing::Not(testing::HasSubstr("/tmp/")));
    cl_build_status status = 0;
    EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                    &status, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(status, CL_BUILD_ERROR);
    EXPECT_EQ(clCreateKernel(program, "k", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(opencl_errors, of_kernels) {
    const cl_kernel k =
        kernel(built("kernel void k(global const float* a, local int* b, int c, constant int* d, "
                     "unsigned int e, global unsigned char* f) {}"),
               "k");
    const cl_mem memory = buffer(16);
    const cl_mem none = nullptr;
    const int value = 3;
    EXPECT_EQ(clSetKernelArg(k, 6, 4, &value), CL_INVALID_ARG_INDEX);
    EXPECT_EQ(clSetKernelArg(k, 0, 4, &memory), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof memory, &memory), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof memory, &none), CL_SUCCESS);
    const cl_mem stranger_memory = stranger<cl_mem>();
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof memory, &stranger_memory), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clSetKernelArg(k, 1, 4, &value), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(clSetKernelArg(k, 1, 0, nullptr), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(k, 2, 8, &value), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(k, 2, 4, nullptr), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(launch(k, 1, 1), CL_INVALID_KERNEL_ARGS);
    char text[100];
    const auto of = [&](cl_uint index, cl_kernel_arg_info name) -> std::string {
        EXPECT_EQ(clGetKernelArgInfo(k, index, name, sizeof text, text, nullptr), CL_SUCCESS);
        return text;
    };
    EXPECT_EQ(of(0, CL_KERNEL_ARG_TYPE_NAME), "float*");
    EXPECT_EQ(of(4, CL_KERNEL_ARG_TYPE_NAME), "uint");
    EXPECT_EQ(of(5, CL_KERNEL_ARG_TYPE_NAME), "uchar*");
    EXPECT_EQ(of(2, CL_KERNEL_ARG_NAME), "c");
    const auto address = [&](cl_uint index) {
        cl_kernel_arg_address_qualifier found = 0;
        EXPECT_EQ(clGetKernelArgInfo(k, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof found,
                                     &found, nullptr),
                  CL_SUCCESS);
        return found;
    };
    EXPECT_EQ(address(0), cl_uint{CL_KERNEL_ARG_ADDRESS_GLOBAL});
    EXPECT_EQ(address(1), cl_uint{CL_KERNEL_ARG_ADDRESS_LOCAL});
    EXPECT_EQ(address(2), cl_uint{CL_KERNEL_ARG_ADDRESS_PRIVATE});
    EXPECT_EQ(address(3), cl_uint{CL_KERNEL_ARG_ADDRESS_CONSTANT});
    EXPECT_EQ(clGetKernelArgInfo(k, 9, CL_KERNEL_ARG_NAME, 100, text, nullptr),
              CL_INVALID_ARG_INDEX);
    EXPECT_EQ(clGetKernelArgInfo(k, 0, 9, 100, text, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetKernelInfo(k, 9, 100, text, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_GLOBAL_WORK_SIZE, 100, text, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clGetKernelWorkGroupInfo(k, stranger<cl_device_id>(), CL_KERNEL_WORK_GROUP_SIZE, 100,
                                       text, nullptr),
              CL_INVALID_DEVICE);
    cl_uint found = 0;
    EXPECT_EQ(clCreateKernelsInProgram(built("kernel void a() {} kernel void b() {}"), 1,
                                       std::vector<cl_kernel>(2).data(), &found),
              CL_INVALID_VALUE);
    EXPECT_EQ(clRetainKernel(stranger<cl_kernel>()), CL_INVALID_KERNEL);
}

}  // namespace
}  // namespace heddle
