#include "ui/dial/dial_panel.h"

#include <algorithm>
#include <limits>

#include <QtWidgets>

#include "ui/dial/dial_view.h"
#include "ui/state/analysis_state.h"
#include "ui/state/current_measurement.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/query.h"
#include "ui/state/word.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kLeastLargeHeight = 160;
constexpr int kMostLargeHeight = 260;
constexpr double kSurviveScale = 1.35;
constexpr int kMargin = 6;
constexpr int kNarrowSide = 320;  ///< for large text, which leaves less to the dial

QStringList wordsIn(const QString& typed) {
    return typed.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/// Asks for the two words of the promise, and says which is unknown and how it may be spelt.
void askForPair(DialModel& dial, QWidget* parent) {
    auto* dialog = new QInputDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("pairDialog"));
    dialog->setWindowTitle(DialPanel::tr("Words of the promise"));
    GuaranteeModel& model = dial.guarantee();
    dialog->setTextValue(model.firstWord() + QLatin1Char(' ') + model.secondWord());
    const auto unknown = [dialog, &dial]() -> std::optional<UnknownWords> {
        UnknownWords words{dial.state().embedding(), {}};
        for (const QString& word : wordsIn(dialog->textValue())) {
            if (words.embedding && !findWord(words.embedding, word)) {
                words.words.append(word);
            }
        }
        return words.words.empty() ? std::nullopt : std::optional(words);
    };
    auto* spellings = new Query<UnknownWords, Spellings>(
        {.title = DialPanel::tr("Looking for spellings"), .key = unknown, .make = nearestSpellings},
        dialog);
    const auto say = [dialog, unknown, spellings] {
        QStringList said{DialPanel::tr(
            "Two words, a blank between them. How much can seeing the output change the odds of "
            "one against the other? Words that mean nearly the same are promised most.")};
        spellings->update();
        const Spellings* similar = spellings->current();
        for (const QString& word : unknown().value_or(UnknownWords{}).words) {
            said.append(DialPanel::tr("⚠ The vocabulary lacks “%1”.").arg(word));
            if (similar != nullptr && !similar->at(word).empty()) {
                said.back() += DialPanel::tr(" Did you mean %1?")
                                   .arg(similar->at(word).join(DialPanel::tr(", ")));
            }
        }
        dialog->setLabelText(said.join(QLatin1Char('\n')));
        dialog->findChild<QDialogButtonBox*>()
            ->button(QDialogButtonBox::Ok)
            ->setEnabled(wordsIn(dialog->textValue()).size() == 2 && said.size() == 1);
    };
    QObject::connect(dialog, &QInputDialog::textValueChanged, dialog, say);
    QObject::connect(spellings, &QueryBase::changed, dialog, say);
    QObject::connect(dialog, &QInputDialog::textValueSelected, &model,
                     [&model](const QString& text) {
                         model.setWords(wordsIn(text).front(), wordsIn(text).back());
                     });
    dialog->open();
    dialog->findChild<QLabel*>()->setWordWrap(true);
    say();
}

QString title(const QString& first, const QString& second, const QWidget& of, int width) {
    const QFontMetrics metrics = of.fontMetrics();
    // A single ampersand would mark a key.
    return metrics
        .elidedText(DialPanel::tr("%1 ↔ %2").arg(first, second), Qt::ElideRight,
                    scaledToText(width, metrics))
        .replace(QLatin1Char('&'), QLatin1String("&&"));
}

void fillPairMenu(QMenu& menu, DialModel& dial) {
    constexpr int kWidth = 480;
    GuaranteeModel& model = dial.guarantee();
    menu.clear();
    for (const PromisePair& pair : dial.offeredPairs()) {
        // Spellings, as the menu may outlive the embedding.
        const QString first = pair[0].text();
        const QString second = pair[1].text();
        QAction* action = menu.addAction(title(first, second, menu, kWidth));
        action->setCheckable(true);
        action->setChecked(first == model.firstWord() && second == model.secondWord());
        QObject::connect(action, &QAction::triggered, &model,
                         [&model, first, second] { model.setWords(first, second); });
    }
    menu.addSeparator();
    menu.addAction(DialPanel::tr("&Other words…"), &model,
                   [&dial, button = menu.parentWidget()] { askForPair(dial, button->window()); });
}

QToolButton* newPairButton(DialModel& dial, QWidget* parent) {
    GuaranteeModel& model = dial.guarantee();
    constexpr int kWidth = 112;  // beside field and button, which keep their places
    auto* button = described(
        new QToolButton(parent), "pairButton", {},
        DialPanel::tr("The two words that the promise is told of. Opens a menu of others."));
    button->setAutoRaise(true);
    button->setMinimumSize(kLeastTarget, kLeastTarget);
    button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* menu = new QMenu(button);
    menu->setAccessibleName(DialPanel::tr("Words that the promise is told of"));
    QObject::connect(menu, &QMenu::aboutToShow, &model,
                     [menu, &dial] { fillPairMenu(*menu, dial); });
    openFrom(*button, *menu);
    const auto refresh = [button, &model] {
        const QString first = model.firstWord();
        const QString second = model.secondWord();
        const bool hasWords = !first.isEmpty();
        button->setEnabled(hasWords);
        button->setText(DialPanel::tr("%1 ▾").arg(hasWords ? title(first, second, *button, kWidth)
                                                           : DialPanel::tr("no words")));
        button->setAccessibleName(
            hasWords ? DialPanel::tr("Promise for %1 against %2").arg(first, second)
                     : DialPanel::tr("Words of the promise"));
    };
    QObject::connect(&model, &GuaranteeModel::promiseChanged, button, refresh);
    followFont(button, [refresh](const QFontMetrics&) { refresh(); });
    return button;
}

QString findDescription(const AnalysisSettings& settings) {
    return settings.figureLimits.empty()
               ? tr("Sets ε to the largest value within all limits on words, ◆.")
               : tr("Searches on Texts for the largest ε within all limits, those on your texts "
                    "and those on words.");
}

}  // namespace

DialPanel::DialPanel(DialModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_view(described(new DialView(this), "epsilonSlider", tr("Epsilon"),
                       tr("The slider for ε on a picture of what it does: how many words are kept, "
                          "how many become a near word or a far one, and what is promised."))),
      m_epsilon(described(
          new NumberField(
              {0.0, std::numeric_limits<double>::max(), true, false, QStringLiteral("ε")}),
          "epsilonField", tr("Epsilon"),
          tr("Privacy parameter, per unit of distance. Smaller is more private: more words "
             "change. Ctrl+Shift+E goes here."))),
      m_find(
          described(new QPushButton(tr("Fi&nd ε")), "findEpsilonButton", tr("Find epsilon"), {})),
      m_problem(wrapped(new QLabel(this), "epsilonProblemLabel")),
      m_survive(wrapped(new QLabel(this), "surviveLabel")),
      m_replaced(wrapped(new QLabel(this), "replacedLabel")),
      m_promise(withLinks(new QLabel(this), "promiseLabel")),
      m_other(withLinks(new QLabel(this), "otherWordsLabel")),
      m_attacker(withLinks(new QLabel(this), "attackerLabel")),
      m_limits(wrapped(new QLabel(this), "dialLimitsLabel")),
      m_line(wrapped(new QLabel(this), "dialLineLabel")),
      m_measure(described(new QPushButton(this), "measureButton", tr("Measure"),
                          tr("Measures what every ε does at the current setting."))) {
    setObjectName(QStringLiteral("dialPanel"));
    buildField();
    QHBoxLayout* row = rowOf({m_view, buildSide()}, kPanelMargin);
    row->setContentsMargins(kMargin, kMargin, kPanelMargin, 2);
    setLayout(row);
    keepRoomForTwoLines(m_line);
    connect(m_view, &DialView::valueChanged, &m_model.state(), [this](double epsilon) {
        m_model.state().edit(&AnalysisSettings::chooseEpsilon, epsilon);
    });
    connect(m_view, &DialView::promiseClicked, this, &DialPanel::promiseHelpRequested);
    connect(&m_model, &DialModel::pictureChanged, this, &DialPanel::showPicture);
    connect(&m_model, &DialModel::readingChanged, this, &DialPanel::showReading);
    connect(&m_model.search(), &EpsilonSearch::changed, this, &DialPanel::showSearch);
    m_view->setSpokenValue([this](double epsilon) {
        return tr("ε %1, %2").arg(epsilonText(epsilon), m_model.reading().spoken);
    });
    showPicture();
    showReading();
}

QWidget* DialPanel::buildSide() {
    auto* side = new QWidget(this);
    // Having a size of its own, the label does not notice when that of the panel changes.
    followFont(this, [this](const QFontMetrics&) {
        QFont large = font();
        large.setPointSizeF(large.pointSizeF() * kSurviveScale);
        large.setBold(true);
        m_survive->setFont(large);
    });
    connect(m_promise, &QLabel::linkActivated, this, &DialPanel::promiseHelpRequested);
    connect(m_attacker, &QLabel::linkActivated, this, &DialPanel::attackersRequested);
    connect(m_other, &QLabel::linkActivated, &m_model,
            [this] { m_model.showOwnText(!m_model.showsOwnText()); });
    connect(m_measure, &QPushButton::clicked, &m_model, &DialModel::measure);

    auto* field = rowOf({}, kRowSpacing / 2);
    addLabelled(*field, tr("ε"), m_epsilon, 0);
    field->addWidget(m_find);
    field->addWidget(newPairButton(m_model, side), 1);
    auto* column = columnIn(side, 4,
                            {m_line, m_problem, m_survive, m_replaced, m_other, m_promise,
                             m_attacker, m_limits, m_measure});
    column->insertLayout(0, field);
    column->addStretch();
    followFont(side, [side](const QFontMetrics& metrics) {
        side->setFixedWidth(scaledToText(isLargeText(metrics) ? kNarrowSide : kSideWidth, metrics));
    });
    return side;
}

void DialPanel::buildField() {
    constexpr int kEpsilonWidth = 88;  // of ten digits
    constexpr int kFindWidth = 72;
    keepFieldWidth(m_epsilon, kEpsilonWidth);
    keepFieldWidth(m_find, kFindWidth);
    m_problem->hide();
    connect(m_epsilon, &NumberField::valueEdited, this, [this](double epsilon) {
        m_model.state().edit(&AnalysisSettings::chooseEpsilon, epsilon);
    });
    connect(m_epsilon, &NumberField::stepRequested, m_view, &DialView::stepInView);
    connect(m_epsilon, &NumberField::problemChanged, m_problem,
            [this](const QString& problem) { showProblem(*m_problem, problem); });
    connect(m_find, &QPushButton::clicked, &m_model.search(), &EpsilonSearch::findEpsilon);
}

void DialPanel::setLarge(bool isLarge, bool always) {
    if (isLarge != m_isLarge || always != m_isAlways) {
        m_isLarge = isLarge;
        m_isAlways = always;
        arrange();
    }
}

void DialPanel::focusEpsilon() {
    m_epsilon->setFocus(Qt::ShortcutFocusReason);
    m_epsilon->selectAll();
}

bool DialPanel::isLow() const {
    return !m_isLarge || (!m_isAlways && isInLowWindow(*this));
}

void DialPanel::arrange() {
    constexpr double kShare = 0.32;
    const int low = DialLayout::lowHeight(m_view->fontMetrics());
    const int room = static_cast<int>(window()->height() * kShare);
    m_view->setFixedHeight(
        isLow() ? low : std::max(std::clamp(room, kLeastLargeHeight, kMostLargeHeight), low));
    for (QLabel* part : {m_survive, m_replaced, m_promise, m_attacker}) {
        part->setVisible(!isLow() && !m_isAlways);
    }
    m_line->setVisible(isLow() && !m_isAlways);
    m_other->setVisible(!m_model.reading().other.isEmpty() && !isLow() && !m_isAlways);
    showSearch();
}

void DialPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    window()->installEventFilter(this);
    arrange();
}

bool DialPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window() && event->type() == QEvent::Resize) {
        arrange();
    }
    return QWidget::eventFilter(watched, event);
}

void DialPanel::showPicture() {
    m_view->setPicture(m_model.picture());
    m_view->showEpsilon(m_model.state().epsilon());
    const double origin = m_model.picture().axis.origin;
    m_epsilon->setToolTip(origin > 0.0
                              ? tr("%1\nThis noise exists only above m−1 = %2.")
                                    .arg(m_epsilon->accessibleDescription(), shortest(origin))
                              : m_epsilon->accessibleDescription());
    const QString offer = m_model.measureText();
    m_measure->setText(offer);
    if (offer.isEmpty() && m_measure->hasFocus()) {
        m_view->setFocus();
    }
    m_measure->setVisible(!offer.isEmpty());
}

void DialPanel::showReading() {
    const DialReading& reading = m_model.reading();
    const double epsilon = m_model.state().epsilon();
    m_view->showEpsilon(epsilon);
    m_epsilon->setLimits({m_model.picture().axis.origin, std::numeric_limits<double>::max(), true,
                          false, QStringLiteral("ε")});
    if (m_epsilon->value() != epsilon || !m_epsilon->isModified()) {
        m_epsilon->setValue(epsilon);
    }
    m_survive->setText(reading.survive);
    m_replaced->setText(reading.replaced);
    m_other->setText(reading.other);
    m_promise->setText(reading.promise);
    m_attacker->setText(
        !reading.attacker.isEmpty()
            ? reading.attacker.toHtmlEscaped()
            : tr("What would an attacker still guess? <a href=\"#\">Measure it on your texts</a>"));
    m_line->setText(reading.line);
    arrange();
    m_view->setAccessibleDescription(reading.pinned.isEmpty()
                                         ? reading.spoken
                                         : tr("%1. %2.").arg(reading.spoken, reading.pinned));
}

void DialPanel::showSearch() {
    const EpsilonSearch& search = m_model.search();
    const QString obstacle = search.obstacle();
    const QString text = search.isSearching() ? tr("Looking for the largest ε within the limits…")
                         : search.message().isEmpty()       ? m_model.reading().limits
                         : m_model.state().limits().empty() ? search.message()
                         : search.isFailure()               ? tr("✗ %1").arg(search.message())
                                                            : tr("✓ %1").arg(search.message());
    m_limits->setText(text);
    m_limits->setVisible(!text.isEmpty() &&
                         ((!isLow() && !m_isAlways) || !search.message().isEmpty()));
    m_find->setEnabled(obstacle.isEmpty());
    describeOffer(*m_find, findDescription(m_model.state().settings()), obstacle);
}

void DialPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        arrange();
    }
}

}  // namespace epsilens::ui
