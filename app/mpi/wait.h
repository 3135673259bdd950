#pragma once

#include <chrono>
#include <thread>

#include <mpi.h>

namespace epsilens::mpi {

/// How long a process sleeps between two looks at a message.
inline constexpr auto kPause = std::chrono::milliseconds(1);

/// Returns when an operation is done, for MPI_Wait to complete it. Sleeps between looks after a
/// pause without success: MPI_Wait would keep a processor busy, for as long as another process
/// calculates.
inline void sleepUntilDone(MPI_Request request) {
    const auto start = std::chrono::steady_clock::now();
    int isDone = 0;
    MPI_Request_get_status(request, &isDone, MPI_STATUS_IGNORE);
    while (isDone == 0) {
        if (std::chrono::steady_clock::now() - start > kPause) {
            std::this_thread::sleep_for(kPause);
        }
        MPI_Request_get_status(request, &isDone, MPI_STATUS_IGNORE);
    }
}

/// MPI_Barrier that sleeps while it waits.
inline void meet(MPI_Comm processes) {
    MPI_Request arrived = MPI_REQUEST_NULL;
    MPI_Ibarrier(processes, &arrived);
    sleepUntilDone(arrived);
    // The checker does not know MPI_Ibarrier. NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
    MPI_Wait(&arrived, MPI_STATUS_IGNORE);
}

}  // namespace epsilens::mpi
