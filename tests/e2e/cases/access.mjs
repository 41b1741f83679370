// Everyone reaches everything: no serious finding of axe, no scrolling sideways, no tiny text.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SIZES = [
  [1440, 900],
  [1280, 720],
  [390, 844],
];

async function findings(tickle) {
  await tickle.page.evaluate(await readFile(AXE, 'utf8'));
  const { violations } = await tickle.page.evaluate(() => axe.run());
  return violations
    .filter((one) => ['serious', 'critical'].includes(one.impact))
    .map((one) => `${one.id} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 160)}`);
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

  for (const [width, height] of SIZES) {
    test(`nothing scrolls sideways at ${width}×${height}`, () =>
      withPage(address, { width, height }, async (tickle) => {
        for (const preset of [0, 5]) {
          await tickle.preset(preset);
          await tickle.press('.');
          const [has, shows] = await tickle.page.evaluate(() => [
            document.documentElement.scrollWidth,
            document.documentElement.clientWidth,
          ]);
          check(has <= shows, `preset ${preset} is ${has} px wide on ${shows} px`);
        }
      }));
  }

  test('no text is smaller than 12 px', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.press('.');
      const small = await tickle.page.evaluate(() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walker.nextNode()) {
          const parent = walker.currentNode.parentElement;
          const text = walker.currentNode.textContent.trim();
          const size = parseFloat(getComputedStyle(parent).fontSize);
          if (text !== '' && parent.checkVisibility() && size < 12) found.push(`${text} (${size} px)`);
        }
        return found.slice(0, 5);
      });
      equal(small, [], 'small texts');
    }));

  test('every control has a name and can be reached with Tab', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      const wanted = ['scenario', 'play', 'prev-decision', 'next-decision', 'speed', 'share', 'patch-tickle_prefer_idlers'];
      const reached = new Set();
      for (let step = 0; step < 120 && wanted.some((id) => !reached.has(id)); step += 1) {
        await page.keyboard.press('Tab');
        reached.add(await page.evaluate(() => document.activeElement?.dataset.testid));
      }
      equal(wanted.filter((id) => !reached.has(id)), [], 'not reached');
    }));

  test('each decision is announced', () =>
    withPage(address, {}, async (tickle) => {
      const { sentence } = await tickle.press('.');
      equal(await tickle.text('live'), sentence, 'what is said');
    }));
}
