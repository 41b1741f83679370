// Every preset: opens, steps, flips the patch of its story, goes to both ends.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

export function tests(address) {
  groupOf('presets');

  test('every preset opens at its story and can be stepped through', () =>
    withPage(address, {}, async (tickle) => {
      const presets = await tickle.presets();
      check(presets.length >= 9, `only ${presets.length} presets`);
      const digests = new Set();
      for (const preset of presets) {
        await tickle.preset(preset);
        equal(await tickle.notices(), [], `bars of preset ${preset}`);
        digests.add(await tickle.text('digest'));
        const first = await tickle.press('.');
        await tickle.press('.');
        equal(await tickle.press(','), first, `preset ${preset}: the place one step back`);
        const view = await tickle.pixels();
        await tickle.page.keyboard.press('0');
        await tickle.settled();
        check((await tickle.pixels()) !== view, `preset ${preset}: the whole run looks like a part of it`);
      }
      equal(digests.size, presets.length, 'different digests');
    }));

  test('each patch of the seed’s run can be flipped, and some change it', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.preset(5);
      const digest = await tickle.text('digest');
      const slugs = await tickle.page.evaluate(() =>
        [...document.querySelectorAll('[data-testid^="patch-"]')].map((one) => one.dataset.testid.slice(6)),
      );
      check(slugs.length >= 29, `only ${slugs.length} patches`);
      let changed = 0;
      for (const slug of slugs) {
        await tickle.flip(slug);
        changed += Number((await tickle.text('digest')) !== digest);
        await tickle.preset(5);
        equal(await tickle.text('digest'), digest, `the digest after ${slug} was flipped`);
      }
      check(changed >= 5, `only ${changed} patches change the run`);
    }));
}
