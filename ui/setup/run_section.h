#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace epsilens::ui {

class AnalysisState;
class NumberField;
class ParameterControl;

/// What statistics are taken over: draws, words, seed, whether words are
/// compared, and the percentile band shown.
class RunSection : public QWidget {
    Q_OBJECT

public:
    explicit RunSection(AnalysisState& state, QWidget* parent = nullptr);

private:
    void buildWordsRow(QGridLayout& grid, int row);
    void buildSeedRow(QGridLayout& grid, int row);
    void buildBandRow(QGridLayout& grid, int row);
    void buildComparison();
    void connectState();
    void applyWords();
    void applySeedText();
    void followEmbedding();
    void showWords();
    void showHint();

    AnalysisState& m_state;
    ParameterControl* m_draws;
    QComboBox* m_wordsKind;
    NumberField* m_wordCount;
    QLineEdit* m_seed;
    QComboBox* m_band;
    QCheckBox* m_compare;
    QLabel* m_hint;
    QString m_seedProblem;
};

}  // namespace epsilens::ui
