/* SPDX-License-Identifier: MIT */
/* What may stand in a model: block types with ports and parameters, and the other words of the
 * language, as the program itself tells them. */
import * as server from './server.js';

export const catalogue = {
  types: new Map(), /* name -> type of `linnet blocks --format json` */
  words: [],        /* of `linnet blocks --language` */
  methods: [], measures: [], domains: [],
};

export async function loadCatalogue() {
  const [types, language] = await Promise.all([
    server.post('blocks', {}), server.post('language', {}),
  ]);
  catalogue.types = new Map(types.map((type) => [type.name, type]));
  Object.assign(catalogue, language);
}

/* With the types that the model defines or includes; a model that cannot be read changes nothing. */
export async function loadOwnTypes(model) {
  try {
    const types = await server.post('blocks', model);
    catalogue.types = new Map(types.map((type) => [type.name, type]));
  } catch { /* the text is being written */ }
}

/* The word as it is meant inside an element of that name. */
export function wordIn(name, parent) {
  return catalogue.words.find((w) => w.name === name && (w.in.includes(parent) || !parent))
    || catalogue.words.find((w) => w.name === name);
}

export function isWord(name) {
  return catalogue.words.some((word) => word.name === name);
}

/* Parameters that are one number: what sliders and sweeps can vary. */
export function numbersOf(type) {
  return type.parameters.filter((p) => p.kind === 'number' || p.kind === 'integer');
}
