/* SPDX-License-Identifier: MIT */
/* Where everything stands in the text of a model, and changes made there. The text is never written
 * anew from a tree: a change is a piece {from, to, insert} of it, so comments, order and blanks stay
 * as they are. Positions are indices of the text. */

const NAME = /[^\s<>="'/]+/y;
const BLANK = /\s*/y;

function match(pattern, text, at) {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? found[0] : '';
}

export function unescape(text) {
  const marks = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
  return text.replace(/&(#x[0-9a-fA-F]+|#[0-9]+|\w+);/g, (whole, name) => {
    if (name[0] !== '#') return marks[name] ?? whole;
    const code = name[1] === 'x' ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export function escape(text) {
  const marks = { '<': '&lt;', '&': '&amp;', '"': '&quot;', '\n': '&#10;', '\t': '&#9;' };
  return text.replace(/[<&"\n\t]/g, (mark) => marks[mark]);
}

/* The attributes of a tag whose name ends at `at`: a list, and where the tag goes on. */
function readAttributes(text, at) {
  const attributes = [];
  for (;;) {
    const start = at + match(BLANK, text, at).length;
    const name = match(NAME, text, start);
    if (!name) return { attributes, at: start };
    let next = start + name.length;
    next += match(BLANK, text, next).length;
    if (text[next] !== '=') return { attributes, at: next, broken: true };
    next += 1 + match(BLANK, text, next + 1).length;
    const quote = text[next];
    const end = quote === '"' || quote === "'" ? text.indexOf(quote, next + 1) : -1;
    if (end < 0) return { attributes, at: next, broken: true };
    attributes.push({
      name, start, end: end + 1, valueStart: next + 1, valueEnd: end, quote,
      value: unescape(text.slice(next + 1, end)),
    });
    at = end + 1;
  }
}

/* What is no element, from a '<' on: comment, CDATA, instruction, DOCTYPE. Its end, or 0. */
function skip(text, at) {
  const ends = [['<!--', '-->'], ['<![CDATA[', ']]>'], ['<?', '?>'], ['<!', '>']];
  for (const [begin, end] of ends)
    if (text.startsWith(begin, at)) {
      const found = text.indexOf(end, at + begin.length);
      return found < 0 ? text.length : found + end.length;
    }
  return 0;
}

/* All elements, in the order of the text: {name, start, end, headEnd, closed, attributes, parent,
 * children}. `broken`: where the text is no XML (-1: nowhere); what stands before is there. */
export function parse(text) {
  const elements = [];
  const open = [];
  let at = 0, broken = -1;
  while ((at = text.indexOf('<', at)) >= 0) {
    const skipped = skip(text, at);
    if (skipped) { at = skipped; continue; }
    if (text[at + 1] === '/') {
      const name = match(NAME, text, at + 2), end = text.indexOf('>', at);
      const element = open.pop();
      if (end < 0 || !element || element.name !== name) { broken = at; break; }
      element.closeStart = at;
      element.end = end + 1;
      at = end + 1;
      continue;
    }
    const name = match(NAME, text, at + 1);
    const head = readAttributes(text, at + 1 + name.length);
    const alone = text.startsWith('/>', head.at);
    if (!name || head.broken || (!alone && text[head.at] !== '>')) { broken = at; break; }
    const headEnd = head.at + (alone ? 2 : 1);
    const element = {
      name, start: at, end: alone ? headEnd : text.length, headEnd, alone,
      attributes: head.attributes, parent: open[open.length - 1] || null, children: [],
    };
    if (element.parent) element.parent.children.push(element);
    elements.push(element);
    if (!alone) open.push(element);
    at = headEnd;
  }
  if (broken < 0 && open.length) broken = open[open.length - 1].start;
  return { text, elements, root: elements[0] || null, broken };
}

export function attribute(element, name) {
  return element.attributes.find((a) => a.name === name) || null;
}

export function value(element, name) {
  const found = attribute(element, name);
  return found ? found.value : null;
}

/* ---- changes ---- */

export function setAttribute(element, name, text) {
  const old = attribute(element, name);
  if (old) return { from: old.valueStart, to: old.valueEnd, insert: escapeFor(old.quote, text) };
  const last = element.attributes[element.attributes.length - 1];
  const at = last ? last.end : element.start + 1 + element.name.length;
  return { from: at, to: at, insert: ` ${name}="${escape(text)}"` };
}

/* As it stands between the quotes that are there. */
function escapeFor(quote, text) {
  return quote === "'" ? escape(text).replace(/&quot;/g, '"').replace(/'/g, '&apos;') : escape(text);
}

export function removeAttribute(text, element, name) {
  const old = attribute(element, name);
  if (!old) return null;
  let from = old.start;
  while (from > 0 && /\s/.test(text[from - 1])) from--;
  return { from, to: old.end, insert: '' };
}

/* The blanks in front of what stands first on a line; '' when something else stands there. */
export function indentation(text, at) {
  const begin = text.lastIndexOf('\n', at - 1) + 1;
  const before = text.slice(begin, at);
  return /^[ \t]*$/.test(before) ? before : '';
}

/* An element goes with its line when it is alone there. */
export function removeElement(text, element) {
  let from = element.start, to = element.end;
  const begin = text.lastIndexOf('\n', from - 1) + 1;
  const rest = /^[ \t]*(\r?\n|$)/.exec(text.slice(to, to + 200));
  if (/^[ \t]*$/.test(text.slice(begin, from)) && rest && rest[0]) {
    from = begin;
    to += rest[0].length;
  }
  return { from, to, insert: '' };
}

/* A new child on a line of its own: behind `after`, else first (after null); indented like its
 * neighbours. */
export function insertChild(text, parent, after, xml) {
  if (parent.alone) {
    const slash = text.lastIndexOf('/', parent.headEnd);
    const outer = indentation(text, parent.start);
    return {
      from: slash, to: parent.headEnd,
      insert: `>\n${outer}  ${xml}\n${outer}</${parent.name}>`,
    };
  }
  const like = after || parent.children[0];
  const indent = like ? indentation(text, like.start) : indentation(text, parent.start) + '  ';
  const at = after ? after.end : parent.headEnd;
  if (!like && text.slice(at, parent.closeStart).trim() === '')
    return {
      from: at, to: parent.closeStart,
      insert: `\n${indent}${xml}\n${indentation(text, parent.start)}`,
    };
  return { from: at, to: at, insert: `\n${indent}${xml}` };
}

/* An element of the text, its attributes in the order given. */
export function element(name, attributes) {
  const list = Object.entries(attributes).map(([key, text]) => ` ${key}="${escape(text)}"`);
  return `<${name}${list.join('')}/>`;
}

/* Several changes of one text, applied: for tests and for what comes after another change. */
export function apply(text, changes) {
  const sorted = changes.filter(Boolean).sort((a, b) => b.from - a.from || b.to - a.to);
  for (const change of sorted)
    text = text.slice(0, change.from) + change.insert + text.slice(change.to);
  return text;
}
