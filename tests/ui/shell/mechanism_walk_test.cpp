#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>

#include "core/engine/search_space.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/live/live_panel.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_factory.h"
#include "ui/space/space_panel.h"
#include "ui/state/guarantee_model.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;
using test::kPatienceMs;

namespace {

void choose(const QObject& root, const char* list, const QString& text) {
    findControl<QComboBox>(root, list)->setCurrentText(text);
}

}  // namespace

/// Chooses a mechanism by the controls, looks at Choose, runs the curves, looks at Space.
class MechanismWalkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void walk_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("heading");
        QTest::addColumn<QString>("origin");
        QTest::addColumn<QString>("space");
        const QString exact = QStringLiteral("exact at every ε");
        QTest::newRow("laplace") << QStringLiteral("Multivariate Laplace") << QString() << QString()
                                 << QStringLiteral("ε·‖·‖") << exact << QStringLiteral("contour");
        QTest::newRow("mahalanobis")
            << QStringLiteral("Regularized Mahalanobis") << QString() << QString()
            << QStringLiteral("RM") << exact << QStringLiteral("contour");
        for (const char* metric : {"Euclidean", "Mahalanobis (λ)", "angular", "Poincaré"}) {
            QTest::newRow(metric) << QStringLiteral("Truncated exponential (TEM)")
                                  << QStringLiteral("metricComboBox") << QString::fromUtf8(metric)
                                  << QStringLiteral("min") << QStringLiteral("expected, exact")
                                  << QStringLiteral("adds no noise");
        }
        for (const char* metric : {"Euclidean", "Mahalanobis (λ)"}) {
            QTest::addRow("exponential, %s", metric)
                << QStringLiteral("Exponential (SanText)") << QStringLiteral("metricComboBox")
                << QString::fromUtf8(metric) << QStringLiteral("ε·‖·‖")
                << QStringLiteral("expected, exact") << QStringLiteral("adds no noise");
        }
        QTest::newRow("riemannian")
            << QStringLiteral("Hyperbolic") << QStringLiteral("noiseComboBox")
            << QStringLiteral("riemannian") << QStringLiteral("ε·d_H") << exact
            << QStringLiteral("d_H =");
        QTest::newRow("eq7") << QStringLiteral("Hyperbolic") << QStringLiteral("noiseComboBox")
                             << QStringLiteral("Eq. 7 of the paper") << QStringLiteral("(ε+m)·d_H")
                             << exact << QStringLiteral("d_H =");
    }

    void walk() {
        QFETCH(QString, mechanism);
        QFETCH(QString, list);
        QFETCH(QString, value);
        QFETCH(QString, heading);
        QFETCH(QString, origin);
        QFETCH(QString, space);
        const auto window = createWindow(coreLoadFunctions());
        window->show();
        const auto ball = test::toyBall(120, 4);
        AnalysisState& state = window->state();
        state.setEmbedding(ball, std::make_shared<const engine::SearchSpace>(ball));
        state.edit(&AnalysisSettings::draws, 20);
        choose(*window, "mechanismComboBox", mechanism);
        if (!list.isEmpty()) {
            choose(*window, qPrintable(list), value);
        }
        const auto& guarantee = window->findChild<SetupPanel*>()->guarantee().guarantee();
        QVERIFY2(toQString(guarantee->statement).contains(heading), guarantee->statement.c_str());

        auto* live = findControl<live::LivePanel>(*window, "livePanel");
        live->model().setActive(true);
        state.lookAt(QStringLiteral("paris london word9"));
        QTRY_VERIFY_WITH_TIMEOUT(!live->model().words().empty() && !live->model().isBehind(),
                                 kPatienceMs);
        for (const auto& word : live->model().words()) {
            const auto& shown = word.distribution;
            QVERIFY(shown.draws == 20 && qAbs(shown.kept + shown.near + shown.far - 20.0) < 1e-6);
        }
        QVERIFY(!findControl<QLabel>(*live, "detailFactsLabel")->text().isEmpty());

        auto* curves = findControl<CurvesPanel>(*window, "curvesPanel");
        curves->run();
        QTRY_VERIFY_WITH_TIMEOUT(curves->result() != nullptr, kPatienceMs);
        const auto* nwOrigin = findControl<QLabel>(*curves, "nwOriginLabel");
        QTRY_VERIFY2_WITH_TIMEOUT(nwOrigin->text().contains(origin), qPrintable(nwOrigin->text()),
                                  kPatienceMs);

        state.lookAt(Word(state.embedding(), 5));
        auto* draws = findControl<QLabel>(*window, "drawsShareLabel");
        QTRY_VERIFY_WITH_TIMEOUT(draws->text().contains(space), kPatienceMs);
    }

    void thePoincareSampleComesWithItsMechanism() {
        const auto window = createWindow(coreLoadFunctions());
        findControl<QPushButton>(*window, "emptyStatePoincareSampleButton")->click();
        AnalysisState& state = window->state();
        QTRY_VERIFY_WITH_TIMEOUT(state.embedding() != nullptr, kPatienceMs);
        QVERIFY(state.mechanism().as<mechanism::Hyperbolic>());
        QCOMPARE(state.epsilon(), 19.0);  // m - 1 + 10, m = 10
        window->open(QStringLiteral("sample"));
        QTRY_VERIFY_WITH_TIMEOUT(state.mechanism().as<mechanism::Mahalanobis>(), kPatienceMs);
        const auto* mechanisms = findControl<QComboBox>(*window, "mechanismComboBox");
        const auto* items = qobject_cast<const QStandardItemModel*>(mechanisms->model());
        const auto* hyperbolic = items->item(items->rowCount() - 1);
        QVERIFY(!hyperbolic->isEnabled());
        QVERIFY(hyperbolic->toolTip().contains(QStringLiteral("norm ≥ 1")));
    }
};

EPSILENS_UI_TEST(MechanismWalkTest)
#include "mechanism_walk_test.moc"
