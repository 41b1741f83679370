// Scenario files: good ones run, impossible ones get one sentence; long runs can be watched and ended.

import { withPage } from '../lib/chromium.mjs';
import { IMPOSSIBLE, long, small } from '../lib/scenarios.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

const file = (name, content) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

const choose = (tickle, content, name = 'own.json') =>
  tickle.at('open-file').setInputFiles(file(name, content));

export function tests(address) {
  groupOf('files');

  test('a scenario of one’s own runs, and its link carries it', () =>
    withPage(address, {}, async (tickle) => {
      const before = await tickle.text('digest');
      await choose(tickle, small());
      await tickle.page.waitForFunction(
        (before) => {
          const digest = document.querySelector('[data-testid="digest"]')?.textContent;
          return digest !== undefined && digest !== before;
        },
        before,
      );
      await tickle.settled();
      const [digest, place] = [await tickle.text('digest'), await tickle.press('.')];
      const link = await tickle.link();
      await withPage(address, { link }, async (other) => {
        equal(await other.notices(), [], 'bars');
        equal(await other.text('digest'), digest, 'the digest');
        equal(await other.place(), place, 'the place');
      });
    }));

  test('an impossible file gets one sentence and loses nothing', () =>
    withPage(address, {}, async (tickle) => {
      const place = await tickle.press('.');
      const digest = await tickle.text('digest');
      for (const [what, content, sentence] of IMPOSSIBLE) {
        await choose(tickle, content, `${what}.json`);
        await tickle.at('notice').first().waitFor();
        const notices = await tickle.notices();
        equal(notices.length, 1, `${what}: bars`);
        check(sentence.test(notices[0]) && notices[0].endsWith('.'), `${what}: “${notices[0]}”`);
        equal(await tickle.text('digest'), digest, `${what}: the digest`);
        equal(await tickle.place(), place, `${what}: the place`);
        await tickle.at('notice-close').click();
        await tickle.at('notice').waitFor({ state: 'detached' });
      }
    }));

  test('a long run shows progress, can be stepped through meanwhile, and ended', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      await choose(tickle, long());
      await tickle.at('progress').waitFor();
      await page.waitForFunction(
        () => Number(document.querySelector('[data-testid="progress"]')?.getAttribute('value')) > 0,
      );
      await page.keyboard.press('.');
      await tickle.at('ordinal').waitFor();
      check((await tickle.text('why-sentence')).length > 20, 'no sentence while it runs');
      equal(await tickle.at('progress').count(), 1, 'still running');
      await tickle.at('cancel').click();
      await tickle.settled();
      equal(await tickle.at('progress').count(), 0, 'ended');
      await tickle.press('.');
      // The next run is not held up by what was ended.
      await tickle.preset(0);
      equal(await tickle.at('now-table').locator('tbody tr').count(), 4, 'rows of the machine');
    }));

  test('another preset ends a long run', () =>
    withPage(address, {}, async (tickle) => {
      const digest = await tickle.text('digest');
      await choose(tickle, long());
      await tickle.at('progress').waitFor();
      await tickle.preset(0);
      equal(await tickle.text('digest'), digest, 'the digest');
    }));
}
