#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/cli/program.h"

namespace epsilens::mpi {

/// The processes of MPI_COMM_WORLD. They take the numbers of units from a counter of the first one,
/// so that a slow one does not hold up the others. A thread of the first process answers the others
/// while it works: MPI's one-sided operations over TCP wait until it calls MPI for itself, and the
/// Open MPI of Debian has none between nodes at all.
///
/// To be made and destroyed by all processes at once, between MPI_Init and MPI_Finalize.
class MpiTeam : public cli::Team {
public:
    /// mayShare  false where MPI does not let several threads call it (MPI_THREAD_MULTIPLE)
    explicit MpiTeam(bool mayShare);
    ~MpiTeam() override;
    MpiTeam(const MpiTeam&) = delete;
    MpiTeam& operator=(const MpiTeam&) = delete;

    [[nodiscard]] bool isFirst() const override { return m_rank == 0; }
    [[nodiscard]] int size() const override { return m_size; }
    [[nodiscard]] Result<void> check() const override;
    [[nodiscard]] std::optional<std::int64_t> next(std::int64_t units) override;
    [[nodiscard]] std::vector<std::string> exchange(std::string own) override;
    /// Nobody waits for a process that is alone.
    [[nodiscard]] bool isDone() const override { return m_isDone || m_size == 1; }
    void dismiss() override { m_isDone = true; }
    /// Makes a call of exit before finish() or abort(), which some library might do, end all
    /// processes with a message: the others would wait for this one, and MPICH's launcher would say
    /// nothing where the status is 0. After MPI_Init.
    static void watchExit();
    /// MPI_Finalize, where there is no team any more.
    static void finish(int code);
    /// Ends all processes of the job.
    [[noreturn]] static void abort(int code);

private:
    void answer(const std::stop_token& stop);

    bool m_mayShare;
    bool m_isDone = false;
    int m_rank = 0;
    int m_size = 1;
    std::atomic<std::int64_t> m_next = 0;  ///< of the first process
    std::jthread m_answering{};            ///< of the first process, where others must ask
};

}  // namespace epsilens::mpi
