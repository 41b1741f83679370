// More rows than the stage has room for: each of 256 can be reached, by wheel, hand and keys; a wheel
// that the timeline uses is not the page’s too.

import { withPage } from '../lib/chromium.mjs';
import { small } from '../lib/scenarios.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

const ROWS = 256;

/** Opens a run of 256 pCPUs. */
async function many(tickle) {
  await tickle.at('open-file').setInputFiles({
    name: 'many.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ ...small({ pcpus: ROWS, vcpus: 40, ms: 20 }), name: 'many' })),
  });
  await tickle.page.waitForFunction(
    (rows) => document.querySelectorAll('[data-testid="now-table"] tbody tr').length === rows,
    ROWS,
  );
  await tickle.settled();
  await tickle.at('timeline').scrollIntoViewIfNeeded();
  await tickle.pixels();
}

const chosen = (tickle) =>
  tickle.at('now-table').locator('tr.chosen').getAttribute('data-pcpu').then(Number);

async function point(tickle, across, down) {
  const box = await tickle.at('timeline').boundingBox();
  return [box.x + box.width * across, box.y + box.height * down];
}

/** The pCPU of the row at this height, told by a click. */
async function rowAt(tickle, down) {
  await tickle.page.mouse.click(...(await point(tickle, 0.5, down)));
  await tickle.settled();
  await tickle.pixels();
  return chosen(tickle);
}

/** How far down the mark stands that tells which rows are shown, in px. */
const scrolled = (tickle) =>
  tickle.page.locator('.stage-scroll').evaluate((mark) => mark.getBoundingClientRect().top);

export function tests(address) {
  groupOf('rows');

  test('the wheel over the names goes through 256 rows and back', () =>
    withPage(address, {}, async (tickle) => {
      await many(tickle);
      const { mouse } = tickle.page;
      const turn = async (by) => {
        await mouse.move(...(await point(tickle, 0.01, 0.5)));
        await mouse.wheel(0, by);
        await tickle.settled();
        await tickle.pixels();
      };
      const [top, mark, span] = [await rowAt(tickle, 0.12), await scrolled(tickle), await tickle.span()];
      check(top < 8, `p${top} is at the top`);
      let reached = top;
      for (let turns = 0; turns < 40 && reached < ROWS - 1; turns += 1) {
        await turn(600);
        const bottom = await rowAt(tickle, 0.97);
        check(bottom > reached || bottom === ROWS - 1, `p${bottom} below p${reached}`);
        reached = bottom;
      }
      equal(reached, ROWS - 1, 'the last row');
      check((await scrolled(tickle)) > mark, 'the mark has not moved');
      await turn(-60_000);
      equal(await rowAt(tickle, 0.12), top, 'the row at the top');
      equal(await scrolled(tickle), mark, 'the mark');
      equal(await tickle.span(), span, 'the time shown');
    }));

  test('a hand drags rows along, a key goes to the row out of sight', () =>
    withPage(address, {}, async (tickle) => {
      await many(tickle);
      const { keyboard, mouse } = tickle.page;
      const held = await rowAt(tickle, 0.9);
      const [from, to] = [await point(tickle, 0.5, 0.9), await point(tickle, 0.5, 0.3)];
      await mouse.move(...from);
      await mouse.down();
      for (const part of [0.25, 0.5, 0.75, 1]) {
        await mouse.move(from[0], from[1] + (to[1] - from[1]) * part);
      }
      await mouse.up();
      await tickle.settled();
      await tickle.pixels();
      const now = await rowAt(tickle, 0.3);
      check(Math.abs(now - held) <= 1, `p${held} was held, p${now} is under the hand`);
      const bottom = await rowAt(tickle, 0.97);
      const mark = await scrolled(tickle);
      for (let n = 0; n < 5; n += 1) {
        await keyboard.press('ArrowDown');
        await tickle.settled();
      }
      equal(await chosen(tickle), bottom + 5, 'the row five further down');
      await tickle.pixels();
      check((await scrolled(tickle)) > mark, 'it is out of sight');
    }));

  test('a pinch on a trackpad zooms the timeline and never the page', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      const keys = page.keyboard;
      const whole = await tickle.zooms(() => keys.press('0'));
      await page.evaluate(() => {
        window.left = [];
        addEventListener('wheel', (event) => window.left.push(!event.defaultPrevented));
      });
      await page.mouse.move(...(await point(tickle, 0.5, 0.5)));
      await keys.down('Control');
      await page.mouse.wheel(0, 40);
      const closer = await tickle.zooms(() => page.mouse.wheel(0, -40));
      await keys.up('Control');
      check(closer.to - closer.from < whole.to - whole.from, 'it zooms in');
      equal(await page.evaluate(() => window.left), [false, false], 'left to the browser');
    }));
}
