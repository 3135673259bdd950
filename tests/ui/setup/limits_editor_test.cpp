#include "ui/setup/limits_editor.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include "core/calibration/recommend.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/state/limit_state.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;

class LimitsEditorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_state = std::make_unique<AnalysisState>();
        m_state->edit(&AnalysisSettings::limits, calibration::defaultLimits());
        m_limits = std::make_unique<LimitState>(*m_state);
        m_section = std::make_unique<LimitsSection>(*m_state, *m_limits);
        m_section->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_section.get()));
    }
    void cleanup() { m_section.reset(); }

    void showsTheLimitsThatAreSet() {
        QCOMPARE(listOf("limit1StatisticComboBox")->currentText(), QStringLiteral("kept draws"));
        QCOMPARE(listOf("limit1RelationComboBox")->currentText(), QStringLiteral("≤"));
        QCOMPARE(fieldOf("limit1ValueField")->text(), QStringLiteral("50%"));
        QCOMPARE(fieldOf("limit2ValueField")->text(), QStringLiteral("20"));
        QCOMPARE(findControl<QLabel>(*m_section, "limitsStatusLabel")->text(),
                 QStringLiteral("2 limits, not yet measured"));
        m_state->edit(&AnalysisSettings::limits, {});
        QCOMPARE(findControl<QLabel>(*m_section, "limitsStatusLabel")->text(),
                 QStringLiteral("no limits set"));
    }

    /// The values are those of the grammar of limits.
    void everyAggregateIsCalledByItsName() {
        const auto* list = listOf("limit1AggregateComboBox");
        const std::pair<const char*, const char*> names[]{
            {"mean", "mean"},     {"max", "largest"},   {"min", "least"},  {"p1", "1st pct."},
            {"p5", "5th pct."},   {"p25", "25th pct."}, {"p50", "median"}, {"p75", "75th pct."},
            {"p95", "95th pct."}, {"p99", "99th pct."}};
        QCOMPARE(list->count(), static_cast<int>(std::size(names)));
        for (const auto& [aggregate, name] : names) {
            const auto limit = calibration::parseLimit(std::string("nw.") + aggregate + "<=50%");
            QCOMPARE(list->itemText(list->findData(static_cast<int>(limit.value().aggregate))),
                     QString::fromLatin1(name));
        }
    }

    void rowsChangeTheLimits() {
        auto* statistic = listOf("limit1StatisticComboBox");
        statistic->setCurrentIndex(statistic->findText(QStringLiteral("far share")));
        // Of a share of all outputs there is no percentile.
        auto* aggregate = listOf("limit1AggregateComboBox");
        QCOMPARE(aggregate->currentText(), QStringLiteral("mean"));
        QVERIFY(!aggregate->isEnabled());
        auto* relation = listOf("limit1RelationComboBox");
        relation->setCurrentIndex(1);
        auto* value = fieldOf("limit1ValueField");
        type(value, "0.25");
        QVERIFY(m_state->limits().front() == calibration::parseLimit("far.mean>=0.25").value());
        QCOMPARE(calibration::limitText(m_state->limits()[1]), std::string("sw.p5>=20"));
    }

    void tabGoesThroughTheRowsToTheButton() {
        QWidget window;
        QLineEdit before(&window);
        LimitsSection section(*m_state, *m_limits, &window);
        QLineEdit after(&window);
        after.setObjectName(QStringLiteral("after"));
        findControl<QPushButton>(section, "addLimitButton")->click();
        QStringList expected;
        for (int row = 1; row <= 3; ++row) {
            for (const char* control : {"StatisticComboBox", "AggregateComboBox",
                                        "RelationComboBox", "ValueField", "RemoveButton"}) {
                expected.append(QStringLiteral("limit%1%2").arg(row).arg(QLatin1String(control)));
            }
        }
        expected += {QStringLiteral("addLimitButton"), QStringLiteral("after")};
        QStringList found;
        for (const QWidget* widget = before.nextInFocusChain(); widget != &before;
             widget = widget->nextInFocusChain()) {
            if (expected.contains(widget->objectName())) {
                found.append(widget->objectName());
            }
        }
        QCOMPARE(found, expected);
    }

    void everyChoiceIsALimitOfTheCommandLine() {
        auto* statistic = listOf("limit1StatisticComboBox");
        auto* aggregate = listOf("limit1AggregateComboBox");
        auto* value = fieldOf("limit1ValueField");
        auto* problem = findControl<QLabel>(*m_section, "limitsProblemLabel");
        type(value, "0.5");
        for (int s = 0; s < statistic->count(); ++s) {
            for (int a = 0; a < aggregate->count(); ++a) {
                statistic->setCurrentIndex(s);
                aggregate->setCurrentIndex(a);
                QVERIFY2(problem->text().isEmpty(), qPrintable(problem->text()));
            }
        }
    }

    void wrongValuesAreExplainedAndNotTaken() {
        auto* value = fieldOf("limit1ValueField");
        auto* problem = findControl<QLabel>(*m_section, "limitsProblemLabel");
        for (const char* wrong : {"half", "150%", "-3", "", "0,5"}) {
            type(value, wrong);
            QVERIFY2(problem->isVisible(), wrong);
            QVERIFY(m_state->limits() == calibration::defaultLimits());
        }
        type(value, "40%");
        QVERIFY(!problem->isVisible());
        QCOMPARE(m_state->limits().front().value, 40.0);
    }

    void limitsAreAddedAndRemoved() {
        QTest::mouseClick(findControl<QPushButton>(*m_section, "addLimitButton"), Qt::LeftButton);
        QCOMPARE(m_state->limits().size(), std::size_t{3});
        QCOMPARE(listOf("limit3StatisticComboBox")->currentText(), QStringLiteral("kept share"));
        QTest::mouseClick(findControl<QToolButton>(*m_section, "limit1RemoveButton"),
                          Qt::LeftButton);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCOMPARE(m_state->limits().size(), std::size_t{2});
        QCOMPARE(fieldOf("limit1ValueField")->text(), QStringLiteral("20"));
        m_state->edit(&AnalysisSettings::limits, calibration::defaultLimits());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCOMPARE(fieldOf("limit1ValueField")->text(), QStringLiteral("50%"));
    }

private:
    QComboBox* listOf(const char* name) { return findControl<QComboBox>(*m_section, name); }
    QLineEdit* fieldOf(const char* name) { return findControl<QLineEdit>(*m_section, name); }
    static void type(QLineEdit* value, const char* text) {
        value->setText(QLatin1String(text));
        QTest::keyClick(value, Qt::Key_Return);
    }

    std::unique_ptr<AnalysisState> m_state;
    std::unique_ptr<LimitState> m_limits;
    std::unique_ptr<LimitsSection> m_section;
};

EPSILENS_UI_TEST(LimitsEditorTest)
#include "limits_editor_test.moc"
