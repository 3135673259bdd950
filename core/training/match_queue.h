#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "core/training/epoch_schedule.h"

namespace epsilens::training {

/// Hands the matches of an epoch out to threads. A match can be played once both of its blocks have
/// played all earlier rounds, whatever the other blocks do: this decides what every step sees, so
/// that results do not depend on who plays which match when. All functions may be called by any
/// thread.
class MatchQueue {
public:
    /// The schedule must outlive the queue.
    explicit MatchQueue(const EpochSchedule& schedule);

    struct Turn {
        int round = 0;
        int index = 0;
    };
    /// A match that can be played now, if there is one: with the more of its blocks that the thread
    /// played last the better, because their points are in its cache; of equal ones that of the
    /// earliest round. It is for the caller alone, who plays it and calls finish.
    ///
    /// thread  any number that tells threads apart
    [[nodiscard]] std::optional<Turn> take(int thread);
    void finish(Turn turn, int thread);
    /// Leaves the matches that nobody took: after a failure their turn may never come.
    void close();
    /// Whether there is nothing left to wait for.
    [[nodiscard]] bool isEmpty() const;

private:
    struct Pairing {
        int first = 0;  ///< blocks
        int second = 0;
    };
    struct Block {
        int round = 0;        ///< that it plays next
        bool plays = false;   ///< at the moment
        int lastThread = -1;  ///< that played it
    };
    [[nodiscard]] const Pairing& pairing(Turn turn) const {
        return m_pairings[static_cast<std::size_t>(turn.round) *
                              static_cast<std::size_t>(m_matches) +
                          static_cast<std::size_t>(turn.index)];
    }
    [[nodiscard]] bool isReady(Turn turn) const;
    [[nodiscard]] int familiarity(Turn turn, int thread) const;

    int m_rounds;
    int m_matches;
    std::vector<Pairing> m_pairings{};  ///< by round, then by index
    mutable std::mutex m_mutex{};       ///< of what follows
    std::vector<Block> m_blocks;
    int m_left;            ///< matches that nobody took
    int m_firstRound = 0;  ///< all earlier ones were taken
    std::vector<int> m_leftOfRound;
};

}  // namespace epsilens::training
