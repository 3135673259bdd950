#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "app/cli/team.h"
#include "app/mpi/shared_counter.h"

namespace epsilens::mpi {

/// The processes of MPI_COMM_WORLD. They take the numbers of blocks from a counter of the first
/// one, so that a slow one does not hold up the others, and send it what their blocks came to. To
/// be made and destroyed by all of them at once, between MPI_Init and MPI_Finalize.
class MpiTeam : public cli::Team {
public:
    /// mayShare  false where MPI does not let several threads call it
    explicit MpiTeam(bool mayShare);

    [[nodiscard]] bool isFirst() const override { return m_rank == 0; }
    [[nodiscard]] int size() const override { return m_size; }
    [[nodiscard]] Result<void> check() const override;
    [[nodiscard]] std::optional<std::int64_t> next(std::int64_t units) override;
    [[nodiscard]] std::vector<std::string> exchange(std::string own) override;
    /// Nobody waits for a process that is alone.
    [[nodiscard]] bool isDone() const override { return m_isDone || m_size == 1; }
    [[nodiscard]] bool isLeftToSay(const std::stop_token& stop) const override;
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
    /// Texts of all processes, in the order of their ranks; nothing but in the first one. To be
    /// called by all.
    [[nodiscard]] std::vector<std::string> gather(std::string text) const;
    /// Sends a text to the first process, which receives those of a process in their order.
    static void send(std::string_view text);
    [[nodiscard]] static std::string receive(int rank);
    /// Gives all processes the text of the first one.
    static void broadcast(std::string& text);

    bool m_mayShare;
    bool m_isDone = false;
    int m_rank = 0;
    int m_size = 1;
    SharedCounter m_counter;
};

}  // namespace epsilens::mpi
