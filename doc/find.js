// SPDX-License-Identifier: MIT
// The search of the documentation's pages: words that are typed are looked for in `headings` (search.js, loaded when the
// field is first used), a list of [address, heading, page, text]. Headings that hold all words come first, then sections
// whose heading and text do. Addresses come from our own pages only; all else is shown as text.
"use strict";

const shown = 30, around = 60;

function find(headings, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const ranked = [];
  for (const [address, heading, page, text] of headings) {
    const title = heading.toLowerCase(), body = text.toLowerCase();
    if (!words.every(w => title.includes(w) || body.includes(w))) continue;
    const inTitle = words.filter(w => title.includes(w)).length;
    const rank = title === words.join(" ") ? 0 : inTitle === words.length ? 1 : 2 + words.length - inTitle;
    const at = Math.max(0, ...words.map(w => body.indexOf(w)));
    const from = Math.max(0, at - around);
    const snippet = (from > 0 ? "… " : "") + text.slice(from, at + 2 * around) + (at + 2 * around < text.length ? " …" : "");
    ranked.push({ address, heading, page, snippet, rank });
  }
  return ranked.map((hit, k) => [hit, k]).sort(([a, j], [b, k]) => a.rank - b.rank || j - k).map(([hit]) => hit).slice(0, shown);
}

function begin() {
  const ask = document.getElementById("ask"), found = document.getElementById("found");
  const show = () => found.replaceChildren(...find(typeof headings === "undefined" ? [] : headings, ask.value).map(hit => {
    const link = document.createElement("a"), small = document.createElement("small");
    link.href = hit.address;
    link.textContent = `${hit.heading} (${hit.page})`;
    small.textContent = hit.snippet;
    link.append(small);
    link.addEventListener("click", () => { ask.value = ""; show(); });
    return link;
  }));
  let asked = false;
  const load = () => {
    if (asked) return;
    asked = true;
    const data = document.createElement("script");
    data.src = "search.js";
    data.addEventListener("load", show);
    document.head.append(data);
  };
  ask.addEventListener("focus", load);
  ask.addEventListener("input", () => { load(); show(); });
  ask.addEventListener("keydown", event => {
    if (event.key === "Enter") found.firstChild?.click();
    if (event.key === "Escape") { ask.value = ""; show(); ask.blur(); }
  });
  document.addEventListener("keydown", event => {
    if (event.key !== "/" || event.target === ask) return;
    event.preventDefault();
    ask.focus();
  });
}

if (typeof document !== "undefined") begin();
if (typeof module !== "undefined") module.exports = { find };
