#include "ui/widgets/theme.h"

#include <initializer_list>
#include <memory>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>

#include "tests/ui/support/contrast.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/value_slider.h"

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
        for (const QColor& line : {theme.nw, theme.sw, theme.pinned, theme.accent, theme.focus}) {
            QVERIFY(contrast(line, theme.surface) >= 3.0);
        }
        // Outlines of controls and grooves of sliders.
        for (const QColor& background : {theme.window, theme.surface}) {
            QVERIFY(contrast(palette.color(QPalette::Dark), background) >= 3.0);
        }
        for (int index = 0; index < 6; ++index) {
            QVERIFY2(contrast(theme.series(index), theme.surface) >= 3.0,
                     qPrintable(QString::number(index)));
        }
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void focusIsSeen_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::addColumn<QString>("control");
        for (const auto& [name, palette] :
             {std::pair{"light", lightPalette()}, std::pair{"dark", darkPalette()}}) {
            for (const char* control :
                 {"push button", "tool button", "raised tool button", "check box", "radio button",
                  "combo box", "field", "spin box", "tabs", "list", "selection", "slider",
                  "text"}) {
                QTest::addRow("%s, %s", control, name) << palette << QString::fromUtf8(control);
            }
        }
    }
    /// Pixels that the focus changes by at least 3 : 1 are as many as two sides of the smallest
    /// control have.
    void focusIsSeen() {
        QFETCH(const QPalette, palette);
        QFETCH(const QString, control);
        QWidget window;
        window.setPalette(palette);
        QLineEdit other(&window);
        QWidget* widget = made(control, window);
        widget->setGeometry(10, 40, 140, std::max(widget->sizeHint().height(), kLeastTarget));
        window.resize(200, 300);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        other.setFocus();
        QTRY_VERIFY(other.hasFocus());
        const QImage without = window.grab(widget->geometry()).toImage();
        widget->setFocus(Qt::ShortcutFocusReason);
        QTRY_VERIFY(widget->hasFocus());
        const QImage with = window.grab(widget->geometry()).toImage();
        int seen = 0;
        for (int y = 0; y < with.height(); ++y) {
            for (int x = 0; x < with.width(); ++x) {
                seen += contrast(with.pixelColor(x, y), without.pixelColor(x, y)) >= 3.0 ? 1 : 0;
            }
        }
        QVERIFY2(seen >= 2 * kLeastTarget, qPrintable(QString::number(seen)));
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

private:
    static QWidget* made(const QString& control, QWidget& window) {
        const QString text = QStringLiteral("text");
        if (control == QStringLiteral("push button")) {
            return new QPushButton(text, &window);
        }
        if (control.endsWith(QStringLiteral("tool button"))) {
            auto* button = new QToolButton(&window);
            button->setText(QStringLiteral("×"));
            button->setAutoRaise(control.startsWith(QStringLiteral("raised")));
            return button;
        }
        if (control == QStringLiteral("check box")) {
            return new QCheckBox(text, &window);
        }
        if (control == QStringLiteral("radio button")) {
            return new QRadioButton(text, &window);
        }
        if (control == QStringLiteral("combo box")) {
            return new QComboBox(&window);
        }
        if (control == QStringLiteral("field")) {
            return new QLineEdit(&window);
        }
        if (control == QStringLiteral("spin box")) {
            return new QSpinBox(&window);
        }
        if (control == QStringLiteral("slider")) {
            return new ValueSlider(&window);
        }
        if (control == QStringLiteral("tabs")) {
            auto* tabs = new QTabBar(&window);
            tabs->addTab(text);
            tabs->addTab(text);
            return tabs;
        }
        if (control == QStringLiteral("text")) {
            return new QPlainTextEdit(&window);
        }
        auto* list = new QListWidget(&window);
        list->addItems({text, text});
        list->setCurrentRow(0, control == QStringLiteral("selection")
                                   ? QItemSelectionModel::Select
                                   : QItemSelectionModel::NoUpdate);
        return list;
    }
};

EPSILENS_UI_TEST(ThemeTest)
#include "theme_test.moc"
