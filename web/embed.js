// <strand-scope>: a running figure in any page, by one script and one element.
//
//   <script src="https://HOST/web/embed.js" async></script>
//   <strand-scope scenario="t2000-unset" class="FSS" autoplay></strand-scope>
//
// All it adds is within its shadow. A still stands there until the figure is nearly
// seen, or clicked; docs/embed.md lists the attributes and the methods.
(() => {
  'use strict';
  if (customElements.get('strand-scope')) return; // the script is in the page twice
  const home = new URL('.', document.currentScript.src);
  const poster = new URL('poster.svg', home).href;
  const KEYS = ['scenario', 'class', 'speed', 'panels', 'theme', 'start', 'locked', 'load', 'lang'];
  const STYLE = `:host { display: block; position: relative; min-width: 0; max-width: 1200px; }
:host([hidden]) { display: none; }
.box { position: relative; height: 460px; overflow: hidden; border: 1px solid #8893a466; border-radius: 8px; }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: inherit; }
.still { position: absolute; inset: 0; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 14px; padding: 14px; box-sizing: border-box; }
.still[hidden] { display: none; }
.still img { max-width: 100%; min-height: 0; object-fit: contain; }
.still.over { pointer-events: none; background: Canvas; }
.still.over button { pointer-events: auto; }
button { font: 600 14px/1.2 system-ui, sans-serif; padding: 8px 22px; min-height: 44px; border: 0; border-radius: 8px; background: #0b6fb5; color: #fff; cursor: pointer; }
button:focus-visible { outline: 2px solid #0b6fb5; outline-offset: 2px; }`;

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  const make = (tag, attributes, ...children) => {
    const el = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes)) el.setAttribute(k, v);
    el.append(...children);
    return el;
  };

  class StrandScope extends HTMLElement {
    static observedAttributes = [...KEYS, 'state', 'autoplay', 'still', 'allow', 'title'];

    #frame = null;        // once the figure was near
    #waiting = new Map(); // replies, by id
    #number = 0;
    #ready = null;        // of the frame's script
    #watch = null;
    #listen = (e) => this.#heard(e);

    connectedCallback() {
      const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
      shadow.adoptedStyleSheets = [sheet]; // which pages allow that allow no inline style
      const img = make('img', { alt: '', src: this.getAttribute('still') || this.#drawn || poster });
      img.addEventListener('error', () => { if (img.src !== poster) img.src = poster; }); // of a host's own scenario there is none
      const button = make('button', { type: 'button' }, 'Run');
      shadow.replaceChildren(make('div', { class: 'box' }, make('div', { class: 'still', part: 'still' }, img, button)));
      button.addEventListener('click', () => { this.#load(true); });
      addEventListener('message', this.#listen);
      if (this.getAttribute('load') === 'click') return;
      this.#watch = new IntersectionObserver((entries) => { if (entries.at(-1).isIntersecting) this.#load(false); }, { rootMargin: '200px' });
      this.#watch.observe(this);
    }

    disconnectedCallback() {
      removeEventListener('message', this.#listen);
      this.#watch?.disconnect();
      this.#frame = null;
    }

    attributeChangedCallback(name, before, after) {
      if (!this.#frame || before === after) return;
      if (name === 'theme') this.send('set', { key: 'theme', value: after ?? 'auto' }).catch(() => {}); // said in the figure
      else { this.#frame.remove(); this.#frame = null; this.#load(false); }
    }

    // drawn is the still of a scenario as it is built in; with another class, or at
    // another time, it would show something else.
    get #drawn() {
      if (!this.hasAttribute('scenario') || ['class', 'start', 'state'].some((a) => this.hasAttribute(a))) return '';
      const theme = this.getAttribute('theme') ?? 'auto';
      const dark = theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
      return new URL(`../build/stills/${encodeURIComponent(this.getAttribute('scenario'))}-${dark ? 'dark' : 'light'}.svg`, home).href;
    }

    // address is what the figure's frame shows.
    get address() {
      const url = new URL('embed.html', home);
      for (const key of KEYS) if (this.hasAttribute(key)) url.searchParams.set(key, this.getAttribute(key));
      if (this.hasAttribute('autoplay')) url.searchParams.set('autoplay', this.getAttribute('autoplay') === '0' ? '0' : '1');
      // The page that wrote the element may drive it, by all commands or those it lists.
      const allow = this.getAttribute('allow');
      url.searchParams.set('hosts', [location.origin, ...(allow ? allow.trim().split(/[\s,]+/) : [])].join(';'));
      if (this.hasAttribute('state')) url.hash = this.getAttribute('state').replace(/^.*#/, '');
      return url.href;
    }

    #load(clicked) {
      if (this.#frame && clicked) this.play().catch(() => { this.shadowRoot.querySelector('.still').hidden = true; }); // the figure has a button, too
      if (this.#frame || !this.isConnected) return;
      this.#watch?.disconnect();
      const frame = this.#frame = document.createElement('iframe');
      frame.title = this.getAttribute('title') || `Strandscope: a scheduler at work${this.hasAttribute('scenario') ? `, ${this.getAttribute('scenario')}` : ''}`;
      const ready = this.#ready = new Promise((done) => { this.#isReady = done; });
      const url = new URL(this.address);
      if (clicked) {
        url.searchParams.delete('load');
        if (!url.searchParams.has('autoplay')) url.searchParams.set('autoplay', '1');
      }
      frame.src = url.href;
      const still = this.shadowRoot.querySelector('.still');
      // A still of the author's stands over the frame's own until it draws.
      still.classList.add('over');
      if (!this.hasAttribute('still')) ready.then(() => { still.hidden = true; });
      this.shadowRoot.querySelector('.box').prepend(frame);
    }
    #isReady = () => {};

    #heard(e) {
      const m = e.data;
      if (!this.#frame || e.source !== this.#frame.contentWindow || e.origin !== home.origin || m?.strandscope !== 1) return;
      if (m.type === 'ready') this.#isReady();
      if (m.type === 'height' && m.height > 0 && m.height < 5000) this.shadowRoot.querySelector('.box').style.height = `${m.height + 2}px`;
      if (m.type === 'alive' && this.hasAttribute('still')) this.shadowRoot.querySelector('.still').hidden = m.alive;
      if (m.type === 'alive') this.dispatchEvent(new CustomEvent('alive', { detail: m.alive }));
      if (m.type === 'reply' && this.#waiting.has(m.id)) {
        const [done, failed] = this.#waiting.get(m.id);
        this.#waiting.delete(m.id);
        if (m.ok) done(m.result); else failed(new Error(m.error));
      }
    }

    // send gives a promise of the figure's answer to a command.
    async send(cmd, fields = {}) {
      this.#load(false);
      await this.#ready;
      const id = ++this.#number;
      return new Promise((done, failed) => {
        this.#waiting.set(id, [done, failed]);
        this.#frame.contentWindow.postMessage({ strandscope: 1, cmd, id, ...fields }, home.origin);
      });
    }
    play() { return this.send('play'); }
    pause() { return this.send('pause'); }
    seek(seconds) { return this.send('seek', { seconds }); }
  }
  customElements.define('strand-scope', StrandScope);

  // For scripts that have an element of their own: strandScope.mount(div, { scenario: … }).
  globalThis.strandScope = {
    mount: (into, attributes = {}) => {
      const el = document.createElement('strand-scope');
      for (const [k, v] of Object.entries(attributes)) if (v !== false) el.setAttribute(k, v === true ? '' : v);
      into.replaceChildren(el);
      return el;
    },
  };
})();
