#include "ui/dial/pair_button.h"

#include <array>

#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QVBoxLayout>

#include "ui/state/guarantee_model.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

namespace {

constexpr qsizetype kLongest = 9;
constexpr qsizetype kLongestInMenu = 30;

/// Asks for the two words that the promise is told of: a field for each, and what is spelt alike
/// where the vocabulary lacks one.
class PairDialog : public QDialog {
public:
    /// model  outlives the dialog
    explicit PairDialog(GuaranteeModel& model, QWidget* parent = nullptr)
        : QDialog(parent), m_model(model), m_problem(new QLabel(this)) {
        setObjectName(QStringLiteral("pairDialog"));
        setWindowTitle(tr("Words of the promise"));
        auto* question =
            new QLabel(tr("How much can seeing the output change the odds of one word against "
                          "another? Words that "
                          "mean nearly the same are promised most, distant ones least."),
                       this);
        question->setWordWrap(true);
        m_problem->setObjectName(QStringLiteral("pairProblemLabel"));
        m_problem->setTextFormat(Qt::PlainText);
        m_problem->setWordWrap(true);
        m_problem->setVisible(false);
        auto* row = new QHBoxLayout;
        row->addWidget(addField(0, tr("First word")), 1);
        row->addWidget(new QLabel(tr("against"), this));
        row->addWidget(addField(1, tr("Second word")), 1);
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
        connect(buttons, &QDialogButtonBox::accepted, this, &PairDialog::accept);
        connect(buttons, &QDialogButtonBox::rejected, this, &PairDialog::reject);
        auto* column = new QVBoxLayout(this);
        column->setSpacing(kPanelMargin);
        column->addWidget(question);
        column->addLayout(row);
        column->addWidget(m_problem);
        column->addWidget(buttons);
        connect(&m_model, &GuaranteeModel::unknownWord, this, &PairDialog::showUnknown);
        m_fields[0]->selectAll();
        m_fields[0]->setFocus();
    }

    void accept() override {
        for (int place = 0; place < 2; ++place) {
            QLineEdit* field = m_fields.at(static_cast<std::size_t>(place));
            if (!m_model.knows(field->text())) {
                field->setFocus();
                field->selectAll();
                showUnknown(field->text().trimmed(), {});
                m_model.lookForSimilar(field->text());
                return;
            }
        }
        m_model.setWords(m_fields[0]->text().trimmed(), m_fields[1]->text().trimmed());
        QDialog::accept();
    }

private:
    QLineEdit* addField(int place, const QString& name) {
        auto* field = new QLineEdit(place == 0 ? m_model.firstWord() : m_model.secondWord(), this);
        describe(*field, place == 0 ? "firstPairWordField" : "secondPairWordField", name,
                 tr("A word of the vocabulary"));
        m_fields.at(static_cast<std::size_t>(place)) = field;
        return field;
    }

    void showUnknown(const QString& spelling, const QStringList& similar) {
        QString text = spelling.isEmpty() ? tr("Type a word.")
                                          : tr("The vocabulary lacks “%1”.").arg(spelling);
        if (!similar.isEmpty()) {
            text += tr(" Spelt alike: %1.").arg(similar.join(tr(", ")));
        }
        m_problem->setText(text);
        m_problem->setVisible(true);
    }

    GuaranteeModel& m_model;
    std::array<QLineEdit*, 2> m_fields{};
    QLabel* m_problem;
};

/// longest  characters of a word that are shown
QString title(const QString& first, const QString& second, qsizetype longest) {
    const auto shortened = [longest](const QString& word) {
        return word.size() <= longest ? word : word.left(longest - 1) + QStringLiteral("…");
    };
    // A single ampersand would mark a key.
    return PairButton::tr("%1 ↔ %2")
        .arg(shortened(first), shortened(second))
        .replace(QLatin1Char('&'), QLatin1String("&&"));
}

}  // namespace

PairButton::PairButton(GuaranteeModel& model, QWidget* parent)
    : QToolButton(parent), m_model(model), m_menu(new QMenu(this)) {
    describe(*this, "pairButton", {},
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

void PairButton::refresh() {
    const QString first = m_model.firstWord();
    const QString second = m_model.secondWord();
    setEnabled(!first.isEmpty());
    setText(tr("%1 ▾").arg(first.isEmpty() ? tr("no words") : title(first, second, kLongest)));
    setAccessibleName(first.isEmpty() ? tr("Words of the promise")
                                      : tr("Promise for %1 against %2").arg(first, second));
}

void PairButton::fill() {
    m_menu->clear();
    const auto offer = [this](const PromisePair& pair) {
        QAction* action = m_menu->addAction(title(pair[0].text(), pair[1].text(), kLongestInMenu));
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
    m_menu->addAction(tr("&Other words…"), this, &PairButton::askForWords);
}

void PairButton::askForWords() {
    auto* dialog = new PairDialog(m_model, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

}  // namespace epsilens::ui
