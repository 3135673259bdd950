#include "app/mpi/mpi_team.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <mpi.h>
#include <unistd.h>

#include "app/cli/interrupt.h"

namespace epsilens::mpi {
namespace {

using namespace std::chrono_literals;

/// Bytes of a message: MPI counts in int.
constexpr std::int64_t kMostAtOnce = std::int64_t{1} << 30;

/// How long a process sleeps between two looks at a message.
constexpr auto kPause = 1ms;

/// Messages between the counter and those who take numbers.
constexpr int kRequest = 0;
constexpr int kNumber = 1;

/// Returns when an operation is done, for MPI_Wait to complete it. Sleeps between looks after a
/// pause without success: MPI_Wait would keep a processor busy, for as long as another process
/// calculates.
void sleepUntilDone(MPI_Request request) {
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

/// Gives all processes the text of one of them.
void broadcast(std::string& text, int root) {
    auto size = std::ssize(text);
    MPI_Request arrived = MPI_REQUEST_NULL;
    MPI_Ibcast(&size, 1, MPI_INT64_T, root, MPI_COMM_WORLD, &arrived);
    sleepUntilDone(arrived);
    MPI_Wait(&arrived, MPI_STATUS_IGNORE);
    text.resize(static_cast<std::size_t>(size));
    for (std::int64_t first = 0; first < size; first += kMostAtOnce) {
        MPI_Bcast(text.data() + first, static_cast<int>(std::min(kMostAtOnce, size - first)),
                  MPI_CHAR, root, MPI_COMM_WORLD);
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

MpiTeam::MpiTeam(bool mayShare) : m_mayShare(mayShare) {
    MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m_size);
    if (isFirst() && m_size > 1 && mayShare) {
        m_answering = std::jthread([this](const std::stop_token& stop) { answer(stop); });
    }
}

MpiTeam::~MpiTeam() {
    // Others may still ask.
    MPI_Request arrived = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &arrived);
    sleepUntilDone(arrived);
    // The checker does not know MPI_Ibarrier. NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
    MPI_Wait(&arrived, MPI_STATUS_IGNORE);
}

Result<void> MpiTeam::check() const {
    if (!m_mayShare) {
        return fail(ErrorCode::unsupported,
                    "this MPI was built without support for threads (MPI_THREAD_MULTIPLE)");
    }
    return {};
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
    std::int64_t unit = 0;
    if (isFirst()) {
        unit = m_next.fetch_add(1);
    } else {
        MPI_Send(nullptr, 0, MPI_BYTE, 0, kRequest, MPI_COMM_WORLD);
        MPI_Request arrived = MPI_REQUEST_NULL;
        MPI_Irecv(&unit, 1, MPI_INT64_T, 0, kNumber, MPI_COMM_WORLD, &arrived);
        sleepUntilDone(arrived);
        MPI_Wait(&arrived, MPI_STATUS_IGNORE);
    }
    return unit < units ? std::optional(unit) : std::nullopt;
}

void MpiTeam::answer(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        int isAsked = 0;
        MPI_Status request;
        MPI_Iprobe(MPI_ANY_SOURCE, kRequest, MPI_COMM_WORLD, &isAsked, &request);
        if (isAsked == 0) {
            std::this_thread::sleep_for(kPause);
            continue;
        }
        const int asker = request.MPI_SOURCE;
        MPI_Recv(nullptr, 0, MPI_BYTE, asker, kRequest, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const std::int64_t number = m_next.fetch_add(1);
        MPI_Send(&number, 1, MPI_INT64_T, asker, kNumber, MPI_COMM_WORLD);
    }
}

std::vector<std::string> MpiTeam::exchange(std::string own) {
    std::vector<std::string> texts(static_cast<std::size_t>(m_size));
    texts[static_cast<std::size_t>(m_rank)] = std::move(own);
    for (int root = m_size - 1; root >= 0; --root) {
        if (isFirst() && root == 0) {
            // All others have come here and taken their last number, and none goes on before it has
            // the text of the first.
            m_next = 0;
        }
        broadcast(texts[static_cast<std::size_t>(root)], root);
    }
    return texts;
}

}  // namespace epsilens::mpi
