#include "ui/dial/pair_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "ui/state/guarantee_model.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

PairDialog::PairDialog(GuaranteeModel& model, QWidget* parent)
    : QDialog(parent), m_model(model), m_problem(new QLabel(this)) {
    setObjectName(QStringLiteral("pairDialog"));
    setWindowTitle(tr("Words of the promise"));
    auto* question = new QLabel(
        tr("How much can seeing the output change the odds of one word against another? Words that "
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

QLineEdit* PairDialog::addField(int place, const QString& name) {
    auto* field = new QLineEdit(place == 0 ? m_model.firstWord() : m_model.secondWord(), this);
    describe(*field, place == 0 ? "firstPairWordField" : "secondPairWordField", name,
             tr("A word of the vocabulary"));
    m_fields.at(static_cast<std::size_t>(place)) = field;
    return field;
}

void PairDialog::accept() {
    for (int place = 0; place < 2; ++place) {
        QLineEdit* field = m_fields.at(static_cast<std::size_t>(place));
        if (!m_model.knows(field->text())) {
            field->setFocus();
            field->selectAll();
            showUnknown(field->text().trimmed(), {});
            m_model.setWord(place, field->text());  // looks for what is spelt alike
            return;
        }
    }
    m_model.setWords(m_fields[0]->text().trimmed(), m_fields[1]->text().trimmed());
    QDialog::accept();
}

void PairDialog::showUnknown(const QString& spelling, const QStringList& similar) {
    QString text =
        spelling.isEmpty() ? tr("Type a word.") : tr("The vocabulary lacks “%1”.").arg(spelling);
    if (!similar.isEmpty()) {
        text += tr(" Spelt alike: %1.").arg(similar.join(tr(", ")));
    }
    m_problem->setText(text);
    m_problem->setVisible(true);
}

}  // namespace epsilens::ui
