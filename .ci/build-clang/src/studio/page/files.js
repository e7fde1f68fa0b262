/* SPDX-License-Identifier: MIT */
/* Which file the text is: opened from the folder where the studio was started or from the examples,
 * saved into that folder only. Line ends stay what they were. */
import * as server from './server.js';
import * as source from './source.js';

const FRESH = `<?xml version="1.0" encoding="UTF-8"?>
<model name="untitled" xmlns="urn:linnet:model:1">

  <simulation duration="1 s"/>
</model>
`;

export function createFiles({ app, editor, lists, dialog }) {
  let file = { place: 'folder', path: '', stamp: '' };
  let clean = 0;     /* the editor's generation that is in the file */
  let eol = '\n';

  /* ---- questions ---- */

  /* Resolves to the name of the button, with the text typed. */
  function question(text, buttons, typed) {
    return new Promise((resolve) => {
      const [line, input, menu] = dialog.querySelector('form').children;
      line.textContent = text;
      input.hidden = typed === undefined;
      input.value = typed || '';
      menu.replaceChildren(...buttons.map((name, k) => {
        const made = document.createElement('button');
        made.value = made.textContent = name;
        made.className = k === buttons.length - 1 ? 'primary' : '';
        if (k < buttons.length - 1) made.type = 'button';
        made.onclick = () => dialog.close(name);
        return made;
      }));
      dialog.onclose = () => resolve({ button: dialog.returnValue, text: input.value.trim() });
      dialog.returnValue = '';
      dialog.showModal();
      if (!input.hidden) input.select();
    });
  }

  async function mayLeave() {
    if (!isDirty()) return true;
    const { button } = await question(`“${name()}” has changes that are not saved.`,
      ['Go back', 'Discard them']);
    return button === 'Discard them';
  }

  /* ---- the file ---- */

  function name() {
    return file.path.split('/').pop() || 'untitled.xml';
  }

  function isDirty() {
    return !editor.isClean(clean);
  }

  function showName() {
    app.named(name(), file.place === 'examples' ? `example ${file.path}` : file.path, isDirty());
  }

  function take(text, next) {
    file = next;
    eol = /\r\n/.test(text) && !/[^\r]\n/.test(text) ? '\r\n' : '\n';
    /* mixed ends of lines are left as they are, visible */
    editor.setOption('lineSeparator', eol === '\n' && /\r/.test(text) ? '\n' : null);
    editor.setOption('mode', /\.xml$/.test(file.path || '.xml') ? 'xml' : null);
    editor.setValue(text);
    editor.clearHistory();
    clean = editor.changeGeneration(true);
    showName();
    mark();
    app.opened();
  }

  async function open(place, path) {
    if (!await mayLeave()) return;
    try {
      const { text, stamp } = await server.get('file', { place, path });
      take(text, { place, path, stamp: place === 'folder' ? stamp : '' });
    } catch (error) {
      app.told(error.message, 'error');
    }
  }

  async function fresh() {
    if (!await mayLeave()) return;
    take(FRESH, { place: 'folder', path: '', stamp: '' });
    editor.setCursor(2, 0);
    editor.focus();
  }

  async function save(asAnother) {
    let { place, path, stamp } = file;
    if (asAnother || !path || place !== 'folder') {
      const { button, text } = await question('Save as, in the folder of the studio:',
        ['Cancel', 'Save'], path ? (place === 'folder' ? path : name()) : 'untitled.xml');
      if (button !== 'Save' || !text) return;
      stamp = text === path && place === 'folder' ? stamp : '';
      path = /\.\w+$/.test(text) ? text : text + '.xml';
      place = 'folder';
    }
    await write(path, stamp, false);
  }

  async function write(path, stamp, overwrite) {
    const generation = editor.changeGeneration(true);
    const text = editor.getValue(eol === '\r\n' ? '\r\n' : undefined);
    try {
      const saved = await server.post('save', { path, text, stamp, overwrite });
      file = { place: 'folder', path, stamp: saved.stamp };
      clean = generation;
      showName();
      app.told(`saved ${path}`);
      await list();
    } catch (error) {
      if (error.status !== 409) { app.told(error.message, 'error'); return; }
      const { button } = await question(stamp
        ? `“${path}” was changed by another program since it was opened here.`
        : `“${path}” is there already.`, ['Go back', 'Replace it']);
      if (button === 'Replace it') await write(path, stamp, true);
    }
  }

  /* ---- lists ---- */

  function entry(place, path) {
    const made = document.createElement('button');
    made.className = 'entry';
    made.textContent = path.split('/').pop().replace(/\.xml$/, '');
    made.title = path;
    made.dataset.place = place;
    made.dataset.path = path;
    made.onclick = () => open(place, path);
    return made;
  }

  function folderOf(path) {
    const cut = path.lastIndexOf('/');
    return cut < 0 ? '' : path.slice(0, cut);
  }

  /* Folders can be opened; what they hold is told by the models' own names. */
  function fill(place, paths, box) {
    const groups = new Map();
    for (const path of paths) {
      const folder = folderOf(path);
      if (!groups.has(folder)) groups.set(folder, []);
      groups.get(folder).push(entry(place, path));
    }
    box.replaceChildren();
    for (const [folder, entries] of groups) {
      if (!folder) { box.append(...entries); continue; }
      const group = document.createElement('details'), title = document.createElement('summary');
      title.textContent = folder;
      group.append(title, ...entries);
      group.ontoggle = () => { if (group.open) entitle(entries); };
      box.append(group);
    }
    if (!groups.size) {
      const none = document.createElement('p');
      none.className = 'empty';
      none.textContent = place === 'folder' ? 'no models in this folder' : 'no examples are installed';
      box.append(none);
    }
  }

  /* The first sentence of the comment at its head is what a model says about itself. */
  async function entitle(entries) {
    for (const made of entries.filter((e) => !e.dataset.known)) {
      made.dataset.known = 'yes';
      try {
        const { text } = await server.get('file', { place: made.dataset.place, path: made.dataset.path });
        const { root } = source.parse(text);
        const title = root && root.name === 'model' && source.value(root, 'name');
        const comment = /<!--(?! SPDX)\s*([\s\S]*?)-->/.exec(text);
        if (title) made.textContent = title;
        if (comment) made.title = comment[1].replace(/\s+/g, ' ').trim();
      } catch { /* its name says enough */ }
    }
  }

  function mark() {
    for (const box of [lists.files, lists.examples])
      for (const made of box.querySelectorAll('.entry'))
        made.classList.toggle('on',
          made.dataset.path === file.path && made.dataset.place === file.place);
  }

  async function list() {
    const all = await server.get('files');
    const opened = new Set([...lists.files.querySelectorAll('details[open] summary')]
      .map((s) => s.textContent));
    fill('folder', all.files, lists.files);
    for (const group of lists.files.querySelectorAll('details'))
      group.open = opened.has(group.querySelector('summary').textContent);
    if (!lists.examples.childElementCount) fill('examples', all.examples, lists.examples);
    mark();
  }

  window.addEventListener('beforeunload', (event) => { if (isDirty()) event.preventDefault(); });

  return {
    open, fresh, save, list, showName,
    isXml: () => /\.xml$/.test(file.path || '.xml'),
    /* What the server needs to know of the model, as it stands in the editor. */
    model: () => ({ text: editor.getValue(), place: file.place, path: file.path }),
  };
}
