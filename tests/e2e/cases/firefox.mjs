// The same page in Firefox: same digest, same steps, same sentences.

import puppeteer from 'puppeteer-core';
import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

const EXECUTABLE = process.env.TICKLE_FIREFOX ?? '/usr/bin/firefox-esr';
const STEPS = 4;

async function settled(page) {
  await page.waitForFunction(() => {
    const there = (id) => document.querySelector(`[data-testid="${id}"]`) !== null;
    return there('digest') && there('now-table') && document.querySelector('.stale') === null;
  });
}

const text = (page, id) =>
  page.evaluate((id) => document.querySelector(`[data-testid="${id}"]`)?.textContent.trim(), id);

/** The timeline once two frames in a row show the same, as an address. Runs in the page. */
async function picture() {
  const canvas = document.querySelector('[data-testid="timeline"]');
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  let [before, now] = ['', canvas.toDataURL()];
  while (before !== now) {
    await frame();
    await frame();
    [before, now] = [now, canvas.toDataURL()];
  }
  return now;
}

/** Digest, then the sentences of some steps, then that of the last decision with the patch flipped. */
async function walk(page, step, flip) {
  const seen = [await text(page, 'digest')];
  for (let count = 0; count < STEPS; count += 1) {
    await step();
    seen.push(`${await text(page, 'ordinal')} ${await text(page, 'why-sentence')}`);
  }
  await flip();
  seen.push(await text(page, 'digest'), await text(page, 'why-sentence'));
  return seen;
}

async function inFirefox(address, link, body) {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: EXECUTABLE, headless: true });
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      const own = url.startsWith(address) || url.startsWith('data:') || url.startsWith('blob:');
      if (!own) faults.push(`request to ${url}`);
    });
    await page.setViewport({ width: 1440, height: 900 });
    await page.goto(`${address}#${link}`);
    await settled(page);
    const seen = await body(page);
    equal(faults, [], 'errors');
    return seen;
  } finally {
    await browser.close();
  }
}

export function tests(address) {
  groupOf('firefox');

  test('the same link, steps and patch give the same as in Chromium', async () => {
    const chromium = await withPage(address, {}, async (tickle) => {
      await tickle.press('.');
      const link = await tickle.link();
      const flip = () => tickle.click('patch-tickle_prefer_idlers');
      return { link, seen: await walk(tickle.page, () => tickle.press('.'), flip) };
    });
    const seen = await inFirefox(address, chromium.link, (page) => {
      const changes = async (id, act) => {
        const before = await text(page, id);
        await act();
        await page.waitForFunction(
          (id, before) => {
            const now = document.querySelector(`[data-testid="${id}"]`)?.textContent.trim();
            return now !== undefined && now !== before;
          },
          {},
          id,
          before,
        );
        await settled(page);
      };
      const step = () => changes('ordinal', () => page.keyboard.press('.'));
      const box = '[data-testid="patch-tickle_prefer_idlers"]';
      return walk(page, step, () => changes('digest', () => page.click(box)));
    });
    check(/^[0-9a-f]{16}$/.test(seen[0]), `the digest is ${seen[0]}`);
    equal(seen, chromium.seen, 'what was seen');
  });
  test('a reload gives the same sentence, digest and picture', async () => {
    const link = await withPage(address, {}, async (tickle) => {
      await tickle.press('.');
      return tickle.link();
    });
    const seen = async (page) => [
      await text(page, 'digest'),
      await text(page, 'why-sentence'),
      await page.evaluate(picture),
    ];
    await inFirefox(address, link, async (page) => {
      const before = await seen(page);
      check(before[1].length > 20, `the sentence is “${before[1]}”`);
      await page.reload();
      await settled(page);
      equal(await seen(page), before, 'what was seen');
    });
  });
}
