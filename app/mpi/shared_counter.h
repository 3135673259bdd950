#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <thread>

#include <mpi.h>

namespace epsilens::mpi {

/// The numbers 0, 1, 2, … of which every process of MPI_COMM_WORLD takes some, each number once.
///
/// Processes of one node have the count in memory that they share. Of several nodes, the first
/// process has it, and a thread of it answers the others while it works. MPI's one-sided operations
/// do not do that everywhere: over TCP they wait until the first process calls MPI for itself, and
/// the Open MPI of Debian has none between nodes at all.
///
/// To be made and destroyed by all processes at once.
class SharedCounter {
public:
    /// mayAnswer  false where MPI does not let several threads call it (MPI_THREAD_MULTIPLE): only
    ///            the first process may take numbers
    explicit SharedCounter(bool mayAnswer);
    ~SharedCounter();
    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;

    /// By one thread of a process at a time.
    [[nodiscard]] std::int64_t take();
    /// Begins again at 0. By the first process, while no process takes a number.
    void restart();

private:
    /// Puts the count into memory of all processes, where they are on one node and it can be had;
    /// whether it is there. By all at once.
    [[nodiscard]] bool share();
    [[nodiscard]] bool isShared() const { return m_next != &m_ownNext; }
    void answer(const std::stop_token& stop);
    [[nodiscard]] std::atomic_ref<std::int64_t> next() { return std::atomic_ref(*m_next); }

    MPI_Comm m_processes = MPI_COMM_NULL;
    MPI_Win m_shared = MPI_WIN_NULL;
    bool m_isFirst = false;
    std::int64_t m_ownNext = 0;
    std::int64_t* m_next = &m_ownNext;  ///< of the first process, or in shared memory
    std::jthread m_answering{};         ///< of the first process, where others must ask
};

}  // namespace epsilens::mpi
