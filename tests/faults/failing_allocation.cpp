#include "tests/faults/failing_allocation.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr long kNever = std::numeric_limits<long>::max();

std::atomic<long> allocationsLeft{kNever};
std::atomic<bool> failsAlways{false};
std::atomic<bool> hasFailed{false};

bool failsNow() {
    if (allocationsLeft.load(std::memory_order_relaxed) == kNever) {
        return false;
    }
    const long left = allocationsLeft.fetch_sub(1) - 1;
    const bool fails = left == 0 || (left < 0 && failsAlways);
    if (fails) {
        hasFailed = true;
    }
    return fails;
}

void* allocate(std::size_t size) {
    return failsNow() ? nullptr : std::malloc(size > 0 ? size : 1);
}

void* allocate(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    return failsNow() ? nullptr : std::aligned_alloc(step, (size + step) / step * step);
}

void* orThrow(void* memory) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

}  // namespace

void* operator new(std::size_t size) {
    return orThrow(allocate(size));
}
void* operator new[](std::size_t size) {
    return orThrow(allocate(size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return orThrow(allocate(size, alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return orThrow(allocate(size, alignment));
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
    return allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
    return allocate(size);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/,
                       std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}

namespace epsilens::test {

FailingAllocation::FailingAllocation(long number, Until until) {
    hasFailed = false;
    failsAlways = until == Until::always;
    allocationsLeft = number;
}

FailingAllocation::~FailingAllocation() {
    allocationsLeft = kNever;
}

bool FailingAllocation::happened() const {
    return hasFailed;
}

}  // namespace epsilens::test
