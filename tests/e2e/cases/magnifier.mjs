// What a pixel hides: under the mouse, under a finger held still, and never while a decision is guessed.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';
import { nanoseconds } from '../lib/tickle.mjs';

/** The seed's 16 pCPUs, all of the run in view. */
async function crowded(tickle) {
  await tickle.preset(5);
  await tickle.page.keyboard.press('0');
  await tickle.settled();
  await tickle.pixels();
}

async function middle(tickle) {
  await tickle.at('timeline').scrollIntoViewIfNeeded();
  const box = await tickle.at('timeline').boundingBox();
  return [box.x + box.width * 0.5, box.y + box.height * 0.8];
}

/** What the box says: where, how wide, how many of what, and the lines of its list. */
async function told(tickle) {
  const box = tickle.at('magnifier');
  await box.waitFor();
  const lines = await box.locator('tr').evaluateAll((rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.textContent)),
  );
  const text = await box.innerText();
  const [, pcpu, from, width] = /p(\d+) from (.+?), (.+?) wide/.exec(text);
  const counts = [...text.split('\n')[1].matchAll(/(\d+) (?:segment|×)/g)].map((found) => Number(found[1]));
  return { pcpu, from: nanoseconds(from), width: nanoseconds(width), counts, lines, text };
}

export function tests(address) {
  groupOf('magnifier');

  test('a crowded pixel is listed to the ns, complete and in order', () =>
    withPage(address, {}, async (tickle) => {
      await crowded(tickle);
      await tickle.page.mouse.move(...(await middle(tickle)));
      const { from, width, counts, lines, text } = await told(tickle);
      const times = lines.map(([time]) => nanoseconds(time));
      equal([...times].sort((a, b) => a - b), times, 'order');
      // Only the first segment may have begun before the pixel; a pixel of 500 ms is 600 µs or so wide.
      check(times.slice(1).every((time) => time >= from && time <= from + width * 1.01), text);
      check(width > 300_000 && width < 2_000_000, `${width} ns wide`);
      equal(lines.length, counts.reduce((sum, count) => sum + count, 0), 'lines');
      // One segment ends where the next begins.
      const segments = lines.filter(([, , length]) => length !== '');
      check(segments.length > 0, 'no segment');
    }));

  test('m switches it off and on again', () =>
    withPage(address, {}, async (tickle) => {
      await crowded(tickle);
      const [x, y] = await middle(tickle);
      await tickle.page.mouse.move(x, y);
      await tickle.at('magnifier').waitFor();
      await tickle.page.keyboard.press('m');
      await tickle.at('magnifier').waitFor({ state: 'detached' });
      check((await tickle.page.locator('.stage-tip').count()) === 1, 'the plain tip has gone as well');
      await tickle.page.keyboard.press('m');
      await tickle.at('magnifier').waitFor();
    }));

  test('a finger held still sees it and clicks nothing; the list stays when it is lifted', () =>
    withPage(address, { width: 390, height: 844, touch: true }, async (tickle) => {
      await crowded(tickle);
      const [x, y] = await middle(tickle);
      const before = await tickle.cursor();
      const session = await tickle.page.context().newCDPSession(tickle.page);
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
      await tickle.at('magnifier').waitFor();
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await tickle.pixels();
      equal(await tickle.at('magnifier').count(), 1, 'lists');
      equal(await tickle.cursor(), before, 'the cursor');
      const box = await tickle.at('magnifier').boundingBox();
      check(box.x >= 0 && box.x + box.width <= 390, `the list goes from ${box.x} to ${box.x + box.width} px`);
    }));

  test('of two runs the row under the pointer is listed', () =>
    withPage(address, {}, async (tickle) => {
      await crowded(tickle);
      await tickle.page.keyboard.press('a');
      await tickle.at('go-parting').waitFor();
      await tickle.settled();
      await tickle.pixels();
      const box = await tickle.at('timeline').boundingBox();
      const seen = new Set();
      for (let down = 0.2; down < 0.9 && seen.size < 2; down += 0.02) {
        await tickle.page.mouse.move(box.x + box.width * 0.5, box.y + box.height * down);
        await tickle.pixels();
        if ((await tickle.at('magnifier').count()) > 0) seen.add((await tickle.at('magnifier').innerText())[0]);
      }
      equal([...seen].sort(), ['A', 'B'], 'sides');
    }));
}
