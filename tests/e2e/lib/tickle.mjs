// The page in a test's words: what can be read from it and done with it.

/** What changes whenever one goes elsewhere. */
const PLACE = ['cursor-time', 'ordinal', 'why-code', 'why-sentence'];

/** The texts at these test ids, in one word. Runs in the page. */
const texts = (ids) =>
  JSON.stringify(ids.map((id) => document.querySelector(`[data-testid="${id}"]`)?.textContent));

/** A moment or length as the page writes it, in ns. */
export function nanoseconds(text) {
  const [, number, unit] = /([\d.,\u2009\u202f ]+)\s*(ns|µs|ms|s)\b/.exec(text);
  return Number(number.replace(/[^\d.]/g, '')) * { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 }[unit];
}

/** A page of Tickle in a browser. */
export class Tickle {
  constructor(page, address) {
    this.page = page;
    this.address = address;
  }

  /** What carries this test id. */
  at(id) {
    return this.page.locator(`[data-testid="${id}"]`);
  }

  async open(link) {
    await this.page.goto(link === '' ? this.address : `${this.address}#${link}`);
    await this.settled();
  }

  /** Waits until the run is over and everything shown is about it. */
  async settled() {
    await this.page.waitForFunction(() => {
      const there = (id) => document.querySelector(`[data-testid="${id}"]`) !== null;
      return there('digest') && there('now-table') && document.querySelector('.stale') === null;
    });
  }

  /** What stands at a test id; nothing if it is not there. */
  async text(id) {
    const found = this.at(id).first();
    return (await found.count()) === 0 ? null : (await found.textContent()).trim();
  }

  /** Where one stands: the moment, and what is explained. */
  place() {
    // All of it at once, so that nothing moves in between.
    return this.page.evaluate(() => {
      const text = (id) => document.querySelector(`[data-testid="${id}"]`)?.textContent.trim() ?? null;
      return {
        time: text('cursor-time'),
        ordinal: text('ordinal'),
        code: text('why-code'),
        sentence: text('why-sentence'),
      };
    });
  }

  /** Does something and waits until one stands elsewhere; gives where. */
  async moves(act) {
    const before = await this.page.evaluate(texts, PLACE);
    await act();
    // The page's policy lets nobody wait for a text that would have to be evaluated.
    await this.page.waitForFunction(
      ({ before, place }) => {
        const text = (id) => document.querySelector(`[data-testid="${id}"]`)?.textContent;
        return JSON.stringify(place.map(text)) !== before;
      },
      { before, place: PLACE },
    );
    await this.settled();
    return this.place();
  }

  /** Where the cursor stands, in ns. */
  async cursor() {
    return nanoseconds(await this.text('cursor-time'));
  }

  /** The stretch of time that the timeline says it shows, in ns. */
  async span() {
    const said = await this.at('timeline').getAttribute('aria-label');
    const [, from, to] = / from (.+?) to (.+?), cursor/.exec(said);
    return { from: nanoseconds(from), to: nanoseconds(to) };
  }

  /** Does something and waits until the timeline shows another stretch of time; gives it. */
  async zooms(act) {
    const before = await this.at('timeline').getAttribute('aria-label');
    await act();
    await this.page.waitForFunction(
      (before) => document.querySelector('[data-testid="timeline"]').getAttribute('aria-label') !== before,
      before,
    );
    await this.settled();
    await this.pixels();
    return this.span();
  }

  /** As `moves`, to something that is explained; the first explanation of a run takes a moment. */
  async steps(act) {
    await this.moves(act);
    await this.at('ordinal').waitFor();
    await this.settled();
    return this.place();
  }

  press(key) {
    const press = () => this.page.keyboard.press(key);
    return ['Home', 'End'].includes(key) ? this.moves(press) : this.steps(press);
  }

  click(id) {
    const click = () => this.at(id).click();
    // A flipped patch may leave no decision at the place where one stood.
    return /^(next|prev)-/.test(id) ? this.steps(click) : this.moves(click);
  }

  /** Flips a patch, also one that is folded away, and waits for the run. */
  async flip(slug) {
    await this.at(`patch-${slug}`).evaluate((box) => box.click());
    await this.settled();
  }

  /** Opens a preset as it is and waits for its run. */
  async preset(number) {
    await this.at('scenario').selectOption(String(number));
    await this.settled();
  }

  /** The numbers of all presets. */
  presets() {
    const options = () =>
      [...document.querySelectorAll('[data-testid="scenario"] option')].map((one) => one.value);
    return this.page.evaluate(options);
  }

  /** Waits until two frames in a row show the same pixels; gives the picture as an address. */
  async pixels(id = 'timeline') {
    return this.page.evaluate(async (id) => {
      const canvas = document.querySelector(`[data-testid="${id}"]`);
      const frame = () => new Promise((next) => requestAnimationFrame(next));
      let [before, now] = ['', canvas.toDataURL()];
      while (before !== now) {
        await frame();
        await frame();
        [before, now] = [now, canvas.toDataURL()];
      }
      return now;
    }, id);
  }

  /** Waits until the address carries what is shown; gives what stands behind `#`. */
  async link() {
    // The page writes its address once nothing has changed for a quarter of a second.
    return this.page.evaluate(async () => {
      const frame = () => new Promise((next) => requestAnimationFrame(next));
      let since = performance.now();
      let link = location.hash;
      while (performance.now() - since < 600) {
        await frame();
        if (location.hash !== link) [link, since] = [location.hash, performance.now()];
      }
      return link.slice(1);
    });
  }

  /** Presses Share; gives the link that was copied, whole. */
  async share() {
    await this.at('share').click();
    await this.at('notice').first().waitFor();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** The sentences of all bars. */
  async notices() {
    return (await this.at('notice').locator('p').allTextContents()).map((text) => text.trim());
  }
}
