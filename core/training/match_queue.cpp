#include "core/training/match_queue.h"

namespace epsilens::training {

MatchQueue::MatchQueue(const EpochSchedule& schedule)
    : m_rounds(schedule.rounds()),
      m_matches(schedule.matches()),
      m_blocks(static_cast<std::size_t>(schedule.blocks())),
      m_left(m_rounds * m_matches),
      m_leftOfRound(static_cast<std::size_t>(m_rounds), m_matches) {
    m_pairings.reserve(static_cast<std::size_t>(m_left));
    for (int round = 0; round < m_rounds; ++round) {
        for (int index = 0; index < m_matches; ++index) {
            const auto [first, second] = schedule.blocksOf(round, index);
            m_pairings.push_back({first, second});
        }
    }
}

bool MatchQueue::isReady(Turn turn) const {
    const auto waits = [&](int block) {
        const Block& state = m_blocks[static_cast<std::size_t>(block)];
        return state.round == turn.round && !state.plays;
    };
    return waits(pairing(turn).first) && waits(pairing(turn).second);
}

int MatchQueue::familiarity(Turn turn, int thread) const {
    const auto knows = [&](int block) {
        return m_blocks[static_cast<std::size_t>(block)].lastThread == thread ? 1 : 0;
    };
    return knows(pairing(turn).first) + knows(pairing(turn).second);
}

std::optional<MatchQueue::Turn> MatchQueue::take(int thread) {
    const std::lock_guard lock(m_mutex);
    std::optional<Turn> best;
    int bestFamiliarity = -1;
    for (int round = m_firstRound; round < m_rounds; ++round) {
        for (int index = 0; index < m_matches; ++index) {
            const Turn turn{round, index};
            if (isReady(turn) && familiarity(turn, thread) > bestFamiliarity) {
                best = turn;
                bestFamiliarity = familiarity(turn, thread);
            }
        }
    }
    if (best) {
        for (const int block : {pairing(*best).first, pairing(*best).second}) {
            m_blocks[static_cast<std::size_t>(block)].plays = true;
        }
        --m_left;
        --m_leftOfRound[static_cast<std::size_t>(best->round)];
        while (m_firstRound < m_rounds &&
               m_leftOfRound[static_cast<std::size_t>(m_firstRound)] == 0) {
            ++m_firstRound;
        }
    }
    return best;
}

void MatchQueue::finish(Turn turn, int thread) {
    const std::lock_guard lock(m_mutex);
    for (const int block : {pairing(turn).first, pairing(turn).second}) {
        m_blocks[static_cast<std::size_t>(block)] = {turn.round + 1, false, thread};
    }
}

void MatchQueue::close() {
    const std::lock_guard lock(m_mutex);
    m_left = 0;
    m_firstRound = m_rounds;
}

bool MatchQueue::isEmpty() const {
    const std::lock_guard lock(m_mutex);
    return m_left == 0;
}

}  // namespace epsilens::training
