/* SPDX-License-Identifier: MIT */
/* The text: CodeMirror with completion from the catalogue, and messages at their lines. */
import { catalogue, isWord, wordIn } from './catalogue.js';
import * as source from './source.js';

const { CodeMirror } = window;

/* ---- completion ---- */

/* What the cursor is in: {kind: 'element' | 'attribute' | 'value', ...}, or null. `text` ends at
 * the cursor. */
export function contextAt(text) {
  const comment = text.lastIndexOf('<!--');
  if (comment >= 0 && text.indexOf('-->', comment) < 0) return null;
  const open = text.lastIndexOf('<');
  if (open < 0) return null;
  const tag = text.slice(open + 1);
  const parent = enclosing(text.slice(0, open));
  const named = /^([^\s<>/="']*)$/.exec(tag);
  if (named) return { kind: 'element', word: named[1], parent };
  const name = /^[^\s<>/="']+/.exec(tag);
  if (!name) return null;
  const rest = tag.slice(name[0].length);
  const given = [...rest.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g)].map((m) => m[1]);
  const tail = rest.replace(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g, '');
  const inside = /([^\s=]+)\s*=\s*(["'])([^"']*)$/.exec(tail);
  if (inside)
    return { kind: 'value', element: name[0], attribute: inside[1], word: inside[3], parent };
  const word = /\s([^\s=<>"'/]*)$/.exec(tail);
  return word && !tail.includes('>')
    ? { kind: 'attribute', element: name[0], word: word[1], given, parent } : null;
}

/* The name of the element that is open at the end of the text. */
function enclosing(text) {
  const { elements } = source.parse(text);
  for (let k = elements.length - 1; k >= 0; k--)
    if (!elements[k].alone && elements[k].closeStart === undefined) return elements[k].name;
  return '';
}

function contextName(parent) {
  return ['model', 'library', 'component', 'block-type', 'repeat', 'when', 'trim'].includes(parent)
    ? parent : 'model';
}

function elementHints({ parent }) {
  if (!parent)
    return [{ text: 'model name="" xmlns="urn:linnet:model:1">', label: 'model', doc: 'a model' }];
  const context = contextName(parent);
  const words = catalogue.words.filter((w) => w.in.includes(context))
    .map((w) => ({ text: w.name, label: w.name, doc: 'language' }));
  if (!['model', 'component', 'repeat'].includes(context)) return words;
  const types = [...catalogue.types.values()]
    .map((t) => ({ text: t.name, label: t.name, doc: t.doc }));
  return types.concat(words);
}

function attributeHints({ element, given, parent }) {
  const type = isWord(element) ? null : catalogue.types.get(element);
  let all = [];
  if (type)
    all = [{ name: 'id', doc: 'its name', required: true },
      ...type.ports.map((p) => ({ name: p.name, doc: `${p.domain} ${p.role}: ${p.doc || ''}`,
        required: !p.optional })),
      ...type.parameters.map((p) => ({ name: p.name, required: p.required,
        doc: (p.unit ? `[${p.unit}] ` : '') + (p.doc || '') }))];
  else {
    const word = wordIn(element, contextName(parent));
    all = word ? word.attributes.map((a) => ({ ...a, doc: '' })) : [];
  }
  return all.filter((a) => !given.includes(a.name))
    .map((a) => ({ text: `${a.name}=""`, label: a.name + (a.required ? ' *' : ''), doc: a.doc,
      back: 1 }));
}

/* Names of links in use, those of the port's domain first. */
function linkNames(text, domain) {
  const names = new Map();
  for (const element of source.parse(text).elements) {
    const type = catalogue.types.get(element.name);
    if (element.name === 'link') names.set(source.value(element, 'id') || '', '');
    for (const port of type ? type.ports : [])
      for (const name of (source.value(element, port.name) || '').split(/[\s,]+/))
        if (name) names.set(name, port.domain);
  }
  names.delete('');
  return [...names].filter(([, of]) => !domain || of === domain || !of)
    .map(([name, of]) => ({ text: name, label: name, doc: of || 'link' }));
}

function blockQuantities(text) {
  const all = [];
  for (const element of source.parse(text).elements) {
    const type = catalogue.types.get(element.name), id = source.value(element, 'id');
    if (type && id)
      for (const q of type.recorded || [])
        all.push({ text: `${id}.${q.name}`, label: `${id}.${q.name}`,
          doc: (q.unit ? `[${q.unit}] ` : '') + (q.doc || '') });
  }
  return all;
}

function parameterNames(text) {
  return source.parse(text).elements.filter((e) => e.name === 'parameter')
    .map((e) => ({ text: source.value(e, 'name') || '', label: source.value(e, 'name') || '',
      doc: source.value(e, 'doc') || 'parameter' }))
    .filter((h) => h.text);
}

function named(list) {
  return list.map((item) => ({ text: item.name, label: item.name, doc: item.doc || '' }));
}

function valueHints({ element, attribute }, text) {
  if (attribute === 'method') return named(catalogue.methods);
  if (attribute === 'kind') return named(catalogue.measures);
  if (attribute === 'domain') return named(catalogue.domains);
  if (['signals', 'signal', 'input', 'output'].includes(attribute) && isWord(element))
    return linkNames(text).concat(blockQuantities(text));
  const type = catalogue.types.get(element);
  const port = type && type.ports.find((p) => p.name === attribute);
  if (port) return linkNames(text, port.domain);
  const parameter = type && type.parameters.find((p) => p.name === attribute);
  if (!parameter) return [];
  const own = parameter.default === undefined ? []
    : [{ text: withUnit(parameter), label: withUnit(parameter), doc: 'its default' }];
  return own.concat(parameterNames(text));
}

export function withUnit(parameter) {
  const plain = /^[-+0-9.eE]+$/.test(parameter.default || '');
  return plain && parameter.unit ? `${parameter.default} ${parameter.unit}` : parameter.default || '';
}

/* Those that begin with the word, then those that contain it, in the catalogue's order. */
function rank(hints, word) {
  const low = word.toLowerCase();
  const begins = hints.filter((h) => h.label.toLowerCase().startsWith(low));
  const holds = hints.filter((h) => !begins.includes(h) && low.length > 1
    && (h.label.toLowerCase().includes(low) || h.doc.toLowerCase().includes(low)));
  return begins.concat(holds);
}

function render(place, data, hint) {
  const name = document.createElement('span'), doc = document.createElement('span');
  name.textContent = hint.label;
  doc.className = 'hint-doc';
  doc.textContent = hint.doc;
  place.append(name, doc);
}

export function complete(cm) {
  const cursor = cm.getCursor();
  const before = cm.getRange({ line: 0, ch: 0 }, cursor);
  const context = contextAt(before);
  if (!context) return null;
  const hints = context.kind === 'element' ? elementHints(context)
    : context.kind === 'attribute' ? attributeHints(context)
      : valueHints(context, cm.getValue());
  /* a list in an attribute: the word under the cursor */
  const word = context.kind === 'value' && /signals|signal/.test(context.attribute)
    ? /[^\s,]*$/.exec(context.word)[0] : context.word;
  const list = rank(hints, word).slice(0, 200).map((hint) => ({ ...hint, render }));
  const from = CodeMirror.Pos(cursor.line, cursor.ch - word.length);
  const result = { list, from, to: cursor };
  CodeMirror.on(result, 'pick', (hint) => {
    if (hint.back) cm.moveH(-hint.back, 'char');
  });
  return list.length ? result : null;
}

/* ---- the editor ---- */

export function createEditor(place) {
  const show = (cm) => cm.showHint({ hint: complete, completeSingle: false });
  const editor = CodeMirror(place, {
    mode: 'xml', lineNumbers: true, gutters: ['messages', 'CodeMirror-linenumbers'],
    styleActiveLine: true, autoCloseTags: { whenOpening: false, whenClosing: true },
    matchTags: false, indentUnit: 2, tabSize: 2, undoDepth: 1000, lineWrapping: false,
    extraKeys: {
      'Ctrl-Space': show, 'Cmd-Space': show, 'Ctrl-/': 'toggleComment', 'Cmd-/': 'toggleComment',
      Tab: (cm) => (cm.somethingSelected() ? cm.indentSelection('add') : cm.replaceSelection('  ')),
    },
  });
  editor.on('inputRead', (cm, change) => {
    const typed = change.text[change.text.length - 1];
    if (change.origin === '+input' && /^[<" \w.-]$/.test(typed) && !cm.state.completionActive) {
      const context = contextAt(cm.getRange({ line: 0, ch: 0 }, cm.getCursor()));
      if (context && (context.kind !== 'value' || typed === '"' || context.word)) show(cm);
    }
  });
  return editor;
}

/* Makes changes of source.js as one step that undo takes back. */
export function change(editor, changes) {
  const all = changes.filter(Boolean).sort((a, b) => b.from - a.from || b.to - a.to);
  const places = all.map((c) => [editor.posFromIndex(c.from), editor.posFromIndex(c.to), c.insert]);
  editor.operation(() => {
    for (const [from, to, insert] of places) editor.replaceRange(insert, from, to, 'studio');
  });
}

/* ---- messages ---- */

/* "m.xml:3: error: text" of the model itself (its file is "-") or of what it includes. */
export function readMessages(text) {
  const messages = [];
  for (const line of text.split('\n')) {
    const found = /^(?:(.*?):(\d+):(?:\d+:)? )?(error|warning|note): (.*)$/.exec(line);
    if (found)
      messages.push({ own: found[1] === '-', file: found[1] || '', line: Number(found[2] || 0),
        severity: found[3], text: found[4] });
  }
  return messages;
}

export function showMessages(editor, messages) {
  editor.operation(() => {
    editor.clearGutter('messages');
    for (const mark of editor.getAllMarks()) if (mark.isMessage) mark.clear();
    editor.eachLine((line) => {
      for (const severity of ['error', 'warning', 'note'])
        editor.removeLineClass(line, 'background', `line-${severity}`);
    });
    const shown = new Set();
    for (const message of messages) {
      const line = message.line - 1;
      if (!message.own || line < 0 || line >= editor.lineCount()) continue;
      editor.addLineClass(line, 'background', `line-${message.severity}`);
      if (shown.has(line)) continue;
      shown.add(line);
      editor.setGutterMarker(line, 'messages', makeSign(messages.filter((m) => m.own
        && m.line === message.line)));
      showBehind(editor, line, message);
    }
  });
}

function makeSign(messages) {
  const sign = document.createElement('span');
  sign.className = `sign sign-${messages[0].severity}`;
  sign.title = messages.map((m) => m.text).join('\n');
  return sign;
}

/* The message behind the end of its line. */
function showBehind(editor, line, message) {
  const note = document.createElement('span');
  note.className = `behind behind-${message.severity}`;
  note.textContent = message.text;
  note.title = message.text;
  const mark = editor.setBookmark({ line, ch: editor.getLine(line).length },
    { widget: note, insertLeft: true, handleMouseEvents: true });
  mark.isMessage = true;
}
