// The page in another language. The English sentences stand where they are used, as in
// gettext; a catalogue (web/lang/de.json) has them all in one place, beside what they
// are in that language, with {0}, {1} for figures and {name} for what else varies. What
// is written into the page passes here, and the picture's texts as well (stage.js). The
// console, tables of the machine and code stay as the machine prints them.
'use strict';
strandscope.words = (() => {
  const home = document.currentScript.src ? new URL('../', document.currentScript.src) : '';
  const KEY = 'strandscope.language';
  const NAMES = { en: 'English', de: 'Deutsch' };
  const valid = (l) => (Object.hasOwn(NAMES, l ?? '') ? l : undefined);
  const kept = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const short = (l) => valid(l?.slice(0, 2).toLowerCase());
  const asked = short(new URLSearchParams(location.search).get('lang'));
  const lang = asked ?? valid(kept()) ?? navigator.languages?.map(short).find(Boolean) ?? 'en';

  let book = null;           // the catalogue
  let exact = new Map(), loose = new Map(), patterns = [], same = [];
  const known = new Map();   // what was said already
  const said = new Set();    // … and how: that is not put into words again
  const missing = new Set(); // what the catalogue lacks

  // ---- figures --------------------------------------------------------------------
  // A name with figures in it, such as Linux 2.2, is none.
  const FIGURE = /(?<![\d.,\w-]|Linux |Solaris |Go |WCAG )(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d.,]*\.\d)/g;
  const figure = (s) => s.replace(/[.,]/g, (c) => (c === '.' ? book.decimal : book.group));
  const BARE = /^[\d.,:%×+−\-/ ]*$/;

  // ---- a text -------------------------------------------------------------------------
  const fill = (template, parts) => template.replace(/\{(\w+)\}/g, (all, name) => parts[name] ?? all);
  const normal = (s) => {
    const parts = [];
    const key = s.replace(FIGURE, (n) => { parts.push(figure(n)); return `{${parts.length - 1}}`; });
    return { key, parts };
  };
  const literal = (s) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // What names in braces stand for: {what} is a text that is said as well, {any} one that stays.
  const FORMS = { cpu: '(cpu\\d+)', task: '([\\w+-]+(?:[ /]\\d+)?)', project: '([\\w-]+)', side: '([AB])', any: '(.+?)', class: '([A-Z][A-Z-]+|not set|default class not set)' };
  const compile = (key) => {
    const names = [];
    const source = key.split(/\{(\w+)\}/).map((p, i) => {
      if (i % 2 === 0) return literal(p);
      names.push(p);
      return FORMS[p] ?? (/^\d+$/.test(p) ? '([+−-]?\\d[\\d.,]*)' : '(.+?)');
    }).join('');
    return { re: new RegExp(`^${source}$`, 's'), names };
  };
  const look = (s) => {
    const direct = exact.get(s);
    if (direct !== undefined) return direct;
    const { key, parts } = normal(s);
    const formed = exact.get(key);
    if (formed !== undefined) return fill(formed, parts);
    for (const { re, names, to } of patterns) {
      const m = re.exec(s);
      if (!m) continue;
      const got = {};
      names.forEach((n, i) => { got[n] = /^\d+$/.test(n) ? figure(m[i + 1]) : whole(m[i + 1]) ?? (FORMS[n] && m[i + 1]); });
      if (!Object.values(got).includes(undefined)) return fill(to, got);
    }
    const low = loose.get(key.toLowerCase()); // a heading, or a beginning
    if (low === undefined) return undefined;
    const t = fill(low, parts);
    return s === s.toUpperCase() && /[A-Z]{2}/.test(s) ? t.toUpperCase() : /^[A-Z]/.test(s) ? t[0].toUpperCase() + t.slice(1) : t;
  };
  const isSame = (s) => !/[a-z]{2}/i.test(s) || same.some((re) => re.test(s));
  // Texts are put together of sentences and of parts with something between them.
  const BETWEEN = [/(?<=[.!?…]["”]?)(\s+)(?=\S)/, /(\n+)/, /(\s+·\s*|\s*·\s+)/, /(;\s+)/, /(\s+→\s+|\s+[|]\s+)/, /(,\s+)/, /(:\s+)/, /(\s\s+)/];
  // part says a part of a text, or nothing if a part of that is not known.
  const whole = (s, from = 0) => {
    const found = look(s);
    if (found !== undefined) return found;
    if (isSame(s)) return s.replace(FIGURE, figure);
    for (let n = from; n < BETWEEN.length; n++) {
      const parts = s.split(BETWEEN[n]);
      if (parts.length < 3) continue;
      const done = parts.map((p, i) => (i % 2 || p === '' ? p : whole(p, n + 1)));
      if (done.every((p) => p !== undefined)) return done.join('');
    }
    return undefined;
  };
  // bySentence says what it can, and notes what it cannot.
  const bySentence = (s) => s.split(BETWEEN[0]).map((p, i) => {
    const said = i % 2 ? p : whole(p, 1);
    if (said === undefined && missing.size < 5000) missing.add(normal(p).key);
    return said ?? p;
  }).join('');
  const say = (s) => {
    if (!book || s === '' || said.has(s)) return s;
    let out = known.get(s);
    if (out !== undefined) return out;
    if (BARE.test(s)) out = s.replace(FIGURE, figure);
    else {
      const [, before, middle, after] = /^(\s*)(.*?)(\s*)$/s.exec(s);
      const flat = middle.replace(/\s*\n\s*/g, ' ');
      out = before + (whole(middle) ?? whole(flat) ?? bySentence(flat)) + after;
    }
    if (known.size > 8000) { known.clear(); said.clear(); }
    known.set(s, out);
    if (out !== s) said.add(out);
    return out;
  };

  // ---- the page -----------------------------------------------------------------------
  const ATTRIBUTES = ['title', 'aria-label', 'placeholder', 'alt', 'label', 'aria-valuetext', 'aria-description', 'content'];
  const KEPT = '#log, pre, code, script, style, noscript, textarea, [translate="no"]';
  const put = (node) => {
    if (node.nodeType === 3) {
      const p = node.parentElement;
      if (!p || p.closest(KEPT)) return;
      const t = say(node.data);
      if (t !== node.data) node.data = t;
      return;
    }
    if (node.nodeType !== 1 || node.closest('script, style, [translate="no"]')) return;
    for (const a of ATTRIBUTES) if (node.hasAttribute(a)) mark(node, a);
    for (const c of node.childNodes) put(c);
  };
  const mark = (el, a) => {
    if (a === 'content' && el.name !== 'description') return;
    const v = el.getAttribute(a), t = say(v);
    if (t !== v) el.setAttribute(a, t);
  };
  const watch = () => {
    put(document.documentElement);
    new MutationObserver((list) => {
      for (const m of list) {
        if (m.type === 'attributes') { if (!m.target.closest('[translate="no"]')) mark(m.target, m.attributeName); }
        else if (m.type === 'characterData') put(m.target);
        else m.addedNodes.forEach(put);
      }
    }).observe(document.documentElement, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES });
  };
  // write is how scripts of the page set an element's text: only where it differs.
  const write = (el, s) => {
    const t = book && !el.closest(KEPT) ? say(s) : s;
    if (el.textContent !== t) el.textContent = t;
  };
  const adopt = (b) => {
    book = b;
    const list = Object.entries(b.words);
    exact = new Map(list);
    loose = new Map(list.map(([k, v]) => [k.toLowerCase(), v]));
    // The longer a pattern's own words, the more it says.
    patterns = list.filter(([k]) => /\{/.test(k)).map(([k, to]) => ({ ...compile(k), to, own: k.replace(/\{\w+\}/g, '').length }))
      .sort((a, b) => b.own - a.own);
    same = b.same.map((s) => new RegExp(`^(?:${s})$`));
    document.documentElement.lang = lang;
    watch();
  };
  // file gives the text of one of the page's files: of the single file's own store,
  // else fetched.
  const file = async (path) => {
    const own = globalThis.strandscopeFiles?.[path];
    if (own !== undefined) return own;
    const r = await fetch(new URL(path, home));
    if (!r.ok) throw new Error(`${path}: ${r.status} ${r.statusText}`);
    return r.text();
  };
  const begin = async () => {
    if (lang === 'en') return;
    try {
      adopt(JSON.parse(await file(`web/lang/${lang}.json`)));
    } catch (e) {
      console.info(`The page stays English: ${e.message}`);
    }
  };

  // choose opens the page again in another language.
  const choose = (l) => {
    try { localStorage.setItem(KEY, l); } catch { /* not kept, then */ }
    const u = new URL(location.href);
    if (u.searchParams.has('lang')) u.searchParams.set('lang', l);
    if (u.href === location.href) location.reload(); else location.assign(u.href);
  };
  return { lang, names: NAMES, say, write, file, choose, missing, ready: begin() };
})();
