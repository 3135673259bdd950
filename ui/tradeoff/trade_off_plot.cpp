#include "ui/tradeoff/trade_off_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <qcustomplot.h>
#include <QMouseEvent>
#include <QToolTip>

#include "core/evaluation/figure_reader.h"
#include "core/report/evaluation_parts.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using evaluation::ClassifierKind;
using evaluation::EvaluationSummary;
using evaluation::FigureLimit;
using Kind = evaluation::FigureName::Kind;
using Interval = std::optional<std::array<double, 2>>;
using Line = TradeOffPicture::Line;
using Point = TradeOffPicture::Point;
using Reference = TradeOffPicture::Reference;

constexpr double kLineWidth = 1.6;

QString tr(const char* text) {
    return TradeOffPlot::tr(text);
}

QString oneDecimal(double value) {
    return QString::number(value, 'f', 1);
}

/// "76.1 (74.0 to 78.6)": with its 95 % interval, if it has one.
QString valueText(double value, const Interval& ci95) {
    return ci95 ? tr("%1 (%2 to %3)")
                      .arg(oneDecimal(value), oneDecimal((*ci95)[0]), oneDecimal((*ci95)[1]))
                : oneDecimal(value);
}

Interval outOf100(const Interval& ci95) {
    return ci95 ? Interval({100.0 * (*ci95)[0], 100.0 * (*ci95)[1]}) : std::nullopt;
}

QString csvField(QString text) {
    return QStringLiteral("\"%1\"").arg(text.replace(QLatin1Char('"'), QStringLiteral("\"\"")));
}

/// A point over epsilon; nothing of a figure that does not exist.
void addPoint(Line& line, const EvaluationSummary& summary, std::size_t cell, double share,
              const Interval& shares) {
    if (!std::isfinite(share)) {
        return;
    }
    const double epsilon = summary.cells[cell].epsilon;
    const double value = 100.0 * share;
    const Interval ci95 = outOf100(shares);
    line.points.push_back({cell, epsilon, value, ci95,
                           QStringLiteral("%1: %2").arg(line.name, valueText(value, ci95)),
                           QStringLiteral("%1,%2,%3,%4,%5")
                               .arg(csvField(line.name), shortest(epsilon), shortest(value),
                                    ci95 ? shortest((*ci95)[0]) : QString(),
                                    ci95 ? shortest((*ci95)[1]) : QString())});
}

double accuracyOf(const evaluation::ClassifierResults& results) {
    return 100.0 * results.of(evaluation::Measure::accuracy).mean;
}

QString classifierTitle(ClassifierKind kind) {
    return kind == ClassifierKind::vectors    ? tr("by mean vectors")
           : kind == ClassifierKind::fasttext ? tr("by fastText")
                                              : tr("by words");
}

/// Nothing where no curve of classifiers is judged by the limit.
std::optional<double> limitOfUse(const EvaluationSummary& summary, const FigureLimit& limit) {
    const auto& kinds = summary.options.classifiers;
    const auto kind = std::find(kinds.begin(), kinds.end(), limit.figure.classifier);
    const auto place = static_cast<std::size_t>(kind - kinds.begin());
    if (place >= summary.floor.size()) {
        return std::nullopt;
    }
    if (limit.figure.kind == Kind::accuracy) {
        return 100.0 * limit.share();
    }
    return limit.figure.kind == Kind::retained
               ? std::optional(std::lerp(accuracyOf(summary.floor[place]),
                                         accuracyOf(summary.ceiling[place]), limit.share()))
               : std::nullopt;
}

/// Likewise of the best attacker.
///
/// prior  guessed without the release, of 100
std::optional<double> limitOfRisk(const FigureLimit& limit, double prior) {
    return limit.figure.kind == Kind::best   ? std::optional(100.0 * limit.share())
           : limit.figure.kind == Kind::gain ? std::optional(prior + 100.0 * limit.share())
                                             : std::nullopt;
}

void addLimit(TradeOffPicture& picture, const std::optional<double>& value) {
    if (value) {
        picture.references.push_back({tr("your limit"), *value, true});
    }
}

/// What a picture over epsilon shows, in words and in rows.
TradeOffPicture told(TradeOffPicture picture) {
    picture.csvTitle = QStringLiteral("curve,epsilon,of100,low95,high95");
    QStringList parts;
    for (const Line& line : picture.lines) {
        const Point& first = line.points.front();
        const Point& last = line.points.back();
        parts.append(tr("%1: %2 at ε %3, %4 at ε %5")
                         .arg(line.name, valueText(first.y, first.ci95), shortest(first.x),
                              valueText(last.y, last.ci95), shortest(last.x)));
    }
    for (const Reference& reference : picture.references) {
        parts.append(tr("%1: %2").arg(reference.name, oneDecimal(reference.value)));
    }
    picture.description =
        QStringLiteral("%1. %2.").arg(picture.y, parts.join(QStringLiteral("; ")));
    return picture;
}

QString settingText(const EvaluationSummary& summary, std::size_t cell) {
    const QString family = toQString(report::familyText(summary, summary.cells[cell]));
    const QString epsilon = QStringLiteral("ε %1").arg(shortest(summary.cells[cell].epsilon));
    return family.isEmpty() ? epsilon : QStringLiteral("%1, %2").arg(epsilon, family);
}

Point frontierPoint(const EvaluationSummary& summary, const evaluation::TradeOffPoint& point) {
    const QString setting = settingText(summary, point.cell);
    const auto text = [&](Kind kind, double value) {
        const auto figure =
            evaluation::figureOf(summary, point.cell, {kind, summary.options.classifiers.front()});
        return valueText(value, outOf100(figure.ci95));
    };
    const double risk = 100.0 * point.risk;
    const double utility = 100.0 * point.utility;
    return {point.cell,
            risk,
            utility,
            {},
            tr("%1: right class %2, guessed beyond those without the release %3 of 100")
                .arg(setting, text(Kind::accuracy, utility), text(Kind::gain, risk)),
            QStringLiteral("%1,%2,%3,%4")
                .arg(csvField(setting), shortest(point.risk), shortest(point.utility),
                     point.isDominated ? QStringLiteral("true") : QStringLiteral("false")),
            // Of beaten settings the pointer tells; labels of all would hide each other.
            point.isDominated ? QString() : shortest(summary.cells[point.cell].epsilon),
            point.isDominated};
}

/// Those that lie on each other are one line: the dots of one in the gaps of another would look
/// solid.
std::vector<Reference> drawnReferences(const std::vector<Reference>& references) {
    constexpr double kSame = 0.15;  // of 100
    std::vector<Reference> drawn;
    for (const Reference& reference : references) {
        const auto same = std::find_if(drawn.begin(), drawn.end(), [&](const Reference& other) {
            return std::fabs(other.value - reference.value) < kSame &&
                   other.isLimit == reference.isLimit;
        });
        if (same == drawn.end()) {
            drawn.push_back(reference);
        } else {
            same->name += QStringLiteral(", ") + reference.name;
        }
    }
    return drawn;
}

}  // namespace

TradeOffPicture utilityPicture(const TradeOffResult& result, std::size_t family,
                               const std::vector<FigureLimit>& limits) {
    const EvaluationSummary& summary = result.summary();
    TradeOffPicture picture{.y = tr("right class, texts of 100")};
    for (std::size_t i = 0; i < summary.original.size(); ++i) {
        Line line{classifierTitle(summary.options.classifiers[i]), {}};
        for (const std::size_t cell : result.families[family].cells) {
            const auto& accuracy =
                summary.cells[cell].classify[i].of(evaluation::Measure::accuracy);
            addPoint(line, summary, cell, accuracy.mean, accuracy.ci95);
        }
        picture.lines.push_back(std::move(line));
    }
    if (picture.lines.empty()) {
        return picture;
    }
    // References of further classifiers stand in the table.
    const QString of =
        picture.lines.size() == 1 ? QString() : picture.lines.front().name + QStringLiteral(", ");
    picture.references = {{of + tr("no noise"), accuracyOf(summary.ceiling.front())},
                          {of + tr("random words"), accuracyOf(summary.floor.front())},
                          {tr("always the commonest class"), 100.0 * summary.majority}};
    for (const FigureLimit& limit : limits) {
        addLimit(picture, limitOfUse(summary, limit));
    }
    return told(std::move(picture));
}

TradeOffPicture riskPicture(const TradeOffResult& result, std::size_t family,
                            const std::vector<FigureLimit>& limits) {
    TradeOffPicture picture{.y = tr("guessed, words of 100")};
    const auto* attack = evaluation::attackOf(result.summary(), attack::Task::reconstruct);
    if (attack == nullptr) {
        return picture;
    }
    const auto lineOf = [&](const char* path, const QString& name) {
        Line line{name, {}};
        for (const std::size_t cell : result.families[family].cells) {
            const auto& findings = attack->cells[cell];
            if (const attack::Figure* figure = findings ? figureAt(*findings, path) : nullptr) {
                addPoint(line, result.summary(), cell, figure->value, figure->ci95);
            }
        }
        return line;
    };
    for (Line& line :
         std::array{lineOf("best", tr("best attacker")), lineOf("echo", tr("guesses what it sees")),
                    lineOf("map", tr("knows the noise")),
                    lineOf("context", tr("and reads the context"))}) {
        if (!line.points.empty()) {
            picture.lines.push_back(std::move(line));
        }
    }
    if (const Line prior = lineOf("prior", {}); !prior.points.empty()) {
        const double without = prior.points.front().y;
        picture.references.push_back({tr("without the release"), without});
        for (const FigureLimit& limit : limits) {
            addLimit(picture, limitOfRisk(limit, without));
        }
    }
    return picture.lines.empty() ? picture : told(std::move(picture));
}

TradeOffPicture frontierPicture(const TradeOffResult& result) {
    const EvaluationSummary& summary = result.summary();
    TradeOffPicture picture{.x = tr("words of 100 guessed beyond those without the release"),
                            .y = tr("right class, texts of 100"),
                            .csvTitle = QStringLiteral("setting,gain,accuracy,beaten")};
    QStringList best;
    std::optional<std::size_t> family;
    for (const evaluation::TradeOffPoint& point : evaluation::tradeOffOf(summary, 0)) {
        if (std::exchange(family, point.family) != point.family) {
            picture.lines.push_back(
                {toQString(report::familyText(summary, summary.cells[point.cell])), {}});
        }
        picture.lines.back().points.push_back(frontierPoint(summary, point));
        if (!point.isDominated) {
            best.append(tr("%1: right %2, guessed %3 of 100")
                            .arg(settingText(summary, point.cell),
                                 oneDecimal(100.0 * point.utility),
                                 oneDecimal(100.0 * point.risk)));
        }
    }
    if (!best.isEmpty()) {
        picture.description = tr("No other setting is both more useful and less risky "
                                 "than these. %1.")
                                  .arg(best.join(QStringLiteral("; ")));
    }
    return picture;
}

QString attackersText(const TradeOffResult& result, std::size_t cell) {
    QStringList lines;
    for (std::size_t family = 0; family < result.families.size(); ++family) {
        const std::vector<std::size_t>& cells = result.families[family].cells;
        if (std::find(cells.begin(), cells.end(), cell) == cells.end()) {
            continue;
        }
        for (const Line& line : riskPicture(result, family, {}).lines) {
            for (const Point& point : line.points) {
                if (point.cell == cell) {
                    lines.append(point.text);
                }
            }
        }
    }
    return lines.isEmpty() ? QString()
                           : tr("Words of 100 that attackers guess, with 95% intervals:\n%1")
                                 .arg(lines.join(QLatin1Char('\n')));
}

TradeOffPlot::TradeOffPlot(const char* objectName, const QString& name, QWidget* parent)
    : EpsilonPlot(parent) {
    setObjectName(QLatin1String(objectName));
    setAccessibleName(name);
    setPicture({});
    refreshTheme();
}

void TradeOffPlot::setPicture(TradeOffPicture picture) {
    m_picture = std::move(picture);
    setAxisTitles(isOverEpsilon() ? epsilonTitle() : m_picture.x, m_picture.y);
    if (!isOverEpsilon()) {
        setLogarithmic(false, false);
        setCursorShown(false);
    }
    setShownDescription(m_picture.description.isEmpty() ? tr("Empty: not measured.")
                                                        : m_picture.description);
    showHome();
    rebuild();
}

void TradeOffPlot::mark(std::optional<std::size_t> cell, bool isOutdated) {
    refuseExport(isOutdated ? tr("Results of earlier settings are not exported") : QString());
    if (cell != m_marked || isOutdated != m_isOutdated) {
        m_marked = cell;
        m_isOutdated = isOutdated;
        setCursorShown(isOverEpsilon() && !isOutdated);
        rebuild();
    }
}

void TradeOffPlot::showHome() {
    if (m_picture.lines.empty()) {
        return;
    }
    const Point& first = m_picture.lines.front().points.front();
    QCPRange x(first.x, first.x);
    QCPRange y(first.y, first.y);
    for (const Reference& reference : m_picture.references) {
        y.expand(reference.value);
    }
    for (const Line& line : m_picture.lines) {
        for (const Point& point : line.points) {
            x.expand(point.x);
            y.expand(point.ci95 ? (*point.ci95)[0] : point.y);
            y.expand(point.ci95 ? (*point.ci95)[1] : point.y);
        }
    }
    constexpr double kFactor = 1.25;  // of epsilon beyond what was measured
    constexpr double kShare = 0.07;   // of the range of values
    const double besides = std::max(1.0, kShare * x.size());
    const double above = std::max(1.0, kShare * y.size());
    setHomeRange(isOverEpsilon() ? Range{x.lower / kFactor, x.upper * kFactor}
                                 : Range{x.lower - besides, x.upper + besides},
                 {y.lower - above, y.upper + above});
}

void TradeOffPlot::rebuild() {
    plot().clearPlottables();
    plot().legend->clearItems();
    for (QCPAbstractItem* text : std::exchange(m_texts, {})) {
        plot().removeItem(text);
    }
    addReferences();
    for (std::size_t i = 0; i < m_picture.lines.size(); ++i) {
        addLine(m_picture.lines[i], static_cast<int>(i));
    }
    const bool isEmpty = m_picture.lines.empty();
    plot().xAxis->setVisible(!isEmpty);
    plot().yAxis->setVisible(!isEmpty);
    if (isEmpty) {
        // The rectangle of the axes may be narrow: it leaves room for a legend.
        auto* text = new QCPItemText(&plot());
        text->position->setType(QCPItemPosition::ptViewportRatio);
        text->position->setCoords(0.5, 0.5);
        text->setClipToAxisRect(false);
        text->setColor(theme().mutedText);
        text->setText(tr("This measurement has no setting yet with both usefulness and risk."));
        m_texts.push_back(text);
    }
    plot().legend->setVisible(plot().legend->itemCount() > 0);
    fitLegend(plot());
    replotSoon();
}

void TradeOffPlot::addLine(const Line& line, int index) {
    const QColor colour = m_isOutdated ? theme().pinned : theme().series(index);
    QColor faint = colour;
    faint.setAlpha(90);
    // A curve keeps the order of its points: risk need not rise with epsilon.
    auto* curve = new QCPCurve(plot().xAxis, plot().yAxis);
    curve->setPen(QPen(colour, kLineWidth));
    curve->removeFromLegend();
    const auto pointsOf = [this](const QCPScatterStyle& style) {
        QCPGraph* graph = plot().addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(style);
        graph->removeFromLegend();
        return graph;
    };
    QCPGraph* best = pointsOf(curveMarker(index, colour, theme().surface));
    QCPGraph* beaten = pointsOf(curveMarker(index, faint, theme().surface));
    QCPGraph* marked = pointsOf(markedPoint(theme().text));
    QVector<double> below;
    QVector<double> above;
    for (const Point& point : line.points) {
        curve->addData(point.x, point.y);
        (point.isBeaten ? beaten : best)->addData(point.x, point.y);
        if (point.cell == m_marked && !m_isOutdated) {
            marked->addData(point.x, point.y);
        }
        below.append(point.ci95 ? point.y - (*point.ci95)[0] : 0.0);
        above.append(point.ci95 ? (*point.ci95)[1] - point.y : 0.0);
        if (!point.label.isEmpty()) {
            auto* label = new QCPItemText(&plot());
            label->position->setCoords(point.x, point.y);
            label->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
            label->setPadding(QMargins(6, 4, 0, 0));
            label->setText(point.label);
            label->setColor(theme().text);
            m_texts.push_back(label);
        }
    }
    if (!line.name.isEmpty()) {
        best->setName(line.name);
        best->addToLegend();
    }
    if (isOverEpsilon()) {
        auto* intervals = new QCPErrorBars(plot().xAxis, plot().yAxis);
        intervals->setDataPlottable(best);
        intervals->setData(below, above);
        intervals->setPen(QPen(colour, 1.0));
        intervals->removeFromLegend();
    }
}

void TradeOffPlot::addReferences() {
    constexpr std::array kPens{Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    constexpr double kFarLeft = 1e-9;
    constexpr double kStep = 1.1;
    constexpr int kSteps = 435;  // to 1e9
    constexpr double kWidth = 1.2;
    const std::vector<Reference> references = drawnReferences(m_picture.references);
    for (std::size_t i = 0; i < references.size(); ++i) {
        QCPGraph* line = plot().addGraph();
        line->setName(references[i].name);
        // In steps, of which only those in view are drawn: Qt draws a far longer line without
        // dashes.
        for (int step = 0; step <= kSteps; ++step) {
            line->addData(kFarLeft * std::pow(kStep, step), references[i].value);
        }
        const bool isLimit = references[i].isLimit;
        const QColor colour = isLimit ? theme().error : theme().mutedText;
        line->setPen(QPen(m_isOutdated ? theme().pinned : colour, kWidth,
                          isLimit ? Qt::SolidLine : kPens.at(i % kPens.size())));
    }
}

void TradeOffPlot::applyTheme(const Theme& theme) {
    EpsilonPlot::applyTheme(theme);
    rebuild();
}

const Point* TradeOffPlot::pointAt(const QPoint& position) {
    const Point* nearest = nullptr;
    double distance = 12.0;  // pixels
    for (const Line& line : m_picture.lines) {
        for (const Point& point : line.points) {
            const double besides = plot().xAxis->coordToPixel(point.x) - position.x();
            const double above =
                isOverEpsilon() ? 0.0 : plot().yAxis->coordToPixel(point.y) - position.y();
            const double away = std::hypot(besides, above);
            if (away < distance) {
                distance = away;
                nearest = &point;
            }
        }
    }
    return plot().axisRect()->rect().contains(position) ? nearest : nullptr;
}

void TradeOffPlot::readAt(const QMouseEvent& event) {
    const Point* nearest = pointAt(event.pos());
    if (nearest == nullptr) {
        QToolTip::hideText();
        return;
    }
    QStringList rows;
    if (isOverEpsilon()) {
        rows.append(QStringLiteral("ε %1").arg(shortest(nearest->x)));
    }
    for (const Line& line : m_picture.lines) {
        for (const Point& point : line.points) {
            if (point.cell == nearest->cell) {
                rows.append(point.text);
            }
        }
    }
    QToolTip::showText(event.globalPosition().toPoint(), rows.join(QLatin1Char('\n')), &plot());
}

bool TradeOffPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &plot() && event->type() == QEvent::MouseButtonPress) {
        m_pressed = static_cast<QMouseEvent*>(event)->pos();
    }
    if (watched == &plot() && event->type() == QEvent::MouseButtonRelease && !m_isOutdated) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        constexpr int kSteady = 3;  // pixels; more is a drag
        const Point* point = pointAt(mouse.pos());
        if (point != nullptr && mouse.button() == Qt::LeftButton &&
            (mouse.pos() - m_pressed).manhattanLength() <= kSteady) {
            Q_EMIT cellChosen(point->cell);
        }
    }
    return EpsilonPlot::eventFilter(watched, event);
}

QString TradeOffPlot::visibleCsv() const {
    if (m_picture.lines.empty()) {
        return {};
    }
    QStringList rows{m_picture.csvTitle};
    for (const Line& line : m_picture.lines) {
        for (const Point& point : line.points) {
            if (point.x >= shownX().low && point.x <= shownX().high) {
                rows.append(point.csv);
            }
        }
    }
    for (const Reference& reference : m_picture.references) {
        rows.append(
            QStringLiteral("%1,,%2,,").arg(csvField(reference.name), shortest(reference.value)));
    }
    return rows.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace epsilens::ui
