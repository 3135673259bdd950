#pragma once

#include <algorithm>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"

namespace epsilens::test {

inline void requireEqual(const calibration::Summary& a, const calibration::Summary& b) {
    REQUIRE(a.ci95 == b.ci95);
    REQUIRE(a.sdTrue == b.sdTrue);
    for (const auto member :
         {&calibration::Summary::mean, &calibration::Summary::sd, &calibration::Summary::min,
          &calibration::Summary::p1, &calibration::Summary::p5, &calibration::Summary::p25,
          &calibration::Summary::p50, &calibration::Summary::p75, &calibration::Summary::p95,
          &calibration::Summary::p99, &calibration::Summary::max}) {
        REQUIRE(a.*member == b.*member);
    }
}

inline void requireEqual(const calibration::Cell& a, const calibration::Cell& b) {
    CAPTURE(a.epsilon, a.lambda);
    REQUIRE(a.epsilon == b.epsilon);
    REQUIRE(a.lambda == b.lambda);
    for (const auto summary :
         {&calibration::Cell::nw, &calibration::Cell::sw, &calibration::Cell::minEntropy,
          &calibration::Cell::shannonEntropy, &calibration::Cell::hartleyEntropy}) {
        requireEqual(a.*summary, b.*summary);
    }
    REQUIRE(a.kw.has_value() == b.kw.has_value());
    if (a.kw) {
        requireEqual(*a.kw, *b.kw);
    }
    for (const auto share : {&calibration::Cell::kept, &calibration::Cell::near,
                             &calibration::Cell::far, &calibration::Cell::meanDistance}) {
        REQUIRE(a.*share == b.*share);
    }
    REQUIRE(a.meanCosine == b.meanCosine);
    REQUIRE(a.coverage == b.coverage);
}

inline void requireEqual(const calibration::CalibrationSummary& a,
                         const calibration::CalibrationSummary& b) {
    REQUIRE(a.perWord.words == b.perWord.words);
    REQUIRE(a.perWord.nw == b.perWord.nw);
    REQUIRE(a.perWord.sw == b.perWord.sw);
    REQUIRE(a.perWord.criticalEpsilonMedian == b.perWord.criticalEpsilonMedian);
    REQUIRE(a.cells.size() == b.cells.size());
    for (std::size_t i = 0; i < a.cells.size(); ++i) {
        requireEqual(a.cells[i], b.cells[i]);
    }
}

/// Finished words have the numbers of the whole run.
inline void requirePartOf(const calibration::CalibrationSummary& partial,
                          const calibration::CalibrationSummary& whole) {
    const calibration::WordTable& all = whole.perWord;
    const std::size_t cells = all.cells;
    for (std::size_t i = 0; i < partial.perWord.words.size(); ++i) {
        const auto found = std::find(all.words.begin(), all.words.end(), partial.perWord.words[i]);
        REQUIRE(found != all.words.end());
        const auto place = static_cast<std::size_t>(found - all.words.begin());
        for (std::size_t cell = 0; cell < cells; ++cell) {
            REQUIRE(partial.perWord.nw[i * cells + cell] == all.nw[place * cells + cell]);
        }
    }
}

}  // namespace epsilens::test
