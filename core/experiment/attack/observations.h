#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/eigen.h"

namespace epsilens::experiment {

/// Reads the likelihoods of some observations. Holds scratch memory: one object per task.
class ObservationReader {
public:
    ObservationReader() = default;
    ObservationReader(const ObservationReader&) = delete;
    ObservationReader& operator=(const ObservationReader&) = delete;
    virtual ~ObservationReader() = default;

    /// result  set to (observations) x V: row i holds ln Pr[observation i | word x] of every word
    ///         x, up to a constant of the row
    virtual void read(std::span<const std::int64_t> observations, RowMatrixF& result) = 0;
};

/// What an attacker sees of a text, one observation for each token: an output or a noisy vector.
/// Immutable; tasks share it.
class Observations {
public:
    Observations() = default;
    Observations(const Observations&) = delete;
    Observations& operator=(const Observations&) = delete;
    virtual ~Observations() = default;

    [[nodiscard]] virtual std::unique_ptr<ObservationReader> reader() const = 0;

    /// For each of some observations the place of the first of them that says the same of every
    /// word. Noisy vectors are never equal; outputs often are.
    [[nodiscard]] virtual std::vector<std::size_t> firstEqual(
        std::span<const std::int64_t> observations) const {
        std::vector<std::size_t> first(observations.size());
        std::iota(first.begin(), first.end(), std::size_t{0});
        return first;
    }

protected:
    /// Equal are those of which keyOf(observation) is equal, which can be ordered.
    template <typename KeyOf>
    [[nodiscard]] static std::vector<std::size_t> firstEqualBy(
        std::span<const std::int64_t> observations, const KeyOf& keyOf) {
        std::map<decltype(keyOf(std::int64_t{})), std::size_t> known;
        std::vector<std::size_t> first;
        for (const std::int64_t observation : observations) {
            first.push_back(known.try_emplace(keyOf(observation), first.size()).first->second);
        }
        return first;
    }
};

/// What is seen when outputs tell nothing about their words.
class NothingSeen : public Observations {
public:
    explicit NothingSeen(Eigen::Index words) : m_words(words) {}
    [[nodiscard]] std::unique_ptr<ObservationReader> reader() const override {
        return std::make_unique<Reader>(m_words);
    }
    [[nodiscard]] std::vector<std::size_t> firstEqual(
        std::span<const std::int64_t> observations) const override {
        return std::vector<std::size_t>(observations.size());
    }

private:
    class Reader : public ObservationReader {
    public:
        explicit Reader(Eigen::Index words) : m_words(words) {}
        void read(std::span<const std::int64_t> observations, RowMatrixF& result) override {
            result = RowMatrixF::Zero(static_cast<Eigen::Index>(observations.size()), m_words);
        }

    private:
        Eigen::Index m_words;
    };

    Eigen::Index m_words;
};

}  // namespace epsilens::experiment
