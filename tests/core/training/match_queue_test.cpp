#include "core/training/epoch_schedule.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/core/training/toy_hierarchy.h"

using namespace epsilens;
using namespace epsilens::training;

namespace {

struct Played {
    MatchQueue::Turn turn{};
    int thread = 0;
};

}  // namespace

TEST_CASE("Blocks play their rounds in order, and no two matches at once share one") {
    const IsAList list = test::treeClosure(3, 4);
    const int matches = GENERATE(1, 2, 4, 16);
    const int threads = GENERATE(1, 2, 3, 16);
    const EpochSchedule schedule(static_cast<Row>(list.nodes.size()), list.pairs, matches, 3);
    MatchQueue queue(schedule);
    // Of the matches that are going on, some lot ends first.
    SeededStream lot({17, StreamPurpose{2001}, 0, 0});
    std::vector<int> rounds(static_cast<std::size_t>(schedule.blocks()), 0);
    std::vector<bool> busy(rounds.size(), false);
    std::vector<Played> going;
    std::vector<int> idle(static_cast<std::size_t>(threads));
    std::iota(idle.begin(), idle.end(), 0);
    int played = 0;
    while (!queue.isEmpty() || !going.empty()) {
        const std::optional<MatchQueue::Turn> turn =
            idle.empty() ? std::nullopt : queue.take(idle.back());
        if (turn) {
            const auto [first, second] = schedule.blocksOf(turn->round, turn->index);
            for (const int block : {first, second}) {
                const auto place = static_cast<std::size_t>(block);
                REQUIRE_FALSE(busy[place]);
                REQUIRE(rounds[place] == turn->round);
                busy[place] = true;
            }
            going.push_back({*turn, idle.back()});
            idle.pop_back();
            continue;
        }
        REQUIRE_FALSE(going.empty());  // else nothing could ever go on
        std::swap(going[lot.below(going.size())], going.back());
        const Played ended = going.back();
        going.pop_back();
        const auto [first, second] = schedule.blocksOf(ended.turn.round, ended.turn.index);
        for (const int block : {first, second}) {
            busy[static_cast<std::size_t>(block)] = false;
            ++rounds[static_cast<std::size_t>(block)];
        }
        queue.finish(ended.turn, ended.thread);
        idle.push_back(ended.thread);
        ++played;
    }
    CHECK(played == schedule.rounds() * schedule.matches());
    CHECK(std::all_of(rounds.begin(), rounds.end(),
                      [&](int count) { return count == schedule.rounds(); }));
}

TEST_CASE("A thread goes on with the blocks that it played") {
    const IsAList list = test::treeClosure(3, 4);
    const EpochSchedule schedule(static_cast<Row>(list.nodes.size()), list.pairs, 4, 3);
    MatchQueue queue(schedule);
    // One of two threads plays the first half of the first round, the other one the rest.
    std::vector<MatchQueue::Turn> turns;
    turns.reserve(4);
    for (int i = 0; i < 4; ++i) {
        turns.push_back(queue.take(i / 2).value());
    }
    std::vector<int> own;
    for (std::size_t i = 0; i < turns.size(); ++i) {
        const auto [first, second] = schedule.blocksOf(turns[i].round, turns[i].index);
        if (i < 2) {
            own.insert(own.end(), {first, second});
        }
        queue.finish(turns[i], static_cast<int>(i) / 2);
    }
    const auto countOwn = [&](MatchQueue::Turn turn) {
        const auto [first, second] = schedule.blocksOf(turn.round, turn.index);
        return std::count(own.begin(), own.end(), first) +
               std::count(own.begin(), own.end(), second);
    };
    // The best of the second round, looked up in the schedule.
    std::ptrdiff_t most = 0;
    for (int index = 0; index < schedule.matches(); ++index) {
        most = std::max(most, countOwn({1, index}));
    }
    CHECK(countOwn(queue.take(0).value()) == most);
}
