#include "core/mechanism/mahalanobis.h"

#include "core/base/pass_on.h"

namespace epsilens::mechanism {

std::string Mahalanobis::formula() const {
    return "M(w) = the word nearest to φ(w) + (Y/ε) A^(1/2) X, with A = λΣ + (1 − λ)I, Σ the "
           "covariance of the vectors scaled to trace m, X uniform on the unit sphere and Y from "
           "the gamma law of shape m and scale 1";
}

Result<Form> Mahalanobis::on(const embedding::EmbeddingHandle& embedding) const {
    ASSIGN_OR_RETURN(auto noise, EllipticalNoise::create({embedding, &embedding->basis}, lambda));
    return noise;
}

}  // namespace epsilens::mechanism
