#include "ui/curves/grid_text.h"

#include <algorithm>

#include <QCoreApplication>
#include <QStringList>

#include "core/base/numbers.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

// More cells than anybody reads, and few enough that curves stay tellable apart.
constexpr std::size_t kMostEpsilons = 100;
constexpr std::size_t kMostCurves = 21;

QString tr(const char* text) {
    return QCoreApplication::translate("GridText", text);
}

tl::unexpected<Error> refused(const QString& why) {
    return fail(ErrorCode::invalidArgument, toStd(why));
}

Result<std::vector<double>> sortedOnce(std::vector<double> values, const char* name,
                                       std::size_t most) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() > most) {
        return refused(tr("%1: %2 values; a grid has at most %3")
                           .arg(QString::fromUtf8(name))
                           .arg(values.size())
                           .arg(most));
    }
    return values;
}

/// allowed  says which values isAllowed() takes
Result<std::vector<double>> parseGrid(const QString& text, const char* name, Spacing spacing,
                                      std::size_t most, const char* allowed,
                                      bool (*isAllowed)(double)) {
    auto values = parseList(toStd(text), name, spacing);
    if (!values) {
        return values;
    }
    for (const double value : *values) {
        if (!isAllowed(value)) {
            return refused(
                tr("%1: %2 is not %3").arg(QString::fromUtf8(name), shortest(value), tr(allowed)) +
                toQString(decimalCommaHint(toStd(text))));
        }
    }
    return sortedOnce(std::move(*values), name, most);
}

}  // namespace

Result<std::vector<double>> parseEpsilonGrid(const QString& text) {
    return parseGrid(text, "ε", Spacing::logarithmic, kMostEpsilons, "above 0",
                     [](double value) { return value > 0.0; });
}

Result<std::vector<double>> parseLambdaGrid(const QString& text) {
    return parseGrid(text, "λ", Spacing::linear, kMostCurves, "from 0 to 1",
                     [](double value) { return value >= 0.0 && value <= 1.0; });
}

Result<std::vector<double>> parseBetaGrid(const QString& text) {
    return parseGrid(text, "β", Spacing::logarithmic, kMostCurves, "above 0 and below 1",
                     [](double value) { return value > 0.0 && value < 1.0; });
}

Result<std::vector<double>> parseGammaGrid(const QString& text) {
    return parseGrid(text, "γ", Spacing::linear, kMostCurves, "0 or more",
                     [](double value) { return value >= 0.0; });
}

QString gridText(const std::vector<double>& values) {
    QStringList texts;
    for (const double value : values) {
        texts.append(brief(value));
    }
    return texts.join(QStringLiteral("; "));
}

}  // namespace epsilens::ui
