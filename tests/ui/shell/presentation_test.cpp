#include "ui/present/presentation.h"

#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSettings>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/dial/dial_view.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

class PresentationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_window = createWindow();
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(!m_window->actions().present->isEnabled());
        const auto embedding = test::toyEmbedding();
        m_window->state().setEmbedding(embedding,
                                       std::make_shared<const engine::SearchSpace>(embedding));
        m_window->state().lookAt(QStringLiteral("paris & london"));
        QCOMPARE(m_window->actions().present->shortcut(), QKeySequence(Qt::Key_F11));
        m_window->actions().present->trigger();
        m_presentation = m_window->findChild<Presentation*>();
        QVERIFY(m_presentation);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->measurement().isCurrent(), kPatienceMs);
    }
    void cleanup() { m_window.reset(); }

    void keysGoThroughFiveStepsThatSpeakOfTheSetting() {
        QVERIFY2(text().contains(QStringLiteral("paris &amp; london")), qPrintable(text()));
        press(Qt::Key_Right);
        QVERIFY2(text().contains(QStringLiteral("of 100 words survive")), qPrintable(text()));
        press(Qt::Key_PageDown);
        QCOMPARE(findControl<QLabel>(*m_presentation, "presentationTitle")->text(),
                 QStringLiteral("3 of 5: What is promised"));
        QVERIFY(text().contains(QStringLiteral("odds")));
        press(Qt::Key_Right);
        QVERIFY(text().contains(QStringLiteral("No limits are set.")));
        press(Qt::Key_Right);
        QVERIFY(text().contains(QStringLiteral("ε = ")));
        // There is no sixth, and none before the first.
        press(Qt::Key_Right);
        QCOMPARE(m_presentation->step(), 4);
        QVERIFY(!findControl<QPushButton>(*m_presentation, "presentationNextButton")->isEnabled());
        for (int i = 0; i < 6; ++i) {
            press(Qt::Key_Left);
        }
        QCOMPARE(m_presentation->step(), 0);
        press(Qt::Key_Escape);
        QTRY_VERIFY(!m_presentation);
    }

    void thePromiseIsAsLargeAsWhatStandsBesideIt() {
        const auto* promise = findControl<QLabel>(*m_presentation, "promiseLabel");
        const auto* attacker = findControl<QLabel>(*m_presentation, "attackerLabel");
        QTRY_COMPARE(promise->font().pointSizeF(), attacker->font().pointSizeF());
        QVERIFY(promise->font().pointSizeF() > m_window->font().pointSizeF());
    }

    void thereIsOnePresentation() {
        m_window->actions().present->trigger();
        QCOMPARE(m_window->findChildren<Presentation*>().size(), 1);
    }

    void theDialStillMovesEpsilonAndTheTextFollows() {
        m_presentation->showStep(4);
        auto* dial = findControl<DialView>(*m_presentation, "epsilonSlider");
        dial->moveTo(0.5);
        QCOMPARE(m_window->state().epsilon(), 0.5);
        QVERIFY2(text().contains(QStringLiteral("ε = 0.5")), qPrintable(text()));
        const double before = m_window->state().epsilon();
        QTest::keyClick(dial, Qt::Key_Right);
        QVERIFY(m_window->state().epsilon() > before);
        QCOMPARE(m_presentation->step(), 4);
    }

    void aSmallWindowShowsAllOfIt() {
        m_presentation->showNormal();
        m_presentation->resize(960, 600);
        QTRY_COMPARE(m_presentation->size(), QSize(960, 600));
        for (const char* name :
             {"presentationTitle", "dialPanel", "epsilonField", "presentationCloseButton"}) {
            const auto* part = m_presentation->findChild<QWidget*>(QLatin1String(name));
            const auto isInside = [&] {
                const QRect place(part->mapTo(m_presentation, QPoint()), part->size());
                return part->isVisible() && m_presentation->rect().contains(place) &&
                       (part->minimumHeight() == part->maximumHeight() ||
                        part->height() >= part->minimumSizeHint().height());
            };
            QVERIFY2(QTest::qWaitFor(isInside), name);
        }
        // Several lines of the step remain.
        const auto* area = m_presentation->findChild<QWidget*>(QStringLiteral("presentationArea"));
        const int line =
            findControl<QLabel>(*m_presentation, "presentationText")->fontMetrics().lineSpacing();
        QVERIFY(area->height() >= 4 * line);
    }

    void limitsStandWithTheirVerdict() {
        m_window->state().edit(&AnalysisSettings::limits,
                               {calibration::parseLimit("nw.p95<=60%").value()});
        m_presentation->showStep(3);
        QTRY_VERIFY_WITH_TIMEOUT(text().contains(QStringLiteral("side your limit")) ||
                                     text().contains(QStringLiteral("Within your limit")),
                                 kPatienceMs);
        QVERIFY2(text().contains(QStringLiteral("95 of 100 words")), qPrintable(text()));
    }

private:
    [[nodiscard]] QString text() const {
        return findControl<QLabel>(*m_presentation, "presentationText")->text();
    }
    void press(Qt::Key key) { QTest::keyClick(m_presentation.data(), key); }

    std::unique_ptr<MainWindow> m_window;
    QPointer<Presentation> m_presentation;
};

EPSILENS_UI_TEST(PresentationTest)
#include "presentation_test.moc"
