#include <cmath>
#include <memory>

#include "core/report/memo_words.h"
#include "tests/ui/support/state_driver.h"
#include "ui/dial/dial_model.h"
#include "ui/dial/dial_panel.h"
#include "ui/dial/dial_view.h"
#include "ui/state/current_measurement.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

namespace {

/// A dial's model with all that it stands on.
struct DialParts : test::Stated {
    JobBoard jobs{};
    LimitVerdicts limits{state};
    GuaranteeModel guarantee{state};
    CurrentMeasurement measurement{state, jobs};
    EpsilonSearch search{state, limits, measurement};
    DialModel model{state, guarantee, search, measurement};

    void measure() {
        open();
        QTRY_VERIFY(measurement.isCurrent());
    }
    /// Some words at the present draws, under the present mechanism or another one.
    [[nodiscard]] calibration::MeasurementHandle measureRows(
        const std::vector<embedding::Row>& rows,
        const std::optional<mechanism::Mechanism>& mechanism = {}) const {
        calibration::MeasurementOptions options = measurement.result()->options();
        options.words = {calibration::WordSelection::Kind::list, 0, rows};
        options.mechanism = mechanism.value_or(options.mechanism);
        return calibration::measure(*state.searchSpace(), options).value();
    }
    [[nodiscard]] const DialPicture& picture() const { return model.picture(); }
    [[nodiscard]] const DialReading& reading() const { return model.reading(); }
};

/// Of 100 words at an epsilon.
[[nodiscard]] report::Hundredths countsOf(const calibration::Measurement& measured,
                                          double epsilon) {
    const auto shares = measured.sharesAt(epsilon);
    return report::hundredthsOf(shares.kept, shares.near, shares.far);
}

}  // namespace

class DialModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// e^5.1 = 164.02; e^87.4 = 9.03 × 10^37, beyond what is worth naming. exp(2.3) = 9.974 and
    /// exp(10) = 22026.5 (tables of the exponential) are rounded up.
    void promisesAreSaidInWords() {
        const auto said = [](double loss) { return promiseText(loss, 2.04, "a<b", "heart"); };
        QCOMPARE(said(5.1),
                 "Promised to anyone a text is about, per word: seeing the output "
                 "changes the odds of <i>a&lt;b</i> against <i>heart</i> (distance "
                 "2.0) by at most <b>×165</b>, whatever readers know besides: "
                 "who held both equally likely could be 99.4% sure. "
                 "<a href=\"promise\">Why does it look private?</a>");
        // 9.974 of 10.974; 22026.5 of 22027.5
        QVERIFY(said(2.3).contains("×9.98<"));
        QVERIFY(said(2.3).contains(" who held both equally likely could be 90.9%"));
        // 1 / 22027.5 = 0.00454%
        QVERIFY(said(10.0).contains(" 99.996% sure. <a "));
        QVERIFY(said(10.0).contains("×22,100<"));
        QVERIFY(said(std::log(1e6)).contains("×1,000,000<"));
        const QString none = said(87.4);
        for (const char* part : {"Promised to anyone a text is about, per word: ",
                                 "no useful bound", "up to 10³⁸", "<a href"}) {
            QVERIFY(test::holds(none, QString::fromUtf8(part)));
        }
        QCOMPARE(shortPromise(5.1), "odds change by at most ×165");
        QCOMPARE(shortPromise(std::log(1.1e6)), "no useful bound: up to 10⁷");
    }

    void whatIsSaidFollowsTheCursorAndTheMeasurement() {
        DialParts f;
        QVERIFY(f.picture().shares.epsilons.empty());
        f.open(test::toyEmbedding());
        QCOMPARE(f.reading().survive, "Measuring…");
        QTRY_VERIFY(f.measurement.isCurrent());
        for (const double epsilon : {0.5, 2.0, 8.0}) {
            f.chooseEpsilon(epsilon);
            const auto counts = countsOf(*f.measurement.result(), epsilon);
            QCOMPARE(f.reading().survive,
                     QString("%1 of 100 words of the vocabulary survive").arg(counts.kept));
            QCOMPARE(f.reading().replaced,
                     QString("%1 become a near word, %2 a far one; each word counts once")
                         .arg(counts.near)
                         .arg(counts.far));
            QVERIFY(f.reading().spoken.startsWith(f.reading().survive));
            QVERIFY(
                f.reading().line.contains("<br>Promised to anyone a text is about, per word: "));
        }
    }

    void ownTextsAreShownInPlaceOfTheVocabulary() {
        DialParts f;
        f.measure();
        const QString before = f.reading().survive;
        const std::vector<double> ofVocabulary = f.picture().shares.kept;
        const auto measured = f.measureRows({0});
        f.model.setOwnText(MeasuredText{measured, "mine.tsv", 200});
        QCOMPARE(f.reading().survive, QString("%1 of 100 words of mine.tsv survive")
                                          .arg(countsOf(*measured, f.state.epsilon()).kept));
        QVERIFY(f.reading().line.contains("mine.tsv"));
        QVERIFY(f.reading().other.contains("vocabulary"));
        QVERIFY(f.picture().shares.kept != ofVocabulary);
        QCOMPARE(f.picture().halfKept.size(), std::size_t{1});
        f.model.showOwnText(false);
        QCOMPARE(f.reading().survive, before);
        QVERIFY(f.picture().shares.kept == ofVocabulary);
        // What is so different that another ε would be chosen is not overlooked.
        int notable = 0;
        const std::vector<double> epsilons{0.1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 1e6};
        for (const double epsilon : epsilons) {
            f.chooseEpsilon(epsilon);
            const bool isNotable = std::abs(countsOf(*measured, epsilon).kept -
                                            countsOf(*f.measurement.result(), epsilon).kept) >= 10;
            notable += isNotable ? 1 : 0;
            QVERIFY(f.reading().other.contains("Of mine.tsv "));
            QCOMPARE(f.reading().other.startsWith("<b>⚠ "), isNotable);
        }
        QVERIFY(notable > 0 && notable < static_cast<int>(epsilons.size()));
        f.model.setOwnText(std::nullopt);
        QVERIFY(f.reading().other.isEmpty());
    }

    /// Against a measurement of the pinned setting made without the dial.
    void thePinnedSettingIsMeasuredOnTheWordsThatAreShown() {
        DialParts f;
        f.choose(mechanism::Mahalanobis());
        f.measure();
        QVERIFY(!f.picture().pin && f.reading().pinned.isEmpty());
        f.state.edit(&AnalysisSettings::pin, mechanism::Setting{mechanism::Laplace(), 6.0});
        const auto checkAgainst = [&f](const calibration::MeasurementHandle& own) {
            QVERIFY(f.picture().pin->shares.kept.empty());
            QVERIFY(f.reading().pinned.contains("ε 6, not measured"));
            QTRY_VERIFY(!f.picture().pin->shares.kept.empty());
            const DialShares& drawn = f.picture().pin->shares;
            for (std::size_t i = 0; i < drawn.epsilons.size(); i += 100) {
                QCOMPARE(drawn.kept[i], own->sharesAt(drawn.epsilons[i]).kept);
            }
            QCOMPARE(f.reading().pinned,
                     QString("Grey and dashed, the pinned setting A: ε 6, %1 of 100 words "
                             "survive")
                         .arg(countsOf(*own, 6.0).kept));
        };
        calibration::MeasurementOptions options = f.measurement.result()->options();
        options.mechanism = mechanism::Laplace();
        checkAgainst(calibration::measure(*f.state.searchSpace(), options).value());
        QCOMPARE(f.picture().pin->name, "pinned A");
        // Beside own texts it is of their words.
        f.model.setOwnText(MeasuredText{f.measureRows({0, 3}), "mine.tsv", 200});
        checkAgainst(f.measureRows({0, 3}, mechanism::Laplace()));
        // The same mechanism at another epsilon is measured already.
        f.state.edit(&AnalysisSettings::pin, f.state.setting());
        QVERIFY(f.picture().pin->shares.kept == f.picture().shares.kept);
        f.state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(!f.picture().pin && f.reading().pinned.isEmpty());
    }

    /// The ruler of Laplace: the odds of two words at distance d change by at most e^(epsilon d).
    void theRulerMarksWhereTheOddsAre() {
        DialParts f;
        f.choose(mechanism::Laplace{});
        f.open(test::toyEmbedding());
        const RowMatrixF& vectors = f.state.embedding()->vectors();
        const double distance = (vectors.row(0) - vectors.row(1)).norm();
        const auto& marks = f.picture().marks;
        QCOMPARE(marks.size(), std::size_t{4});
        QCOMPARE(marks[1].text, "×10");
        QCOMPARE(marks[3].text, "×10⁶");
        QVERIFY(std::abs(marks[1].epsilon - std::log(10.0) / distance) < 1e-5);
        const double unbounded = *f.picture().unboundedFrom;
        QVERIFY(std::abs(unbounded - std::log(1e6) / distance) < 1e-5);
        // 10^(6 · 1.9) is at most 10¹².
        f.chooseEpsilon(1.9 * unbounded);
        QVERIFY(f.reading().promise.contains("up to 10¹²"));
        f.chooseEpsilon(0.5 * unbounded);
        QVERIFY(f.reading().promise.contains("by at most <b>×"));
    }

    void anEarlierSettingIsGreyAndHasNoLimits() {
        DialParts f;
        f.limit("nw.p95<=60%");
        f.open(test::toyEmbedding());
        QTRY_VERIFY(f.picture().largestWithin);
        QCOMPARE(f.picture().outside.front().low, *f.picture().largestWithin);
        f.choose(mechanism::Tem{});
        QVERIFY(f.picture().isOutdated && !f.picture().shares.epsilons.empty());
        QVERIFY(!f.picture().largestWithin && f.picture().outside.empty());
        QVERIFY(!f.reading().limits.contains("✓"));
        // In closed form they are drawn on another thread.
        QTRY_VERIFY(f.picture().largestWithin && !f.picture().isOutdated);
        const DialShares& drawn = f.picture().shares;
        for (const std::size_t i : {std::size_t{0}, drawn.epsilons.size() / 2}) {
            const auto there = f.measurement.result()->sharesAt(drawn.epsilons[i]);
            QVERIFY(std::abs(drawn.kept[i] - there.kept) < 1e-12);
            QVERIFY(std::abs(drawn.near[i] - there.near) < 1e-12);
        }
    }
};

class DialViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_view = std::make_unique<DialView>();
        DialPicture picture = axisOnly();
        picture.shares = {{0.1, 10.0, 1000.0}, {0.0, 0.5, 1.0}, {0.0, 0.2, 0.0}};
        picture.marks = {{0.5, "×2"}, {4.0, "×1,000"}};
        picture.unboundedFrom = 8.0;
        picture.outside = {{20.0, 100.0}};
        picture.largestWithin = 20.0;
        picture.halfKept = {5.0, 10.0, 11.0};
        m_view->setPicture(picture);
        m_view->showEpsilon(10.0);
        m_view->resize(600, 240);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    }

    void thePinnedSettingIsDrawn() {
        DialPicture picture = m_view->picture();
        const auto drawnWith = [&](const std::optional<DialPin>& pin) {
            picture.pin = pin;
            return drawn(picture);
        };
        const DialShares shares{{0.1, 3.0, 1000.0}, {0.0, 0.5, 1.0}, {0.0, 0.0, 0.0}};
        const QImage without = drawnWith(std::nullopt);
        const QImage marked = drawnWith(DialPin{30.0, "A", {}});
        const QImage measured = drawnWith(DialPin{30.0, "A", shares});
        const QImage beyond = drawnWith(DialPin{5'000.0, "A", shares});
        QVERIFY(marked != without && measured != marked && beyond != measured);
    }

    void keysMoveTheCursorByTheStepsOfASlider() {
        const QSignalSpy moved(m_view.get(), &DialView::valueChanged);
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QCOMPARE(m_view->value(), 10.2);  // 10 × 10^0.01 = 10.23, to three digits
        m_view->showEpsilon(10.0);
        QTest::keyClick(m_view.get(), Qt::Key_PageUp);
        QCOMPARE(m_view->value(), 12.6);  // 10 × 10^0.1 = 12.59
        QTest::keyClick(m_view.get(), Qt::Key_Home);
        QCOMPARE(m_view->value(), 1.0);
        QCOMPARE(moved.count(), 3);
    }

    void aMarkBeyondTheRightEndIsNamedThere() {
        DialPicture picture = axisOnly();
        picture.marks = {{2.0, "×2"}};
        const QRect end = layout().ruler.toAlignedRect().adjusted(400, 0, 0, 0);
        const QImage without = drawn(picture).copy(end);
        picture.marks.push_back({400.0, "×10"});
        QVERIFY(drawn(picture).copy(end) != without);
    }

    void largeLettersLeaveOutWhatDoesNotFit() {
        const auto drawnWith = [this](const QString& mark) {
            DialPicture picture = m_view->picture();
            picture.marks = {{4.0, mark}};
            return drawn(picture);
        };
        const QString mark = "×10³";
        QVERIFY(drawnWith(mark) != drawnWith({}));
        QFont font = m_view->font();
        font.setPointSize(60);
        m_view->setFont(font);
        QCOMPARE(drawnWith(mark), drawnWith({}));
    }

    void labelsStandAboveTheCursor() {
        DialPicture picture = axisOnly();
        picture.unboundedFrom = 1.0;
        picture.unboundedText = "no useful bound";
        picture.note = "Measuring";
        m_view->setPicture(picture);
        const auto textAt = [&](const QRectF& on) {
            const QRect middle(QPoint(), QSize(30, m_view->fontMetrics().ascent()));
            return m_view->grab(middle.translated(on.center().toPoint() - middle.center()))
                .toImage();
        };
        // Below 1 an arrow at the left stands for the cursor.
        m_view->showEpsilon(1.0);
        const QImage ruler = textAt(layout().ruler);
        const QImage plot = textAt(layout().plot);
        m_view->showEpsilon(10.0);
        QCOMPARE(textAt(layout().ruler), ruler);
        QCOMPARE(textAt(layout().plot), plot);
    }

    void theCursorIsDraggedInThePlotAndTheRulerExplainsItself() {
        const QSignalSpy asked(m_view.get(), &DialView::promiseClicked);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, layout().ruler.center().toPoint());
        QCOMPARE(asked.count(), 1);
        QCOMPARE(m_view->value(), 10.0);
        const QPoint middle = layout().plot.center().toPoint();
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, middle - QPoint(60, 0));
        QTest::mouseMove(m_view.get(), middle - QPoint(30, 0));
        QVERIFY(m_view->value() < 9.5);
        QTest::mouseMove(m_view.get(), middle);
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, middle);
        // The middle of 1 to 100 on a logarithmic axis.
        QVERIFY(std::abs(m_view->value() - 10.0) < 0.2);
        QCOMPARE(asked.count(), 1);
    }

    void anEpsilonBeyondTheAxisIsShown() {
        m_view->showEpsilon(5000.0);
        QCOMPARE(m_view->value(), 5000.0);
        QVERIFY(m_view->scale().high > 5000.0);
        QCOMPARE(m_view->scale().low, 1.0);
        m_view->showEpsilon(0.01);
        QVERIFY(m_view->scale().low < 0.01);
        // One that returns finds the axis as it was.
        m_view->showEpsilon(10.0);
        QCOMPARE(m_view->scale().low, 1.0);
        QCOMPARE(m_view->scale().high, 100.0);
    }

    void itIsASliderThatSpeaks() {
        m_view->setSpokenValue(
            [](double epsilon) { return QString("ε %1, 53 of 100 words survive").arg(epsilon); });
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(m_view.get());
        QCOMPARE(spoken->role(), QAccessible::Slider);
        QCOMPARE(spoken->text(QAccessible::Value), "ε 10, 53 of 100 words survive");
        QCOMPARE(spoken->valueInterface()->currentValue().toDouble(), 10.0);
        QCOMPARE(spoken->valueInterface()->maximumValue().toDouble(), 100.0);
        spoken->valueInterface()->setCurrentValue(20.0);
        QCOMPARE(m_view->value(), 20.0);
    }

    void axisNumbersAreRound() {
        const ValueScale plain{ValueScale::Kind::logarithmic, 0.3, 12.0, 0.0, 3};
        QCOMPARE(plain.roundNumbers(), (std::vector<double>{0.5, 1.0, 2.0, 5.0, 10.0}));
        const ValueScale above{ValueScale::Kind::logarithmic, 9.9, 120.0, 0.0, 3, 9.0};
        QCOMPARE(above.roundNumbers(),
                 (std::vector<double>{10.0, 11.0, 15.0, 20.0, 30.0, 50.0, 100.0}));
    }

    void itsColoursFollowThePalette() {
        m_view->setPicture(axisOnly());
        for (const QPalette& palette : {darkPalette(), lightPalette()}) {
            m_view->setPalette(palette);
            const QImage image = m_view->grab().toImage();
            QCOMPARE(image.pixelColor(layout().ruler.topLeft().toPoint() + QPoint(60, 4)),
                     themeOf(m_view.get()).surface);
        }
    }

    /// At every size that a window can have, also where nothing else has room.
    void itShowsTheCursorAtEverySize() {
        for (const QSize size : {QSize(120, 20), QSize(300, 70), QSize(1000, 260)}) {
            m_view->resize(size);
            m_view->showEpsilon(10.0);
            const QImage before = m_view->grab().toImage();
            m_view->showEpsilon(30.0);
            QVERIFY(m_view->grab().toImage() != before);
        }
    }

private:
    static DialPicture axisOnly() {
        DialPicture picture;
        picture.axis = {ValueScale::Kind::logarithmic, 1.0, 100.0, 0.0, 3};
        return picture;
    }
    QImage drawn(const DialPicture& picture) {
        m_view->setPicture(picture);
        return m_view->grab().toImage();
    }
    [[nodiscard]] DialLayout layout() const {
        return DialLayout::of(m_view->size(), m_view->fontMetrics());
    }

    std::unique_ptr<DialView> m_view;
};

namespace {

/// Without the mark of its key.
QString plain(const QAction& entry) {
    return entry.text().remove('&');
}

}  // namespace

class DialPanelTest : public QObject, protected test::Driver {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_parts = std::make_unique<DialParts>();
        m_panel = std::make_unique<DialPanel>(m_parts->model);
        m_panel->resize(1200, 1200);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
        m_parts->measure();
    }
    void cleanup() { m_panel.reset(); }

    void fieldAndSliderAreOneEpsilon() {
        auto* field = &find<NumberField>("epsilonField");
        auto* slider = &find<DialView>("epsilonSlider");
        enter("epsilonField", "3.25");
        QCOMPARE(m_parts->state.epsilon(), 3.25);
        QCOMPARE(slider->value(), 3.25);
        slider->moveTo(5.0);
        QCOMPARE(field->value(), 5.0);
        QTest::keyClick(field, Qt::Key_Up);
        QCOMPARE(m_parts->state.epsilon(), 5.12);  // 5 × 10^0.01 = 5.116
    }

    void thePinnedSettingIsSaidToScreenReaders() {
        auto* slider = &find<DialView>("epsilonSlider");
        QCOMPARE(slider->accessibleDescription(), m_parts->model.reading().spoken);
        m_parts->state.edit(&AnalysisSettings::pin, m_parts->state.setting());
        QTRY_VERIFY(
            slider->accessibleDescription().contains("Grey and dashed, the pinned setting A: ε "));
    }

    void theHeadlineFollowsTheSizeOfTheText() {
        const auto* survive = &find<QLabel>("surviveLabel");
        const double usual = survive->font().pointSizeF();
        const QFont before = m_panel->font();
        QFont large = before;
        large.setPointSizeF(2.0 * large.pointSizeF());
        m_panel->setFont(large);
        QCOMPARE(survive->font().pointSizeF(), 2.0 * usual);
        m_panel->setFont(before);
        QCOMPARE(survive->font().pointSizeF(), usual);
    }

    void ownTextsThatAreNotMeasuredHaveAButton() {
        QVERIFY(!isShown("measureButton"));
        m_parts->model.setOwnText(MeasuredText{{}, "mine.tsv", 2'000});
        QVERIFY(isShown("measureButton"));
        QCOMPARE(text("measureButton"), "Measure 2,000 words of mine.tsv");
        const QSignalSpy asked(&m_parts->model, &DialModel::ownTextRequested);
        click("measureButton");
        QCOMPARE(asked.count(), 1);
        m_parts->model.setOwnText(std::nullopt);
        QVERIFY(!isShown("measureButton"));
    }

    void whatCannotBeTakenIsSaidBesideTheField() {
        auto* field = &find<NumberField>("epsilonField");
        enter("epsilonField", "abc");
        QVERIFY(isShown("epsilonProblemLabel"));
        enter("epsilonField", "4");
        QVERIFY(!isShown("epsilonProblemLabel"));
        QVERIFY(!field->toolTip().contains("only above"));
        m_parts->open(test::toyBall(40, 3));
        m_parts->choose(mechanism::Hyperbolic{});
        QCOMPARE(m_parts->state.epsilon(), 12.0);  // m - 1 + 10
        QVERIFY(field->toolTip().endsWith("This noise exists only above m−1 = 2."));
        enter("epsilonField", "2");
        QVERIFY(says("epsilonProblemLabel", "above 2"));
        QCOMPARE(m_parts->state.epsilon(), 12.0);
        enter("epsilonField", "2.5");
        QCOMPARE(m_parts->state.epsilon(), 2.5);
    }

    void aGreyFindSaysWhyWhereThePointerIs() {
        DialParts parts;
        DialPanel panel(parts.model);
        const auto* find = findControl<QPushButton>(panel, "findEpsilonButton");
        const auto says = [find](const char* text) {
            return find->toolTip().startsWith(QString::fromUtf8(text)) &&
                   find->accessibleDescription() == find->toolTip();
        };
        QVERIFY(!find->isEnabled() && says("Open an embedding first.\nSets ε to"));
        parts.open(test::toyEmbedding());
        QTRY_VERIFY(find->isEnabled());
        QVERIFY(says("Sets ε to"));
    }

    void findingKeepsTheFocusAndSaysWhatBindsBesideIt() {
        auto* button = &find<QPushButton>("findEpsilonButton");
        QVERIFY(!isShown("dialLimitsLabel"));
        button->click();
        QVERIFY(test::begins(text("dialLimitsLabel"), "No limit is set yet"));
        QVERIFY(isShown("dialLimitsLabel"));
        m_parts->limit("nw.p95<=60%");
        // At once, before it is known where the limit is met: as a click does that ends the typing
        // of the limit.
        QVERIFY(button->isEnabled());
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        QVERIFY(m_parts->search.isSearching());
        QVERIFY(button->isEnabled() && button->hasFocus());
        QTRY_VERIFY(!m_parts->search.isSearching());
        const double largest = m_parts->model.picture().largestWithin.value();
        QVERIFY(m_parts->state.epsilon() <= largest);
        QVERIFY(m_parts->state.epsilon() > 0.999 * largest);
        QVERIFY(says("dialLimitsLabel", "largest value within your limit"));
        QVERIFY(isShown("dialLimitsLabel") && button->hasFocus());
    }

    /// Losses of the words add up: e^10.2 = 26903.2, and e^20.4 = 7.2e8.
    void theWholeTextIsPromisedLess() {
        m_parts->chooseEpsilon(5.1 / *m_parts->guarantee.lossAt(1.0));
        m_parts->model.setTyped({}, 2);
        QVERIFY(says("promiseLabel",
                     "Against a text that differs so in all 2 words: at most ×27,000."));
        m_parts->model.setTyped({}, 4);
        QVERIFY(says("promiseLabel",
                     "Against a text that differs so in all 4 words: no useful bound (10⁹)."));
    }

    void aLowDialSaysTheSameInOneLine() {
        QVERIFY(isShown("surviveLabel") && !isShown("dialLineLabel"));
        const int large = m_panel->sizeHint().height();
        m_panel->setLarge(false);
        QVERIFY(isShown("dialLineLabel") && !isShown("surviveLabel"));
        QVERIFY(text("dialLineLabel").contains("survive"));
        QVERIFY(m_panel->sizeHint().height() < large);
    }

    void thePairIsChosenFromAMenu() {
        auto* button = &find<QToolButton>("pairButton");
        QCOMPARE(button->text(), "paris ↔ london ▾");
        QCOMPARE(button->accessibleName(), "Promise for paris against london");
        const auto texts = [button] {
            QTest::keyClick(button, Qt::Key_Space);
            QStringList offered;
            for (const QAction* action : button->findChild<QMenu*>()->actions()) {
                offered.append(plain(*action));
            }
            return offered;
        };
        // Of typed words the rarest, which come last, with one another; then those well known.
        const auto& embedding = m_parts->state.embedding();
        m_parts->model.setTyped({{embedding, 3}, {embedding, 30}, {embedding, 9}}, 4);
        QCOMPARE(texts(), QStringList({"word30 ↔ word9", "word30 ↔ word3", "paris ↔ london", "",
                                       "Other words…"}));
        button->findChild<QMenu*>()->close();
        m_parts->state.selectWord(Word(m_parts->state.embedding(), 17));
        QTRY_VERIFY(!m_parts->guarantee.nearPairs().empty());
        const QString second = m_parts->guarantee.nearPairs()[1][1].text();
        const QString wanted = "word17 ↔ " + second;
        QVERIFY2(texts().contains(wanted), qPrintable(texts().join('|')));
        auto* menu = button->findChild<QMenu*>();
        for (QAction* action : menu->actions()) {
            if (plain(*action) == wanted) {
                QVERIFY(!action->isChecked());
                action->trigger();
                break;
            }
        }
        menu->close();
        QCOMPARE(m_parts->guarantee.secondWord(), second);
        QCOMPARE(button->text(), wanted + " ▾");
        m_panel->setLarge(false);
        QVERIFY(button->isVisible());
        QVERIFY(m_panel->rect().contains(button->geometry()));
    }

    /// Reference: where they stand for a pair of short words.
    void longWordsOfThePairAreCutAtTheirEndAndMoveNothing() {
        auto* button = &find<QToolButton>("pairButton");
        const QRect field = find("epsilonField").geometry();
        const QRect search = find("findEpsilonButton").geometry();
        embedding::Embedding named = test::toyEmbedding()->embedding;
        named.vocabulary = {};
        for (int row = 0; row < 40; ++row) {
            (void)named.vocabulary.add("acknowledgement" + std::to_string(row));
        }
        test::open(m_parts->state, embedding::prepareEmbedding(std::move(named)).value());
        QTRY_VERIFY(test::begins(button->text(), "acknow"));
        QVERIFY2(test::ends(button->text(), "… ▾"), qPrintable(button->text()));
        test::letPass(1);
        QCOMPARE(find("epsilonField").geometry(), field);
        QCOMPARE(find("findEpsilonButton").geometry(), search);
    }

    void tenDigitsFitTheFieldOfTheSmallDial() {
        m_panel->setLarge(false);
        test::letPass(1);
        const auto* field = &find<NumberField>("epsilonField");
        constexpr int kFrame = 12;
        const int needed = field->fontMetrics().horizontalAdvance("1000000000") + kFrame;
        QVERIFY2(field->width() >= needed,
                 qPrintable(QString("%1, needs %2").arg(field->width()).arg(needed)));
    }

    void otherWordsAreTyped() {
        auto* button = &find<QToolButton>("pairButton");
        QTest::keyClick(button, Qt::Key_Space);
        button->findChild<QMenu*>()->actions().last()->trigger();
        auto& dialog = find<QInputDialog>("pairDialog");
        const QPushButton& ok =
            *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QCOMPARE(dialog.textValue(), "paris london");
        dialog.setTextValue("wrod9 word4");
        QTRY_VERIFY(!ok.isEnabled() && test::holds(dialog.labelText(), "Did you mean word9"));
        dialog.setTextValue("word9");
        QVERIFY(!ok.isEnabled());
        QCOMPARE(m_parts->guarantee.secondWord(), "london");
        dialog.setTextValue(" word9  word4");
        QVERIFY(ok.isEnabled());
        dialog.accept();
        QCOMPARE(m_parts->guarantee.firstWord(), "word9");
        QCOMPARE(m_parts->guarantee.secondWord(), "word4");
    }

private:
    [[nodiscard]] const QObject& root() const override { return *m_panel; }

    std::unique_ptr<DialParts> m_parts;
    std::unique_ptr<DialPanel> m_panel;
};

EPSILENS_UI_TEST(DialModelTest)
EPSILENS_UI_TEST(DialViewTest)
EPSILENS_UI_TEST(DialPanelTest)
#include "dial_test.moc"
