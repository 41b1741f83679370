// The timeline under a mouse and under fingers.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';
import { nanoseconds } from '../lib/tickle.mjs';

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

/** A point of the last row, where nothing happens in the default's view. */
const quiet = (tickle, across) => point(tickle, 'timeline', across, 0.9);

/** The moment under a point, found by a click, after one beside it so that the cursor moves. */
async function timeAt(tickle, [x, y]) {
  await tickle.moves(() => tickle.page.mouse.click(x - 90, y));
  await tickle.moves(() => tickle.page.mouse.click(x, y));
  return tickle.cursor();
}

/** Checks that two times are not further apart than some pixels of a picture of this span. */
function near(actual, expected, { from, to }, what) {
  const allowed = (to - from) / 400;
  check(Math.abs(actual - expected) <= allowed, `${what}: ${actual} ns, expected ${expected} ns`);
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

  test('the wheel zooms, and what is under the pointer stays there', () =>
    withPage(address, {}, async (tickle) => {
      const { mouse } = tickle.page;
      const at = await quiet(tickle, 0.6);
      const [before, wide] = [await timeAt(tickle, at), await tickle.span()];
      for (const [turn, what] of [[-240, 'in'], [480, 'out']]) {
        const was = await tickle.span();
        await mouse.move(...at);
        const shown = await tickle.zooms(() => mouse.wheel(0, turn));
        const closer = shown.to - shown.from < was.to - was.from;
        equal(closer, turn < 0, `the wheel zooms ${what}: closer`);
        near(await timeAt(tickle, at), before, wide, `under the pointer after zooming ${what}`);
      }
    }));

  test('a drag takes along what is under the pointer', () =>
    withPage(address, {}, async (tickle) => {
      const [from, to] = [await quiet(tickle, 0.6), await quiet(tickle, 0.4)];
      const [grabbed, was] = [await timeAt(tickle, from), await tickle.span()];
      const shown = await tickle.zooms(() => drag(tickle, from, to));
      near(shown.to - shown.from, was.to - was.from, was, 'the length of time shown');
      near(await timeAt(tickle, to), grabbed, was, 'under the pointer');
      check((await tickle.link()) !== '', 'the address does not carry the view');
    }));

  test('a drag with Shift chooses the range between its ends', () =>
    withPage(address, {}, async (tickle) => {
      const ends = [await quiet(tickle, 0.4), await quiet(tickle, 0.7)];
      const span = await tickle.span();
      const [from, to] = [await timeAt(tickle, ends[0]), await timeAt(tickle, ends[1])];
      await tickle.page.keyboard.down('Shift');
      await drag(tickle, ...ends);
      await tickle.page.keyboard.up('Shift');
      await tickle.at('range').waitFor();
      // A range is told once a frame, however fast a hand moves.
      await tickle.pixels();
      near(nanoseconds(await tickle.at('range').locator('b').first().textContent()), to - from, span, 'the range');
      equal(await tickle.span(), span, 'the time shown');
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
