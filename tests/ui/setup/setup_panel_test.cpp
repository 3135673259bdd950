#include "ui/setup/setup_panel.h"

#include <tuple>

#include "core/calibration/recommend.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;

class SetupPanelTest : public QObject, private test::Driver {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_state = std::make_unique<AnalysisState>();
        m_results = std::make_unique<SessionResults>(*m_state);
        m_jobs = std::make_unique<JobBoard>();
        m_controls = std::make_unique<QWidget>();
        auto* layout = new QVBoxLayout(m_controls.get());
        m_panel = new SetupPanel(*m_state, *m_results, *m_jobs, LoadFunctions{});
        layout->addWidget(mechanismBar(*m_state));
        layout->addWidget(m_panel);
        m_controls->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_controls.get()));
    }
    void cleanup() { m_controls.reset(); }

    void lambdaIsTakenByKeysAndTyping() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        for (const auto& [control, key, value] : {std::tuple{"lambdaSlider", Qt::Key_Right, 0.51},
                                                  {"lambdaField", Qt::Key_PageUp, 0.61},
                                                  {"lambdaSlider", Qt::Key_End, 1.0},
                                                  {"lambdaSlider", Qt::Key_Home, 0.0}}) {
            QTest::keyClick(&find(control), key);
            QCOMPARE(m_state->lambda(), value);
            QCOMPARE(text("lambdaField"), QString::number(value));
        }
        enter("lambdaField", "0,5");
        QVERIFY(isShown("lambdaHintLabel") && says("lambdaHintLabel", "write 0.5"));
        QVERIFY(test::holds(text("lambdaHintLabel"), find("lambdaField").accessibleDescription()));
        QCOMPARE(m_state->lambda(), 0.0);
        QTest::keyClick(&find("lambdaField"), Qt::Key_Escape);
        QVERIFY(!isShown("lambdaHintLabel"));
        enter("lambdaField", "0.123");
        QCOMPARE(m_state->lambda(), 0.123);
        QCOMPARE(find<ValueSlider>("lambdaSlider").value(), 0.123);
    }

    void policiesForTextAreSettings() {
        QVERIFY(says("textToggleButton", "masked"));
        choose("setupUnknownComboBox", "Keep, unprotected");
        choose("setupLetterCaseComboBox", "Lower case");
        QVERIFY(m_state->textPolicies() ==
                (TextPolicies{release::UnknownPolicy::keep, text::CasePolicy::lower}));
        QVERIFY(says("textToggleButton", "⚠"));
        m_state->edit(&AnalysisSettings::textPolicies,
                      {release::UnknownPolicy::drop, text::CasePolicy::automatic});
        QCOMPARE(text("setupUnknownComboBox"), "Drop");
        QCOMPARE(text("setupLetterCaseComboBox"), "Automatic");
    }

    void lambdaIsOutOfUseForLaplace() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        choose("mechanismComboBox", "Multivariate Laplace");
        QVERIFY(m_state->mechanism().as<mechanism::Laplace>());
        QVERIFY(!isEnabled("lambdaSlider") && !isEnabled("lambdaField"));
        QVERIFY(test::holds(find("lambdaSlider").toolTip(), "as at λ = 0"));
        m_state->edit(&AnalysisSettings::chooseMechanism, mechanism::Mahalanobis());
        QVERIFY(isEnabled("lambdaSlider"));
        QVERIFY(!find("lambdaSlider").toolTip().contains("as at λ = 0"));
        QCOMPARE(text("mechanismComboBox"), "Regularized Mahalanobis");
    }

    void singularCovarianceLimitsLambda() {
        m_state->edit(&AnalysisSettings::setParameters, {.lambda = 1.0});
        m_state->setEmbedding(test::toyEmbedding(4, 8), nullptr);
        QCOMPARE(m_state->lambda(), 0.99);
        QVERIFY(test::holds(find("lambdaField").toolTip(), "Largest usable λ: 0.99"));
        enter("lambdaField", "1");
        QVERIFY(test::holds(text("lambdaHintLabel"), "⚠ λ must be a number from 0 to 0.99"));
        QVERIFY(isShown("lambdaHintLabel"));
        QCOMPARE(m_state->lambda(), 0.99);
    }

    void mechanismThatCannotRunStaysListedWithItsReason() {
        embedding::Embedding flat;
        (void)flat.vocabulary.add("one");
        (void)flat.vocabulary.add("two");
        flat.vectors = RowMatrixF::Ones(2, 3);
        m_state->setEmbedding(embedding::prepareEmbedding(std::move(flat)).value(), nullptr);
        const auto* model =
            qobject_cast<QStandardItemModel*>(find<QComboBox>("mechanismComboBox").model());
        QCOMPARE(model->rowCount(), static_cast<int>(mechanism::Mechanism::all().size()));
        QVERIFY(!model->item(1)->isEnabled());
        QVERIFY(!model->item(1)->toolTip().isEmpty());
        QVERIFY(m_state->mechanism().as<mechanism::Laplace>());
    }

    void theRadiusOfTemMayBeGiven() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        choose("mechanismComboBox", "Truncated exponential (TEM)");
        m_state->edit(&AnalysisSettings::chooseEpsilon, 8.0);
        QVERIFY(says("withinGammaLabel", "of 40 words (median)"));
        QVERIFY(!isShown("gammaSlider"));
        choose("gammaModeComboBox", "given");
        // (2/8) ln(0.999 · 39 / 0.001) = 2.643, Theorem 3
        QCOMPARE(*m_state->mechanism().parameters().gamma, 2.64);
        QVERIFY(isShown("gammaSlider"));
        QCOMPARE(find<ValueSlider>("gammaSlider").scale().high,
                 *m_state->settings().largestDistance);
        QVERIFY(!isShown("lambdaSlider"));
        choose("metricComboBox", "Mahalanobis (λ)");
        QVERIFY(isShown("lambdaSlider"));
    }

    void wordsSeedAndBandReachTheState() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        // 500 do not exist
        QCOMPARE(find<NumberField>("wordCountField").value(), 40.0);
        enter("wordCountField", "12");
        QCOMPARE(m_state->words().count, 12);
        find<QComboBox>("wordsComboBox").setCurrentIndex(1);
        QVERIFY(m_state->words().kind == calibration::WordSelection::Kind::all);
        enter("seedField", "9223372036854775807");  // 2^63 - 1
        QCOMPARE(m_state->seed(), std::uint64_t{9223372036854775807ULL});
        enter("seedField", "9223372036854775808");
        QCOMPARE(m_state->seed(), std::uint64_t{9223372036854775807ULL});
        QVERIFY(isShown("statisticsHintLabel"));
        click("newSeedButton");
        QVERIFY(m_state->seed() != 9223372036854775807ULL);
        find<QComboBox>("bandComboBox").setCurrentIndex(2);
        QVERIFY(m_state->band() == PercentileBand({25, 75}));
    }

    void aBandThatIsNotInTheListStays() {
        m_state->edit(&AnalysisSettings::band, {10, 90});
        QCOMPARE(find<QComboBox>("bandComboBox").currentIndex(), -1);
        QVERIFY(m_state->band() == PercentileBand({10, 90}));
        m_state->edit(&AnalysisSettings::band, {5, 95});
        QCOMPARE(text("bandComboBox"), "5–95%");
    }

    /// From 0.001, where the first steps are smaller than a tenth of it.
    void everyArrowKeyMovesBeta() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        m_state->edit(&AnalysisSettings::chooseMechanism, mechanism::Tem());
        for (const char* control : {"betaField", "betaSlider"}) {
            m_state->edit(&AnalysisSettings::setParameters, {.beta = 0.001});
            for (int step = 1; step <= 20; ++step) {
                const double before = *m_state->parameters().beta;
                QTest::keyClick(&find(control), Qt::Key_Up);
                QVERIFY2(*m_state->parameters().beta > before, control);
            }
            // 0.001 × 10^(20/100) = 0.0015849
            QCOMPARE(*m_state->parameters().beta, 0.00158);
        }
    }

    void summaryAppearsAfterLoading() {
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        QStringList texts;
        for (const QLabel* label : m_panel->findChildren<QLabel*>()) {
            texts.append(label->text());
        }
        QVERIFY(texts.contains("glove-text"));
        QVERIFY(texts.contains("skipped rows"));
    }

private:
    [[nodiscard]] const QObject& root() const override { return *m_controls; }

    std::unique_ptr<AnalysisState> m_state;
    std::unique_ptr<JobBoard> m_jobs;
    std::unique_ptr<SessionResults> m_results;
    std::unique_ptr<QWidget> m_controls;
    SetupPanel* m_panel = nullptr;
};

EPSILENS_UI_TEST(SetupPanelTest)
#include "setup_panel_test.moc"
