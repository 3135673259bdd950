#pragma once

#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/crew.h"

namespace epsilens::test {

/// What the threads of a test have in common in place of processes.
struct Meeting {
    explicit Meeting(int size) : texts(static_cast<std::size_t>(size)), barrier(size) {}

    std::vector<std::string> texts;
    std::barrier<> barrier;
    std::atomic<std::int64_t> counter{0};
};

/// A thread of a test in place of a process.
class ThreadCrew : public Crew {
public:
    ThreadCrew(Meeting& meeting, std::size_t rank) : m_meeting(meeting), m_rank(rank) {}

    int size() const override { return static_cast<int>(m_meeting.texts.size()); }
    std::optional<std::int64_t> next(std::int64_t units) override {
        const std::int64_t unit = m_meeting.counter++;
        if (unit >= units) {
            return std::nullopt;
        }
        ++unitsTaken;
        return unit;
    }
    std::vector<std::string> exchange(std::string own) override {
        m_meeting.texts[m_rank] = std::move(own);
        m_meeting.barrier.arrive_and_wait();
        m_meeting.counter = 0;
        std::vector<std::string> texts = m_meeting.texts;
        m_meeting.barrier.arrive_and_wait();
        return texts;
    }
    void dismiss() override { isDismissed = true; }

    bool isDismissed = false;
    int unitsTaken = 0;

private:
    Meeting& m_meeting;
    std::size_t m_rank;
};

/// Calls work(rank, crew) in so many threads at once.
template <typename Work>
void together(int size, const Work& work) {
    Meeting meeting(size);
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank) {
        threads.emplace_back([&, rank] {
            ThreadCrew crew(meeting, static_cast<std::size_t>(rank));
            work(static_cast<std::size_t>(rank), crew);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

}  // namespace epsilens::test
