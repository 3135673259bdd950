#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>

#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/live/live_panel.h"
#include "ui/setup/setup_panel.h"
#include "ui/state/guarantee_model.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

/// Chooses a mechanism by the controls, looks at Choose, runs the curves, looks at Space.
class MechanismWalkTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(); }
    void cleanup() { clean(); }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void walk_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QByteArray>("list");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("heading");
        QTest::addColumn<QString>("origin");
        QTest::addColumn<QString>("space");
        const QByteArray none;
        const QByteArray metrics = "metricComboBox";
        const QByteArray noises = "noiseComboBox";
        const QString steps = QStringLiteral("exact at every ε");
        const QString expected = QStringLiteral("expected, exact");
        const QString noNoise = QStringLiteral("adds no noise");
        QTest::newRow("laplace") << "Multivariate Laplace" << none << ""
                                 << "ε·‖·‖" << steps << "contour";
        QTest::newRow("mahalanobis") << "Regularized Mahalanobis" << none << ""
                                     << "RM" << steps << "contour";
        for (const char* metric : {"Euclidean", "Mahalanobis (λ)", "angular", "Poincaré"}) {
            QTest::newRow(metric) << "Truncated exponential (TEM)" << metrics
                                  << QString::fromUtf8(metric) << "min" << expected << noNoise;
        }
        for (const char* metric : {"Euclidean", "Mahalanobis (λ)"}) {
            QTest::addRow("exponential, %s", metric)
                << "Exponential (SanText)" << metrics << QString::fromUtf8(metric) << "ε·‖·‖"
                << expected << noNoise;
        }
        QTest::newRow("riemannian") << "Hyperbolic" << noises << "riemannian"
                                    << "ε·d_H" << steps << "d_H =";
        QTest::newRow("eq7") << "Hyperbolic" << noises << "Eq. 7 of the paper"
                             << "(ε+m)·d_H" << steps << "d_H =";
    }
    void walk() {
        QFETCH(const QString, mechanism);
        QFETCH(const QByteArray, list);
        QFETCH(const QString, value);
        QFETCH(const QString, heading);
        QFETCH(const QString, origin);
        QFETCH(const QString, space);
        test::show(test::toyBall(120, 4), *m_window);
        state().edit(&AnalysisSettings::draws, 20);
        find<QComboBox>("mechanismComboBox").setCurrentText(mechanism);
        if (!list.isEmpty()) {
            find<QComboBox>(list).setCurrentText(value);
        }
        const auto& guarantee = m_window->setup().guarantee().guarantee();
        QVERIFY2(toQString(guarantee->statement).contains(heading), guarantee->statement.c_str());

        live::LiveModel& live = find<live::LivePanel>("livePanel").model();
        live.setActive(true);
        state().lookAt(QStringLiteral("paris london word9"));
        QTRY_VERIFY_WITH_TIMEOUT(!live.words().empty() && !live.isBehind(), kPatienceMs);
        for (const auto& word : live.words()) {
            const auto& shown = word.distribution;
            QVERIFY(shown.draws == 20 && qAbs(shown.kept + shown.near + shown.far - 20.0) < 1e-6);
        }
        QVERIFY(!text("detailFactsLabel").isEmpty());
        curves().run();
        QTRY_VERIFY2_WITH_TIMEOUT(curves().result() && text("nwOriginLabel").contains(origin),
                                  qPrintable(text("nwOriginLabel")), kPatienceMs);
        state().lookAt(Word(state().embedding(), 5));
        QTRY_VERIFY_WITH_TIMEOUT(text("drawsShareLabel").contains(space), kPatienceMs);
    }

    void thePoincareSampleComesWithItsMechanism() {
        click("emptyStatePoincareSampleButton");
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr, kPatienceMs);
        QVERIFY(state().mechanism().as<mechanism::Hyperbolic>());
        QCOMPARE(state().epsilon(), 19.0);  // m - 1 + 10, m = 10
        open(QStringLiteral("sample"));
        QVERIFY(state().mechanism().as<mechanism::Mahalanobis>());
        const auto& mechanisms = find<QComboBox>("mechanismComboBox");
        const auto* items = qobject_cast<const QStandardItemModel*>(mechanisms.model());
        const auto* hyperbolic = items->item(items->rowCount() - 1);
        QVERIFY(!hyperbolic->isEnabled());
        QVERIFY(hyperbolic->toolTip().contains(QStringLiteral("norm ≥ 1")));
    }
};

EPSILENS_UI_TEST(MechanismWalkTest)
#include "mechanism_walk_test.moc"
