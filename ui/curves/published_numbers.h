#pragma once

#include <vector>

#include "core/mechanism/mechanism.h"
#include "ui/curves/curve_text.h"

namespace epsilens::ui {

/// A mean that a paper printed.
struct PublishedPoint {
    double epsilon = 0.0;
    double lambda = 0.0;  ///< 0 of a mechanism without
    double mean = 0.0;    ///< of N_w or S_w, out of the table's draws
    double sd = 0.0;      ///< over words; 0 where the paper gives none
};

/// A table of a paper, to be seen beside a run: other vectors give the same shape, not the same
/// digits.
struct PublishedTable {
    const char* name = "";    ///< "Xu et al. 2020, GloVe 300-d"
    const char* source = "";  ///< paper, tables, vectors, words, draws
    mechanism::Mechanism mechanism{};
    int draws = 100;
    std::vector<PublishedPoint> nw{};
    std::vector<PublishedPoint> sw{};  ///< none where the paper has no means of it
};

/// All tables: Xu et al. 2020, Tables 1 to 4, and the means of Feyisetan et al. 2019, Table IV. The
/// largest counts of that table are no means, and its Euclidean column names no epsilon.
[[nodiscard]] const std::vector<PublishedTable>& publishedTables();

/// The points of a table for N_w or S_w. S_w does not scale with R: compare runs of as many draws.
[[nodiscard]] const std::vector<PublishedPoint>& publishedPoints(const PublishedTable& table,
                                                                 Statistic statistic);

/// Of these the points of one curve of a run.
///
/// value  of the run's parameter
[[nodiscard]] std::vector<PublishedPoint> publishedBeside(const PublishedTable& table,
                                                          Statistic statistic, double value);

/// Whether a table has numbers for a run: of the same noise, as many draws, and one of its lambdas.
[[nodiscard]] bool isComparable(const PublishedTable& table, const RunCurves& run);

}  // namespace epsilens::ui
