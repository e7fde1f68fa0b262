/* SPDX-License-Identifier: MIT */
/* The block types by group, with search: chosen to be placed. */
import { catalogue } from './catalogue.js';
import * as source from './source.js';

/* A name that no block of the model has: R3 of a resistor, after the name in the type's example. */
export function freshId(parsed, type) {
  const example = source.parse(type.example || '').root;
  const given = example ? source.value(example, 'id') || '' : '';
  const stem = /^([A-Za-z]+)/.exec(given)?.[1] || type.name.replace(/[^a-z].*/, '');
  const used = new Set(parsed.elements.flatMap((e) =>
    ['id', 'name'].map((name) => source.value(e, name))));
  let number = 1;
  while (used.has(`${stem}${number}`)) number++;
  return `${stem}${number}`;
}

/* What a new block of the type has beside ports: the parameters that must be given, as in the
 * type's example. */
export function freshParameters(type) {
  const example = source.parse(type.example || '').root;
  const all = {};
  for (const parameter of type.parameters) {
    const shown = example ? source.value(example, parameter.name) : null;
    if (parameter.required) all[parameter.name] = shown ?? '1';
  }
  return all;
}

/* The last block of the model, behind which a new one is written; else what blocks stand behind. */
export function lastBlock(parsed) {
  const children = parsed.root ? parsed.root.children : [];
  const blocks = children.filter((e) => catalogue.types.has(e.name));
  const before = children.filter((e) =>
    ['parameter', 'include', 'component', 'block-type', 'link'].includes(e.name));
  return blocks[blocks.length - 1] || before[before.length - 1] || null;
}

export function createPalette({ place, search, onChoose }) {
  function entry(type) {
    const made = document.createElement('button');
    made.className = 'entry';
    made.dataset.type = type.name;
    made.textContent = type.name;
    made.title = `${type.doc || ''}\n${type.formula || ''}`;
    made.draggable = true;
    made.ondragstart = (event) => event.dataTransfer.setData('text/linnet-type', type.name);
    made.onclick = () => onChoose(type);
    return made;
  }

  function draw() {
    const wanted = search.value.toLowerCase().trim();
    const groups = new Map();
    for (const type of catalogue.types.values()) {
      if (wanted && !`${type.name} ${type.doc}`.toLowerCase().includes(wanted)) continue;
      const group = type.group || 'own';
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(type);
    }
    place.replaceChildren(...[...groups].map(([name, types]) => {
      const group = document.createElement('details'), title = document.createElement('summary');
      title.textContent = name;
      group.open = Boolean(wanted);
      group.append(title, ...types.map(entry));
      return group;
    }));
  }

  search.oninput = draw;
  return { draw };
}
