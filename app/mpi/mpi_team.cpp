#include "app/mpi/mpi_team.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <utility>

#include <unistd.h>

#include "app/cli/exit_codes.h"
#include "app/cli/interrupt.h"
#include "app/mpi/wait.h"
#include "core/base/pass_on.h"

namespace epsilens::mpi {
namespace {

using namespace std::chrono_literals;

/// Bytes of a message: MPI counts in int.
constexpr std::int64_t kMostAtOnce = std::int64_t{1} << 30;

/// Calls act(first, count) for the pieces of so many bytes.
template <typename Act>
void inPieces(std::int64_t size, const Act& act) {
    for (std::int64_t first = 0; first < size; first += kMostAtOnce) {
        act(first, static_cast<int>(std::min(kMostAtOnce, size - first)));
    }
}

/// Open MPI's launcher sleeps while it ends a job, and what asks it for anything meanwhile stays
/// until it kills: 2 seconds after a signal.
void exitIfInterrupted([[maybe_unused]] int code) {
#ifdef OPEN_MPI
    if (cli::wasInterrupted()) {
        std::_Exit(code);
    }
#endif
}

/// Whether this process has begun to leave its job by itself.
std::atomic<bool> isLeaving = false;

void onExit() {
    if (isLeaving) {
        return;
    }
    constexpr std::string_view kMessage = "error: a process ended before its work was done\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
    MpiTeam::abort(cli::kFailed);
}

}  // namespace

MpiTeam::MpiTeam(bool mayShare) : m_mayShare(mayShare), m_counter(mayShare) {
    MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m_size);
}

Result<void> MpiTeam::check() const {
    if (!m_mayShare) {
        return fail(ErrorCode::unsupported,
                    "this MPI was built without support for threads (MPI_THREAD_MULTIPLE)");
    }
    return {};
}

bool MpiTeam::isLeftToSay(const std::stop_token& stop) const {
    constexpr auto kStep = 20ms;
    for (auto waited = 0ms; waited < 2s && !stop.stop_requested(); waited += kStep) {
        std::this_thread::sleep_for(kStep);
    }
    return !stop.stop_requested();
}

void MpiTeam::watchExit() {
    std::atexit(onExit);
}

void MpiTeam::finish(int code) {
    isLeaving = true;
    exitIfInterrupted(code);
    MPI_Finalize();
}

void MpiTeam::abort(int code) {
    // MPI_Abort may call exit.
    isLeaving = true;
    exitIfInterrupted(code);
    // MPICH's launcher drops what was printed just before.
    std::this_thread::sleep_for(300ms);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
}

std::optional<std::int64_t> MpiTeam::next(std::int64_t units) {
    const std::int64_t unit = m_counter.take();
    return unit < units ? std::optional(unit) : std::nullopt;
}

std::vector<std::string> MpiTeam::exchange(std::string own) {
    // All texts behind each other, in memory taken once: they may be large.
    std::vector<std::string> texts = gather(std::move(own));
    std::vector<std::int64_t> sizes;
    std::string all;
    if (isFirst()) {
        for (const std::string& text : texts) {
            sizes.push_back(static_cast<std::int64_t>(text.size()));
        }
        all.reserve(std::accumulate(
            texts.begin(), texts.end(), std::size_t{0},
            [](std::size_t sum, const std::string& text) { return sum + text.size(); }));
        for (std::string& text : texts) {
            all += std::exchange(text, {});
        }
        // All have taken their last number.
        m_counter.restart();
    }
    broadcast(all);
    sizes.resize(static_cast<std::size_t>(m_size));
    MPI_Bcast(sizes.data(), m_size, MPI_INT64_T, 0, MPI_COMM_WORLD);
    texts.clear();
    for (std::size_t begin = 0; const std::int64_t size : sizes) {
        texts.push_back(all.substr(begin, static_cast<std::size_t>(size)));
        begin += static_cast<std::size_t>(size);
    }
    return texts;
}

void MpiTeam::broadcast(std::string& text) {
    auto size = static_cast<std::int64_t>(text.size());
    MPI_Request arrived = MPI_REQUEST_NULL;
    MPI_Ibcast(&size, 1, MPI_INT64_T, 0, MPI_COMM_WORLD, &arrived);
    sleepUntilDone(arrived);
    MPI_Wait(&arrived, MPI_STATUS_IGNORE);
    text.resize(static_cast<std::size_t>(size));
    inPieces(size, [&](std::int64_t first, int count) {
        MPI_Bcast(text.data() + first, count, MPI_CHAR, 0, MPI_COMM_WORLD);
    });
}

std::vector<std::string> MpiTeam::gather(std::string text) const {
    if (!isFirst()) {
        send(text);
        return {};
    }
    std::vector<std::string> texts;
    texts.push_back(std::move(text));
    for (int rank = 1; rank < m_size; ++rank) {
        texts.push_back(receive(rank));
    }
    return texts;
}

void MpiTeam::send(std::string_view text) {
    const auto size = static_cast<std::int64_t>(text.size());
    // Is done when the first process receives.
    MPI_Request taken = MPI_REQUEST_NULL;
    MPI_Issend(&size, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, &taken);
    sleepUntilDone(taken);
    MPI_Wait(&taken, MPI_STATUS_IGNORE);
    inPieces(size, [&](std::int64_t first, int count) {
        MPI_Send(text.data() + first, count, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    });
}

std::string MpiTeam::receive(int rank) {
    std::int64_t size = 0;
    MPI_Request arrived = MPI_REQUEST_NULL;
    MPI_Irecv(&size, 1, MPI_INT64_T, rank, 0, MPI_COMM_WORLD, &arrived);
    sleepUntilDone(arrived);
    MPI_Wait(&arrived, MPI_STATUS_IGNORE);
    std::string text(static_cast<std::size_t>(size), '\0');
    inPieces(size, [&](std::int64_t first, int count) {
        MPI_Recv(text.data() + first, count, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    return text;
}

}  // namespace epsilens::mpi
