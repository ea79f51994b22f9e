// How the page looks: theme, panels of the picture, cores instead of strands, and
// the words of each panel. All of it is remembered for the reader, not for the run.
'use strict';
strandscope.display = (() => {
  const { send, on, wanted, view, address } = strandscope;
  const { $, text, shown, make, once } = view;
  const root = document.documentElement;
  const read = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* private window: for this visit only */ } };

  // ---- theme: the address's, else the reader's, else the system's ----------------------
  const THEME = 'strandscope.theme', NAMES = ['dark', 'light', 'projector'];
  const light = matchMedia('(prefers-color-scheme: light)'), strong = matchMedia('(prefers-contrast: more)');
  const valid = (name) => (NAMES.includes(name) ? name : null);
  let chosen = valid(new URLSearchParams(location.search).get('theme')) ?? valid(read(THEME));
  const dress = () => {
    const name = chosen ?? (light.matches ? (strong.matches ? 'projector' : 'light') : 'dark');
    root.dataset.theme = name;
    $('theme').value = chosen ?? '';
    wanted.theme = name;
    send('theme', { name });
  };
  // ---- language ------------------------------------------------------------------------
  const { words } = strandscope;
  $('language').append(...Object.entries(words.names).map(([value, name]) => make('option', { value, lang: value }, name)));
  $('language').value = words.lang;
  $('language').addEventListener('change', (e) => words.choose(e.target.value));

  $('theme').addEventListener('change', (e) => { chosen = valid(e.target.value); keep(THEME, chosen ?? ''); dress(); });
  for (const query of [light, strong]) query.addEventListener('change', () => { if (!chosen) dress(); });
  dress();

  // ---- panels --------------------------------------------------------------------------
  const PANELS = 'strandscope.panels';
  const IDS = ['strands', 'runqueue', 'timeline', 'loadavg', 'utilisation', 'rqlen', 'ladder', 'wakes', 'cost'];
  const ids = (list) => (Array.isArray(list) ? [...new Set(list)].filter((id) => IDS.includes(id)) : []);
  const mine = { order: [], hidden: [], large: '', cores: false };
  try {
    const old = JSON.parse(read(PANELS) ?? '{}');
    mine.order = ids(old.order);
    mine.hidden = ids(old.hidden);
    mine.cores = old.cores === true;
  } catch { /* of another version */ }
  const arrange = () => send('panels', { order: mine.order, hidden: mine.hidden, large: mine.large });
  const tell = () => { arrange(); send('cores', { on: mine.cores }); };
  const save = () => keep(PANELS, JSON.stringify({ order: mine.order, hidden: mine.hidden, cores: mine.cores }));
  const change = () => { save(); arrange(); };
  if (mine.order.length || mine.hidden.length || mine.cores) tell();
  // A link brings its own look, which is not kept for the reader's next visit. Without
  // a word of the theme the reader's stays; of the panels, all are as at first.
  address.part('a', {
    take: (_, brief) => {
      const [o, h, l, c] = [mine.order, mine.hidden, brief ? '' : mine.large, mine.cores];
      return o.length || h.length || l || c ? { ...(o.length && { o }), ...(h.length && { h }), ...(l && { l }), ...(c && { c }) } : undefined;
    },
    open: (a) => {
      Object.assign(mine, { order: ids(a?.o), hidden: ids(a?.h), large: ids([a?.l])[0] ?? '', cores: a?.c === true });
      if (mine.hidden.length === IDS.length) mine.hidden = [];
      tell();
    },
  });
  address.part('h', {
    take: () => chosen ?? undefined,
    open: (h) => { if (valid(h) && !new URLSearchParams(location.search).has('theme')) { chosen = h; dress(); } },
  });
  let again = false; // a stage that starts anew knows nothing of it
  on('started', () => { again = strandscope.state.panels !== undefined; });

  let list = []; // as the program told it last
  const hide = (id, yes) => {
    mine.hidden = yes ? [...mine.hidden, id] : mine.hidden.filter((x) => x !== id);
    change();
  };
  const enlarge = (id) => { mine.large = id; arrange(); };
  // move puts a panel before or after its neighbour in its column.
  const move = (id, by) => {
    const order = list.map((p) => p.id), column = list.filter((p) => p.side === list.find((q) => q.id === id).side).map((p) => p.id);
    const other = column[column.indexOf(id) + by];
    if (!other) return;
    const [i, j] = [order.indexOf(id), order.indexOf(other)];
    [order[i], order[j]] = [order[j], order[i]];
    list = order.map((x) => list.find((q) => q.id === x)); // the next press may come before the answer
    mine.order = [...order, ...mine.order.filter((x) => !order.includes(x))];
    change();
  };
  const row = (p) => {
    const box = make('input', { type: 'checkbox' });
    box.addEventListener('change', () => hide(p.id, !box.checked));
    const button = (sign, words, act) => {
      const b = make('button', { type: 'button', 'aria-label': `${words}: ${p.title}`, title: words }, make('span', { 'aria-hidden': 'true' }, sign));
      b.dataset.act = words;
      b.addEventListener('click', act);
      return b;
    };
    const li = make('li', {}, make('label', {}, box, make('span', {}, p.title)),
      button('↑', 'Earlier', () => move(p.id, -1)), button('↓', 'Later', () => move(p.id, 1)),
      button('⤢', 'Enlarge', () => enlarge(mine.large === p.id ? '' : p.id)));
    li.dataset.panel = p.id;
    return li;
  };
  // Rows are moved, not made anew, so that the focus stays on the button pressed.
  const rows = (side) => {
    const ul = $(side ? 'panels-side' : 'panels-main'), want = list.filter((p) => p.side === side);
    for (const li of [...ul.children]) if (!want.some((p) => p.id === li.dataset.panel)) li.remove();
    want.forEach((p, i) => {
      const li = [...ul.children].find((x) => x.dataset.panel === p.id) ?? row(p);
      if (ul.children[i] !== li) {
        const focused = li.contains(document.activeElement) ? document.activeElement : null;
        ul.insertBefore(li, ul.children[i] ?? null);
        focused?.focus();
      }
      const [label, up, down, large] = li.children;
      text(label.querySelector('span'), p.title);
      const box = label.querySelector('input');
      if (box.checked !== p.shown) box.checked = p.shown;
      box.disabled = p.shown && list.filter((q) => q.shown).length === 1; // one has to stay
      up.setAttribute('aria-disabled', String(i === 0));
      down.setAttribute('aria-disabled', String(i === want.length - 1));
      large.setAttribute('aria-pressed', String(mine.large === p.id));
    });
  };
  $('cores').addEventListener('change', (e) => { mine.cores = e.target.checked; save(); send('cores', { on: mine.cores }); });
  $('panels-reset').addEventListener('click', () => {
    Object.assign(mine, { order: [], hidden: [], large: '', cores: false });
    save();
    tell();
  });
  $('shrink').addEventListener('click', () => { enlarge(''); $('stage').focus(); });

  // ---- the menu: it stays open until it is closed, so that one sees what it does --------
  const menu = $('view');
  const open = (yes) => {
    shown(menu, yes);
    $('view-open').setAttribute('aria-expanded', String(yes));
  };
  $('view-open').addEventListener('click', () => open(menu.hidden));
  $('view-close').addEventListener('click', () => { open(false); $('view-open').focus(); });
  menu.addEventListener('keydown', (e) => {
    if (e.key !== 'Escape') return;
    open(false);
    $('view-open').focus();
  });

  // ---- what each panel shows, in words ----------------------------------------------------
  // While it is open it is written anew every two seconds; it is no live region.
  let next = 0;
  const describe = (s, now) => {
    if ($('described').hidden || now < next) return;
    next = now + 2000;
    once('described', s.panels.list.map((p) => p.id), () => $('described').replaceChildren(
      ...s.panels.list.map((p) => make('div', {}, make('h3', {}, p.title), make('p', {})))));
    s.panels.list.forEach((p, i) => {
      const [head, words] = $('described').children[i].children;
      text(head, p.title + (p.shown ? '' : ' (hidden)'));
      text(words, p.words || 'Nothing to tell yet.');
    });
  };
  $('describe').addEventListener('click', () => {
    const yes = $('described').hidden;
    shown($('described'), yes);
    $('describe').setAttribute('aria-expanded', String(yes));
    next = 0;
    if (strandscope.state.panels) describe(strandscope.state, performance.now());
  });
  let late = 0;
  const later = () => { late = 0; if (strandscope.state.panels) describe(strandscope.state, performance.now()); };

  const show = (s) => {
    if (again) { again = false; tell(); return; }
    list = s.panels.list;
    if (s.panels.large !== mine.large && strandscope.settled) mine.large = s.panels.large; // Esc in the picture
    if ($('cores').checked !== s.panels.cores) $('cores').checked = s.panels.cores;
    rows(false);
    rows(true);
    shown($('shrink'), s.panels.large !== '');
    describe(s, performance.now());
    if (!$('described').hidden && !late) late = setTimeout(later, 2100); // a run that stopped has last words too
  };
  return { show };
})();
