// Everyone reaches everything: no serious finding of axe, no scrolling sideways, no tiny text.

import { findings, fits, smaller } from '../lib/access.mjs';
import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

const SIZES = [
  [1440, 900],
  [1280, 720],
  [390, 844],
];

/** How many pixels of the timeline have one of these colours (`#rrggbb`). */
const painted = (tickle, colours) =>
  tickle.page.evaluate((colours) => {
    const canvas = document.querySelector('[data-testid="timeline"]');
    // Read from a copy: the page's own canvas is made to be painted, not read.
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    const wanted = new Set(colours.map((colour) => parseInt(colour.slice(1), 16)));
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (wanted.has((data[at] << 16) | (data[at + 1] << 8) | data[at + 2])) count += 1;
    }
    return count;
  }, colours);

/** Keeps all controls that are to be seen as not yet reached; gives how many. Runs in the page. */
function remember() {
  const all = document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]');
  window.unreached = new Set([...all].filter((one) => !one.disabled && one.checkVisibility()));
  return window.unreached.size;
}

/** Controls that nothing names. Runs in the page. */
function nameless() {
  const named = (one) => {
    const labels = [...(one.labels ?? [])].map((label) => label.textContent);
    const names = [one.getAttribute('aria-label'), one.title, one.textContent, ...labels];
    return names.some((name) => name?.trim());
  };
  const all = [...document.querySelectorAll('a[href], button, input, select, summary')];
  return all.filter((one) => one.checkVisibility() && !named(one)).map((one) => one.outerHTML.slice(0, 120));
}

/** What people see in turn: a decision, a larger machine, the keys, a bar. */
const STATES = [
  ['a decision', (tickle) => tickle.press('.')],
  [
    '16 pCPUs',
    async (tickle) => {
      await tickle.preset(5);
      await tickle.press('.');
    },
  ],
  [
    'the keys',
    async (tickle) => {
      await tickle.page.keyboard.press('?');
      await tickle.at('help').waitFor({ state: 'visible' });
    },
  ],
  [
    'a bar',
    async (tickle) => {
      await tickle.page.keyboard.press('Escape');
      await tickle.page.evaluate(() => (location.hash = 'garbage'));
      await tickle.at('notice').first().waitFor();
    },
  ],
  ['the search', (tickle) => tickle.page.keyboard.press('/')],
];

export function tests(address) {
  groupOf('access');

  for (const scheme of ['light', 'dark']) {
    for (const [width, height] of [SIZES[0], SIZES[2]]) {
      test(`axe finds nothing serious, ${scheme}, ${width}×${height}`, () =>
        withPage(address, { scheme, width, height }, async (tickle) => {
          for (const [what, act] of STATES) {
            await act(tickle);
            equal(await findings(tickle), [], what);
          }
        }));
    }
  }

  for (const media of [{ contrast: 'more' }, { forcedColors: 'active' }, { reducedMotion: 'reduce' }]) {
    const [[wish, value]] = Object.entries(media);
    test(`axe finds nothing serious with ${wish}: ${value}`, () =>
      withPage(address, { media }, async (tickle) => {
        for (const [what, act] of STATES) {
          await act(tickle);
          equal(await findings(tickle), [], what);
        }
      }));
  }

  test('with more contrast no text is grey', () =>
    withPage(address, { media: { contrast: 'more' } }, async (tickle) => {
      const [muted, text] = await tickle.page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        return [style.getPropertyValue('--muted'), style.getPropertyValue('--text')];
      });
      equal(muted, text, 'the colour of text of second rank');
    }));

  test('with forced colours domains keep theirs, and what is lit stays lit', () =>
    withPage(address, { media: { forcedColors: 'active' } }, async (tickle) => {
      await tickle.press('.');
      const grounds = await tickle.page.evaluate(() => {
        const ground = (selector) => getComputedStyle(document.querySelector(selector)).backgroundColor;
        const chips = [...document.querySelectorAll('.guests .vcpu')].map((one) => getComputedStyle(one).backgroundColor);
        return { chips: new Set(chips).size, on: ground('.bit.on'), off: ground('.bit:not(.on)') };
      });
      check(grounds.chips > 1, 'all guests have one colour');
      check(grounds.on !== grounds.off, `bits that are set look like others: ${grounds.on}`);
    }));

  /** Grounds of the first three domains in the palettes for contrast (src/timeline/theme.rs). */
  const STRONG = {
    light: ['#5073aa', '#d03c05', '#3f058b'],
    dark: ['#1cffff', '#ffd499', '#c856ef'],
  };

  for (const [name, scheme, media] of [
    ['more contrast, light', 'light', { contrast: 'more' }],
    ['more contrast, dark', 'dark', { contrast: 'more' }],
    ['forced colours, light', 'light', { forcedColors: 'active' }],
    ['forced colours, dark', 'dark', { forcedColors: 'active' }],
  ]) {
    test(`with ${name}, the timeline is painted in colours of strong contrast`, () =>
      withPage(address, { media, scheme }, async (tickle) => {
        await tickle.pixels();
        check((await painted(tickle, STRONG[scheme])) > 500, 'no domain has its strong colour');
        // The system's wish may change while the page is open.
        await tickle.page.emulateMedia({ contrast: 'no-preference', forcedColors: 'none' });
        await tickle.pixels();
        equal(await painted(tickle, STRONG[scheme]), 0, 'pixels in strong colours afterwards');
      }));
  }

  test('with less motion nothing moves by itself', () =>
    withPage(address, { media: { reducedMotion: 'reduce' } }, async (tickle) => {
      await tickle.press('.');
      const moving = await tickle.page.evaluate(() => document.getAnimations().length);
      equal(moving, 0, 'animations');
    }));

  for (const [width, height] of SIZES) {
    test(`nothing scrolls sideways at ${width}×${height}`, () =>
      withPage(address, { width, height }, async (tickle) => {
        for (const preset of [0, 5]) {
          await tickle.preset(preset);
          await tickle.press('.');
          check(await fits(tickle), `preset ${preset} is wider than the screen`);
        }
      }));
  }

  test('no text is smaller than 12 px', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.press('.');
      equal(await smaller(tickle, 12), [], 'small texts');
    }));

  test('no text is smaller than 20 px while presenting', () =>
    withPage(address, { width: 1280, height: 720 }, async (tickle) => {
      await tickle.press('.');
      await tickle.at('present').click();
      await tickle.page.locator('[data-presenting]').waitFor();
      equal(await smaller(tickle, 20), [], 'small texts');
      check(await fits(tickle), 'it scrolls sideways');
    }));

  test('every control has a name and can be reached with Tab', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.press('.');
      const { page } = tickle;
      const count = await page.evaluate(remember);
      check(count > 20, `only ${count} controls`);
      // A turn through all of them and as many again for what scrolls and the browser's own.
      for (let step = 0; step < 2 * count && (await page.evaluate(() => window.unreached.size)) > 0; step += 1) {
        await page.keyboard.press('Tab');
        await page.evaluate(() => window.unreached.delete(document.activeElement));
      }
      // Of a row of tabs only the chosen one is a stop of Tab: arrows lead to the others.
      const left = () =>
        [...window.unreached]
          .filter((one) => !one.matches('[role="tab"][aria-selected="false"]'))
          .map((one) => one.outerHTML.slice(0, 120));
      equal(await page.evaluate(left), [], 'not reached');
      equal(await page.evaluate(nameless), [], 'without a name');
    }));

  test('each decision is announced', () =>
    withPage(address, {}, async (tickle) => {
      const { sentence } = await tickle.press('.');
      equal(await tickle.text('live'), sentence, 'what is said');
    }));
}
