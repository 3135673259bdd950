#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <QString>

#include "ui/tradeoff/trade_off_model.h"

namespace epsilens::ui {

/// Counts out of 100 against epsilon.
struct MeasuredPoint {
    double epsilon = 0.0;
    double value = 0.0;
    std::optional<std::array<double, 2>> ci95{};
};
/// "76.1 (74.0 to 78.6)": with its 95 % interval, if it has one.
[[nodiscard]] QString valueText(const MeasuredPoint& point);

struct MeasuredLine {
    QString name;
    std::vector<MeasuredPoint> points;  ///< epsilon rising
};
/// A value that does not depend on epsilon.
struct ReferenceLine {
    QString name;
    double value = 0.0;
    bool isLimit = false;
};
struct MeasuredCurves {
    QString title;  ///< of the vertical axis
    std::vector<MeasuredLine> lines;
    std::vector<ReferenceLine> references;
};

/// How many texts each classifier puts into the right class, with what it does without noise, with
/// random words, and without looking, and where limits on that lie. Empty without a classification.
///
/// family  index into those of the result
[[nodiscard]] MeasuredCurves utilityCurves(const TradeOffResult& result, std::size_t family,
                                           std::span<const experiment::FigureLimit> limits = {});

/// How many words each attacker guesses, with what he guesses without the release, and where limits
/// on the best one lie. Empty where no words were guessed.
[[nodiscard]] MeasuredCurves riskCurves(const TradeOffResult& result, std::size_t family,
                                        std::span<const experiment::FigureLimit> limits = {});

/// What each of these attackers guesses at a cell of the result, a line for each, with its
/// interval.
[[nodiscard]] QString attackersText(const TradeOffResult& result, std::size_t cell);

}  // namespace epsilens::ui
