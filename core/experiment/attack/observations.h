#pragma once

#include <cstdint>
#include <memory>
#include <span>

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

/// What an attacker sees of a text, one observation for each token: an output, the outputs of
/// several releases, or a noisy vector. Immutable; tasks share it.
class Observations {
public:
    Observations() = default;
    Observations(const Observations&) = delete;
    Observations& operator=(const Observations&) = delete;
    virtual ~Observations() = default;

    [[nodiscard]] virtual std::unique_ptr<ObservationReader> reader() const = 0;
};

/// What is seen when outputs tell nothing about their words.
class NothingSeen : public Observations {
public:
    explicit NothingSeen(Eigen::Index words) : m_words(words) {}
    [[nodiscard]] std::unique_ptr<ObservationReader> reader() const override {
        return std::make_unique<Reader>(m_words);
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
