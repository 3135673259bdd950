#include "ui/common/theme.h"

#include <initializer_list>
#include <memory>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>

#include "tests/ui/support/contrast.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;
using epsilens::test::contrast;

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void darkIsSeenInThePalette() {
        QVERIFY(!themeFor(lightPalette()).dark);
        QVERIFY(themeFor(darkPalette()).dark);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void contrastIsEnough_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << lightPalette();
        QTest::newRow("dark") << darkPalette();
    }
    void contrastIsEnough() {
        QFETCH(const QPalette, palette);
        const Theme theme = themeFor(palette);
        // Text at least 4.5 : 1, lines at least 3 : 1 (WCAG 2.1, 1.4.3 and 1.4.11).
        for (const QColor& background : {theme.window, theme.surface}) {
            QVERIFY(contrast(theme.text, background) >= 4.5);
            QVERIFY(contrast(theme.mutedText, background) >= 4.5);
            QVERIFY(contrast(theme.warning, background) >= 4.5);
            QVERIFY(contrast(theme.error, background) >= 4.5);
        }
        QVERIFY(contrast(palette.color(QPalette::HighlightedText),
                         palette.color(QPalette::Highlight)) >= 4.5);
        for (const QColor& background :
             {theme.noticeInfo, theme.noticeWarning, theme.noticeError}) {
            QVERIFY(contrast(theme.text, background) >= 4.5);
        }
        for (const QColor& line : {theme.nw, theme.sw, theme.pinned, theme.accent}) {
            QVERIFY(contrast(line, theme.surface) >= 3.0);
        }
        for (int index = 0; index < 6; ++index) {
            QVERIFY2(contrast(theme.series(index), theme.surface) >= 3.0,
                     qPrintable(QString::number(index)));
        }
    }

    void whatIsClickedIsHighEnough() {
        applyTheme(ThemeChoice::light);
        QFont small = QApplication::font();
        small.setPointSizeF(6.0);
        for (QWidget* control : std::initializer_list<QWidget*>{
                 new QCheckBox(QStringLiteral("a")), new QRadioButton(QStringLiteral("a")),
                 new QPushButton(QStringLiteral("a")), new QComboBox, new QLineEdit,
                 new QSpinBox}) {
            const std::unique_ptr<QWidget> owner(control);
            control->setFont(small);
            QVERIFY2(control->sizeHint().height() >= 24, control->metaObject()->className());
        }
    }

    void seriesRepeatAfterSix() {
        const Theme theme = themeFor(lightPalette());
        QCOMPARE(theme.series(6), theme.series(0));
        for (int index = 1; index < 6; ++index) {
            QVERIFY(theme.series(index) != theme.series(0));
        }
    }
};

EPSILENS_UI_TEST(ThemeTest)
#include "theme_test.moc"
