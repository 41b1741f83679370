// A|B: two runs side by side, where they part, their figures over many seeds, and the link of both.

import { findings, fits } from '../lib/access.mjs';
import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

/** Opens the comparison and waits until both runs are over and where they part is known. */
async function compared(tickle) {
  await tickle.page.keyboard.press('a');
  await tickle.at('go-parting').waitFor();
  await tickle.settled();
}

/** All that two people would compare. */
async function picture(tickle) {
  return {
    ...(await tickle.place()),
    what: await tickle.text('ab-what'),
    parting: await tickle.text('go-parting'),
    side: await tickle.text('why-side'),
    other: await tickle.text('other-reason'),
    timeline: await tickle.pixels('timeline'),
    overview: await tickle.pixels('overview'),
  };
}

export function tests(address) {
  groupOf('ab');

  test('the default preset parts at the tickle of its story, with a reason on each side', () =>
    withPage(address, {}, async (tickle) => {
      await compared(tickle);
      equal(await tickle.at('ab').getAttribute('aria-pressed'), 'true', 'the button');
      const place = await tickle.steps(() => tickle.page.keyboard.press('d'));
      equal([place.time, place.code], ['14.000 000 ms', 'B3'], 'A');
      equal(await tickle.text('why-side'), 'A', 'the side in hand');
      const other = await tickle.text('other-reason');
      check(/^B.*A4/.test(other), `B: “${other}”`);
      const there = await tickle.steps(() => tickle.at('take-other').click());
      equal([there.time, there.code], ['14.000 000 ms', 'A4'], 'B in hand');
      equal(await tickle.text('why-side'), 'B', 'the side in hand');
      check(await tickle.at('patch-tickle_prefer_idlers').isChecked(), 'the switches are not those of B');
      await tickle.at('hand-A').click();
      await tickle.settled();
      check(!(await tickle.at('patch-tickle_prefer_idlers').isChecked()), 'the switches are not those of A');
      await tickle.page.keyboard.press('a');
      await tickle.at('ab-bar').waitFor({ state: 'detached' });
    }));

  test('the same twice never parts', () =>
    withPage(address, {}, async (tickle) => {
      await compared(tickle);
      await tickle.at('hand-B').click();
      await tickle.flip('tickle_prefer_idlers');
      await tickle.page.waitForFunction(() =>
        document.querySelector('[data-testid="parting"]')?.textContent.includes('record for record'),
      );
    }));

  test('a shared comparison opens as the same picture, with the same side in hand', () =>
    withPage(address, {}, async (tickle) => {
      await compared(tickle);
      await tickle.steps(() => tickle.page.keyboard.press('d'));
      await tickle.steps(() => tickle.at('take-other').click());
      const link = (await tickle.share()).split('#')[1];
      check(link.length < 200, `${link.length} letters`);
      await tickle.at('notice-close').first().click();
      const here = await picture(tickle);
      const there = await withPage(address, { link }, async (other) => {
        await other.at('go-parting').waitFor();
        await other.settled();
        equal(await other.notices(), [], 'bars');
        return picture(other);
      });
      equal(there, here, 'the picture');
    }));

  test('both sides over many seeds, with progress, stopped, and as text for a mail', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.preset(5);
      await compared(tickle);
      await tickle.at('figures').waitFor();
      check((await tickle.at('figures').locator('th[scope=col]').count()) === 5, 'two runs have wins');
      await tickle.at('seeds').fill('900');
      await tickle.at('sweep').click();
      await tickle.at('sweep-progress').waitFor();
      await tickle.page.waitForFunction(
        () => document.querySelectorAll('[data-testid="figures"] th[scope=col]').length === 8,
      );
      await tickle.at('sweep-cancel').click();
      await tickle.at('sweep').waitFor();
      await tickle.at('seeds').fill('4');
      await tickle.at('sweep').click();
      await tickle.page.waitForFunction(() =>
        document.querySelector('[data-testid="ab-table"] h2')?.textContent.includes('over 4 seeds'),
      );
      await tickle.at('sweep').waitFor();
      await tickle.at('copy-figures').click();
      await tickle.at('notice').first().waitFor();
      const text = await tickle.page.evaluate(() => navigator.clipboard.readText());
      const lines = text.trimEnd().split('\n');
      const link = lines.pop();
      check(link.startsWith(address) && link.includes('#2-'), `the last line is “${link}”`);
      const long = lines.find((line) => line.length > 72);
      check(long === undefined, `longer than 72: “${long}”`);
      check(lines.some((line) => / \| \d+\.\d+ \+\/- \d/.test(line)), `no spread in\n${text}`);
    }));

  test('what draws nothing at random says that seeds change nothing', () =>
    withPage(address, {}, async (tickle) => {
      await compared(tickle);
      await tickle.at('sweep').click();
      await tickle.page.waitForFunction(() =>
        document.querySelector('[data-testid="ab-table"] h2')?.textContent.includes('every seed gives the same'),
      );
    }));

  test('B runs with another parameter, or says why it cannot', () =>
    withPage(address, {}, async (tickle) => {
      await compared(tickle);
      await tickle.at('b-vary').click();
      await tickle.at('b-tslice').fill('10');
      await tickle.at('b-tslice').press('Tab');
      await tickle.page.waitForFunction(() =>
        document.querySelector('[data-testid="ab-what"]').textContent.includes('slice 10 ms'),
      );
      await tickle.settled();
      await tickle.at('b-tslice').fill('0');
      await tickle.at('b-tslice').press('Tab');
      await tickle.at('notice').first().waitFor();
      check((await tickle.notices())[0].startsWith('B cannot run like this: '), 'no sentence');
    }));

  for (const [width, height, scheme] of [
    [1440, 900, 'light'],
    [390, 844, 'dark'],
  ]) {
    test(`everyone reaches a comparison, ${scheme}, ${width}×${height}`, () =>
      withPage(address, { width, height, scheme }, async (tickle) => {
        await compared(tickle);
        await tickle.steps(() => tickle.page.keyboard.press('d'));
        equal(await findings(tickle), [], 'findings of axe');
        check(await fits(tickle), 'it scrolls sideways');
      }));
  }
}
