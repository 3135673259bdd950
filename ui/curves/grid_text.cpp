#include "ui/curves/grid_text.h"

#include <algorithm>

#include <QStringList>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "ui/common/qt_convert.h"

namespace epsilens::ui {

namespace {

// More cells than anybody reads, and few enough that curves stay tellable apart.
constexpr std::size_t kMostEpsilons = 100;
constexpr std::size_t kMostLambdas = 21;

Result<std::vector<double>> sortedOnce(std::vector<double> values, const char* name,
                                       std::size_t most) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() > most) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("{}: {} values; a grid has at most {}", name, values.size(), most));
    }
    return values;
}

}  // namespace

Result<std::vector<double>> parseEpsilonGrid(const QString& text) {
    auto values = parseList(toStd(text), "ε", Spacing::logarithmic);
    if (!values) {
        return values;
    }
    for (const double value : *values) {
        if (!(value > 0.0)) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("ε: {} is not above 0", formatNumber(value)));
        }
    }
    return sortedOnce(std::move(*values), "ε", kMostEpsilons);
}

Result<std::vector<double>> parseLambdaGrid(const QString& text) {
    auto values = parseList(toStd(text), "λ", Spacing::linear);
    if (!values) {
        return values;
    }
    for (const double value : *values) {
        if (!(value >= 0.0 && value <= 1.0)) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("λ: {} is not from 0 to 1", formatNumber(value)));
        }
    }
    return sortedOnce(std::move(*values), "λ", kMostLambdas);
}

QString brief(double value) {
    constexpr qsizetype kLongest = 7;
    // Ends of a range are exact, what lies between has digits that nobody chose.
    const QString exact = shortest(value);
    return exact.size() <= kLongest ? exact : significant(value, 5);
}

QString gridText(const std::vector<double>& values) {
    QStringList texts;
    for (const double value : values) {
        texts.append(brief(value));
    }
    return texts.join(QStringLiteral("; "));
}

}  // namespace epsilens::ui
