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
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/number_field.h"
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

    void valuesOutOfRangeCountAsNotSet() {
        QSettings settings;
        settings.setValue(QStringLiteral("window/theme"), 17);
        settings.setValue(QStringLiteral("preferences/textPercent"), 4000);
        settings.setValue(QStringLiteral("preferences/threads"), -2);
        settings.setValue(QStringLiteral("preferences/memoryGiB"), QStringLiteral("much"));
        QVERIFY(Preferences::load() == Preferences());
    }

    void tenRecentFilesAreKeptNewestFirst() {
        const auto name = [](int i) { return QStringLiteral("/data/%1.txt").arg(i); };
        for (int i = 0; i < 12; ++i) {
            remembered::addRecentFile(name(i));
        }
        remembered::addRecentFile(name(5));
        QStringList expected{name(5)};
        for (const int i : {11, 10, 9, 8, 7, 6, 4, 3, 2}) {
            expected.append(name(i));
        }
        QCOMPARE(remembered::recentFiles(), expected);
        remembered::clearRecentFiles();
        QVERIFY(remembered::recentFiles().isEmpty());
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
        remembered::addRecentFile(QStringLiteral("/data/a.txt"));
        remembered::setFolder(QStringLiteral("/data"));
        remembered::setOutputFolder(QStringLiteral("/data"));
        for (const char* key : {"window/layout", "window/tab", "window/open/limitsSection"}) {
            QSettings().setValue(QLatin1String(key), 1);
        }
        Preferences preferences;
        preferences.theme = ThemeChoice::dark;
        preferences.rememberNothing = true;
        preferences.save();
        QVERIFY(remembered::recentFiles().isEmpty());
        remembered::addRecentFile(QStringLiteral("/data/b.txt"));
        remembered::setFolder(QStringLiteral("/data"));
        remembered::setOutputFolder(QStringLiteral("/data"));
        QVERIFY(remembered::recentFiles().isEmpty());
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

    /// Style sheets keep the font of the time when they were set, and tables their heights; fonts
    /// with a size of their own keep their share.
    void textGrowsInWhatIsShownAlready() {
        QWidget window;
        const QLabel* hint = hintLabel(QStringLiteral("hint"), &window);
        const double hintSize = hint->font().pointSizeF();
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
        QCOMPARE(hint->font().pointSizeF(), 2.0 * hintSize);
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
        theme->setCurrentIndex(static_cast<int>(ThemeChoice::dark));
        QVERIFY(themeFor(QApplication::palette()).dark);
        QVERIFY(QApplication::font().pointSizeF() > size);
        dialog.reject();
        QVERIFY(!themeFor(QApplication::palette()).dark);
        QCOMPARE(QApplication::font().pointSizeF(), size);
        QVERIFY(Preferences::load() == Preferences());
    }

    void theDialogKeepsWhatIsAccepted() {
        PreferencesDialog dialog(Preferences{});
        find<QComboBox>(dialog, "themeComboBox").setCurrentIndex(2);
        find<QSpinBox>(dialog, "textSizeSpinBox").setValue(130);
        find<QSpinBox>(dialog, "threadsSpinBox").setValue(1);
        find<NumberField>(dialog, "memoryField").setValue(1.5);
        find<QCheckBox>(dialog, "rememberNothingCheckBox").setChecked(true);
        dialog.accept();
        const Preferences expected{ThemeChoice::dark, 130, 1, 1.5, true};
        QVERIFY(dialog.preferences() == expected);
        QVERIFY(Preferences::load() == expected);
        QCOMPARE(defaultThreadCount(), 1);
        QCOMPARE(remembered::memoryLimitBytes(), std::uint64_t{1'610'612'736});
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
    template <typename T>
    static T& find(const QObject& dialog, const char* name) {
        return *findControl<T>(dialog, name);
    }
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
