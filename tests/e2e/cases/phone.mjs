// A phone: everything below the timeline, and two fingers zoom.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

const PHONE = { width: 390, height: 844, touch: true };
const PANELS = ['why-sentence', 'now-table', 'time-machine'];

/** Puts fingers down at the first points and moves them to the others, as a screen would tell it. */
async function fingers(tickle, from, to) {
  const session = await tickle.page.context().newCDPSession(tickle.page);
  const tell = (type, points) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  await tell('touchStart', from);
  for (const share of [0.25, 0.5, 0.75, 1]) {
    const between = (start, end) => start + (end - start) * share;
    const now = from.map(([x, y], at) => [between(x, to[at][0]), between(y, to[at][1])]);
    await tell('touchMove', now);
  }
  await tell('touchEnd', []);
}

export function tests(address) {
  groupOf('phone');

  test('the panels stand below the timeline and are not cut', () =>
    withPage(address, PHONE, async (tickle) => {
      for (const preset of [0, 5]) {
        await tickle.preset(preset);
        await tickle.click('next-decision');
        const timeline = await tickle.at('timeline').boundingBox();
        for (const id of PANELS) {
          const panel = await tickle.at(id).first().boundingBox();
          check(panel.y >= timeline.y + timeline.height, `preset ${preset}: ${id} is beside the timeline`);
          check(panel.x >= 0 && panel.x < PHONE.width, `preset ${preset}: ${id} begins at ${panel.x}`);
        }
      }
    }));

  test('two fingers zoom the timeline and not the page, one finger pans', () =>
    withPage(address, PHONE, async (tickle) => {
      const { x, y, width, height } = await tickle.at('timeline').boundingBox();
      const at = (share) => [x + width * share, y + height / 2];
      const before = await tickle.span();
      const apart = () => fingers(tickle, [at(0.5), at(0.65)], [at(0.35), at(0.85)]);
      const closer = await tickle.zooms(apart);
      const length = ({ from, to }) => to - from;
      check(length(closer) < length(before) / 2, `two fingers show ${JSON.stringify(closer)}`);
      equal(await tickle.page.evaluate(() => visualViewport.scale), 1, 'how far the page is zoomed');
      const later = await tickle.zooms(() => fingers(tickle, [at(0.8)], [at(0.4)]));
      check(later.from > closer.from, `a finger to the left shows ${JSON.stringify(later)}`);
      check(Math.abs(length(later) - length(closer)) < length(closer) / 100, 'a finger zooms');
    }));
}
