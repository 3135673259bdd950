#include "ui/dial/pair_button.h"

#include <QMenu>

#include "ui/dial/pair_dialog.h"
#include "ui/state/guarantee_model.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

namespace {

/// Marks the first letter or digit of an entry that no other has as its key; none where all are
/// taken.
///
/// entry  an ampersand of its own stands twice in it
/// taken  keys of other entries, lower case; that of this one is added
QString withKey(QString entry, QString& taken) {
    for (qsizetype i = 0; i < entry.size(); ++i) {
        const QChar letter = entry.at(i).toLower();
        if (letter.isLetterOrNumber() && !taken.contains(letter)) {
            taken.append(letter);
            return entry.insert(i, QLatin1Char('&'));
        }
    }
    return entry;
}

}  // namespace

PairButton::PairButton(const char* objectName, qsizetype longestWord, GuaranteeModel& model,
                       QWidget* parent)
    : QToolButton(parent), m_model(model), m_longestWord(longestWord), m_menu(new QMenu(this)) {
    describe(*this, objectName, {},
             tr("The two words that the promise is told of. Opens a menu of others."));
    setAutoRaise(true);
    setMinimumSize(kLeastTarget, kLeastTarget);
    m_menu->setAccessibleName(tr("Words that the promise is told of"));
    // As its own menu it would bring a second arrow.
    connect(this, &QToolButton::clicked, m_menu, [this] {
        fill();
        m_menu->popup(mapToGlobal(QPoint(0, height())));
    });
    connect(&m_model, &GuaranteeModel::promiseChanged, this, &PairButton::refresh);
    refresh();
}

QString PairButton::title(const QString& first, const QString& second) const {
    const auto shortened = [this](const QString& word) {
        return word.size() <= m_longestWord ? word
                                            : word.left(m_longestWord - 1) + QStringLiteral("…");
    };
    QString title = tr("%1 ↔ %2").arg(shortened(first), shortened(second));
    // A single one would mark a key.
    return title.replace(QLatin1Char('&'), QLatin1String("&&"));
}

void PairButton::refresh() {
    const QString first = m_model.firstWord();
    const QString second = m_model.secondWord();
    setEnabled(!first.isEmpty());
    setText(tr("%1 ▾").arg(first.isEmpty() ? tr("no words") : title(first, second)));
    setAccessibleName(first.isEmpty() ? tr("Words of the promise")
                                      : tr("Promise for %1 against %2").arg(first, second));
}

void PairButton::fill() {
    m_menu->clear();
    const QString others = tr("&Other words…");
    QString taken = others.at(others.indexOf(QLatin1Char('&')) + 1).toLower();
    const auto offer = [this, &taken](const PromisePair& pair) {
        QAction* action = m_menu->addAction(withKey(title(pair[0].text(), pair[1].text()), taken));
        action->setCheckable(true);
        action->setChecked(pair[0].text() == m_model.firstWord() &&
                           pair[1].text() == m_model.secondWord());
        // Spellings, as the menu may outlive the embedding.
        connect(action, &QAction::triggered, &m_model,
                [this, first = pair[0].text(), second = pair[1].text()] {
                    m_model.setWords(first, second);
                });
    };
    if (!m_model.sentencePairs().empty()) {
        m_menu->addSection(tr("In your text"));
        for (const PromisePair& pair : m_model.sentencePairs()) {
            offer(pair);
        }
    }
    if (const auto& before = m_model.pairBefore()) {
        m_menu->addSection(tr("Before"));
        offer(*before);
    }
    if (!m_model.nearPairs().empty()) {
        m_menu->addSection(tr("Near the word"));
        for (const PromisePair& pair : m_model.nearPairs()) {
            offer(pair);
        }
    }
    m_menu->addSeparator();
    QAction* other = m_menu->addAction(others);
    connect(other, &QAction::triggered, this, &PairButton::askForWords);
}

void PairButton::askForWords() {
    auto* dialog = new PairDialog(m_model, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

}  // namespace epsilens::ui
