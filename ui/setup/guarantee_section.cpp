#include "ui/setup/guarantee_section.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "ui/state/guarantee_model.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

GuaranteeSection::GuaranteeSection(GuaranteeModel& model, QWidget* parent)
    : QWidget(parent), m_model(model) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    m_constant = addText("guaranteeConstantLabel", false);
    m_caution = addText("guaranteeCautionLabel", false);
    m_radius = addText("guaranteeRadiusLabel", false);
    buildWords();
    m_wordHint = addText("guaranteeWordHintLabel", true);
    m_wordHint->hide();
    m_odds = addText("guaranteeOddsLabel", false);
    m_odds->setTextFormat(Qt::RichText);
    m_euclidean = addText("guaranteeEuclideanLabel", true);
    m_sentence = addText("guaranteeSentenceLabel", true);
    m_scope = addText("guaranteeScopeLabel", true);
    connect(&m_model, &GuaranteeModel::changed, this, &GuaranteeSection::showModel);
    connect(&m_model, &GuaranteeModel::unknownWord, this, &GuaranteeSection::showUnknown);
    showModel();
}

QLabel* GuaranteeSection::addText(const char* objectName, bool muted) {
    QLabel* label = muted ? hintLabel({}, this) : new QLabel(this);
    label->setObjectName(QLatin1String(objectName));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout()->addWidget(label);
    return label;
}

void GuaranteeSection::buildWords() {
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing / 2);
    auto* label = new QLabel(tr("&Odds of"), this);
    row->addWidget(label);
    for (int place = 0; place < 2; ++place) {
        auto* word = new QLineEdit(this);
        word->setObjectName(place == 0 ? QStringLiteral("firstOddsWordField")
                                       : QStringLiteral("secondOddsWordField"));
        word->setAccessibleName(place == 0 ? tr("First word of the odds")
                                           : tr("Second word of the odds"));
        word->setAccessibleDescription(
            tr("A word of the vocabulary, to show what the guarantee means. It is not stored."));
        word->setToolTip(word->accessibleDescription());
        word->setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText);
        word->setMinimumWidth(70);
        connect(word, &QLineEdit::editingFinished, this, [this, place] {
            m_model.setWord(place, m_words[static_cast<std::size_t>(place)]->text());
        });
        m_words[static_cast<std::size_t>(place)] = word;
        if (place == 1) {
            row->addWidget(new QLabel(tr("against"), this));
        }
        row->addWidget(word, 1);
    }
    label->setBuddy(m_words[0]);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

void GuaranteeSection::showModel() {
    const auto show = [](QLabel* label, const QString& text) {
        label->setText(text);
        label->setVisible(!text.isEmpty());
    };
    const QString caution = m_model.caution();
    show(m_constant, m_model.constant());
    show(m_caution, caution.isEmpty() ? caution : tr("⚠ %1").arg(caution));
    show(m_radius, m_model.radius());
    show(m_odds, m_model.odds());
    show(m_euclidean, m_model.euclideanReading());
    show(m_sentence, m_model.sentence());
    show(m_scope, m_model.scope());
    const bool hasWords = !m_model.firstWord().isEmpty();
    const std::array spellings{m_model.firstWord(), m_model.secondWord()};
    for (std::size_t place = 0; place < m_words.size(); ++place) {
        m_words[place]->setEnabled(hasWords);
        if (!m_words[place]->hasFocus() || !m_words[place]->isModified()) {
            m_words[place]->setText(spellings[place]);
        }
    }
    m_wordHint->hide();
}

void GuaranteeSection::showUnknown(const QString& spelling, const QStringList& similar) {
    m_wordHint->setText(similar.isEmpty() ? tr("⚠ \"%1\" is not in the vocabulary.").arg(spelling)
                                          : tr("⚠ \"%1\" is not in the vocabulary; similar: %2.")
                                                .arg(spelling, similar.join(tr(", "))));
    m_wordHint->show();
}

}  // namespace epsilens::ui
