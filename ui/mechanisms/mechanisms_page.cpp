#include "ui/mechanisms/mechanisms_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <QtWidgets>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/calibration/measurement.h"
#include "core/mechanism/guarantee.h"
#include "core/report/comparison_report.h"
#include "core/report/memo_words.h"
#include "ui/plot/xy_plot.h"
#include "ui/state/analysis_state.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_runner.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/output_mark.h"
#include "ui/state/query.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

enum Column { kMechanism, kEpsilon, kShares, kDistinct, kOdds, kReach, kGuarantee, kColumns };

constexpr int kComparisonRestMs = 30;
constexpr int kDigits = 3;  // of an epsilon that a row gives

/// Shown at first; promises beyond it do not differ to anybody.
constexpr double kMostOdds = 1e18;
constexpr std::array kDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

PlotSeries lineOf(const calibration::ComparedMechanism& compared, const report::RowPair& pair,
                  const JobContext& job) {
    const calibration::Measurement& response = *compared.response;
    constexpr int kSteps = 47;
    constexpr double kMostLoss = 690.0;  // whose odds an axis can hold
    const double origin = response.origin();
    const double low = response.shown().low - origin;
    const double factor = (response.shown().high - origin) / low;
    std::vector<double> epsilons;
    for (int step = 0; step <= kSteps; ++step) {
        epsilons.push_back(origin + low * std::pow(factor, static_cast<double>(step) / kSteps));
    }
    const auto shares = response.sharesAlong(epsilons, job.stop);
    const double distance = compared.prepared->metric().distance(pair.first, pair.second);
    PlotSeries line{shortTitle(compared.mechanism)};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (const auto guarantee = compared.prepared->guarantee(epsilons[i])) {
            const double loss = mechanism::pairLoss(*guarantee, distance);
            PlotPoint& point = line.points.emplace_back();
            point = {100.0 * shares[i].kept, std::exp(std::min(loss, kMostLoss))};
            point.isMarked = false;
        }
    }
    return line;
}

/// What parts TEM from the exponential mechanism where their rows do not tell them apart.
QString likenessText(const std::vector<const report::ComparisonRow*>& rows) {
    constexpr double kAlike = 0.005;
    for (const report::ComparisonRow* tem : rows) {
        const mechanism::Guarantee& guarantee = tem->setting.guarantee;
        const bool isAlike = std::ranges::any_of(rows, [&](const report::ComparisonRow* other) {
            return other->mechanism.isExact() && !other->mechanism.hasRadius() &&
                   other->mechanism.metric() == tem->mechanism.metric() &&
                   std::abs(other->setting.shares.near - tem->setting.shares.near) < kAlike;
        });
        if (guarantee.gamma && guarantee.cap && isAlike) {
            return MechanismsPage::tr(
                       " TEM and exponential are alike here: they differ only beyond γ = %1, "
                       "where TEM takes all words for equally far, which caps the odds of any two "
                       "words at ×%2.")
                .arg(significant(*guarantee.gamma, kDigits),
                     toQString(report::powerOfTen(*guarantee.cap)));
        }
    }
    return {};
}

class Mechanisms final : public MechanismsPage {
public:
    Mechanisms(AnalysisState& state, GuaranteeModel& guarantee, JobBoard& jobs)
        : m_state(state),
          m_guarantee(guarantee),
          m_pages(new QStackedWidget(this)),
          m_empty(withLinks(emptyStateLabel({}, m_pages), "mechanismsEmptyLabel")),
          m_answer(wrapped(new QLabel(this), "mechanismAnswerLabel")),
          m_measured(wrapped(hintLabel({}, this), "mechanismsMeasuredLabel")),
          m_table(new QTableWidget(0, kColumns, this)),
          m_plot(
              new XyPlot("mechanismsPlot", tr("Odds of the two words against words kept"), this)),
          m_all({.title = tr("Comparing mechanisms"),
                 .key = [this]() -> std::optional<Key> {
                     return m_state.searchSpace()
                                ? std::optional(keyFor(
                                      calibration::comparableMechanisms(m_state.embedding())))
                                : std::nullopt;
                 },
                 .make = &Mechanisms::measure}),
          m_own({.title = tr("Comparing the present mechanism"),
                 .key = [this]() -> std::optional<Key> {
                     const auto all = m_all.current();
                     return all == nullptr || std::ranges::count(
                                                  **all, m_state.mechanism(),
                                                  &calibration::ComparedMechanism::mechanism) > 0
                                ? std::nullopt
                                : std::optional(keyFor({m_state.mechanism()}));
                 },
                 .make = &Mechanisms::measure,
                 .restMs = kComparisonRestMs}),
          m_shown({.title = tr("Comparing promises"),
                   .key = [this] { return reportKey(); },
                   .make = &Mechanisms::makeReport,
                   .restMs = kComparisonRestMs}) {
        setObjectName(QStringLiteral("mechanismsPage"));
        buildTable();
        QFont larger = m_answer->font();
        larger.setPointSizeF(larger.pointSizeF() * 1.1);
        m_answer->setFont(larger);
        m_plot->setMinimumHeight(240);
        auto* results = new QWidget(m_pages);
        columnIn(results, kRowSpacing, {m_table, m_plot})->setStretch(1, 1);
        m_pages->addWidget(m_empty);
        m_pages->addWidget(results);
        auto* content = new QWidget(this);
        QVBoxLayout* page = columnIn(content, kRowSpacing, {m_answer, m_measured, m_pages});
        page->setContentsMargins(kPanelMargin, kRowSpacing, kPanelMargin, kRowSpacing);
        page->setStretch(2, 1);
        columnIn(this, 0, {scrolledPage(content, this)});
        jobs.watch(&m_all.job());
        jobs.watch(&m_own.job());
        connect(m_empty, &QLabel::linkActivated, this, &Mechanisms::compare);
        connect(&m_all, &QueryBase::changed, this, &Mechanisms::update);
        connect(&m_own, &QueryBase::changed, this, &Mechanisms::update);
        connect(&m_shown, &QueryBase::changed, this, &Mechanisms::showComparison);
        connect(&m_state, &AnalysisState::embeddingReset, this, [this] { m_texts.reset(); });
        connect(&m_state, &AnalysisState::embeddingChanged, this, &Mechanisms::update);
        connect(&m_state, &AnalysisState::changed, this, &Mechanisms::update);
        connect(&m_guarantee, &GuaranteeModel::promiseChanged, this, &Mechanisms::update);
        setWanted(false);
    }

    [[nodiscard]] QString title() const override { return tr("Mechanisms"); }
    [[nodiscard]] QWidget* firstControl() const override { return m_table; }
    void setTexts(std::optional<WeightedWords> texts, const QString& name) override {
        m_texts = std::move(texts);
        m_textsName = name;
        update();
    }
    void compare() override {
        m_all.retry();
        m_own.retry();
        showComparison();
    }

protected:
    void showEvent(QShowEvent* event) override {
        MechanismsPage::showEvent(event);
        setWanted(true);
        showComparison();
    }
    void hideEvent(QHideEvent* event) override {
        MechanismsPage::hideEvent(event);
        setWanted(false);
    }
    void changeEvent(QEvent* event) override {
        MechanismsPage::changeEvent(event);
        if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
            QTimer::singleShot(0, this, &Mechanisms::showComparison);  // once the table has it, too
        }
    }

private:
    struct Key {
        engine::SearchSpaceHandle space{};
        std::vector<mechanism::Mechanism> mechanisms{};
        std::optional<WeightedWords> texts{};
        int draws = 0;
        std::uint64_t seed = 0;

        [[nodiscard]] bool operator==(const Key&) const = default;
    };
    using Value = std::shared_ptr<const std::vector<calibration::ComparedMechanism>>;
    using Comparison = Query<Key, Value>;
    struct ReportKey {
        engine::SearchSpaceHandle space{};
        std::vector<Value> measured{};  ///< all, and the present one where it is none of these
        double kept = 0.0;
        std::optional<report::RowPair> pair{};

        [[nodiscard]] bool operator==(const ReportKey&) const = default;
    };
    struct Shown {
        double kept = 0.0;
        report::ComparisonReport report{};
        std::vector<PlotSeries> lines{};  ///< one for each of the mechanisms
        std::vector<mechanism::Mechanism> mechanisms{};
    };

    [[nodiscard]] static Result<Value> measure(const Key& key, const JobContext& job) {
        calibration::MeasurementOptions options;
        options.draws = key.draws;
        options.seed = key.seed;
        options.words.count =
            std::min<std::int64_t>(CurrentMeasurement::kWords, key.space->embedding().wordCount());
        if (key.texts) {
            options.words = {calibration::WordSelection::Kind::list, 0, key.texts->rows};
            options.weights = key.texts->weights;
        }
        ASSIGN_OR_RETURN(auto compared,
                         calibration::compareMechanisms(*key.space, key.mechanisms, options, job));
        return std::make_shared<const std::vector<calibration::ComparedMechanism>>(
            std::move(compared));
    }
    [[nodiscard]] static Result<Shown> makeReport(const ReportKey& key, const JobContext& job) {
        std::vector<calibration::ComparedMechanism> compared;
        Shown shown{key.kept, {}, {}, {}};
        for (const Value& value : key.measured) {
            for (const calibration::ComparedMechanism& one : *value) {
                compared.push_back(one);
                if (key.pair && one.response) {
                    PlotSeries& line = shown.lines.emplace_back(lineOf(one, *key.pair, job));
                    line.style = kDashes.at((shown.lines.size() - 1) % kDashes.size());
                    shown.mechanisms.push_back(one.mechanism);
                }
            }
        }
        shown.report = report::describeComparison(*key.space, compared, {key.kept}, key.pair);
        return shown;
    }
    [[nodiscard]] Key keyFor(std::vector<mechanism::Mechanism> mechanisms) const {
        return {m_state.searchSpace(), std::move(mechanisms), m_texts, m_state.draws(),
                m_state.seed()};
    }
    [[nodiscard]] std::optional<ReportKey> reportKey() const {
        const Value* all = m_all.current();
        if (all == nullptr) {
            return std::nullopt;
        }
        constexpr double kKeptWhereUnknown = 0.5;
        constexpr double kLeastKept = 0.01;
        ReportKey key{m_state.searchSpace(), {*all}, kKeptWhereUnknown, {}};
        if (const Value* own = m_own.current()) {
            key.measured.push_back(*own);
        }
        for (const Value& value : key.measured) {
            for (const calibration::ComparedMechanism& one : *value) {
                if (one.mechanism == m_state.mechanism() && one.response) {
                    key.kept = std::clamp(one.response->sharesAt(m_state.epsilon()).kept,
                                          kLeastKept, 1.0 - kLeastKept);
                }
            }
        }
        if (const auto& words = m_guarantee.words()) {
            key.pair = {(*words)[0].row(), (*words)[1].row()};
        }
        return key;
    }
    void buildTable() {
        setUpRows(*m_table, "mechanismTable", tr("Mechanisms beside each other"));
        m_table->setItemDelegateForColumn(kShares, new SharesDelegate(m_table));
        m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
        m_table->horizontalHeader()->setStretchLastSection(true);
        m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        describeRows(*m_table, [](int rows) {
            return tr("Mechanisms: %1. Click a row, or press Enter on it, to take its mechanism "
                      "and ε.")
                .arg(counted(rows));
        });
        connect(m_table, &QTableWidget::cellClicked, this, [this](int row) { takeRow(row); });
        connect(m_table, &QTableWidget::cellActivated, this, [this](int row) { takeRow(row); });
    }
    void setWanted(bool isWanted) {
        m_all.setWanted(isWanted);
        m_own.setWanted(isWanted);
        m_shown.setWanted(isWanted);
    }
    void update() {
        m_all.update();
        m_own.update();
        m_shown.update();
        showComparison();
    }
    void showComparison() {
        if (!isVisible()) {
            return;
        }
        const Shown* shown = m_shown.last();
        m_pages->setCurrentIndex(shown != nullptr ? 1 : 0);
        m_answer->setVisible(shown != nullptr);
        m_measured->setVisible(shown != nullptr);
        if (shown == nullptr) {
            const Error* error = m_all.error();
            m_empty->setText(
                !m_state.embedding() ? tr("Open an embedding to compare mechanisms on it.")
                : error == nullptr   ? tr("The mechanisms are being compared on some words…")
                                     : tr("%1 <a href=\"compare\">Compare</a>")
                                         .arg(error->code == ErrorCode::cancelled
                                                  ? tr("The comparison was stopped.")
                                                  : toQString(error->message).toHtmlEscaped()));
            return;
        }
        const double kept = shown->kept;
        const report::ComparisonReport& report = shown->report;
        m_answer->setText(toQString(report::comparisonSentence(report, kept, m_state.mechanism())));
        m_measured->setText(
            tr("Measured on %1 of %2. ε of different mechanisms do not compare, "
               "what survives does: every row keeps about %3 of 100 words. Click "
               "a row, or press Enter on it, to take it.")
                .arg(tr("%1 different words").arg(counted(static_cast<qint64>(report.words))),
                     m_texts ? m_textsName : tr("the vocabulary"))
                .arg(std::lround(100.0 * kept)) +
            likenessText(report::rankedRows(report, kept)));
        fillTable(report, kept);
        showPlot(*shown);
    }
    void showPlot(const Shown& shown) {
        m_plot->setVisible(shown.report.pair.has_value());
        PlotContent content{
            {tr("words of 100 that survive"),
             {},
             false,
             {{0.0, 100.0}},
             [](double kept) { return QString::number(std::lround(kept)); }},
            {tr("odds, %1").arg(toQString(shown.report.pairText)),
             {},
             true,
             {{1.0, kMostOdds}},
             [](double odds) { return toQString(report::oddsWords(std::log(odds))); }},
            shown.lines};
        for (std::size_t i = 0; i < content.series.size(); ++i) {
            content.series[i].width = shown.mechanisms[i] == m_state.mechanism() ? 2.8 : 1.6;
        }
        content.zoneFrom = mechanism::kLargestUsefulFactor;
        content.zoneText = tr("no useful bound");
        content.csvTitle = QStringLiteral("mechanism,kept,odds,,");
        m_plot->setContent(std::move(content));
        m_plot->setCursor(100.0 * shown.kept);
    }
    void fillTable(const report::ComparisonReport& report, double kept) {
        const std::array<std::pair<QString, QString>, kColumns> headers{
            {{tr("mechanism"), tr("How a word is replaced. Point at a row to read it.")},
             {tr("ε"), tr("The ε at which a mechanism keeps as many words as the others.")},
             {tr("kept / near / far, of 100"),
              tr("Of 100 outputs: the word itself, one of its %1 nearest words, any other.")
                  .arg(calibration::Sampling().nearNeighbours)},
             {tr("different outputs"), tr("Different outputs of a word in %1 draws, on average.")
                                           .arg(counted(report.draws))},
             {report.pair ? tr("odds, %1").arg(toQString(report.pairText)) : tr("odds"),
              tr("Seeing the output changes the odds of one word against the other by at most "
                 "this factor.")},
             {tr("useful within"), tr("Distance within which the odds of two words change by at "
                                      "most ×1,000,000, in the metric of the mechanism.")},
             {tr("guarantee"), tr("The logarithm of the odds of any two words is at most this. "
                                  "Point at a row to read it in words.")}}};
        for (int column = 0; column < kColumns; ++column) {
            const auto& [title, tip] = headers.at(static_cast<std::size_t>(column));
            m_table->setHorizontalHeaderItem(column, new QTableWidgetItem(title));
            m_table->horizontalHeaderItem(column)->setToolTip(tip);
        }
        const auto ranked = report::rankedRows(report, kept);
        m_rows.clear();
        m_table->setRowCount(static_cast<int>(ranked.size() + report.missing.size()));
        m_table->clearSpans();
        int row = 0;
        const auto set = [this, &row](Column column, const QString& text, const QString& tip = {}) {
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(tip);
            m_table->setItem(row, column, item);
            return item;
        };
        for (const report::ComparisonRow* one : ranked) {
            const calibration::ComparedSetting& setting = one->setting;
            const bool isCurrent = one->mechanism == m_state.mechanism();
            // Its share begins at an epsilon a little below where it steps from draw to draw.
            m_rows.push_back({one->mechanism, isCurrent ? m_state.epsilon()
                                                        : roundedDown(setting.epsilon, kDigits)});
            QTableWidgetItem* name =
                set(kMechanism,
                    (isCurrent ? QStringLiteral("● ") : QString()) + shortTitle(one->mechanism),
                    mechanismHelp(one->mechanism));
            QFont font = m_table->font();
            font.setBold(isCurrent);
            if (isCurrent) {
                m_table->selectRow(row);
            }
            name->setFont(font);
            set(kEpsilon, significant(m_rows.back().epsilon, 3));
            const auto& [most, near, far] = setting.shares;
            const report::Hundredths of100 = report::hundredthsOf(most, near, far);
            set(kShares, tr("%1 / %2 / %3").arg(of100.kept).arg(of100.near).arg(of100.far))
                ->setData(SharesDelegate::kRole,
                          QVariant::fromValue(QList<double>{most, near, far}));
            set(kDistinct, significant(setting.differentOutputs, 3));
            set(kOdds, report.pair ? toQString(report::oddsWords(one->pairLoss)) : QString());
            set(kReach, std::isinf(setting.reachUseful)
                            ? tr("any")
                            : toQString(formatAtLeast(setting.reachUseful, 3)));
            set(kGuarantee, toQString(setting.guarantee.statement),
                toQString(mechanism::guaranteeSentence(setting.guarantee)));
            ++row;
        }
        for (const report::ComparisonReport::Missing& missing : report.missing) {
            set(kMechanism, shortTitle(missing.mechanism))->setForeground(themeOf(this).mutedText);
            QTableWidgetItem* reason =
                set(kEpsilon, toQString(missing.reason), toQString(missing.reason));
            reason->setForeground(themeOf(this).mutedText);
            // The columns it spans have the widths of their numbers.
            reason->setData(Qt::SizeHintRole, QSize(1, 1));
            m_table->setSpan(row, kEpsilon, 1, kColumns - kEpsilon);
            ++row;
        }
        int height = m_table->horizontalHeader()->sizeHint().height() + 2;
        for (row = 0; row < m_table->rowCount(); ++row) {
            height += m_table->rowHeight(row);
        }
        m_table->setFixedHeight(height);
    }
    void takeRow(int row) {
        if (row < 0 || static_cast<std::size_t>(row) >= m_rows.size()) {
            return;
        }
        const mechanism::Setting setting = m_rows[static_cast<std::size_t>(row)];
        m_state.edit([&setting](AnalysisSettings& settings) {
            settings.mechanism.setMechanism(setting.mechanism);
            settings.chooseEpsilon(setting.epsilon);
        });
        Q_EMIT mechanismTaken(
            tr("%1 is the present setting now; Ctrl+Z takes it back.").arg(pinTitle(setting)));
    }

    AnalysisState& m_state;
    GuaranteeModel& m_guarantee;
    std::optional<WeightedWords> m_texts;
    QString m_textsName;
    std::vector<mechanism::Setting> m_rows;  ///< of the table; those that can be taken
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QLabel* m_answer;
    QLabel* m_measured;
    QTableWidget* m_table;
    XyPlot* m_plot;
    Comparison m_all;
    Comparison m_own;  ///< the present one, where it is none of these
    Query<ReportKey, Shown> m_shown;
};

}  // namespace

MechanismsPage* newMechanismsPage(AnalysisState& state, GuaranteeModel& guarantee, JobBoard& jobs) {
    return new Mechanisms(state, guarantee, jobs);
}

}  // namespace epsilens::ui
