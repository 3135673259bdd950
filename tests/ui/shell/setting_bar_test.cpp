#include "ui/shell/setting_bar.h"

#include <vector>

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QScopeGuard>
#include <QToolButton>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/shell/preferences.h"
#include "ui/state/analysis_state.h"
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
        const auto* limits = findControl<QLabel>(bar, "summaryLimitsLabel");
        QVERIFY(!limits->isVisibleTo(&bar));
        bar.showLimits({2, 1, 1});
        QVERIFY(hears("1 of 2 limits met"));
        QVERIFY(limits->isVisibleTo(&bar));
        QCOMPARE(limits->text(), QStringLiteral("limits 1/2 ✗"));
        QCOMPARE(limits->toolTip(), QStringLiteral("1 of 2 limits met"));
        const QStringList lines{QStringLiteral("✓ first: yes, 4.2 (3.9 to 4.5)"),
                                QStringLiteral("✓ second: yes, 7")};
        bar.showLimits({2, 2, 0}, lines);
        QCOMPARE(limits->toolTip(), lines.join(QLatin1Char('\n')));
        QVERIFY(limits->accessibleDescription().contains(lines.front()));
    }

    void offersMenusAndTheDetails() {
        AnalysisState state;
        SettingBar bar(state);
        QMenu embeddings;
        QMenu data;
        QAction details(QStringLiteral("&Details"));
        details.setCheckable(true);
        bar.offer(embeddings);
        bar.offerData(data);
        bar.offer(&details);
        for (QMenu* menu : {&embeddings, &data}) {
            menu->addAction(QStringLiteral("Open…"));
        }
        bar.resize(1200, 40);
        bar.show();
        const auto* shown = findControl<QLabel>(bar, "summaryDataLabel");
        QVERIFY(!shown->isVisible());
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QCOMPARE(shown->text(), QStringLiteral("my data: none"));
        bar.showData(QStringLiteral("sms.tsv, 66% known"));
        QCOMPARE(shown->text(), QStringLiteral("sms.tsv, 66% known"));
        // Its text gives way first; the button that says the same stays.
        const auto* button = findControl<QToolButton>(bar, "dataMenuButton");
        QCOMPARE(button->accessibleName(), QStringLiteral("my data: sms.tsv, 66% known"));
        QVERIFY(button->toolTip().startsWith(button->accessibleName()));
        QTRY_VERIFY(shown->width() > 0);
        for (const auto& [text, arrow, menu] :
             {std::tuple{"summaryDataLabel", "dataMenuButton", &data},
              std::tuple{"summaryEmbeddingLabel", "embeddingMenuButton", &embeddings}}) {
            QTest::mouseClick(findControl<QWidget>(bar, text), Qt::LeftButton);
            QVERIFY(menu->isVisible());
            menu->close();
            findControl<QToolButton>(bar, arrow)->click();
            QVERIFY(menu->isVisible());
            menu->close();
        }
        findControl<QToolButton>(bar, "detailsButton")->click();
        QVERIFY(details.isChecked());
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void whatMattersStaysInANarrowBar_data() {
        QTest::addColumn<QString>("embedding");
        QTest::addColumn<QString>("data");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("percent");
        QTest::addColumn<bool>("hasLimitsAndPin");
        const QString usual = QStringLiteral("toy.txt");
        const QString longName = QStringLiteral("a-long-name-of-an-embedding.txt");
        const QString longest(300, QLatin1Char('x'));
        const QString texts = QStringLiteral("a-collection-of-messages-and-answers.tsv, 66% known");
        QTest::newRow("a long name of texts") << usual << longest << 850 << 100 << false;
        QTest::newRow("a long name of vectors") << longest << texts << 850 << 100 << false;
        QTest::newRow("no texts") << longest << QString() << 700 << 100 << false;
        QTest::newRow("limits and a pin") << longName << texts << 960 << 100 << true;
        QTest::newRow("large text") << longName << "sms.tsv, 66% known" << 960 << 160 << false;
    }
    void whatMattersStaysInANarrowBar() {
        QFETCH(const QString, embedding);
        QFETCH(const QString, data);
        QFETCH(const int, width);
        QFETCH(const int, percent);
        QFETCH(const bool, hasLimitsAndPin);
        applyTextSize(percent);
        const auto back = qScopeGuard([] { applyTextSize(Preferences().textPercent); });
        AnalysisState state;
        SettingBar bar(state);
        QAction details(QStringLiteral("&Details"));
        if (!data.isEmpty()) {
            bar.offer(&details);
        }
        auto named = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
        named->embedding.name = embedding.toStdString();
        state.setEmbedding(named, nullptr);
        bar.showData(data);
        bar.resize(width, 60);
        bar.show();
        const auto* limits = findControl<ElidedLabel>(bar, "summaryLimitsLabel");
        if (hasLimitsAndPin) {
            bar.showLimits({2, 1, 1});
            state.edit(&AnalysisSettings::pin, state.setting());
        }
        std::vector<mechanism::Mechanism> mechanisms{mechanism::Mahalanobis()};
        if (hasLimitsAndPin) {
            mechanisms.emplace_back(mechanism::Tem());
        }
        for (const mechanism::Mechanism& mechanism : mechanisms) {
            state.edit(&AnalysisSettings::choose, mechanism);
            QVERIFY2(bar.minimumSizeHint().width() <= width,
                     qPrintable(QString::number(bar.minimumSizeHint().width())));
            const auto shown = [&bar](const char* name) {
                const auto* label = findControl<ElidedLabel>(bar, name);
                return label->textWithin(label->width());
            };
            QTRY_VERIFY2(!data.contains(QLatin1Char('%')) ||
                             shown("summaryDataLabel").contains(QStringLiteral("66%")),
                         qPrintable(shown("summaryDataLabel")));
            const QString name = shown("summaryEmbeddingLabel");
            QVERIFY2(name.startsWith(embedding.left(2)) && name.size() >= 5, qPrintable(name));
            QVERIFY(!hasLimitsAndPin ||
                    limits->textWithin(limits->width()).startsWith(QStringLiteral("limits 1/2 ✗")));
            const auto* button = findControl<QToolButton>(bar, "detailsButton");
            QVERIFY(button->geometry().right() <= bar.width());
            QVERIFY(button->width() >= button->fontMetrics().horizontalAdvance(button->text()));
        }
        // The name of vectors takes what there is; without texts nothing is kept free.
        bar.showData({});
        QCOMPARE(findControl<QLabel>(bar, "summaryDataLabel")->minimumWidth(), 0);
    }
};

EPSILENS_UI_TEST(SettingBarTest)
#include "setting_bar_test.moc"
