#include "ui/shell/summary_strip.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>

#include "ui/common/analysis_state.h"
#include "ui/common/qt_convert.h"
#include "ui/setup/load_summary.h"

namespace epsilens::ui {

namespace {
constexpr int kEpsilonDigits = 3;
constexpr int kPartSpacing = 12;
}  // namespace

SummaryStrip::SummaryStrip(AnalysisState& state, QWidget* parent)
    : QWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("summaryStrip"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(kPartSpacing);
    m_embedding = addPart(QStringLiteral("summaryEmbeddingLabel"));
    m_mechanism = addPart(QStringLiteral("summaryMechanismLabel"));
    m_epsilon = addPart(QStringLiteral("summaryEpsilonLabel"));
    m_draws = addPart(QStringLiteral("summaryDrawsLabel"));
    m_seed = addPart(QStringLiteral("summarySeedLabel"));
    layout->addStretch();
    QFont strong = m_embedding->font();
    strong.setWeight(QFont::DemiBold);
    m_embedding->setFont(strong);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SummaryStrip::refresh);
    connect(&m_state, &AnalysisState::choiceChanged, this, &SummaryStrip::refresh);
    connect(&m_state, &AnalysisState::epsilonChanged, this, &SummaryStrip::refresh);
    connect(&m_state, &AnalysisState::drawsChanged, this, &SummaryStrip::refresh);
    connect(&m_state, &AnalysisState::seedChanged, this, &SummaryStrip::refresh);
    refresh();
}

QLabel* SummaryStrip::addPart(const QString& objectName) {
    if (layout()->count() > 0) {
        auto* line = new QFrame(this);
        line->setFrameShape(QFrame::VLine);
        line->setFrameShadow(QFrame::Plain);
        line->setForegroundRole(QPalette::Mid);
        layout()->addWidget(line);
    }
    auto* label = new QLabel(this);
    label->setObjectName(objectName);
    label->setTextFormat(Qt::PlainText);
    layout()->addWidget(label);
    return label;
}

void SummaryStrip::refresh() {
    const auto& embedding = m_state.embedding();
    m_embedding->setText(embedding ? embeddingTitle(*embedding) : tr("No embedding open"));
    m_mechanism->setText(choiceTitle(m_state.choice()));
    m_epsilon->setText(tr("ε %1").arg(significant(m_state.epsilon(), kEpsilonDigits)));
    m_draws->setText(tr("R %1").arg(counted(m_state.draws())));
    m_seed->setText(tr("seed %1").arg(m_state.seed()));
    setAccessibleName(tr("Summary: %1, %2, %3, %4, %5")
                          .arg(m_embedding->text(), m_mechanism->text(), m_epsilon->text(),
                               m_draws->text(), m_seed->text()));
}

}  // namespace epsilens::ui
