// The worker breaks: a bar says so with a link that does the same again, and the page goes on.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

/** Keeps the workers that the page starts where a test finds them. */
function remember() {
  const Real = window.Worker;
  window.workers = [];
  window.Worker = class extends Real {
    constructor(...words) {
      super(...words);
      window.workers.push(this);
    }
  };
}

/** What a browser does when a worker ends with an exception. */
const fail = (tickle) =>
  tickle.page.evaluate(() => {
    const message = 'unreachable';
    window.workers.at(-1).dispatchEvent(new ErrorEvent('error', { message, cancelable: true }));
  });

export function tests(address) {
  groupOf('failures');

  test('a failure of the worker is told with a link, and the page goes on', () =>
    withPage(address, { open: false }, async (tickle) => {
      await tickle.page.addInitScript(remember);
      await tickle.open('');
      const [place, digest] = [await tickle.press('.'), await tickle.text('digest')];
      await fail(tickle);
      const link = tickle.at('notice').locator('a');
      await link.waitFor();
      check(/unreachable/.test((await tickle.notices())[0]), 'the bar does not say what happened');
      const [, again] = (await link.getAttribute('href')).split('#');
      await withPage(address, { link: again }, async (other) => {
        equal(await other.text('digest'), digest, 'the digest of the link');
        equal(await other.place(), place, 'the place of the link');
      });
      await tickle.preset(1);
      await tickle.press('.');
      equal(await tickle.page.evaluate(() => window.workers.length), 2, 'workers started');
    }));
}
