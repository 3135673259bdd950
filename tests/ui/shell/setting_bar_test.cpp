#include "ui/shell/setting_bar.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QScopeGuard>
#include <QToolButton>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/shell/preferences.h"
#include "ui/state/analysis_state.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/elided_label.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

class SettingBarTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsTheSettings() {
        AnalysisState state;
        SettingBar bar(state);
        const auto hears = [&bar](const char* words) {
            return bar.accessibleName().contains(QString::fromUtf8(words));
        };
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.25});
        state.edit(&AnalysisSettings::chooseEpsilon, 12.0);
        QCOMPARE(findControl<QLabel>(bar, "summaryEmbeddingLabel")->text(),
                 QStringLiteral("toy.txt 40 × 3"));
        QVERIFY2(hears("toy.txt 40 × 3, Mahalanobis λ 0.25, ε 12.0"),
                 qPrintable(bar.accessibleName()));
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QVERIFY(hears(", Laplace, "));
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        QVERIFY(hears("TEM Euclidean"));
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QVERIFY(hears("riemannian"));
    }

    void offersOtherEmbeddingsAndTheDetails() {
        AnalysisState state;
        SettingBar bar(state);
        QMenu menu;
        QAction details(QStringLiteral("&Details"));
        details.setCheckable(true);
        bar.offer(menu);
        bar.offer(&details);
        menu.addAction(QStringLiteral("Open…"));
        bar.show();
        findControl<QToolButton>(bar, "embeddingMenuButton")->click();
        QVERIFY(menu.isVisible());
        menu.close();
        findControl<QToolButton>(bar, "detailsButton")->click();
        QVERIFY(details.isChecked());
    }

    void tellsWhichLimitsAreMet() {
        AnalysisState state;
        SettingBar bar(state);
        bar.show();
        auto* limits = findControl<QLabel>(bar, "summaryLimitsLabel");
        QVERIFY(!limits->isVisible());
        bar.showLimits({2, 1, 1});
        QVERIFY(limits->isVisible());
        QCOMPARE(limits->text(), QStringLiteral("limits 1/2 ✗"));
        QVERIFY(bar.accessibleName().contains(QStringLiteral("1 of 2 limits met")));
        bar.showLimits({2, 2, 0});
        QCOMPARE(limits->text(), QStringLiteral("limits 2/2 ✓"));
        bar.showLimits({2, 0, 0});
        QCOMPARE(limits->text(), QStringLiteral("limits –/2"));
        QCOMPARE(limits->toolTip(), QStringLiteral("2 limits, not yet measured"));
        bar.showLimits({2, 2, 0}, {QStringLiteral("✓ first: yes, 4.2 (3.9 to 4.5)"),
                                   QStringLiteral("✓ second: yes, 7")});
        QCOMPARE(limits->toolTip(),
                 QStringLiteral("✓ first: yes, 4.2 (3.9 to 4.5)\n✓ second: yes, 7"));
        QVERIFY(limits->accessibleDescription().contains(QStringLiteral("4.2 (3.9 to 4.5)")));
    }

    /// Its text gives way first; the button that says the same stays.
    void namesTheOwnTexts() {
        AnalysisState state;
        SettingBar bar(state);
        QMenu menu;
        bar.offerData(menu);
        menu.addAction(QStringLiteral("Open…"));
        bar.show();
        auto* data = findControl<QLabel>(bar, "summaryDataLabel");
        auto* button = findControl<QToolButton>(bar, "dataMenuButton");
        QVERIFY(!data->isVisible() && !button->isVisible());
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QCOMPARE(data->text(), QStringLiteral("my data: none"));
        bar.showData(QStringLiteral("sms.tsv, 66% known"));
        QCOMPARE(data->text(), QStringLiteral("sms.tsv, 66% known"));
        QCOMPARE(button->accessibleName(), QStringLiteral("my data: sms.tsv, 66% known"));
        QVERIFY(button->toolTip().startsWith(button->accessibleName()));
        button->click();
        QVERIFY(menu.isVisible());
        menu.close();
        bar.resize(1200, 40);
        QTRY_VERIFY(data->width() > 0);
        QTest::mouseClick(data, Qt::LeftButton);
        QVERIFY(menu.isVisible());
        menu.close();
        const auto* elided = findControl<ElidedLabel>(bar, "summaryDataLabel");
        bar.showData(QStringLiteral("a-collection-of-messages.tsv, 66% known"));
        const int whole = elided->fontMetrics().horizontalAdvance(elided->text());
        QCOMPARE(elided->textWithin(whole), elided->text());
        const QString narrow = elided->textWithin(3 * whole / 4);
        QVERIFY2(narrow.startsWith(QStringLiteral("a-coll")) &&
                     narrow.endsWith(QStringLiteral("…, 66% known")),
                 qPrintable(narrow));
        QVERIFY(elided->fontMetrics().horizontalAdvance(narrow) <= 3 * whole / 4);
        const QString share = QStringLiteral("66% known");
        const int shareWidth = elided->fontMetrics().horizontalAdvance(share);
        QCOMPARE(elided->textWithin(shareWidth), share);
        const QString cut = elided->textWithin(shareWidth / 2);
        QVERIFY2(cut.startsWith(QStringLiteral("66")) && cut.endsWith(QStringLiteral("…")),
                 qPrintable(cut));
        bar.showData(QString(300, QLatin1Char('x')));
        bar.resize(850, 40);
        QVERIFY(bar.minimumSizeHint().width() <= 850);
        const auto* embedding = findControl<QLabel>(bar, "summaryEmbeddingLabel");
        QTRY_VERIFY(embedding->width() >=
                    embedding->fontMetrics().horizontalAdvance(embedding->text()));
        QVERIFY(button->geometry().right() <= bar.width());
    }

    /// The name of the embedding takes what there is, but for the share of the texts that is known.
    void theShareKnownStaysBesideALongName() {
        AnalysisState state;
        SettingBar bar(state);
        auto embedding = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
        embedding->embedding.name = std::string(300, 'x') + ".txt";
        state.setEmbedding(embedding, nullptr);
        bar.showData(QStringLiteral("a-collection-of-messages.tsv, 66% known"));
        bar.resize(850, 40);
        bar.show();
        QVERIFY(bar.minimumSizeHint().width() <= 850);
        const auto* data = findControl<ElidedLabel>(bar, "summaryDataLabel");
        QTRY_VERIFY(data->width() > 0);
        QVERIFY2(data->textWithin(data->width()).endsWith(QStringLiteral("66% known")),
                 qPrintable(data->textWithin(data->width())));
        const auto* name = findControl<QLabel>(bar, "summaryEmbeddingLabel");
        QVERIFY(name->width() > data->width());
        // Without texts nothing is kept free.
        bar.showData({});
        QCOMPARE(data->minimumWidth(), 0);
    }

    /// In a small window, beside all that can stand there.
    void theShareKnownStaysBesideLimitsAndPin() {
        AnalysisState state;
        SettingBar bar(state);
        QAction details(QStringLiteral("&Details"));
        bar.offer(&details);
        auto embedding = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
        embedding->embedding.name = "a-long-name-of-an-embedding.txt";
        state.setEmbedding(embedding, nullptr);
        bar.resize(960, 40);
        bar.show();
        bar.showData(QStringLiteral("a-collection-of-messages-and-answers.tsv, 73% known"));
        bar.showLimits({2, 1, 1});
        state.edit(&AnalysisSettings::pin, state.setting());
        const auto* data = findControl<ElidedLabel>(bar, "summaryDataLabel");
        const auto* limits = findControl<ElidedLabel>(bar, "summaryLimitsLabel");
        for (const auto& mechanism : {mechanism::Mechanism(mechanism::Mahalanobis()),
                                      mechanism::Mechanism(mechanism::Tem())}) {
            state.edit(&AnalysisSettings::choose, mechanism);
            QVERIFY2(bar.minimumSizeHint().width() <= 960,
                     qPrintable(QString::number(bar.minimumSizeHint().width())));
            QTRY_VERIFY(data->width() >= data->minimumWidth());
            QVERIFY2(data->textWithin(data->width()).endsWith(QStringLiteral("73% known")),
                     qPrintable(data->textWithin(data->width())));
            QVERIFY2(limits->textWithin(limits->width()).startsWith(QStringLiteral("limits 1/2 ✗")),
                     qPrintable(limits->textWithin(limits->width())));
        }
    }

    /// At the largest text of a small window both are cut, and neither goes.
    void largeTextLeavesTheNameBesideTheShareKnown() {
        applyTextSize(160);
        const auto usual = qScopeGuard([] { applyTextSize(Preferences().textPercent); });
        AnalysisState state;
        SettingBar bar(state);
        QAction details(QStringLiteral("&Details"));
        bar.offer(&details);
        auto embedding = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
        embedding->embedding.name = "a-long-name-of-an-embedding.txt";
        state.setEmbedding(embedding, nullptr);
        bar.showData(QStringLiteral("sms.tsv, 66% known"));
        bar.resize(960, 60);
        bar.show();
        QVERIFY2(bar.minimumSizeHint().width() <= 960,
                 qPrintable(QString::number(bar.minimumSizeHint().width())));
        const auto* name = findControl<ElidedLabel>(bar, "summaryEmbeddingLabel");
        QTRY_VERIFY(name->width() > 0);
        const QString shown = name->textWithin(name->width());
        QVERIFY2(shown.startsWith(QStringLiteral("a-")) && shown.contains(QChar(0x2026)) &&
                     shown.size() >= 5,
                 qPrintable(shown));
        const auto* data = findControl<ElidedLabel>(bar, "summaryDataLabel");
        QTRY_VERIFY2(data->textWithin(data->width()).startsWith(QStringLiteral("66%")),
                     qPrintable(data->textWithin(data->width())));
        const auto* button = findControl<QToolButton>(bar, "detailsButton");
        QVERIFY(button->width() >= button->fontMetrics().horizontalAdvance(button->text()));
    }

    void aLongNameGivesWayToTheRest() {
        AnalysisState state;
        SettingBar bar(state);
        auto embedding = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
        embedding->embedding.name = std::string(300, 'x') + ".txt";
        state.setEmbedding(embedding, nullptr);
        bar.resize(700, 40);
        bar.show();
        QVERIFY(bar.minimumSizeHint().width() <= 700);
        const auto* details = findControl<QToolButton>(bar, "detailsButton");
        QVERIFY(details->geometry().right() <= bar.width());
    }
};

EPSILENS_UI_TEST(SettingBarTest)
#include "setting_bar_test.moc"
