/* SPDX-License-Identifier: MIT */
/* What a MOS model's process parameters NSUB, NSS and TPG say about its electrical ones, where these are not given
 * (A. Vladimirescu, S. Liu: The simulation of MOS integrated circuits using SPICE2, UCB/ERL M80/7, 1980). */
#include "spice/deck.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"nsub", "nss", "tpg", NULL};
enum { NSUB, NSS, TPG };

static const double charge = 1.602176634e-19, boltzmann = 1.380649e-23, vacuum = 8.8541878128e-12;

int ln_mos_knows(const char *name) {
    for (int k = 0; names[k] != NULL; k++)
        if (strcmp(names[k], name) == 0) return 1;
    return 0;
}

static double given(const ln_element *element, const char *name, double otherwise) {
    const char *text = ln_attribute_of(element, name), *end;
    return text != NULL ? ln_number_read(text, &end) : otherwise;
}

void ln_mos_process(const ln_cursor *cursor, const ln_spice_model *model, ln_element *element) {
    ln_spice *spice = cursor->spice;
    double v[3] = {0, 0, 1}, value;
    int has_nsub = 0;
    const char *name;
    ln_cursor words;
    if (!ln_model_words(cursor, model, &words)) return;
    while (words.at < words.count) {
        if (!ln_peek_pair(&words) || !ln_mos_knows(ln_peek(&words)->text)) {
            words.at++;
            continue;
        }
        if (!ln_take_pair(&words, &name, &value)) return;
        for (int k = 0; names[k] != NULL; k++)
            if (strcmp(names[k], name) == 0) v[k] = value;
        has_nsub |= name[1] == 's' && name[2] == 'u';
    }
    const double tox = given(element, "TOX", 0);
    if (!has_nsub || !(tox > 0)) return; /* then they say nothing, as in ngspice */
    const double density = v[NSUB] * 1e6, intrinsic = 1.45e16; /* per m^3 */
    if (!(density > intrinsic)) {
        ln_card_error(&words, "nsub=%g: it must be above 1.45e10 per cm^3, the density of pure silicon", v[NSUB]);
        return;
    }
    const double kelvin = given(element, "tnom", spice->nominal + 273.15), oxide = 3.9 * vacuum / tox;
    const double gap = 1.16 - 7.02e-4 * kelvin * kelvin / (kelvin + 1108), sign = model->kind[0] == 'n' ? 1 : -1;
    const double phi = given(element, "PHI", fmax(0.1, 2 * boltzmann * kelvin / charge * log(density / intrinsic)));
    const double gamma = given(element, "GAMMA", sqrt(2 * 11.7 * vacuum * charge * density) / oxide);
    const double gate = v[TPG] != 0 ? 3.25 + gap / 2 - sign * v[TPG] * gap / 2 : 3.2;
    const double flat = gate - (3.25 + gap / 2 + sign * phi / 2) - v[NSS] * 1e4 * charge / oxide;
    if (ln_attribute_of(element, "PHI") == NULL) ln_emit_number(spice, element, "PHI", phi);
    if (ln_attribute_of(element, "GAMMA") == NULL) ln_emit_number(spice, element, "GAMMA", gamma);
    if (ln_attribute_of(element, "VTO") == NULL) ln_emit_number(spice, element, "VTO", flat + sign * (gamma * sqrt(phi) + phi));
}
