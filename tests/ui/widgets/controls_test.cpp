#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>

#include "tests/ui/support/ui_test.h"
#include "ui/plot/plot_widget.h"
#include "ui/state/output_mark.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

// The epsilon slider of a file whose default is 10: six decades around it, four digits.
constexpr ValueScale kEpsilon{ValueScale::Kind::logarithmic, 0.01, 10'000.0, 0.0, 4};
constexpr ValueScale kLambda{ValueScale::Kind::linear, 0.0, 1.0, 0.01, 0};
constexpr ValueScale kDraws{ValueScale::Kind::logarithmic, 10.0, 10'000.0, 0.0, 0};

bool isNear(double value, double expected, double tolerance) {
    return std::abs(value - expected) < tolerance;
}

/// Returns whether it took it.
bool turnWheel(QWidget& widget, int angle) {
    const QPointF centre = QRectF(widget.rect()).center();
    QWheelEvent event(centre, widget.mapToGlobal(centre), {}, QPoint(0, angle), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
    return event.isAccepted();
}

}  // namespace

class NumbersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_slider = std::make_unique<ValueSlider>();
        m_slider->setScale(kEpsilon);
        m_slider->setValue(10.0);
        m_slider->resize(300, 28);
        m_slider->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_slider.get()));
    }

    void textIsTakenOrRefusedWithItsReason_data() {
        QTest::addColumn<bool>("isWhole");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem");
        const QString range = "draws must be a whole number from 10 to 10000";
        // As the window itself writes large numbers.
        QTest::newRow("thousands") << true << "1,000" << range + "; write 1000";
        for (const char* text : {"12,5", "12.5", "10001", "ten", "-1", "0"}) {
            QTest::newRow(text) << true << text << range;
        }
        QTest::newRow("whole") << true << "1000" << QString();
        for (const char* text : {"0", "-1", "inf", "1e400"}) {
            QTest::newRow(text) << false << text << "ε";
        }
        QTest::newRow("not a number") << false << "nan"
                                      << "ε";
        QTest::newRow("words") << false << "ten"
                               << "not a number";
        QTest::newRow("nothing") << false << " "
                                 << "not a number";
        QTest::newRow("comma") << false << "0,5"
                               << "write 0.5";
        QTest::newRow("any") << false << "250000.5" << QString();
    }
    void textIsTakenOrRefusedWithItsReason() {
        QFETCH(const bool, isWhole);
        QFETCH(const QString, text);
        QFETCH(const QString, problem);
        constexpr double kMost = std::numeric_limits<double>::max();
        NumberField field(isWhole ? NumberField::Limits{10.0, 10'000.0, false, true, "draws"}
                                  : NumberField::Limits{0.0, kMost, true, false, "ε"});
        field.setValue(100.0);
        const QSignalSpy edited(&field, &NumberField::valueEdited);
        field.selectAll();
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
        QVERIFY(test::holds(field.problem(), problem));
        QCOMPARE(field.problem().isEmpty(), problem.isEmpty());
        QCOMPARE(field.value(), problem.isEmpty() ? text.toDouble() : 100.0);
        QCOMPARE(edited.count(), problem.isEmpty() ? 1 : 0);
        // What is refused stays in sight until Escape.
        QCOMPARE(field.text(), text);
        QTest::keyClick(&field, Qt::Key_Escape);
        QCOMPARE(field.text(), problem.isEmpty() ? text : "100");
        QVERIFY(field.problem().isEmpty());
    }

    void positionsAreLogarithmic() {
        QCOMPARE(kEpsilon.position(0.01), 0.0);
        QCOMPARE(kEpsilon.position(10.0), 0.5);  // three of six decades above the low end
        QCOMPARE(kEpsilon.position(10'000.0), 1.0);
        QCOMPARE(kEpsilon.position(1e-9), 0.0);
        QCOMPARE(kEpsilon.position(1e9), 1.0);
        QCOMPARE(kEpsilon.at(0.5), 10.0);
    }

    void logarithmicStepsAreHundredthsOfADecade() {
        // 10^0.01 = 1.0232930 and 10^0.1 = 1.2589254 (tables of powers of ten).
        QVERIFY(isNear(kEpsilon.stepped(10.0, 1), 10.232930, 1e-6));
        QVERIFY(isNear(kEpsilon.stepped(10.0, 10), 12.589254, 1e-6));
        QVERIFY(isNear(kEpsilon.stepped(kEpsilon.stepped(10.0, 7), -7), 10.0, 1e-12));
        QCOMPARE(kEpsilon.stepped(10'000.0, 1), 10'000.0);
        QCOMPARE(kEpsilon.stepped(0.01, -1), 0.01);
        // From a typed value beyond the ends, and no farther out.
        QVERIFY(isNear(kEpsilon.stepped(1e6, -1), 1e6 / 1.0232930, 1.0));
        QCOMPARE(kEpsilon.stepped(1e6, 1), 1e6);
        QVERIFY(isNear(kEpsilon.stepped(1e-6, 1), 1.0232930e-6, 1e-12));
        QCOMPARE(kEpsilon.stepped(1e-6, -1), 1e-6);
    }

    /// Riemannian noise in 100 dimensions exists above 99 only: a step moves what exceeds it.
    void stepsAboveABoundAreOfWhatExceedsIt() {
        constexpr ValueScale scale{ValueScale::Kind::logarithmic, 99.1, 199.0, 0.0, 4, 99.0};
        QVERIFY(isNear(scale.stepped(109.0, 1), 99.0 + 10.232930, 1e-6));
        QVERIFY(isNear(scale.stepped(109.0, -10), 99.0 + 10.0 / 1.2589254, 1e-6));
        QCOMPARE(scale.stepped(99.2, -1000), 99.1);
        // Positions go by its logarithm, of 0.1 to 100.
        QVERIFY(isNear(scale.position(99.0 + std::sqrt(10.0)), 0.5, 1e-12));
        QVERIFY(isNear(scale.at(0.5), 99.0 + std::sqrt(10.0), 1e-9));
        QCOMPARE(scale.position(99.0), 0.0);
        QCOMPARE(scale.rounded(99.123456), 99.1235);
    }

    void roundedStepsMoveAndStayOnTheGrid() {
        // 10 × 1.023 rounds to 10 again, so the step has to be one.
        QCOMPARE(kDraws.rounded(kDraws.stepped(10.0, 1)), 11.0);
        QCOMPARE(kDraws.rounded(kDraws.stepped(11.0, -1)), 10.0);
        QCOMPARE(kDraws.rounded(kDraws.stepped(1000.0, 1)), 1023.0);
        double value = 0.0;
        for (int step = 0; step < 29; ++step) {
            value = kLambda.stepped(value, 1);
        }
        QVERIFY(value == 0.29);  // the double that "0.29" reads as, not 29 additions of 0.01
        QVERIFY(kLambda.stepped(0.95, 10) == 1.0);
        QVERIFY(kEpsilon.rounded(10.23293) == 10.23);
        QVERIFY(kEpsilon.rounded(0.0123456) == 0.01235);
        QVERIFY(kEpsilon.rounded(98765.4) == 98770.0);
    }

    void keysMultiply() {
        const QSignalSpy moved(m_slider.get(), &ValueSlider::valueChanged);
        for (const auto& [key, value] : {std::pair{Qt::Key_Right, 10.23},
                                         {Qt::Key_Left, 10.0},
                                         {Qt::Key_PageUp, 12.59},
                                         {Qt::Key_PageDown, 10.0},
                                         {Qt::Key_End, 10'000.0},
                                         {Qt::Key_Home, 0.01}}) {
            QTest::keyClick(m_slider.get(), key);
            QCOMPARE(m_slider->value(), value);
        }
        QCOMPARE(moved.count(), 6);
        m_slider->setValue(10.0);
        for (const Qt::Key key : {Qt::Key_Up, Qt::Key_Down}) {
            for (int i = 0; i < 50; ++i) {
                QTest::keyClick(m_slider.get(), key);
            }
        }
        QCOMPARE(m_slider->value(), 10.0);
    }

    void mouseAndWheelSetTheValue() {
        m_slider->setValue(5.0);
        QTest::mouseClick(m_slider.get(), Qt::LeftButton, {}, QPoint(150, 14));
        QCOMPARE(m_slider->value(), 10.0);  // the middle of the groove is the middle of the scale
        m_slider->clearFocus();
        turnWheel(*m_slider, 120);
        QCOMPARE(m_slider->value(), 10.0);
        m_slider->setFocus();
        QTRY_VERIFY(m_slider->hasFocus());
        turnWheel(*m_slider, 120);
        QCOMPARE(m_slider->value(), 10.23);
        QTest::mouseClick(m_slider.get(), Qt::LeftButton, {}, QPoint(299, 14));
        QCOMPARE(m_slider->value(), 10'000.0);
    }

    void settingAValueSaysNothingAndKeepsItExact() {
        const QSignalSpy moved(m_slider.get(), &ValueSlider::valueChanged);
        m_slider->setValue(123'456.789);  // typed, beyond the slider
        QCOMPARE(m_slider->value(), 123'456.789);
        QCOMPARE(moved.count(), 0);
    }

    void textSurvivesBothWaysAndNumbersUseThePoint() {
        const std::string words = "naïve 漢字 ε";
        QCOMPARE(toStd(toQString(words)), words);
        QCOMPARE(significant(0.05, 2), "0.050");
        QCOMPARE(shortest(0.5), "0.5");
        QCOMPARE(counted(400'000), "400,000");
    }

    void durationsHaveTwoUnitsAtMost() {
        for (const auto& [seconds, text] :
             {std::pair{0.04, "under 0.1 s"},
              {0.84, "0.8 s"},
              {9.96, "10 s"},
              {59.6, "1 min 0 s"},
              {200.0, "3 min 20 s"},
              {7'260.0, "2 h 1 min"},
              {std::numeric_limits<double>::quiet_NaN(), "unknown"}}) {
            QCOMPARE(duration(seconds), text);
        }
    }

private:
    std::unique_ptr<ValueSlider> m_slider;
};

/// What is done for all controls alike: focus, keys, wheel, room.
class WidgetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPlotShowsTheFocusAndLetsItGo() {
        frameFocus();
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* field = new QLineEdit(&window);
        auto* plot = new PlotWidget(&window);
        layout->addWidget(field);
        layout->addWidget(plot);
        window.resize(400, 300);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        // The corners have the theme's colour of the focus.
        const auto isFramed = [plot] {
            const QImage image = plot->grab().toImage();
            const QRgb focus = themeOf(plot).focus.rgb();
            return image.pixel(0, 0) == focus && image.pixel(image.width() - 1, 0) == focus &&
                   image.pixel(image.width() - 1, image.height() - 1) == focus;
        };
        field->setFocus();
        QTRY_VERIFY(field->hasFocus() && !isFramed());
        plot->setFocus();
        QTRY_VERIFY(isFramed());
        window.resize(500, 350);
        QTRY_VERIFY(isFramed());
        // The mouse reaches what is framed.
        QVERIFY(plot->childAt(QPoint())->objectName() != "focusFrame");
        field->setFocus();
        QTRY_VERIFY(!isFramed());
        plot->setProperty(kShowsFocus, true);
        plot->setFocus();
        QTRY_VERIFY(plot->hasFocus() && !isFramed());
    }

    void arrowsMoveADivider() {
        arrowsMove(Qt::Horizontal, Qt::Key_Left, Qt::Key_Right);
        arrowsMove(Qt::Vertical, Qt::Key_Up, Qt::Key_Down);
    }

    void unfocusedListsIgnoreTheWheel() {
        QComboBox box;
        box.addItems({"one", "two"});
        guardWheel(&box);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        box.clearFocus();
        QVERIFY(!turnWheel(box, -120) && box.currentIndex() == 0);
        box.setFocus();
        QTRY_VERIFY(box.hasFocus());
        QVERIFY(turnWheel(box, -120) && box.currentIndex() == 1);
    }

    /// A label that becomes longer after the page was shown would be cut off.
    void aPageScrollsToWhatItsContentNeedsLater() {
        QWidget window;
        auto* content = new QWidget;
        auto* label = new QLabel("short", content);
        (new QVBoxLayout(content))->addWidget(label);
        QScrollArea* area = scrolledPage(content, &window);
        (new QVBoxLayout(&window))->addWidget(area);
        window.setFixedSize(200, 100);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QScrollBar& across = *area->horizontalScrollBar();
        QCOMPARE(across.maximum(), 0);
        label->setMinimumSize(400, 300);
        QTRY_VERIFY(across.maximum() > 0 && area->verticalScrollBar()->maximum() > 0);
        QVERIFY(label->mapTo(area->widget(), label->rect().bottomRight()).x() <
                area->viewport()->width() + across.maximum());
        label->setMinimumSize(0, 0);
        QTRY_COMPARE(across.maximum(), 0);
    }

    /// A text that fits in so many lines only where there is no scroll bar: at every width all of
    /// the page is in sight, or can be scrolled to.
    void nothingIsOutOfReachAtAnyWidth() {
        QWidget window;
        auto* content = new QStackedWidget;
        auto* page = new QWidget(content);
        content->addWidget(page);
        auto* column = new QVBoxLayout(page);
        auto* label = new QLabel("one two three four five six seven eight", page);
        label->setWordWrap(true);
        auto* fixed = new QWidget(page);
        column->addWidget(fixed);
        column->addWidget(label);
        auto* outer = new QVBoxLayout(&window);
        outer->setContentsMargins(0, 0, 0, 0);
        QScrollArea* area = scrolledPage(content, &window);
        outer->addWidget(area);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        for (int width = 120; width < 400; width += 3) {
            window.setFixedSize(width, 200);
            // So that the text just fits if nothing stands beside it.
            fixed->setFixedHeight(20);
            const int others = column->totalHeightForWidth(width) - 20;
            fixed->setFixedHeight(200 - others);
            // It comes when the page is shown already.
            const QString text = label->text();
            for (const QString& shown : {QString("one"), text}) {
                label->setText(shown);
                test::letPass(1);
            }
            const QSize beyond = area->widget()->size() - area->viewport()->size();
            const QScrollBar& down = *area->verticalScrollBar();
            const int across = area->horizontalScrollBar()->maximum();
            QVERIFY2(beyond.height() <= down.maximum() && beyond.width() <= across &&
                         (beyond.width() == 0 || across > 0) &&
                         (down.maximum() == 0 || down.isVisible()),
                     qPrintable(QString::number(width)));
        }
    }

private:
    static void arrowsMove(Qt::Orientation orientation, Qt::Key towardsFirst,
                           Qt::Key towardsSecond) {
        QSplitter splitter(orientation);
        auto* first = new QWidget(&splitter);
        first->setFocusPolicy(Qt::StrongFocus);
        auto* second = new QWidget(&splitter);
        second->setMinimumSize(100, 100);
        splitter.setChildrenCollapsible(false);
        moveWithKeys(splitter, "Divider");
        splitter.resize(600, 600);
        splitter.show();
        splitter.activateWindow();
        splitter.setSizes({300, 300});
        QVERIFY(QTest::qWaitForWindowExposed(&splitter));
        first->setFocus();
        QTRY_VERIFY(first->hasFocus());
        QTest::keyClick(first, Qt::Key_Tab);
        QSplitterHandle* divider = splitter.handle(1);
        QTRY_VERIFY(divider->hasFocus());
        QCOMPARE(divider->accessibleName(), "Divider");
        const int before = splitter.sizes().first();
        QTest::keyClick(divider, towardsSecond);
        QVERIFY(splitter.sizes().first() > before);
        QTest::keyClick(divider, towardsFirst);
        QCOMPARE(splitter.sizes().first(), before);
        for (int i = 0; i < 100; ++i) {
            QTest::keyClick(divider, towardsSecond);
        }
        QCOMPARE(splitter.sizes().last(), 100);
    }
};

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
                 new QCheckBox("a"), new QPushButton("a"), new QComboBox, new QLineEdit}) {
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
                                              raised, new QCheckBox(&window)};
        QList<QWidget*> controls{tabs,
                                 list,
                                 selection,
                                 new QComboBox(&window),
                                 new QLineEdit(&window),
                                 new ValueSlider(&window),
                                 new QPlainTextEdit(&window)};
        for (QAbstractButton* button : buttons) {
            button->setText(text);
            controls.append(button);
        }
        return controls;
    }
};

EPSILENS_UI_TEST(NumbersTest)
EPSILENS_UI_TEST(WidgetsTest)
EPSILENS_UI_TEST(ThemeTest)
#include "controls_test.moc"
