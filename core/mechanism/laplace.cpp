#include "core/mechanism/laplace.h"

namespace epsilens::mechanism {

std::string Laplace::formula() const {
    return "M(w) = the word nearest to φ(w) + (Y/ε) X, with X uniform on the unit sphere and Y "
           "from the gamma law of shape m and scale 1";
}

Result<Form> Laplace::on(const embedding::EmbeddingHandle& embedding) const {
    return EllipticalNoise::spherical({embedding, &embedding->basis});
}

}  // namespace epsilens::mechanism
