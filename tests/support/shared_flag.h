#pragma once

#include <atomic>
#include <new>
#include <stdexcept>

#include <sys/mman.h>

namespace epsilens::test {

/// A flag that a process shares with those that it forks; false at first.
class SharedFlag {
public:
    SharedFlag() {
        void* const memory =
            mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::runtime_error("no shared memory");
        }
        m_value = new (memory) Value(false);
    }
    ~SharedFlag() { munmap(m_value, sizeof(Value)); }
    SharedFlag(const SharedFlag&) = delete;
    SharedFlag& operator=(const SharedFlag&) = delete;

    void set(bool value) const { *m_value = value; }
    [[nodiscard]] bool isSet() const { return *m_value; }

private:
    using Value = std::atomic<bool>;
    static_assert(Value::is_always_lock_free);

    Value* m_value = nullptr;
};

}  // namespace epsilens::test
