// The timeline under a mouse and under fingers.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

/** A point of a canvas, from 0 to 1 both ways. */
async function point(tickle, id, across, down) {
  const box = await tickle.at(id).boundingBox();
  return [box.x + box.width * across, box.y + box.height * down];
}

/** Moves the mouse with its button down. */
async function drag(tickle, from, to) {
  const { mouse } = tickle.page;
  await mouse.move(...from);
  await mouse.down();
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await mouse.move(from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part);
  }
  await mouse.up();
}

/** Does something; the timeline must look otherwise after it. Gives how it looks. */
async function repaints(tickle, what, act) {
  const before = await tickle.pixels();
  await act();
  await tickle.page.waitForFunction(
    (before) => document.querySelector('[data-testid="timeline"]').toDataURL() !== before,
    before,
  );
  await tickle.settled();
  const after = await tickle.pixels();
  check(after !== before, `${what} changes nothing`);
  return after;
}

export function tests(address) {
  groupOf('pointer');

  test('the wheel zooms at the pointer, a drag pans', () =>
    withPage(address, {}, async (tickle) => {
      const { mouse } = tickle.page;
      const at = await point(tickle, 'timeline', 0.6, 0.3);
      await mouse.move(...at);
      await repaints(tickle, 'the wheel', () => mouse.wheel(0, -240));
      await repaints(tickle, 'the wheel back', () => mouse.wheel(0, 240));
      const to = await point(tickle, 'timeline', 0.4, 0.3);
      await repaints(tickle, 'a drag', () => drag(tickle, at, to));
      check((await tickle.link()) !== '', 'the address does not carry the view');
    }));

  test('a drag with Shift chooses a range', () =>
    withPage(address, {}, async (tickle) => {
      const ends = [await point(tickle, 'timeline', 0.4, 0.3), await point(tickle, 'timeline', 0.7, 0.3)];
      await tickle.page.keyboard.down('Shift');
      await drag(tickle, ...ends);
      await tickle.page.keyboard.up('Shift');
      const range = tickle.page.getByText(/^range .*\d/);
      await range.waitFor();
    }));

  test('a click goes there', () =>
    withPage(address, {}, async (tickle) => {
      const at = await point(tickle, 'timeline', 0.8, 0.5);
      await tickle.moves(() => tickle.page.mouse.click(...at));
    }));

  test('the overview leads elsewhere', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.preset(5);
      const at = await point(tickle, 'overview', 0.9, 0.5);
      await repaints(tickle, 'a click on the overview', () => tickle.page.mouse.click(...at));
    }));

  test('a tap on a phone selects', () =>
    withPage(address, { width: 390, height: 844, touch: true }, async (tickle) => {
      const at = await point(tickle, 'timeline', 0.8, 0.5);
      await tickle.moves(() => tickle.page.touchscreen.tap(...at));
      equal(await tickle.notices(), [], 'bars');
    }));
}
