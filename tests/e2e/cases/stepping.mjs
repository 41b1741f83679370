// Going from decision to decision, forwards and back, and flipping the patch.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

const PATCH = 'patch-tickle_prefer_idlers';

/** Steps to the first tickle from where the page opens. */
async function toStory(tickle) {
  let place = await tickle.click('next-decision');
  while (!/tickle/.test(await tickle.text('why-function'))) place = await tickle.click('next-decision');
  return place;
}

const masks = (tickle) => tickle.text('why-masks');

export function tests(address) {
  groupOf('stepping');

  test('a step forward and a step back lead to the same place', () =>
    withPage(address, {}, async (tickle) => {
      const places = [];
      for (let step = 0; step < 6; step += 1) places.push(await tickle.click('next-decision'));
      equal(new Set(places.map((place) => JSON.stringify(place))).size, 6, 'different places');
      for (const place of places.slice(0, -1).reverse()) {
        equal(await tickle.click('prev-decision'), place, 'the place one step back');
      }
    }));

  test('events of the row go forward and back', () =>
    withPage(address, {}, async (tickle) => {
      const first = await tickle.click('next-event');
      await tickle.click('next-event');
      equal(await tickle.click('prev-event'), first, 'the place one event back');
    }));

  test('the patch changes the decision of the story', () =>
    withPage(address, {}, async (tickle) => {
      const before = await toStory(tickle);
      check(/^B[34]$/.test(before.code), `the story's tickle is ${before.code}, not B3 or B4`);
      equal(await tickle.at('other-side').getAttribute('data-differs'), 'true', 'the other side differs');
      const [promised, bits] = [await tickle.text('other-side'), await masks(tickle)];
      equal(await tickle.at(PATCH).isChecked(), false, 'the patch');
      const after = await tickle.click(PATCH);
      equal(await tickle.at(PATCH).isChecked(), true, 'the patch');
      check(/^A\d/.test(after.code), `with the patch the tickle is ${after.code}, not A`);
      check(promised.includes(after.code), `the other side had said “${promised}”`);
      check((await masks(tickle)) !== bits, 'the masks are the same with and without the patch');
      equal(after.time, before.time, 'the moment');
      equal(await tickle.click(PATCH), before, 'the place with the patch off again');
    }));

  test('the first step after the opening tells what the patch is about', () =>
    withPage(address, {}, async (tickle) => {
      const before = await tickle.press('.');
      equal([before.code, await tickle.cursor()], ['B3', 14_000_000], 'the decision and its moment');
      check(before.sentence.includes('d1v0 now waits on p0, although p1 and p3 are idle'), before.sentence);
      const after = await tickle.click(PATCH);
      equal([after.code, await tickle.cursor()], ['A4', 14_000_000], 'with the patch');
      check(after.sentence.includes('is pushed out'), after.sentence);
      equal(await tickle.click(PATCH), before, 'the place with the patch off again');
    }));

  test('the button beside the other side flips the patch', () =>
    withPage(address, {}, async (tickle) => {
      const before = await toStory(tickle);
      const after = await tickle.click('flip');
      check(after.code !== before.code, `still ${after.code}`);
      equal(await tickle.at(PATCH).isChecked(), true, 'the patch');
    }));

  test('exactly one row of the table is lit, the one of the decision', () =>
    withPage(address, {}, async (tickle) => {
      const place = await toStory(tickle);
      const taken = tickle.at('why-table').locator('[data-taken="true"]');
      equal(await taken.count(), 1, 'rows lit');
      equal((await taken.locator('td').first().textContent()).trim(), place.code, 'the row lit');
    }));

  test('a cause can be gone to, and back', () =>
    withPage(address, {}, async (tickle) => {
      const place = await toStory(tickle);
      const cause = tickle.at('chain').locator('.cause button').first();
      const there = await tickle.moves(() => cause.click());
      check(there.code !== place.code, 'the cause is the decision itself');
      equal(await tickle.click('next-decision'), place, 'the decision after its cause');
    }));

  test('every decision of the story has its sentence', () =>
    withPage(address, {}, async (tickle) => {
      for (let step = 0; step < 40; step += 1) {
        const { sentence, code } = await tickle.click('next-decision');
        check(/^[A-Zdp].{20,}\.$/s.test(sentence), `${code}: “${sentence}”`);
      }
    }));

  test('the time machine goes through history and back', () =>
    withPage(address, {}, async (tickle) => {
      const digest = await tickle.text('digest');
      const stops = [];
      const machine = tickle.at('time-machine');
      const last = Number(await machine.getAttribute('max'));
      const start = Number(await machine.inputValue());
      for (let stop = 0; stop <= last; stop += 1) {
        await machine.fill(String(stop));
        await tickle.settled();
        equal(Number(await machine.inputValue()), stop, 'the stop');
        stops.push(await tickle.text('digest'));
      }
      check(new Set(stops).size > 2, `all stops give ${stops[0]}`);
      equal(stops[start], digest, 'the digest of the stop where the page opens');
    }));
}
