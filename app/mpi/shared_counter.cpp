#include "app/mpi/shared_counter.h"

#include "app/mpi/wait.h"

namespace epsilens::mpi {
namespace {

constexpr int kRequest = 0;
constexpr int kNumber = 1;

}  // namespace

SharedCounter::SharedCounter(bool mayAnswer) {
    // Messages of its own, which meet no others.
    MPI_Comm_dup(MPI_COMM_WORLD, &m_processes);
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(m_processes, &rank);
    MPI_Comm_size(m_processes, &size);
    m_isFirst = rank == 0;
    if (size > 1 && !share() && m_isFirst && mayAnswer) {
        m_answering = std::jthread([this](const std::stop_token& stop) { answer(stop); });
    }
}

SharedCounter::~SharedCounter() {
    // Others may still ask.
    meet(m_processes);
    m_answering = {};
    if (isShared()) {
        MPI_Win_free(&m_shared);
    }
    MPI_Comm_free(&m_processes);
}

bool SharedCounter::share() {
    static_assert(std::atomic_ref<std::int64_t>::is_always_lock_free);
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(m_processes, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int relation = MPI_UNEQUAL;
    MPI_Comm_compare(m_processes, node, &relation);
    int hasMemory = 0;
    if (relation == MPI_CONGRUENT) {
        // Where the memory cannot be had, the others ask as they do between nodes.
        MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);
        std::int64_t* own = nullptr;
        const MPI_Aint bytes = m_isFirst ? MPI_Aint{sizeof(std::int64_t)} : 0;
        hasMemory =
            static_cast<int>(MPI_Win_allocate_shared(bytes, sizeof(std::int64_t), MPI_INFO_NULL,
                                                     node, &own, &m_shared) == MPI_SUCCESS);
    }
    MPI_Allreduce(MPI_IN_PLACE, &hasMemory, 1, MPI_INT, MPI_MIN, m_processes);
    if (hasMemory != 0) {
        MPI_Aint bytes = 0;
        int unit = 0;
        MPI_Win_shared_query(m_shared, 0, &bytes, &unit, &m_next);
        if (m_isFirst) {
            restart();
        }
        MPI_Barrier(m_processes);
    }
    MPI_Comm_free(&node);
    return isShared();
}

std::int64_t SharedCounter::take() {
    if (m_isFirst || isShared()) {
        return next().fetch_add(1);
    }
    std::int64_t number = 0;
    MPI_Send(nullptr, 0, MPI_BYTE, 0, kRequest, m_processes);
    MPI_Request arrived = MPI_REQUEST_NULL;
    MPI_Irecv(&number, 1, MPI_INT64_T, 0, kNumber, m_processes, &arrived);
    sleepUntilDone(arrived);
    MPI_Wait(&arrived, MPI_STATUS_IGNORE);
    return number;
}

void SharedCounter::restart() {
    next() = 0;
}

void SharedCounter::answer(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        int isAsked = 0;
        MPI_Status request;
        MPI_Iprobe(MPI_ANY_SOURCE, kRequest, m_processes, &isAsked, &request);
        if (isAsked == 0) {
            std::this_thread::sleep_for(kPause);
            continue;
        }
        const int asker = request.MPI_SOURCE;
        MPI_Recv(nullptr, 0, MPI_BYTE, asker, kRequest, m_processes, MPI_STATUS_IGNORE);
        const std::int64_t number = next().fetch_add(1);
        MPI_Send(&number, 1, MPI_INT64_T, asker, kNumber, m_processes);
    }
}

}  // namespace epsilens::mpi
