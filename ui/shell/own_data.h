#pragma once

namespace epsilens::ui {

class DialPanel;
class MainWindow;
class TradeOffPanel;

/// Puts the analyst's own texts into the bar of the window: how much of them the embedding knows,
/// and a menu that chooses others, weights the dial by their words, shows them in Texts and
/// drops them.
void showOwnData(MainWindow& window, TradeOffPanel& tradeOff, DialPanel& dial);

}  // namespace epsilens::ui
