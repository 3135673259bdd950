#include "ui/setup/setup_panel.h"

#include <algorithm>
#include <array>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/calibration/recommend.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/setup/mechanism_bar.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"
#include "ui/state/session_results.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;

namespace {

const QRegularExpression kControlName(
    QStringLiteral("^[a-z]\\w*(Slider|Field|ComboBox|CheckBox|Button)$"));

}  // namespace

class SetupPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_state = std::make_unique<AnalysisState>();
        m_results = std::make_unique<SessionResults>(*m_state);
        m_jobs = std::make_unique<JobBoard>();
        m_controls = std::make_unique<QWidget>();
        auto* layout = new QVBoxLayout(m_controls.get());
        m_bar = new MechanismBar(*m_state);
        m_panel = new SetupPanel(*m_state, *m_results, *m_jobs, LoadFunctions{});
        layout->addWidget(m_bar);
        layout->addWidget(m_panel);
        m_controls->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_controls.get()));
    }
    void cleanup() { m_controls.reset(); }

    void slidersHaveTheirRangesAndSteps() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        // Right, Page up, End, Home
        constexpr std::array kKeys{Qt::Key_Right, Qt::Key_PageUp, Qt::Key_End, Qt::Key_Home};
        const auto byKeys = [&](const char* name) {
            ValueSlider* slider = sliderOf(name);
            const double start = slider->value();
            QList<double> values{start};
            for (const Qt::Key key : kKeys) {
                slider->moveTo(start);
                QTest::keyClick(slider, key);
                values.append(slider->value());
            }
            return values;
        };
        QCOMPARE(byKeys("lambdaSlider"), (QList<double>{0.5, 0.51, 0.6, 1.0, 0.0}));
    }

    void policiesForTextAreSettings() {
        auto* unknown = listOf("setupUnknownComboBox");
        auto* letterCase = listOf("setupLetterCaseComboBox");
        auto* warning = labelOf("unknownKeptLabel");
        auto* heading = findControl<QToolButton>(*m_panel, "textToggleButton");
        QVERIFY(heading->text().contains(QStringLiteral("masked")));
        QVERIFY(warning->isHidden());
        unknown->setCurrentIndex(unknown->findText(QStringLiteral("Keep, unprotected")));
        letterCase->setCurrentIndex(letterCase->findText(QStringLiteral("Lower case")));
        QVERIFY(m_state->textPolicies() ==
                (TextPolicies{release::UnknownPolicy::keep, text::CasePolicy::lower}));
        QVERIFY(!warning->isHidden());
        QVERIFY(heading->text().contains(QStringLiteral("⚠")));
        m_state->edit(&AnalysisSettings::textPolicies,
                      {release::UnknownPolicy::drop, text::CasePolicy::automatic});
        QCOMPARE(unknown->currentText(), QStringLiteral("Drop"));
        QCOMPARE(letterCase->currentText(), QStringLiteral("Automatic"));
        QVERIFY(warning->isHidden());
    }

    void lambdaIsOutOfUseForLaplace() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        auto* mechanism = listOf("mechanismComboBox");
        auto* slider = sliderOf("lambdaSlider");
        QVERIFY(slider->isEnabled());
        mechanism->setCurrentText(QStringLiteral("Multivariate Laplace"));
        QVERIFY(m_state->mechanism().as<mechanism::Laplace>());
        QVERIFY(!slider->isEnabled());
        QVERIFY(slider->toolTip().contains(QStringLiteral("same noise in all directions")));
        m_state->edit(&AnalysisSettings::choose, mechanism::Mahalanobis());
        QVERIFY(slider->isEnabled());
        QCOMPARE(mechanism->currentText(), QStringLiteral("Regularized Mahalanobis"));
    }

    void singularCovarianceLimitsLambda() {
        m_state->edit(&AnalysisSettings::setParameters, {.lambda = 1.0});
        m_state->setEmbedding(test::toyEmbedding(4, 8), nullptr);
        QCOMPARE(m_state->lambda(), 0.99);
        auto* field = findControl<NumberField>(*m_bar, "lambdaField");
        QVERIFY(field->toolTip().contains(QStringLiteral("Largest usable λ: 0.99")));
        typeInto(*field, QStringLiteral("1"));
        QVERIFY(!field->problem().isEmpty());
        QCOMPARE(m_state->lambda(), 0.99);
    }

    void mechanismThatCannotRunStaysListedWithItsReason() {
        embedding::Embedding flat;
        (void)flat.vocabulary.add("one");
        (void)flat.vocabulary.add("two");
        flat.vectors = RowMatrixF::Ones(2, 3);
        m_state->setEmbedding(embedding::prepareEmbedding(std::move(flat)).value(), nullptr);
        auto* mechanism = listOf("mechanismComboBox");
        const auto* model = qobject_cast<QStandardItemModel*>(mechanism->model());
        QCOMPARE(mechanism->count(), static_cast<int>(mechanism::Mechanism::all().size()));
        QVERIFY(!model->item(1)->isEnabled());
        QVERIFY(!model->item(1)->toolTip().isEmpty());
        QVERIFY(m_state->mechanism().as<mechanism::Laplace>());
    }

    /// The radius in use stays when it is no longer given by beta.
    void theRadiusOfTemMayBeGiven() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        listOf("mechanismComboBox")->setCurrentText(QStringLiteral("Truncated exponential (TEM)"));
        m_state->edit(&AnalysisSettings::chooseEpsilon, 8.0);
        auto* within = labelOf("withinGammaLabel");
        QTRY_VERIFY(within->text().contains(QStringLiteral("of 40 words (median)")));
        auto* slider = sliderOf("gammaSlider");
        QVERIFY(!slider->isVisible());
        listOf("gammaModeComboBox")->setCurrentText(QStringLiteral("given"));
        // (2/8) ln(0.999 · 39 / 0.001) = 2.643, Theorem 3
        QCOMPARE(*m_state->mechanism().parameters().gamma, 2.64);
        QVERIFY(slider->isVisible());
        QCOMPARE(slider->scale().high, *m_state->settings().largestDistance);
        QVERIFY(!sliderOf("lambdaSlider")->isVisible());
        listOf("metricComboBox")->setCurrentText(QStringLiteral("Mahalanobis (λ)"));
        QVERIFY(sliderOf("lambdaSlider")->isVisible());
    }

    void wordsSeedAndBandReachTheState() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        // 500 do not exist
        QCOMPARE(findControl<NumberField>(*m_panel, "wordCountField")->value(), 40.0);
        typeInto(*findControl<NumberField>(*m_panel, "wordCountField"), QStringLiteral("12"));
        QCOMPARE(m_state->words().count, std::int64_t{12});
        auto* kind = listOf("wordsComboBox");
        kind->setCurrentIndex(1);
        QVERIFY(m_state->words().kind == calibration::WordSelection::Kind::all);
        auto* seed = findControl<QLineEdit>(*m_panel, "seedField");
        typeInto(*seed, QStringLiteral("9223372036854775807"));  // 2^63 - 1
        QCOMPARE(m_state->seed(), std::uint64_t{9223372036854775807ULL});
        typeInto(*seed, QStringLiteral("9223372036854775808"));
        QCOMPARE(m_state->seed(), std::uint64_t{9223372036854775807ULL});
        QVERIFY(labelOf("statisticsHintLabel")->isVisible());
        findControl<QPushButton>(*m_panel, "newSeedButton")->click();
        QVERIFY(m_state->seed() != 9223372036854775807ULL);
        listOf("bandComboBox")->setCurrentIndex(2);
        QVERIFY(m_state->band() == PercentileBand({25, 75}));
    }

    /// As they are typed on the command line, and in words.
    void limitsAreTyped() {
        auto* field = findControl<QLineEdit>(*m_panel, "limitsLineEdit");
        auto* words = labelOf("limitsLabel");
        QCOMPARE(labelOf("limitsStatusLabel")->text(), QStringLiteral("no limits set"));
        m_state->edit(&AnalysisSettings::limits, calibration::defaultLimits());
        QCOMPARE(field->text(), QStringLiteral("nw.p95<=50%; sw.p5>=20"));
        QCOMPARE(words->text().count(QLatin1Char('\n')), 1);
        QCOMPARE(labelOf("limitsStatusLabel")->text(),
                 QStringLiteral("2 limits, not yet measured"));
        typeInto(*field, QStringLiteral("far.mean>=0.25;"));
        QVERIFY(m_state->limits() == std::vector{*calibration::parseLimit("far.mean>=0.25")});
        const auto before = m_state->limits();
        for (const char* wrong : {"half", "nw.p95<=150%", "nw.p95<=-3", "nw.p95<=0,5"}) {
            typeInto(*field, QLatin1String(wrong));
            QVERIFY2(words->text().startsWith(QStringLiteral("⚠ ")), wrong);
            QVERIFY(m_state->limits() == before);
        }
        field->clear();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(m_state->limits().empty() && words->isHidden());
    }

    void aBandThatIsNotInTheListStays() {
        m_state->edit(&AnalysisSettings::band, {10, 90});
        const auto* band = listOf("bandComboBox");
        QCOMPARE(band->currentIndex(), -1);
        QVERIFY(m_state->band() == PercentileBand({10, 90}));
        m_state->edit(&AnalysisSettings::band, {5, 95});
        QCOMPARE(band->currentText(), QStringLiteral("5–95%"));
    }

    /// From 0.001, where the first steps are smaller than a tenth of it.
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void everyArrowKeyMovesBeta_data() {
        QTest::addColumn<QString>("control");
        QTest::newRow("field") << "betaField";
        QTest::newRow("slider") << "betaSlider";
    }

    void everyArrowKeyMovesBeta() {
        QFETCH(QString, control);
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        m_state->edit(&AnalysisSettings::choose, mechanism::Tem());
        auto* keys = findControl<QWidget>(*m_bar, control.toLatin1().constData());
        for (int step = 1; step <= 20; ++step) {
            const double before = *m_state->parameters().beta;
            QTest::keyClick(keys, Qt::Key_Up);
            QVERIFY2(*m_state->parameters().beta > before, qPrintable(QString::number(step)));
        }
        QCOMPARE(*m_state->parameters().beta, 0.00158);  // 0.001 × 10^(20/100) = 0.0015849
    }

    void summaryAppearsAfterLoading() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        QCOMPARE(labelOf("embeddingNameLabel")->text(), QStringLiteral("toy.txt"));
        QStringList texts;
        for (const QLabel* label : m_panel->findChildren<QLabel*>()) {
            texts.append(label->text());
        }
        QVERIFY(texts.contains(QStringLiteral("glove-text")));
        QVERIFY(texts.contains(QStringLiteral("skipped rows")));
    }

    void everyControlSpeaks() {
        m_state->edit(&AnalysisSettings::limits, calibration::defaultLimits());
        int controls = 0;
        for (const QWidget* widget : m_controls->findChildren<QWidget*>()) {
            const bool spoken = !widget->accessibleName().isEmpty() ||
                                !widget->property("text").toString().isEmpty();
            if (widget->objectName().contains(kControlName)) {
                ++controls;
                QVERIFY2(spoken, qPrintable(widget->objectName()));
                QVERIFY2(!widget->accessibleDescription().isEmpty(),
                         qPrintable(widget->objectName()));
            }
        }
        QVERIFY(controls >= 14);
    }

private:
    QComboBox* listOf(const char* name) { return findControl<QComboBox>(*m_controls, name); }
    QLabel* labelOf(const char* name) { return findControl<QLabel>(*m_controls, name); }
    ValueSlider* sliderOf(const char* name) { return findControl<ValueSlider>(*m_controls, name); }
    static void typeInto(QLineEdit& field, const QString& text) {
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
    }

    std::unique_ptr<AnalysisState> m_state;
    std::unique_ptr<JobBoard> m_jobs;
    std::unique_ptr<SessionResults> m_results;
    std::unique_ptr<QWidget> m_controls;
    MechanismBar* m_bar = nullptr;
    SetupPanel* m_panel = nullptr;
};

EPSILENS_UI_TEST(SetupPanelTest)
#include "setup_panel_test.moc"
