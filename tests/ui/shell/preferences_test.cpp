#include "ui/shell/preferences.h"

#include <algorithm>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QSettings>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>

#include "core/base/parallel.h"
#include "tests/ui/support/ui_test.h"
#include "ui/shell/preferences_dialog.h"
#include "ui/shell/recent_files.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

class PreferencesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QSettings().clear(); }
    void cleanup() {
        Preferences usual;
        usual.theme = ThemeChoice::light;
        usual.apply();
    }

    void areKept() {
        Preferences chosen;
        chosen.theme = ThemeChoice::dark;
        chosen.textPercent = 130;
        chosen.threads = 3;
        chosen.memoryGiB = 1.5;
        chosen.save();
        QVERIFY(Preferences::load() == chosen);
        QCOMPARE(remembered::memoryLimitBytes(), std::uint64_t{1'610'612'736});
    }

    void valuesOutOfRangeCountAsNotSet() {
        QSettings settings;
        settings.setValue(QStringLiteral("window/theme"), 17);
        settings.setValue(QStringLiteral("preferences/textPercent"), 4000);
        settings.setValue(QStringLiteral("preferences/threads"), -2);
        settings.setValue(QStringLiteral("preferences/memoryGiB"), QStringLiteral("much"));
        QVERIFY(Preferences::load() == Preferences());
    }

    void filesAreNotWrittenWhereTheyWereOpened() {
        const QTemporaryDir texts;
        remembered::setFolder(texts.path());
        QVERIFY(remembered::outputFolder() != texts.path());
        QVERIFY(QDir(remembered::outputFolder()).exists());
        const QTemporaryDir exports;
        remembered::setOutputFolder(exports.path());
        QCOMPARE(remembered::outputFolder(), exports.path());
        QCOMPARE(remembered::folder(), texts.path());
    }

    void rememberingNothingForgetsAndKeepsForgetting() {
        RecentFiles::add(QStringLiteral("/data/a.txt"));
        remembered::setFolder(QStringLiteral("/data"));
        remembered::setOutputFolder(QStringLiteral("/data"));
        for (const char* key : {"window/layout", "window/tab", "window/open/limitsSection"}) {
            QSettings().setValue(QLatin1String(key), 1);
        }
        Preferences preferences;
        preferences.theme = ThemeChoice::dark;
        preferences.rememberNothing = true;
        preferences.save();
        QVERIFY(RecentFiles::list().isEmpty());
        RecentFiles::add(QStringLiteral("/data/b.txt"));
        remembered::setFolder(QStringLiteral("/data"));
        remembered::setOutputFolder(QStringLiteral("/data"));
        QVERIFY(RecentFiles::list().isEmpty());
        for (const char* key : {"window/layout", "window/tab", "window/open/limitsSection"}) {
            QVERIFY2(!QSettings().contains(QLatin1String(key)), key);
        }
        const QStringList keys = QSettings().allKeys();
        for (const QString& key : keys) {
            QVERIFY2(!QSettings().value(key).toString().contains(QStringLiteral("/data")),
                     qPrintable(key));
        }
        // The preferences themselves were asked for.
        QVERIFY(Preferences::load().theme == ThemeChoice::dark);
    }

    void textGrowsEverywhere() {
        QLabel plain(QStringLiteral("plain"));
        const std::unique_ptr<QLabel> hint(hintLabel(QStringLiteral("hint"), nullptr));
        plain.show();
        hint->show();
        const double plainSize = plain.font().pointSizeF();
        const double hintSize = hint->font().pointSizeF();
        applyTextSize(200);
        QTRY_COMPARE(plain.font().pointSizeF(), 2.0 * plainSize);
        QCOMPARE(hint->font().pointSizeF(), 2.0 * hintSize);
        applyTextSize(100);
        QTRY_COMPARE(plain.font().pointSizeF(), plainSize);
        QVERIFY(std::abs(hint->font().pointSizeF() - hintSize) < 1e-9);
    }

    /// Style sheets keep the font of the time when they were set, and tables their heights.
    void textGrowsInWhatIsShownAlready() {
        QWidget window;
        NoticeLine notice(&window);
        notice.present({Severity::info, QStringLiteral("text")});
        QTableView table(&window);
        table.horizontalHeader()->setStyleSheet(QStringLiteral("QHeaderView { color: red; }"));
        keepRowHeight(&table, 4);
        window.show();
        const auto* text = findControl<QLabel>(notice, "noticeTextLabel");
        const auto sizes = [&] {
            return std::vector<double>{text->font().pointSizeF(), table.font().pointSizeF(),
                                       table.horizontalHeader()->font().pointSizeF()};
        };
        const int rowHeight = table.verticalHeader()->defaultSectionSize();
        const std::vector<double> before = sizes();
        applyTextSize(200);
        QTRY_COMPARE(sizes(), (std::vector<double>(3, 2.0 * before.front())));
        QVERIFY(table.verticalHeader()->defaultSectionSize() > rowHeight + 6);
        applyTextSize(100);
        QTRY_COMPARE(sizes(), before);
        QCOMPARE(table.verticalHeader()->defaultSectionSize(), rowHeight);
    }

    void theDialogCutsNothingAtLargeText() {
        PreferencesDialog dialog{Preferences()};
        dialog.show();
        const auto isWhole = [&] {
            const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
            return std::all_of(labels.begin(), labels.end(), [](const QLabel* label) {
                return !label->isVisible() || !label->wordWrap() ||
                       label->height() >= label->heightForWidth(label->width());
            });
        };
        QVERIFY(isWhole());
        findControl<QSpinBox>(dialog, "textSizeSpinBox")->setValue(160);
        QTRY_VERIFY(isWhole());
        dialog.reject();
    }

    void theDialogTriesOutAndTakesBack() {
        Preferences before;
        before.theme = ThemeChoice::light;
        before.apply();
        const double size = QApplication::font().pointSizeF();
        PreferencesDialog dialog(before);
        findControl<QSpinBox>(dialog, "textSizeSpinBox")->setValue(150);
        auto* theme = findControl<QComboBox>(dialog, "themeComboBox");
        theme->setCurrentIndex(theme->findData(static_cast<int>(ThemeChoice::dark)));
        QVERIFY(themeFor(QApplication::palette()).dark);
        QVERIFY(QApplication::font().pointSizeF() > size);
        dialog.reject();
        QVERIFY(!themeFor(QApplication::palette()).dark);
        QCOMPARE(QApplication::font().pointSizeF(), size);
        QVERIFY(Preferences::load() == Preferences());
    }

    void theDialogKeepsWhatIsAccepted() {
        PreferencesDialog dialog(Preferences{});
        findControl<QSpinBox>(dialog, "threadsSpinBox")->setValue(1);
        findControl<QCheckBox>(dialog, "rememberNothingCheckBox")->setChecked(true);
        dialog.accept();
        QCOMPARE(Preferences::load().threads, 1);
        QVERIFY(Preferences::load().rememberNothing);
        QCOMPARE(defaultThreadCount(), 1);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void memoryIsWrittenWithAPoint_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("kept");
        QTest::addColumn<QString>("problem");
        QTest::newRow("point") << "0.5" << 0.5 << "";
        QTest::newRow("nothing set") << "0" << 0.0 << "";
        QTest::newRow("comma") << "0,5" << 2.0 << "write 0.5";
        QTest::newRow("too much") << "5000" << 2.0 << "from 0 to 4096";
        QTest::newRow("word") << "much" << 2.0 << "not a number";
    }
    void memoryIsWrittenWithAPoint() {
        QFETCH(const QString, text);
        QFETCH(const double, kept);
        QFETCH(const QString, problem);
        Preferences before;
        before.memoryGiB = 2.0;
        before.save();
        PreferencesDialog dialog(before);
        dialog.show();
        const auto* label = findControl<QLabel>(dialog, "preferencesProblemLabel");
        type(*findControl<QWidget>(dialog, "memoryField"), text);
        QCOMPARE(dialog.isVisible(), !problem.isEmpty());
        QVERIFY2(label->text().contains(problem), qPrintable(label->text()));
        QCOMPARE(label->text().isEmpty(), problem.isEmpty());
        QCOMPARE(Preferences::load().memoryGiB, kept);
    }

    void threadsThatAreNoNumberAreSeenBeforeTheDialogCloses() {
        Preferences before;
        before.threads = 3;
        PreferencesDialog dialog(before);
        dialog.show();
        const auto* label = findControl<QLabel>(dialog, "preferencesProblemLabel");
        type(*findControl<QWidget>(dialog, "threadsSpinBox"), QStringLiteral("1,5"));
        QVERIFY(dialog.isVisible());
        QVERIFY2(label->text().contains(QStringLiteral("is not a whole number")),
                 qPrintable(label->text()));
        QCOMPARE(dialog.preferences().threads, 3);
        dialog.accept();
        QVERIFY(!dialog.isVisible());
        QCOMPARE(Preferences::load().threads, 3);
    }

private:
    /// Types over what is there and presses Return, as for OK.
    static void type(QWidget& field, const QString& text) {
        field.setFocus();
        QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
    }
};

EPSILENS_UI_TEST(PreferencesTest)
#include "preferences_test.moc"
