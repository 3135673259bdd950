#include "ui/shell/preferences.h"

#include <algorithm>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>

#include "core/base/parallel.h"
#include "tests/ui/support/ui_test.h"
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
        PreferencesDialog dialog;
        dialog.show();
        const auto isWhole = [&] {
            const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
            return std::all_of(labels.begin(), labels.end(), [](const QLabel* label) {
                return !label->isVisible() || !label->wordWrap() ||
                       label->height() >= label->heightForWidth(label->width());
            });
        };
        QVERIFY(isWhole());
        applyTextSize(160);
        QTRY_VERIFY(isWhole());
    }

    void theDialogKeepsWhatIsAccepted() {
        const Preferences before = Preferences::load();
        PreferencesDialog dialog;
        find<QComboBox>(dialog, "themeComboBox").setCurrentIndex(2);
        find<NumberField>(dialog, "textSizeField").setValue(130);
        find<NumberField>(dialog, "threadsField").setValue(1);
        find<NumberField>(dialog, "memoryField").setValue(1.5);
        find<QCheckBox>(dialog, "rememberNothingCheckBox").setChecked(true);
        QVERIFY(Preferences::load() == before);
        dialog.accept();
        const Preferences expected{ThemeChoice::dark, 130, 1, 1.5, true};
        QVERIFY(Preferences::load() == expected);
        QCOMPARE(defaultThreadCount(), 1);
        QCOMPARE(remembered::memoryLimitBytes(), std::uint64_t{1'610'612'736});
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void numbersThatAreNoneAreSeenBeforeTheDialogCloses_data() {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("kept");
        QTest::addColumn<QString>("problem");
        const QByteArray memory = "memoryField";
        QTest::newRow("point") << memory << "0.5" << 0.5 << "";
        QTest::newRow("nothing set") << memory << "0" << 0.0 << "";
        QTest::newRow("comma") << memory << "0,5" << 2.0 << "write 0.5";
        QTest::newRow("too much") << memory << "5000" << 2.0 << "from 0 to 4096";
        QTest::newRow("word") << memory << "much" << 2.0 << "not a number";
        QTest::newRow("threads") << QByteArray("threadsField") << "1,5" << 2.0 << "a whole number";
    }
    void numbersThatAreNoneAreSeenBeforeTheDialogCloses() {
        QFETCH(const QByteArray, field);
        QFETCH(const QString, text);
        QFETCH(const double, kept);
        QFETCH(const QString, problem);
        Preferences before;
        before.memoryGiB = 2.0;
        before.save();
        PreferencesDialog dialog;
        dialog.show();
        const auto* label = findControl<QLabel>(dialog, "preferencesProblemLabel");
        type(*findControl<QWidget>(dialog, field), text);
        QCOMPARE(dialog.isVisible(), !problem.isEmpty());
        QVERIFY2(label->text().contains(problem), qPrintable(label->text()));
        QCOMPARE(label->text().isEmpty(), problem.isEmpty());
        QCOMPARE(Preferences::load().memoryGiB, kept);
        QCOMPARE(Preferences::load().threads, 0);
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
