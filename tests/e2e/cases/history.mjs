// The time machine, what its stops change, and the table of an accounting.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

/** Waits until changed decisions are counted. */
const counted = async (tickle) => {
  await tickle.settled();
  await tickle.at('counting').waitFor({ state: 'detached' });
};

export function tests(address) {
  groupOf('history');

  test('a stop says what changed there and leads to the first decision that it changes', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.at('stop-on').click();
      await counted(tickle);
      check((await tickle.text('stop')).includes('improve tickling of idle CPUs'), await tickle.text('stop'));
      const said = await tickle.text('stop-changed');
      check(/\d+ of \d+ decisions change/.test(said), said);
      await tickle.at('stop-patches').locator('summary').click();
      check((await tickle.text('stop-patches')).includes('ebce2d8'), 'the commit of the stop');
      const first = await tickle.click('first-of-stop');
      check(/^A\d/.test(first.code), `the first changed decision is ${first.code}`);
      equal(await tickle.at('other-side').getAttribute('data-differs'), 'true', 'its other side differs');
    }));

  test('the arrow keys on the slider go from stop to stop', () =>
    withPage(address, {}, async (tickle) => {
      const machine = tickle.at('time-machine');
      const start = Number(await machine.inputValue());
      await machine.focus();
      await tickle.page.keyboard.press('ArrowRight');
      await tickle.settled();
      equal(Number(await machine.inputValue()), start + 1, 'the stop');
      await tickle.page.keyboard.press('ArrowLeft');
      await tickle.settled();
      equal(Number(await machine.inputValue()), start, 'the stop');
    }));

  test('a combination that never existed can be chosen and says so', () =>
    withPage(address, {}, async (tickle) => {
      equal(await tickle.at('between').count(), 0, 'words about a combination at a stop');
      await tickle.flip('burn_residual');
      const said = await tickle.text('between');
      check(/^This combination never existed: it is R1 with “.+”\.$/.test(said), said);
    }));

  test('changed decisions are counted for each patch and can be gone to', () =>
    withPage(address, {}, async (tickle) => {
      await counted(tickle);
      // The list begins with the patches of 2012.
      const go = (id) => tickle.steps(() => tickle.at(id).first().click());
      const first = await go('first-changed');
      equal(await tickle.at('other-side').getAttribute('data-differs'), 'true', 'the other side differs');
      const next = await go('next-changed');
      check(next.ordinal !== first.ordinal, `still at ${next.ordinal}`);
      equal(await tickle.at('other-side').getAttribute('data-differs'), 'true', 'the other side differs');
    }));

  test('an accounting tells what each domain and vCPU gets and who is parked', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.preset(9);
      await tickle.page.keyboard.press('/');
      await tickle.at('search').fill('park');
      await tickle.moves(() => tickle.page.keyboard.press('Enter'));
      check(/is (parked|unparked)/.test(await tickle.text('why-sentence')), await tickle.text('why-sentence'));
      const cause = tickle.at('chain').locator('.cause button').last();
      await tickle.moves(() => cause.click());
      const shares = await tickle.text('shares');
      for (const word of ['weight', 'cap', 'fair share', '40 %', 'd1v0', 'parked']) {
        check(shares.includes(word), `no ${word} in “${shares}”`);
      }
    }));
}
