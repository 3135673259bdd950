#include "ui/setup/setup_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include <QtWidgets>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/document/session.h"
#include "core/engine/metric_rows.h"
#include "core/engine/word_sample.h"
#include "core/numeric/quantile.h"
#include "core/report/info_report.h"
#include "ui/state/controls.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/query.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::ui {

namespace {

constexpr int kPreferredWidth = 330;
constexpr int kPreferredHeight = 640;
constexpr double kDefaultRowLimit = 100'000;
constexpr double kLargestRowLimit = 1e9;
constexpr std::array kMetrics{metric::Metric::euclidean, metric::Metric::mahalanobis,
                              metric::Metric::angular, metric::Metric::poincare};
using document::kPercentileBands;

QGridLayout* addGrid(QVBoxLayout& column) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(kRowSpacing);
    column.addLayout(grid);
    return grid;
}

QLabel* remark(const char* objectName, const QString& text, QWidget* parent) {
    return wrapped(hintLabel(text, parent), objectName);
}

/// Whether the radius of a TEM follows from an error probability or is given, and how many words
/// lie within it. Its largest distance goes into the settings.
class RadiusPart : public QWidget {
public:
    RadiusPart(AnalysisState& state, QWidget* parent)
        : QWidget(parent),
          m_state(state),
          m_facts({.title = tr("Measuring distances"),
                   .key = [this]() -> std::optional<RadiusRequest> {
                       const mechanism::Mechanism mechanism = m_state.mechanism();
                       return m_state.embedding() && mechanism.hasRadius()
                                  ? std::optional(RadiusRequest{
                                        m_state.embedding(), mechanism.metric(), mechanism.lambda(),
                                        gammaNow(), m_state.seed(), m_state.metricSpaces()})
                                  : std::nullopt;
                   },
                   .make = findRadiusFacts,
                   // Epsilon moves many times a second; the count follows when it rests.
                   .restMs = 120}) {
        auto* column = columnIn(this, kRowSpacing);
        addMode(*addGrid(*column));
        m_within = remark("withinGammaLabel", {}, this);
        column->addWidget(m_within);
        connect(&m_facts, &QueryBase::changed, this, [this] {
            if (const RadiusFacts* facts = m_facts.current();
                facts != nullptr && facts->largestDistance > 0.0) {
                m_state.edit(&AnalysisSettings::largestDistance, facts->largestDistance);
            }
            showWithin();
        });
        m_state.onChange(&AnalysisSettings::mechanism, this, &RadiusPart::updateFacts);
        m_state.onChange(&AnalysisSettings::epsilon, this, &RadiusPart::updateFacts);
        connect(&m_state, &AnalysisState::embeddingChanged, this, &RadiusPart::updateFacts);
        updateFacts();
    }

protected:
    void showEvent(QShowEvent* event) override {
        QWidget::showEvent(event);
        updateFacts();
    }

private:
    [[nodiscard]] std::optional<double> gammaNow() const {
        return m_state.embedding() ? gammaAt(m_state.embedding(), m_state.setting()) : std::nullopt;
    }
    void addMode(QGridLayout& grid) {
        auto* mode =
            new ChoiceList<bool>("gammaModeComboBox", tr("How gamma is chosen"),
                                 tr("Words farther than γ share one weight. γ follows from "
                                    "an error probability β, or is given."),
                                 {{false, tr("from β")}, {true, tr("given")}}, this);
        addLabelledRow(grid, tr("γ"), mode);
        bindTo(
            m_state, *mode,
            [](const AnalysisSettings& settings) { return settings.mechanism.gammaGiven; },
            [this](AnalysisSettings& settings, bool isGiven) {
                MechanismSettings& mechanism = settings.mechanism;
                // The radius in use stays, so that nothing jumps.
                const auto now = gammaNow();
                if (isGiven && !mechanism.gammaGiven && now) {
                    mechanism.parameters.gamma = significant(*now, 3).toDouble();
                }
                mechanism.gammaGiven = isGiven;
            });
    }
    void updateFacts() {
        // A radius that is given needs the largest distance for its slider, which stands elsewhere.
        m_facts.setWanted(isVisible() || m_state.settings().mechanism.gammaGiven);
        showWithin();
    }
    void showWithin() {
        const auto gamma = gammaNow();
        QString text;
        if (gamma && !m_state.settings().mechanism.gammaGiven) {
            text = tr("γ = %1 at this ε. ").arg(significant(*gamma, 3));
        }
        const RadiusFacts* facts = m_facts.current();
        if (facts != nullptr && facts->medianWithin) {
            text += tr("Within γ: %1 of %2 words (median)")
                        .arg(counted(std::llround(*facts->medianWithin)),
                             counted(m_state.embedding()->wordCount()));
        } else if (gamma) {
            text += tr("Within γ: …");
        }
        m_within->setText(text);
        m_within->setVisible(!text.isEmpty());
    }

    AnalysisState& m_state;
    QLabel* m_within = nullptr;
    Query<RadiusRequest, RadiusFacts> m_facts;
};

QWidget* mechanismPart(AnalysisState& state, QWidget* parent) {
    auto* part = new QWidget(parent);
    auto* column = columnIn(part, kRowSpacing);
    ChoiceList<metric::Metric>::Entries metrics;
    for (const metric::Metric metric : kMetrics) {
        metrics.emplace_back(metric, metricTitle(metric));
    }
    auto* metric = new ChoiceList<metric::Metric>("metricComboBox", tr("Metric"),
                                                  tr("The distance the guarantee is stated in."),
                                                  metrics, part);
    auto* law = new ChoiceList<mechanism::RadialLaw>(
        "noiseComboBox", tr("Noise"),
        tr("The law of the noise's hyperbolic radius: riemannian, or Eq. 7 of Feyisetan, Diethe "
           "and Drake 2019. Only riemannian gives ε·d_H."),
        {{mechanism::RadialLaw::riemannian, tr("riemannian")},
         {mechanism::RadialLaw::eq7, tr("Eq. 7 of the paper")}},
        part);
    auto* radius = new RadiusPart(state, part);
    column->addWidget(headingLabel(tr("Mechanism"), part));
    auto* grid = addGrid(*column);
    QLabel* metricLabel = addLabelledRow(*grid, tr("Me&tric"), metric);
    QLabel* lawLabel = addLabelledRow(*grid, tr("&Noise"), law);
    column->addWidget(radius);
    bindTo(
        state, *metric,
        [](const AnalysisSettings& settings) { return *settings.mechanism.parameters.metric; },
        [](AnalysisSettings& settings, metric::Metric chosen) {
            settings.setParameters({.metric = chosen});
        });
    bindTo(
        state, *law,
        [](const AnalysisSettings& settings) { return *settings.mechanism.parameters.law; },
        [](AnalysisSettings& settings, mechanism::RadialLaw chosen) {
            settings.setParameters({.law = chosen});
        });
    const auto followChoice = [=, &state] {
        const mechanism::Mechanism mechanism = state.mechanism();
        const mechanism::Parameters parameters = mechanism.parameters();
        metric->setVisible(parameters.metric.has_value());
        metricLabel->setVisible(parameters.metric.has_value());
        law->setVisible(parameters.law.has_value());
        lawLabel->setVisible(parameters.law.has_value());
        radius->setVisible(mechanism.hasRadius());
        part->setVisible(parameters.metric || mechanism.hasRadius() || parameters.law);
    };
    const auto followEmbedding = [=, &state] {
        for (const metric::Metric each : kMetrics) {
            metric->setRefusal(each, metricRefusal(state.embedding(), each));
        }
        followChoice();
    };
    state.onChange(&AnalysisSettings::mechanism, part, followChoice);
    QObject::connect(&state, &AnalysisState::embeddingChanged, part, followEmbedding);
    followEmbedding();
    return part;
}

QString unknownHeading(release::UnknownPolicy policy) {
    const std::array headings{tr("Unknown words: masked"), tr("Unknown words: replaced"),
                              tr("Unknown words: dropped"), tr("Unknown words: ⚠ kept")};
    return headings.at(static_cast<std::size_t>(policy));
}

CollapsibleSection* textSection(AnalysisState& state, QWidget* parent) {
    auto* part = new QWidget(parent);
    auto* column = columnIn(part, kRowSpacing);
    QComboBox* unknown = unknownWordsList(
        state, "setupUnknownComboBox",
        tr("What happens to words that the vocabulary does not have, in Choose, in released "
           "files and in the report. “Keep” leaves the word unprotected."),
        part);
    QComboBox* letterCase = letterCaseList(
        state, "setupLetterCaseComboBox",
        tr("How words are looked up. Automatic: in lower case if under 1% of the vocabulary has "
           "capitals."),
        part);
    auto* grid = addGrid(*column);
    addLabelledRow(*grid, tr("Un&known words"), unknown);
    addLabelledRow(*grid, tr("Letter &case"), letterCase);
    auto* section = new CollapsibleSection(QStringLiteral("text"), {}, part, parent);
    const auto follow = [&state, section] {
        section->setTitle(unknownHeading(state.textPolicies().unknownWords));
    };
    state.onChange(&AnalysisSettings::textPolicies, section, follow);
    follow();
    return section;
}

void addDrawsRow(QGridLayout& grid, AnalysisState& state, QLabel* hint) {
    static constexpr ValueScale kSteps{ValueScale::Kind::logarithmic, 10.0, 10'000.0, 0.0, 0};
    auto* draws = described(
        new NumberField({kSteps.low, kSteps.high, false, true, tr("R")}, hint->parentWidget()),
        "drawsField", tr("Draws per word"), tr("Repetitions per word."));
    keepFieldWidth(draws);
    addLabelledRow(grid, tr("&Draws per word R"), draws);
    const auto set = [&state](double chosen) {
        state.edit(&AnalysisSettings::draws, static_cast<int>(chosen));
    };
    const auto show = [&state, draws] { draws->setValue(state.draws()); };
    QObject::connect(draws, &NumberField::valueEdited, &state, set);
    QObject::connect(draws, &NumberField::stepRequested, &state, [&state, set](int steps) {
        set(kSteps.rounded(kSteps.stepped(state.draws(), steps)));
    });
    QObject::connect(draws, &NumberField::problemChanged, hint,
                     [hint](const QString& problem) { showProblem(*hint, problem); });
    state.onChange(&AnalysisSettings::draws, draws, show);
    show();
}

void addSeedRow(QGridLayout& grid, AnalysisState& state, QLabel* hint) {
    QWidget* part = hint->parentWidget();
    auto* seed = described(new QLineEdit(part), "seedField", tr("Seed"),
                           tr("Same seed, same numbers. Not used for text to be released."));
    seed->setMaxLength(20);
    seed->setAlignment(Qt::AlignRight);
    auto* fresh = described(new QPushButton(tr("New"), part), "newSeedButton", tr("New seed"),
                            tr("Choose another seed at random."));
    keepFieldWidth(fresh);
    addLabelledRow(grid, tr("&Seed"), seed);
    grid.addWidget(fresh, grid.rowCount() - 1, 2);
    const auto refuse = [seed, hint](const QString& problem) {
        setFieldProblem(*seed, problem);
        showProblem(*hint, problem);
    };
    const auto show = [&state, seed, refuse] {
        seed->setText(QString::number(state.seed()));
        refuse({});
    };
    QObject::connect(fresh, &QPushButton::clicked, &state, [&state] {
        state.edit(&AnalysisSettings::seed,
                   QRandomGenerator::system()->bounded(1U, 1'000'000'000U));
    });
    QObject::connect(seed, &QLineEdit::editingFinished, &state, [&state, seed, refuse] {
        const auto typed =
            parseInteger(toStd(seed->text()), "seed", 0, std::numeric_limits<std::int64_t>::max());
        if (typed) {
            state.edit(&AnalysisSettings::seed, static_cast<std::uint64_t>(*typed));
        }
        refuse(typed ? QString() : toQString(typed.error().message));
    });
    state.onChange(&AnalysisSettings::seed, seed, show);
    show();
}

int placeOf(PercentileBand band) {
    const auto* found = std::ranges::find(kPercentileBands, std::array{band.low, band.high});
    return found == kPercentileBands.end() ? -1
                                           : static_cast<int>(found - kPercentileBands.begin());
}

QWidget* statisticsPart(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                        QWidget* parent) {
    auto* part = new QWidget(parent);
    auto* column = columnIn(part, kRowSpacing);
    auto* hint = remark("statisticsHintLabel", {}, part);
    column->addWidget(headingLabel(tr("Statistics"), part));
    addDrawsRow(*addGrid(*column), state, hint);
    column->addWidget(wordChoice(state, results, jobs, part));
    auto* grid = addGrid(*column);
    addSeedRow(*grid, state, hint);
    ChoiceList<int>::Entries bands;
    for (const auto& [low, high] : kPercentileBands) {
        bands.emplace_back(static_cast<int>(bands.size()), tr("%1–%2%").arg(low).arg(high));
    }
    auto* band = new ChoiceList<int>(
        "bandComboBox", tr("Percentile band"),
        tr("The percentiles of the words between which the curves are shaded."), bands, part);
    bindTo(
        state, *band, [](const AnalysisSettings& settings) { return placeOf(settings.band); },
        [](AnalysisSettings& settings, int place) {
            const auto& [low, high] = kPercentileBands[static_cast<std::size_t>(place)];
            settings.band = {low, high};
        });
    addLabelledRow(*grid, tr("&Band"), band);
    column->addWidget(hint);
    return part;
}

}  // namespace

class EmbeddingSection : public QWidget {
public:
    EmbeddingSection(AnalysisState& state, EmbeddingLoader& loader, SetupPanel& panel,
                     QWidget* parent)
        : QWidget(parent),
          m_state(state),
          m_loader(loader),
          m_summary(new QGridLayout),
          m_limitRows(described(
              new NumberField({1.0, kLargestRowLimit, false, true, tr("number of rows")}, this),
              "rowLimitField", tr("Number of rows to load"),
              tr("How many of the first rows of the file to load. In most files the frequent words "
                 "come first."))),
          m_reload(described(new QPushButton(tr("Reload"), this), "reloadButton", {},
                             tr("Load only the first rows of the file."))) {
        auto* column = columnIn(this, kRowSpacing);
        column->addWidget(headingLabel(tr("Embedding"), this));
        m_summary->setContentsMargins(0, 0, 0, 0);
        m_summary->setHorizontalSpacing(8);
        m_summary->setVerticalSpacing(3);
        m_summary->setColumnMinimumWidth(0, kLabelWidth);
        m_summary->setColumnStretch(1, 1);
        column->addLayout(m_summary);
        buildLimitRow(*addGrid(*column), panel);
        connect(&m_state, &AnalysisState::embeddingChanged, this, [this] { showSummary(); });
        connect(&m_loader, &EmbeddingLoader::loadingStarted, this, [this] {
            m_limitIsOfFailed = false;
            m_reload->setEnabled(true);
        });
        showSummary();
    }

    void askForRowLimit() {
        m_limitIsOfFailed = true;
        m_limitRows->setFocus(Qt::OtherFocusReason);
        m_limitRows->selectAll();
    }

private:
    void buildLimitRow(QGridLayout& grid, SetupPanel& panel) {
        keepFieldWidth(m_limitRows);
        m_limitRows->setValue(kDefaultRowLimit);
        m_reload->setEnabled(false);
        auto* first = new QLabel(tr("Only the first rows"), this);
        first->setBuddy(m_limitRows);
        followFont(first, [this, first, &grid](const QFontMetrics& metrics) {
            const int below = isLargeText(metrics) ? 1 : 0;
            grid.addWidget(first, 0, 0);
            grid.addWidget(m_limitRows, below, 1 - below);
            grid.addWidget(m_reload, below, 2 - below);
        });
        grid.setColumnStretch(3, 1);
        connect(m_reload, &QPushButton::clicked, &panel, [this, &panel] {
            const bool isOfOpen = m_state.embedding() && !m_limitIsOfFailed;
            Q_EMIT panel.reloadRequested(isOfOpen ? m_loader.openPath() : m_loader.lastPath(),
                                         static_cast<qint64>(m_limitRows->value()));
        });
    }
    void showSummary() {
        while (QLayoutItem* item = m_summary->takeAt(0)) {
            delete item->widget();
            delete item;
        }
        const auto& embedding = m_state.embedding();
        if (!embedding) {
            return;
        }
        for (const auto& [name, found] : report::embeddingFacts(*embedding).items) {
            if (found.empty()) {
                continue;
            }
            const int row = m_summary->count() / 2;  // rows of a grid are never taken away
            auto* value = new QLabel(toQString(found), this);
            value->setTextFormat(Qt::PlainText);
            value->setWordWrap(true);
            value->setAccessibleName(tr("%1: %2").arg(toQString(name), toQString(found)));
            value->setTextInteractionFlags(Qt::TextSelectableByMouse);
            m_summary->addWidget(hintLabel(toQString(name), this), row, 0, Qt::AlignTop);
            m_summary->addWidget(value, row, 1);
        }
    }

    AnalysisState& m_state;
    EmbeddingLoader& m_loader;
    QGridLayout* m_summary;
    NumberField* m_limitRows;
    QPushButton* m_reload;
    bool m_limitIsOfFailed = false;
};

Result<RadiusFacts> findRadiusFacts(const RadiusRequest& request, const JobContext& job) {
    constexpr std::int64_t kRadiusWords = 200;
    constexpr std::int64_t kMostAtOnce = 32;
    ASSIGN_OR_RETURN(auto space,
                     request.spaces->get(request.embedding, request.metric, request.lambda));
    const auto vocabulary = static_cast<std::size_t>(request.embedding->wordCount());
    const std::vector<embedding::Row> words =
        engine::sampleWords(request.embedding->wordCount(), kRadiusWords, request.seed);
    std::vector<double> farthest(words.size());
    std::vector<double> within(words.size());
    const auto atOnce =
        static_cast<std::size_t>(std::min(engine::MetricRows::wordsAtOnce(*space), kMostAtOnce));
    const std::size_t tasks = (words.size() + atOnce - 1) / atOnce;
    parallelFor(static_cast<std::int64_t>(tasks), kAllThreads, [&](std::int64_t task) {
        const std::size_t first = static_cast<std::size_t>(task) * atOnce;
        const std::size_t count = std::min(atOnce, words.size() - first);
        if (job.stopRequested()) {
            return;
        }
        engine::MetricRows rows(false);
        rows.load(*space, std::span(words).subspan(first, count));
        for (std::size_t i = 0; i < count && !job.stopRequested(); ++i) {
            const std::span distances(rows.finish(static_cast<std::int64_t>(i), 1).distances,
                                      vocabulary);
            farthest[first + i] = static_cast<double>(std::ranges::max(distances));
            within[first + i] = static_cast<double>(std::ranges::count_if(
                distances, [limit = request.gamma.value_or(0.0)](float distance) {
                    return static_cast<double>(distance) <= limit;
                }));
        }
    });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    RadiusFacts facts{*std::ranges::max_element(farthest), {}};
    if (request.gamma) {
        std::ranges::sort(within);
        facts.medianWithin = numeric::quantileOfSorted(within, 0.5);
    }
    return facts;
}

SetupPanel::SetupPanel(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                       const LoadFunctions& functions, QWidget* parent)
    : ColumnScrollArea(parent),
      m_loader(new EmbeddingLoader(state, jobs, functions, this)),
      m_guarantee(new GuaranteeModel(state, this)),
      m_limits(new LimitVerdicts(state, this)) {
    newRangeEstimator(state, jobs, functions, this);
    setObjectName(QStringLiteral("setupPanel"));
    setAccessibleName(tr("Details"));
    auto* content = new QWidget(this);
    content->setObjectName(QStringLiteral("setupContent"));
    m_embedding = new EmbeddingSection(state, *m_loader, *this, content);
    QWidget* mechanism = mechanismPart(state, content);
    columnIn(content, kPanelMargin,
             {m_embedding, hairline(QFrame::HLine, content), mechanism, textSection(state, content),
              hairline(QFrame::HLine, content), statisticsPart(state, results, jobs, content)},
             kPanelMargin)
        ->addStretch();
    setWidget(content);
}

void SetupPanel::askForRowLimit() {
    m_embedding->askForRowLimit();
}

QWidget* SetupPanel::firstControl() const {
    return findChild<QWidget*>(QStringLiteral("rowLimitField"));
}

QSize SetupPanel::sizeHint() const {
    return {std::max(kPreferredWidth, minimumSizeHint().width()), kPreferredHeight};
}

}  // namespace epsilens::ui
