// The first picture: meaningful, paused, and without any word from elsewhere.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

export function tests(address) {
  groupOf('opening');

  test('the default tells the story of the waker, paused', () =>
    withPage(address, {}, async (tickle) => {
      const story = await tickle.text('story');
      check(/wak/i.test(story), `the story does not speak of a waker: ${story}`);
      check(/Press \./.test(story), `the story does not say what to press: ${story}`);
      equal(await tickle.at('play').getAttribute('aria-label'), 'Play', 'paused');
      check(/^[0-9a-f]{16}$/.test(await tickle.text('digest')), 'the digest is not shown');
      check(/wak/i.test(await tickle.at('scenario').locator(':checked').textContent()), 'another preset opens');
    }));

  test('the timeline, the overview and the machine are drawn', () =>
    withPage(address, {}, async (tickle) => {
      for (const id of ['timeline', 'overview']) {
        const colours = await tickle.page.evaluate((id) => {
          const canvas = document.querySelector(`[data-testid="${id}"]`);
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size;
        }, id);
        check(colours > 8, `the ${id} has ${colours} colours`);
      }
      equal(await tickle.at('now-table').locator('tbody tr').count(), 4, 'rows of the machine');
      equal(await tickle.at('twin').locator('tbody tr').count(), 4, "rows of the timeline's table");
    }));

  test('the digest is the same whenever the page is opened', async () => {
    const digest = () => withPage(address, {}, (tickle) => tickle.text('digest'));
    equal(await digest(), await digest(), 'the digest');
  });

  test('light and dark follow the system', async () => {
    const ground = (scheme) =>
      withPage(address, { scheme }, (tickle) =>
        tickle.page.evaluate(() => getComputedStyle(document.body).backgroundColor),
      );
    const brightness = (colour) => Math.max(...colour.match(/[\d.]+/g).slice(0, 3).map(Number));
    const [light, dark] = [await ground('light'), await ground('dark')];
    check(brightness(light) > 200 && brightness(dark) < 80, `light ${light}, dark ${dark}`);
  });
}
