/* SPDX-License-Identifier: MIT */
/* What is selected in the diagram as a form: a block's name, parameters and ports with what the
 * catalogue says about them, or a link's name. */
import { catalogue } from './catalogue.js';
import { withUnit } from './editor.js';
import * as joins from './joins.js';
import * as source from './source.js';

/* `app`: told(text, kind), rename(what); `edit(changes)` changes the text; `actions`: {label: [title,
 * what to do]} of a block. */
export function createInspector({ app, place, editor, edit, actions }) {
  let shown = null;  /* {block} or {link} */
  let drawn = '';

  function node(tag, cls, text) {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function parsed() {
    return source.parse(editor.getValue());
  }

  /* A line with a field; `write(text)` is called with what was typed. */
  function field(name, text, { hint = '', doc = '', list = '', write }) {
    const line = node('label', 'field');
    const title = node('span', 'name', name), input = node('input');
    title.title = doc;
    input.value = text;
    input.placeholder = hint;
    input.spellcheck = false;
    input.dataset.field = name;
    if (list) input.setAttribute('list', list);
    input.onchange = () => write(input.value.trim());
    line.append(title, input, node('span', 'doc', doc));
    return line;
  }

  /* ---- a block ---- */

  function setAttribute(name, text) {
    const model = parsed(), element = joins.findBlock(model, shown.block);
    if (!element) return;
    edit([text === '' ? source.removeAttribute(model.text, element, name)
      : source.setAttribute(element, name, text)]);
  }

  function renameBlock(name) {
    const model = parsed(), element = joins.findBlock(model, shown.block);
    if (!element || name === shown.block) return;
    if (!joins.isFree(model, name)) {
      app.told(`“${name}” is taken, or no name: letters, digits, _ and -`, 'error');
      draw(true);
      return;
    }
    shown = { block: name };
    app.renamed(shown);
    edit(joins.renameBlock(model, element, name));
  }

  function describe(parameter) {
    const unit = parameter.unit ? `[${parameter.unit}] ` : '';
    return `${unit}${parameter.doc || ''}${parameter.range ? `; ${parameter.range}` : ''}`;
  }

  function drawBlock(element) {
    const type = catalogue.types.get(element.name);
    const head = node('div', 'inspector-head');
    head.append(node('b', '', element.name), node('span', 'doc', type ? type.doc : 'an unknown type'));
    for (const [label, [title, act]] of Object.entries(actions)) {
      const button = node('button', 'small', label);
      button.type = 'button';
      button.title = title;
      button.onclick = act;
      head.append(button);
    }
    place.append(head, field('id', shown.block, { doc: 'its name', write: renameBlock }));
    for (const p of type ? type.parameters : [])
      place.append(field(p.name, source.value(element, p.name) ?? '', {
        hint: p.required ? 'required' : withUnit(p), doc: describe(p),
        write: (text) => setAttribute(p.name, text) }));
    if (!type || !type.ports.length) return;
    place.append(node('h4', '', 'Ports'));
    for (const p of type.ports)
      place.append(field(p.name, source.value(element, p.name) ?? '', {
        hint: joins.linkAt(parsed(), element, p.name) || 'joined to nothing',
        doc: `${p.domain} ${p.role}${p.many ? 's' : ''}${p.doc ? `: ${p.doc}` : ''}`,
        list: 'links', write: (text) => setAttribute(p.name, text) }));
    const links = node('datalist');
    links.id = 'links';
    links.append(...[...joins.linksOf(parsed())].map((name) => {
      const option = node('option');
      option.value = name;
      return option;
    }));
    place.append(links);
  }

  /* ---- a link ---- */

  function renameLink(name) {
    const model = parsed();
    if (name === shown.link) return;
    if (!joins.isFree(model, name) || joins.linksOf(model).has(name)) {
      app.told(`“${name}” is taken, or no name: letters, digits, _ and -`, 'error');
      draw(true);
      return;
    }
    const changes = joins.renameLink(model, shown.link, name);
    shown = { link: name };
    app.renamed(shown);
    edit(changes);
  }

  function drawLink(name) {
    place.append(field('link', name, { doc: 'its name, by which it is recorded', write: renameLink }));
    const model = parsed();
    const ends = joins.blocksOf(model).flatMap((element) =>
      (catalogue.types.get(element.name)?.ports || [])
        .filter((p) => (source.value(element, p.name) || '').split(/[\s,]+/).includes(name))
        .map((p) => `${source.value(element, 'id')}.${p.name}`));
    place.append(node('p', 'empty', `joins ${ends.join(', ') || 'nothing'}`));
  }

  /* ---- what is shown ---- */

  function draw(anew) {
    const model = parsed();
    const element = shown?.block ? joins.findBlock(model, shown.block) : null;
    const now = JSON.stringify([shown, element ? model.text.slice(element.start, element.end)
      : shown?.link ? [...joins.linksOf(model)] : '']);
    if (now === drawn && !anew) return;
    drawn = now;
    const active = place.contains(document.activeElement) ? document.activeElement.dataset.field : null;
    place.replaceChildren();
    if (element) drawBlock(element);
    else if (shown?.link && joins.linksOf(model).has(shown.link)) drawLink(shown.link);
    else
      place.append(node('p', 'empty', shown?.block
        ? `${shown.block} is written elsewhere: in a component, a repetition, a deck or another file.`
        : 'Select a block or a link in the diagram.'));
    if (active) place.querySelector(`[data-field="${CSS.escape(active)}"]`)?.focus();
  }

  return {
    show(what, focus) {
      shown = what;
      draw();
      if (focus) place.querySelectorAll('input')[1]?.select();
    },
    update: () => draw(),
  };
}
