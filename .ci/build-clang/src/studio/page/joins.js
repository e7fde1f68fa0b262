/* SPDX-License-Identifier: MIT */
/* Blocks, ports and links of a model's text, and changes of them: joined, parted, renamed, deleted.
 * A port is written as the diagram tells it: "n", or "in[2]" of a port that takes a list. What joins
 * it stands in its attribute, or in the lists of a <link>. */
import { catalogue, isWord } from './catalogue.js';
import * as source from './source.js';

/* The blocks written in the model itself; those in components and repetitions are not among them. */
export function blocksOf(parsed) {
  return (parsed.root ? parsed.root.children : [])
    .filter((e) => !isWord(e.name) && source.value(e, 'id'));
}

export function findBlock(parsed, id) {
  return blocksOf(parsed).find((e) => source.value(e, 'id') === id) || null;
}

export function portOf(element, port) {
  const type = catalogue.types.get(element.name);
  const name = port.replace(/\[.*/, '');
  return type ? type.ports.find((p) => p.name === name) || null : null;
}

function words(list) {
  return (list || '').split(/[\s,]+/).filter(Boolean);
}

function indexOf(port) {
  const found = /\[(\d+)\]$/.exec(port);
  return found ? Number(found[1]) - 1 : -1;
}

function linkElements(parsed) {
  return (parsed.root ? parsed.root.children : []).filter((e) => e.name === 'link');
}

/* The <link> whose lists hold "R1.n", with the list's attribute; null. */
function listedIn(parsed, id, port) {
  for (const link of linkElements(parsed))
    for (const list of ['from', 'to'])
      if (words(source.value(link, list)).includes(`${id}.${port}`)) return { link, list };
  return null;
}

/* The name of the link at a port; '' where there is none. */
export function linkAt(parsed, element, port) {
  const name = port.replace(/\[.*/, ''), index = indexOf(port);
  const given = words(source.value(element, name));
  if (given.length) return given[Math.max(index, 0)] || '';
  const listed = listedIn(parsed, source.value(element, 'id'), port);
  return listed ? source.value(listed.link, 'id') || '' : '';
}

/* Names of all links that are used. */
export function linksOf(parsed) {
  const all = new Set(linkElements(parsed).map((e) => source.value(e, 'id')));
  for (const element of blocksOf(parsed)) {
    const type = catalogue.types.get(element.name);
    for (const port of type ? type.ports : [])
      for (const name of words(source.value(element, port.name))) all.add(name);
  }
  all.delete(null);
  return all;
}

export function freshLink(parsed, domain) {
  const used = linksOf(parsed);
  for (const e of parsed.elements) {
    used.add(source.value(e, 'id'));
    used.add(source.value(e, 'name'));
  }
  const stem = domain === 'signal' ? 's' : 'n';
  let number = 1;
  while (used.has(`${stem}${number}`)) number++;
  return `${stem}${number}`;
}

/* ---- ports ---- */

/* The change that writes a link's name at a port; behind the last one of a list: "in[3]" of two. */
export function setPort(element, port, link) {
  const name = port.replace(/\[.*/, ''), index = indexOf(port);
  const given = words(source.value(element, name));
  if (index < 0 || given.length === 0) return source.setAttribute(element, name, link);
  given[Math.min(index, given.length)] = link;
  return source.setAttribute(element, name, given.join(' '));
}

/* The changes that part a port from its link. */
export function clearPort(parsed, element, port) {
  const name = port.replace(/\[.*/, ''), index = indexOf(port);
  const given = words(source.value(element, name));
  if (given.length > 1 && index >= 0) {
    given.splice(index, 1);
    return [source.setAttribute(element, name, given.join(' '))];
  }
  if (source.attribute(element, name)) return [source.removeAttribute(parsed.text, element, name)];
  const listed = listedIn(parsed, source.value(element, 'id'), port);
  return listed ? [withoutEnd(parsed, listed, `${source.value(element, 'id')}.${port}`)] : [];
}

function withoutEnd(parsed, { link, list }, end) {
  const left = words(source.value(link, list)).filter((word) => word !== end);
  return left.length ? source.setAttribute(link, list, left.join(' '))
    : source.removeAttribute(parsed.text, link, list);
}

/* ---- names ---- */

/* Where names of links and blocks stand in elements of the language. */
const NAMING = ['signals', 'signal', 'link', 'expression', 'condition', 'input', 'output', 'minus',
  'equation', 'from', 'to'];

function escapeRegExp(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function renameWords(parsed, pattern, replacement) {
  const changes = [];
  for (const element of parsed.root.children.filter((e) => isWord(e.name)))
    for (const inner of [element, ...element.children])
      for (const a of inner.attributes) {
        if (!NAMING.includes(a.name)) continue;
        const renamed = a.value.replace(pattern, replacement);
        if (renamed !== a.value) changes.push(source.setAttribute(inner, a.name, renamed));
      }
  return changes;
}

/* A link under another name, at all ports and wherever the model names it. */
export function renameLink(parsed, old, name) {
  const changes = [];
  for (const element of blocksOf(parsed)) {
    const type = catalogue.types.get(element.name);
    for (const port of type ? type.ports : []) {
      const given = words(source.value(element, port.name));
      if (given.includes(old))
        changes.push(source.setAttribute(element, port.name,
          given.map((word) => (word === old ? name : word)).join(' ')));
    }
  }
  for (const link of linkElements(parsed))
    if (source.value(link, 'id') === old) changes.push(source.setAttribute(link, 'id', name));
  const pattern = new RegExp(`(?<![\\w.@-])${escapeRegExp(old)}(?![\\w.-])`, 'g');
  return changes.concat(renameWords(parsed, pattern, name));
}

/* A block under another name, in links and wherever the model names it. */
export function renameBlock(parsed, element, name) {
  const old = source.value(element, 'id');
  const pattern = new RegExp(`(?<![\\w.-])${escapeRegExp(old)}(?=\\.[A-Za-z_])`, 'g');
  return [source.setAttribute(element, 'id', name)].concat(renameWords(parsed, pattern, name));
}

export function isFree(parsed, name) {
  return /^[A-Za-z0-9_-]+$/.test(name) && !findBlock(parsed, name)
    && !parsed.elements.some((e) => ['id', 'name'].some((a) => source.value(e, a) === name
      && e.parent === parsed.root));
}

/* ---- what is done to blocks ---- */

export function deleteBlock(parsed, element) {
  const id = source.value(element, 'id');
  const changes = [source.removeElement(parsed.text, element)];
  for (const link of linkElements(parsed))
    for (const list of ['from', 'to']) {
      const given = words(source.value(link, list));
      const left = given.filter((word) => !word.startsWith(`${id}.`));
      if (left.length === given.length) continue;
      changes.push(left.length ? source.setAttribute(link, list, left.join(' '))
        : source.removeAttribute(parsed.text, link, list));
    }
  return changes;
}

/* A link is gone when no port has it. */
export function deleteLink(parsed, name) {
  const changes = [];
  for (const element of blocksOf(parsed)) {
    const type = catalogue.types.get(element.name);
    for (const port of type ? type.ports : []) {
      const given = words(source.value(element, port.name));
      if (!given.includes(name)) continue;
      const left = given.filter((word) => word !== name);
      changes.push(left.length ? source.setAttribute(element, port.name, left.join(' '))
        : source.removeAttribute(parsed.text, element, port.name));
    }
  }
  for (const link of linkElements(parsed))
    if (source.value(link, 'id') === name) changes.push(source.removeElement(parsed.text, link));
  return changes;
}

/* Of two links that become one, the name that is kept: that of a ground or a <link>, then one that
 * was not made up here. */
function better(parsed, a, b) {
  const rank = (name) => (name === '0' ? 3
    : linkElements(parsed).some((e) => source.value(e, 'id') === name) ? 2
      : /^[ns]\d+$/.test(name) ? 0 : 1);
  return rank(b) > rank(a) ? [b, a] : [a, b];
}

/* Joins two ports {element, port}: {changes}, or {error}. */
export function join(parsed, a, b) {
  const one = portOf(a.element, a.port), two = portOf(b.element, b.port);
  const links = [linkAt(parsed, a.element, a.port), linkAt(parsed, b.element, b.port)];
  if (a.element === b.element && a.port === b.port) return { changes: [] };
  if (one && two && one.domain !== two.domain)
    return { error: `a ${one.domain} port cannot be joined to a ${two.domain} one` };
  if (one && two && one.role === 'output' && two.role === 'output')
    return { error: 'two outputs cannot drive one link' };
  if (links[0] && links[0] === links[1]) return { changes: [] };
  if (links[0] && links[1]) return joinLinks(parsed, a, b, one, two, links);
  const name = links[0] || links[1] || freshLink(parsed, one ? one.domain : 'signal');
  const changes = [];
  if (!links[0]) changes.push(setPort(a.element, a.port, name));
  if (!links[1]) changes.push(setPort(b.element, b.port, name));
  if (changes.length === 2 && a.element === b.element) return joinWithin(parsed, a, b, name);
  return { changes };
}

/* Two ports of one block: the second change is of the text after the first. */
function joinWithin(parsed, a, b, name) {
  const id = source.value(a.element, 'id');
  const first = source.parse(source.apply(parsed.text, [setPort(a.element, a.port, name)]));
  const element = findBlock(first, id);
  const after = source.apply(first.text, [setPort(element, b.port, name)]);
  const now = findBlock(source.parse(after), id);
  return { changes: [{ from: a.element.start, to: a.element.end,
    insert: after.slice(now.start, now.end) }] };
}

/* Physical links grow together; an input leaves its signal for the other. */
function joinLinks(parsed, a, b, one, two, links) {
  if (one && one.domain === 'signal') {
    const input = one.role === 'input' ? a : two.role === 'input' ? b : null;
    const kept = input === a ? links[1] : links[0];
    if (input === null) return { error: 'two outputs cannot drive one link' };
    if (!source.attribute(input.element, input.port.replace(/\[.*/, '')))
      return { error: 'this input is joined by a <link>; change it in the text' };
    return { changes: [setPort(input.element, input.port, kept)] };
  }
  const [kept, gone] = better(parsed, ...links);
  if (linkElements(parsed).some((e) => source.value(e, 'id') === gone))
    return { error: 'two <link> elements meet here; join them in the text' };
  return { changes: renameLink(parsed, gone, kept) };
}

/* The port of a block that takes a wire dropped on it: the first free one of the domain, or another
 * place in a list. */
export function freePort(parsed, element, domain, wanted) {
  const type = catalogue.types.get(element.name);
  const fits = (type ? type.ports : []).filter((p) => p.domain === domain
    && (p.role === 'port' || p.role === wanted));
  const free = fits.find((p) => !linkAt(parsed, element, p.name));
  if (free) return free.name;
  const many = fits.find((p) => p.many);
  return many ? `${many.name}[${words(source.value(element, many.name)).length + 1}]` : null;
}
