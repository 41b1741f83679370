// Links: the same picture elsewhere, and one sentence for whatever is no link.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

/** All that two people would compare. */
async function picture(tickle) {
  return {
    ...(await tickle.place()),
    digest: await tickle.text('digest'),
    timeline: await tickle.pixels('timeline'),
    overview: await tickle.pixels('overview'),
    now: await tickle.text('now-table'),
  };
}

/** A tickle of the preset, selected, seen closely. */
async function somewhere(tickle, preset) {
  if (preset !== undefined) await tickle.preset(preset);
  await tickle.press('.');
  await tickle.press('.');
  await tickle.page.keyboard.press('+');
  await tickle.settled();
}

function mutated(link, at) {
  const place = Math.floor(link.length * at);
  return link.slice(0, place) + (link[place] === 'A' ? 'B' : 'A') + link.slice(place + 1);
}

export function tests(address) {
  groupOf('links');

  test('a shared link gives the same picture elsewhere', () =>
    withPage(address, {}, async (tickle) => {
      await somewhere(tickle);
      const link = (await tickle.share()).split('#')[1];
      check(/^[A-Za-z0-9_-]+$/.test(link), `other letters in ${link}`);
      check(link.length < 200, `${link.length} letters`);
      equal(await tickle.link(), link, 'the address');
      await tickle.at('notice-close').first().click();
      const here = await picture(tickle);
      const there = await withPage(address, { link }, async (other) => {
        equal(await other.notices(), [], 'bars');
        return picture(other);
      });
      equal(there, here, 'the picture');
    }));

  test('so does the address after a reload, with other patches and 16 pCPUs', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.preset(5);
      await tickle.flip('two_step_balance');
      await somewhere(tickle);
      check((await tickle.link()) !== '', 'the address stays empty');
      const before = await picture(tickle);
      await tickle.page.reload();
      await tickle.settled();
      equal(await tickle.notices(), [], 'bars');
      equal(await picture(tickle), before, 'the picture');
    }));

  test('whatever is no link gets one sentence, and the page works', async () => {
    const link = await withPage(address, {}, async (tickle) => {
      await somewhere(tickle);
      return tickle.link();
    });
    const broken = [
      ['half', link.slice(0, link.length / 2)],
      ['without its last letter', link.slice(0, -1)],
      ['changed near the start', mutated(link, 0.2)],
      ['changed near the end', mutated(link, 0.9)],
      ['of version 99', `99-${link.split('-').slice(1).join('-')}`],
      ['of version 0', '0-AAAA'],
      ['a word', 'garbage'],
      ['empty content', '1-'],
      ['strange letters', '1-%00%ff<script>alert(1)</script>'],
      ['1 MB of A', 'A'.repeat(1_000_000)],
      ['1 MB of A with a version', `1-${'A'.repeat(1_000_000)}`],
    ];
    for (const [what, text] of broken) {
      await withPage(address, { link: text }, async (tickle) => {
        const notices = await tickle.notices();
        equal(notices.length, 1, `${what}: bars`);
        check(/^[^.]+ cannot be opened: .+\.$/.test(notices[0]), `${what}: “${notices[0]}”`);
        check(notices[0].length < 300, `${what}: a bar of ${notices[0].length} letters`);
        await tickle.press('.');
        await tickle.at('notice-close').click();
        equal(await tickle.notices(), [], `${what}: bars once closed`);
      });
    }
  });

  test('a broken link in the same tab leaves what was open', () =>
    withPage(address, {}, async (tickle) => {
      await somewhere(tickle, 2);
      const before = await tickle.place();
      await tickle.page.evaluate(() => (location.hash = '1-nonsense'));
      await tickle.at('notice').first().waitFor();
      await tickle.settled();
      equal(await tickle.place(), before, 'the place');
    }));

  test('a link opened in the same tab is followed', async () => {
    const there = await withPage(address, {}, async (tickle) => {
      await somewhere(tickle, 1);
      return { link: await tickle.link(), place: await tickle.place() };
    });
    await withPage(address, {}, async (tickle) => {
      await tickle.moves(() => tickle.page.evaluate((link) => (location.hash = link), there.link));
      await tickle.settled();
      equal(await tickle.place(), there.place, 'the place');
    });
  });
}
