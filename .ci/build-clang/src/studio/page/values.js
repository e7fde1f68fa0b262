/* SPDX-License-Identifier: MIT */
/* The parameters of a model as a table: what stands in the text can be edited there, and a slider
 * tries another value in a run without touching the text until it is kept. */
import { catalogue, isWord, numbersOf } from './catalogue.js';
import * as source from './source.js';

const NUMBER = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z%µ][\w/^%.*-]*)?\s*$/;
const DECADES = 1; /* a slider reaches from a tenth of the value to ten times it */

/* {number, unit} of "4.7 kOhm"; null of an expression. */
export function readNumber(text) {
  const found = NUMBER.exec(text || '');
  return found ? { number: Number(found[1]), unit: found[2] || '' } : null;
}

export function writeNumber(number, unit) {
  return `${Number(number.toPrecision(3))}${unit ? ' ' + unit : ''}`;
}

function rowsOfElement(element, rows) {
  const id = source.value(element, 'id');
  if (element.name === 'parameter') {
    rows.push({ group: 'Model', key: source.value(element, 'name'), element, attribute: 'value',
      doc: source.value(element, 'doc') || '', canVary: true });
    return;
  }
  if (element.name === 'simulation') {
    for (const a of ['duration', 'step', 'tolerance', 'method'])
      rows.push({ group: 'Simulation', key: a, element, attribute: a, doc: '' });
    return;
  }
  const type = isWord(element.name) ? null : catalogue.types.get(element.name);
  if (!type || !id) return;
  const numbers = numbersOf(type);
  for (const parameter of type.parameters) {
    const given = source.attribute(element, parameter.name);
    if (given || parameter.required)
      rows.push({ group: `${id} (${type.name})`, key: `${id}.${parameter.name}`, short: parameter.name,
        element, attribute: parameter.name, canVary: numbers.includes(parameter),
        doc: (parameter.doc || '') + (parameter.unit ? ` [${parameter.unit}]` : '') });
  }
}

/* Rows of all that stands in the model itself, in the order of the text, the model's own parameters
 * first: {group, key, element, attribute, text, doc, canVary}. */
export function rowsOf(parsed) {
  const rows = [];
  for (const element of parsed.root ? parsed.root.children : []) rowsOfElement(element, rows);
  for (const row of rows) {
    row.text = source.value(row.element, row.attribute) ?? '';
    row.short = row.short || row.key;
    row.number = row.canVary ? readNumber(row.text) : null;
  }
  const order = (row) => (row.group === 'Model' ? 0 : row.group === 'Simulation' ? 1 : 2);
  return rows.filter((row) => row.key).sort((a, b) => order(a) - order(b));
}

/* ---- the table ---- */

export function createValues({ place, search, onEdit, onTry }) {
  const tried = new Map(); /* key -> text */
  let rows = [], drawn = '';
  let dragging = false;

  function node(tag, cls, text) {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /* The row as it stands now: the text may have moved since it was drawn. */
  function current(row) {
    return rows.find((one) => one.key === row.key) || row;
  }

  function makeSlider(row, line) {
    const slider = node('input');
    slider.type = 'range';
    slider.min = -DECADES; slider.max = DECADES; slider.step = 0.01;
    const now = readNumber(tried.get(row.key) ?? row.text);
    slider.value = now && now.number / row.number.number > 0
      ? Math.log10(now.number / row.number.number) : 0;
    slider.setAttribute('aria-label', `try ${row.key}`);
    slider.dataset.key = row.key;
    slider.oninput = () => {
      dragging = true;
      const text = writeNumber(row.number.number * 10 ** Number(slider.value), row.number.unit);
      tried.set(row.key, text);
      showTried(row, line);
      onTry();
    };
    slider.onchange = () => { dragging = false; };
    return slider;
  }

  function showTried(row, line) {
    const text = tried.get(row.key);
    line.classList.toggle('tried', text !== undefined);
    line.querySelector('output').textContent = text ?? '';
  }

  function makeRow(row) {
    const line = node('div', 'value');
    line.dataset.key = row.key;
    const name = node('span', 'name', row.short);
    name.title = row.doc || row.key;
    const input = node('input');
    input.value = row.text;
    input.spellcheck = false;
    input.placeholder = 'not given';
    input.setAttribute('aria-label', row.key);
    input.onchange = () => { tried.delete(row.key); onEdit(current(row), input.value.trim()); };
    line.append(name, input);
    if (row.number && row.number.number !== 0) {
      const keep = node('button', 'small', 'keep'), reset = node('button', 'small', 'reset');
      keep.title = 'write the tried value into the text';
      keep.onclick = () => {
        const text = tried.get(row.key);
        tried.delete(row.key);
        onEdit(current(row), text);
      };
      reset.title = 'forget the tried value';
      reset.onclick = () => { tried.delete(row.key); draw(); onTry(); };
      line.append(makeSlider(row, line), node('output'), keep, reset);
    } else {
      line.append(node('span', 'doc', row.doc));
    }
    if (line.querySelector('output')) showTried(row, line);
    return line;
  }

  /* What of the rows is seen. */
  function signature() {
    return JSON.stringify(rows.map((row) => [row.group, row.key, row.text, row.doc]));
  }

  function draw() {
    drawn = signature();
    const wanted = search.value.toLowerCase();
    place.replaceChildren();
    let group = null;
    for (const row of rows) {
      if (wanted && !`${row.key} ${row.group} ${row.doc}`.toLowerCase().includes(wanted)) continue;
      if (row.group !== group) place.append(node('h4', '', row.group));
      group = row.group;
      place.append(makeRow(row));
    }
    if (!place.childElementCount) place.append(node('p', 'empty', 'no parameters'));
  }

  search.oninput = draw;
  return {
    /* The text has changed; what is being typed or dragged is left alone. */
    update(parsed) {
      if (dragging || place.contains(document.activeElement) && document.activeElement.tagName
        === 'INPUT' && document.activeElement.type !== 'range') {
        rows = rowsOf(parsed);
        return;
      }
      rows = rowsOf(parsed);
      if (drawn === signature()) return;
      for (const key of [...tried.keys()]) if (!rows.some((row) => row.key === key)) tried.delete(key);
      draw();
    },
    rows: () => rows,
    /* {key: text} of the values that are tried. */
    tried: () => Object.fromEntries(tried),
    forget() { tried.clear(); draw(); },
  };
}
