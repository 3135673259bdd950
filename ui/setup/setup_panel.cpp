#include "ui/setup/setup_panel.h"

#include <algorithm>

#include <QFrame>
#include <QScrollBar>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/common/layout.h"
#include "ui/common/limit_state.h"
#include "ui/setup/embedding_section.h"
#include "ui/setup/limits_editor.h"
#include "ui/setup/limits_model.h"
#include "ui/setup/mechanism_section.h"
#include "ui/setup/range_estimator.h"
#include "ui/setup/run_section.h"

namespace epsilens::ui {

namespace {

constexpr int kPreferredWidth = 330;
constexpr int kPreferredHeight = 640;

QFrame* hairline(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    return line;
}

}  // namespace

SetupPanel::SetupPanel(AnalysisState& state, JobBoard& jobs, const LoadFunctions& functions,
                       QWidget* parent)
    : QScrollArea(parent), m_loader(new EmbeddingLoader(state, jobs, functions, this)) {
    new RangeEstimator(state, jobs, functions, this);
    setObjectName(QStringLiteral("setupPanel"));
    setAccessibleName(tr("Set-up"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(this);
    m_embedding = new EmbeddingSection(state, *m_loader, content);
    m_mechanism = new MechanismSection(state, content);
    m_limits = new LimitState(this);
    auto* limitsModel = new LimitsModel(state, *m_limits, jobs, {}, this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelMargin);
    layout->addWidget(m_embedding);
    layout->addWidget(hairline(content));
    layout->addWidget(m_mechanism);
    layout->addWidget(hairline(content));
    layout->addWidget(new RunSection(state, content));
    layout->addWidget(hairline(content));
    layout->addWidget(new LimitsSection(*m_limits, *limitsModel, content));
    layout->addStretch();
    setWidget(content);
    connect(m_embedding, &EmbeddingSection::openRequested, this, &SetupPanel::openRequested);
}

void SetupPanel::open(const QString& path) {
    m_loader->open(path, m_embedding->rowLimit());
}

void SetupPanel::focusEpsilon() {
    m_mechanism->focusEpsilon();
}

void SetupPanel::focusLambda() {
    m_mechanism->focusLambda();
}

QWidget* SetupPanel::firstControl() const {
    return findChild<QWidget*>(QStringLiteral("openButton"));
}

QSize SetupPanel::sizeHint() const {
    return {std::max(kPreferredWidth, minimumSizeHint().width()), kPreferredHeight};
}

QSize SetupPanel::minimumSizeHint() const {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, verticalScrollBar());
    return {widget()->minimumSizeHint().width() + bar, QScrollArea::minimumSizeHint().height()};
}

}  // namespace epsilens::ui
