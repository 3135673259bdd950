#include "ui/tradeoff/measure_bar.h"

#include <algorithm>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/whole_number_box.h"

namespace epsilens::ui {

using experiment::ClassifierKind;
using experiment::Task;

MeasureBar::MeasureBar(TradeOffModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_repeats(
          described(new WholeNumberBox(this), "repeatsSpinBox", tr("Repeats"),
                    tr("How often the texts are split, perturbed and learned from afresh, 2 times "
                       "or more. More repeats make the intervals narrower; each takes as long as "
                       "the first."))),
      m_progress(hintLabel({}, this)),
      m_measure(
          described(new QPushButton(this), "measureTradeOffPushButton", tr("Measure"),
                    tr("Measures at your ε and λ and over the grid of the Curves tab (F5)."))) {
    m_progress->setObjectName(QStringLiteral("tradeOffProgressLabel"));
    auto* utility = new QHBoxLayout;
    auto* heading = new QLabel(tr("Still useful for:"), this);
    utility->addWidget(heading);
    addClassifier(*utility, ClassifierKind::linear, "linearCheckBox",
                  tr("classes, by words (linear)"),
                  tr("A linear classifier of the words learns the classes from released texts."));
    addClassifier(*utility, ClassifierKind::vectors, "vectorsCheckBox", tr("by mean vectors"),
                  tr("A classifier of the mean word vector of a text."));
    addClassifier(*utility, ClassifierKind::fasttext, "fasttextCheckBox", tr("by fastText"),
                  tr("The supervised classifier of fastText."));
    utility->addStretch(1);
    addRepeats(*utility);
    m_progress->setWordWrap(true);
    utility->addWidget(m_progress, 1);
    auto* risk = new QHBoxLayout;
    auto* attackers = new QLabel(tr("An attacker learns:"), this);
    risk->addWidget(attackers);
    addAttack(*risk, Task::reconstruct, "reconstructCheckBox", tr("the words"),
              tr("Attackers who know mechanism and setting guess the words behind the outputs."));
    addAttack(*risk, Task::membership, "membershipCheckBox", tr("which texts trained a classifier"),
              tr("An attacker tells from the answers of a classifier which texts it learned "
                 "from."));
    addAttack(*risk, Task::authorship, "authorshipCheckBox", tr("the author"),
              tr("An attacker who knows other texts by the same authors names the author."));
    addAttack(*risk, Task::audit, "auditCheckBox", tr("whose texts trained a model"),
              tr("An attacker tells whose texts a language model was trained on."));
    risk->addStretch(1);
    risk->addWidget(m_measure);
    followFont(this, [heading, attackers](const QFontMetrics&) {
        const int width = std::max(heading->sizeHint().width(), attackers->sizeHint().width());
        heading->setMinimumWidth(width);
        attackers->setMinimumWidth(width);
    });
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(utility);
    all->addLayout(risk);
    setTabOrder(m_attacks.back().second, m_measure);
    connect(m_measure, &QPushButton::clicked, this, &MeasureBar::measureOrStop);
    connect(&m_model, &TradeOffModel::planChanged, this, &MeasureBar::refresh);
    connect(&m_model, &TradeOffModel::runningChanged, this, &MeasureBar::refresh);
    connect(&m_model, &TradeOffModel::progressChanged, this, &MeasureBar::refresh);
    refresh();
}

void MeasureBar::addClassifier(QHBoxLayout& row, ClassifierKind kind, const char* objectName,
                               const QString& text, const QString& description) {
    auto* box = described(new QCheckBox(text, this), objectName, text, description);
    const auto& chosen = m_model.choice().classifiers;
    box->setChecked(std::find(chosen.begin(), chosen.end(), kind) != chosen.end());
    connect(box, &QCheckBox::toggled, this, &MeasureBar::takeChoice);
    m_classifiers.emplace_back(kind, box);
    row.addWidget(box);
}

void MeasureBar::addAttack(QHBoxLayout& row, Task task, const char* objectName, const QString& text,
                           const QString& description) {
    auto* box = described(new QCheckBox(text, this), objectName, text, description);
    const auto& chosen = m_model.choice().attacks;
    box->setChecked(std::find(chosen.begin(), chosen.end(), task) != chosen.end());
    connect(box, &QCheckBox::toggled, this, &MeasureBar::takeChoice);
    m_attacks.emplace_back(task, box);
    row.addWidget(box);
}

void MeasureBar::addRepeats(QHBoxLayout& row) {
    m_repeats->setRange(2, experiment::EvaluationOptions::kMostRepeats);
    m_repeats->setValue(m_model.choice().repeats);
    m_repeats->setKeyboardTracking(false);
    guardWheel(m_repeats);
    connect(m_repeats, &QSpinBox::valueChanged, this, &MeasureBar::takeChoice);
    addLabelled(row, tr("re&peats"), m_repeats);
}

void MeasureBar::takeChoice() {
    TradeOffChoice choice{{}, {}, m_repeats->value()};
    for (const auto& [kind, box] : m_classifiers) {
        if (box->isChecked()) {
            choice.classifiers.push_back(kind);
        }
    }
    for (const auto& [task, box] : m_attacks) {
        if (box->isChecked()) {
            choice.attacks.push_back(task);
        }
    }
    m_model.setChoice(std::move(choice));
}

void MeasureBar::refresh() {
    const bool isRunning = m_model.isRunning();
    const auto offer = [&](QCheckBox& box, Task task) {
        const QString refusal = m_model.refusalOf(task);
        box.setEnabled(refusal.isEmpty() && !isRunning);
        box.setToolTip(refusal.isEmpty() ? box.accessibleDescription() : refusal);
    };
    for (const auto& [kind, box] : m_classifiers) {
        offer(*box, Task::classify);
    }
    for (const auto& [task, box] : m_attacks) {
        offer(*box, task);
    }
    m_repeats->setEnabled(!isRunning);
    const QString obstacle = m_model.obstacle();
    m_progress->setText(isRunning ? m_model.progressText() : obstacle);
    m_measure->setText(isRunning ? tr("Cancel") : tr("Measure"));
    m_measure->setToolTip(isRunning ? tr("Stops (Esc). What is finished is kept.")
                                    : m_measure->accessibleDescription());
    m_measure->setEnabled(isRunning || obstacle.isEmpty());
}

void MeasureBar::measureOrStop() {
    if (m_model.isRunning()) {
        m_model.cancel();
    } else {
        m_model.measure();
    }
}

}  // namespace epsilens::ui
