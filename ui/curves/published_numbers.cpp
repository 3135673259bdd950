#include "ui/curves/published_numbers.h"

#include <algorithm>
#include <iterator>

namespace epsilens::ui {

namespace {

// Each {epsilon, lambda, mean, sd}.
std::vector<PublishedPoint> gloveNw() {
    return {{1, 0, 0.16, 0.41},       {5, 0, 23.71, 10.69},     {10, 0, 65.29, 15.53},
            {20, 0, 94.49, 6.48},     {40, 0, 99.81, 0.74},     {1, 0.25, 0.11, 0.34},
            {5, 0.25, 13.82, 6.89},   {10, 0.25, 44.83, 14.17}, {20, 0.25, 83.17, 11.61},
            {40, 0.25, 98.22, 3.31},  {1, 0.5, 0.09, 0.31},     {5, 0.5, 10.20, 5.57},
            {10, 0.5, 34.91, 12.12},  {20, 0.5, 73.78, 13.59},  {40, 0.5, 95.85, 5.56},
            {1, 0.75, 0.08, 0.29},    {5, 0.75, 8.16, 4.87},    {10, 0.75, 28.97, 10.72},
            {20, 0.75, 66.29, 14.35}, {40, 0.75, 93.26, 7.30},  {1, 1, 0.08, 0.28},
            {5, 1, 6.81, 4.36},       {10, 1, 24.90, 9.60},     {20, 1, 60.27, 14.54},
            {40, 1, 90.60, 8.65}};
}

std::vector<PublishedPoint> gloveSw() {
    return {{1, 0, 99.46, 0.74},      {5, 0, 73.20, 11.60},     {10, 0, 28.56, 13.61},
            {20, 0, 5.18, 4.64},      {40, 0, 1.16, 0.62},      {1, 0.25, 99.45, 0.73},
            {5, 0.25, 84.30, 7.62},   {10, 0.25, 46.08, 13.98}, {20, 0.25, 12.12, 7.69},
            {40, 0.25, 2.21, 2.02},   {1, 0.5, 99.38, 0.79},    {5, 0.5, 88.39, 6.08},
            {10, 0.5, 56.07, 12.92},  {20, 0.5, 17.96, 9.33},   {40, 0.5, 3.55, 3.06},
            {1, 0.75, 99.30, 0.83},   {5, 0.75, 90.71, 5.27},   {10, 0.75, 62.69, 11.84},
            {20, 0.75, 23.11, 10.42}, {40, 0.75, 4.94, 3.90},   {1, 1, 99.24, 0.86},
            {5, 1, 92.17, 4.65},      {10, 1, 67.45, 10.86},    {20, 1, 27.51, 11.12},
            {40, 1, 6.39, 4.57}};
}

std::vector<PublishedPoint> fastTextNw() {
    return {{1, 0, 0.19, 0.46},       {5, 0, 26.89, 14.49},     {10, 0, 68.93, 17.97},
            {20, 0, 95.28, 6.46},     {40, 0, 99.85, 0.68},     {1, 0.25, 0.15, 0.41},
            {5, 0.25, 16.66, 10.53},  {10, 0.25, 50.31, 18.68}, {20, 0.25, 86.34, 12.41},
            {40, 0.25, 98.69, 2.81},  {1, 0.5, 0.13, 0.38},     {5, 0.5, 12.68, 8.60},
            {10, 0.5, 40.40, 17.41},  {20, 0.5, 78.44, 15.40},  {40, 0.5, 96.91, 4.88},
            {1, 0.75, 0.12, 0.36},    {5, 0.75, 10.46, 7.49},   {10, 0.75, 34.14, 16.03},
            {20, 0.75, 71.81, 17.00}, {40, 0.75, 94.85, 6.79},  {1, 1, 0.10, 0.35},
            {5, 1, 8.97, 6.74},       {10, 1, 29.73, 14.83},    {20, 1, 66.24, 17.90},
            {40, 1, 92.80, 8.31}};
}

std::vector<PublishedPoint> fastTextSw() {
    return {{1, 0, 99.23, 0.87},      {5, 0, 70.27, 15.07},     {10, 0, 25.82, 15.06},
            {20, 0, 4.53, 4.56},      {40, 0, 1.13, 0.55},      {1, 0.25, 99.18, 0.90},
            {5, 0.25, 81.42, 11.12},  {10, 0.25, 42.59, 16.56}, {20, 0.25, 10.31, 8.08},
            {40, 0.25, 1.93, 1.80},   {1, 0.5, 99.07, 0.96},    {5, 0.5, 85.69, 9.10},
            {10, 0.5, 52.26, 15.96},  {20, 0.5, 15.66, 10.18},  {40, 0.5, 2.98, 2.83},
            {1, 0.75, 98.95, 1.03},   {5, 0.75, 88.08, 7.96},   {10, 0.75, 58.66, 15.13},
            {20, 0.75, 20.38, 11.46}, {40, 0.75, 4.16, 3.75},   {1, 1, 98.88, 1.04},
            {5, 1, 89.58, 7.17},      {10, 1, 63.28, 14.25},    {20, 1, 24.60, 12.37},
            {40, 1, 5.32, 4.51}};
}

}  // namespace

const std::vector<PublishedTable>& publishedTables() {
    static const std::vector<PublishedTable> tables{
        {"Xu et al. 2020, GloVe",
         "Xu, Aggarwal, Feyisetan and Teissier 2020, Tables 3 and 4: GloVe, 300 dimensions, 28,596 "
         "words, R = 100",
         mechanism::Mahalanobis(), 100, gloveNw(), gloveSw()},
        {"Xu et al. 2020, fastText",
         "Xu, Aggarwal, Feyisetan and Teissier 2020, Tables 1 and 2: fastText, 300 dimensions, "
         "28,596 words, R = 100",
         mechanism::Mahalanobis(), 100, fastTextNw(), fastTextSw()}};
    return tables;
}

const std::vector<PublishedPoint>& publishedPoints(const PublishedTable& table,
                                                   Statistic statistic) {
    return statistic == Statistic::nw ? table.nw : table.sw;
}

std::vector<PublishedPoint> publishedBeside(const PublishedTable& table, Statistic statistic,
                                            double value) {
    std::vector<PublishedPoint> points;
    const auto& all = publishedPoints(table, statistic);
    std::copy_if(all.begin(), all.end(), std::back_inserter(points),
                 [value](const PublishedPoint& point) { return point.lambda == value; });
    return points;
}

bool isComparable(const PublishedTable& table, const RunCurves& run) {
    return isSameFamily(table.mechanism, familyOf(run.options().grid)) &&
           run.summary().draws == table.draws &&
           std::any_of(run.nw.begin(), run.nw.end(), [&table](const Curve& curve) {
               return !publishedBeside(table, Statistic::nw, curve.value).empty();
           });
}

}  // namespace epsilens::ui
