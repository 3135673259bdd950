#include "ui/widgets/theme.h"

#include <initializer_list>
#include <memory>

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
    void focusIsSeen_data() { contrastIsEnough_data(); }
    /// Pixels that the focus changes by at least 3 : 1 are as many as two sides of the smallest
    /// control have.
    void focusIsSeen() {
        QFETCH(const QPalette, palette);
        QWidget window;
        window.setPalette(palette);
        QLineEdit other(&window);
        const QList<QWidget*> controls = controlsIn(window);
        window.resize(200, kRowHeight * static_cast<int>(controls.size() + 1));
        for (int row = 0; row < controls.size(); ++row) {
            QWidget& control = *controls[row];
            control.setGeometry(10, kRowHeight * (row + 1), 140,
                                std::max(control.sizeHint().height(), kLeastTarget));
        }
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (QWidget* control : controls) {
            other.setFocus();
            QTRY_VERIFY(other.hasFocus());
            const QImage without = window.grab(control->geometry()).toImage();
            control->setFocus(Qt::ShortcutFocusReason);
            QTRY_VERIFY(control->hasFocus());
            const QImage with = window.grab(control->geometry()).toImage();
            int seen = 0;
            for (int y = 0; y < with.height(); ++y) {
                for (int x = 0; x < with.width(); ++x) {
                    seen +=
                        contrast(with.pixelColor(x, y), without.pixelColor(x, y)) >= 3.0 ? 1 : 0;
                }
            }
            QVERIFY2(seen >= 2 * kLeastTarget,
                     qPrintable(QString("%1 %2: %3")
                                    .arg(QLatin1String(control->metaObject()->className()))
                                    .arg(controls.indexOf(control))
                                    .arg(seen)));
        }
    }

    void whatIsClickedIsHighEnough() {
        applyTheme(ThemeChoice::light);
        QFont small = QApplication::font();
        small.setPointSizeF(6.0);
        for (QWidget* control : std::initializer_list<QWidget*>{
                 new QCheckBox("a"), new QRadioButton("a"), new QPushButton("a"), new QComboBox,
                 new QLineEdit, new QSpinBox}) {
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
    static constexpr int kRowHeight = 220;  ///< more than a list wants

    static QList<QWidget*> controlsIn(QWidget& window) {
        const QString text = "text";
        auto* raised = new QToolButton(&window);
        raised->setAutoRaise(true);
        auto* tabs = new QTabBar(&window);
        auto* list = new QListWidget(&window);
        auto* selection = new QListWidget(&window);
        for (int i = 0; i < 2; ++i) {
            tabs->addTab(text);
            list->addItem(text);
            selection->addItem(text);
        }
        list->setCurrentRow(0, QItemSelectionModel::NoUpdate);
        selection->setCurrentRow(0, QItemSelectionModel::Select);
        const QList<QAbstractButton*> buttons{new QPushButton(&window), new QToolButton(&window),
                                              raised, new QCheckBox(&window),
                                              new QRadioButton(&window)};
        QList<QWidget*> controls{tabs,
                                 list,
                                 selection,
                                 new QComboBox(&window),
                                 new QLineEdit(&window),
                                 new QSpinBox(&window),
                                 new ValueSlider(&window),
                                 new QPlainTextEdit(&window)};
        for (QAbstractButton* button : buttons) {
            button->setText(text);
            controls.append(button);
        }
        return controls;
    }
};

EPSILENS_UI_TEST(ThemeTest)
#include "theme_test.moc"
