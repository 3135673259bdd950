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
    if (m_isFirst && size > 1 && mayAnswer) {
        m_answering = std::jthread([this](const std::stop_token& stop) { answer(stop); });
    }
}

SharedCounter::~SharedCounter() {
    // Others may still ask.
    meet(m_processes);
    m_answering = {};
    MPI_Comm_free(&m_processes);
}

std::int64_t SharedCounter::take() {
    if (m_isFirst) {
        return m_next.fetch_add(1);
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
    m_next = 0;
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
        const std::int64_t number = m_next.fetch_add(1);
        MPI_Send(&number, 1, MPI_INT64_T, asker, kNumber, m_processes);
    }
}

}  // namespace epsilens::mpi
