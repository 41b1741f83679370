// Stretches of time: typed to the ns, chosen with Shift, added up, gone back to.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';
import { nanoseconds } from '../lib/tickle.mjs';

/** Types something into the search and looks for it. */
async function search(tickle, text) {
  await tickle.page.keyboard.press('/');
  const field = tickle.at('search');
  await field.waitFor();
  await field.fill(text);
  await field.press('Enter');
}

/** The rows of a table. */
const rows = (tickle, id) =>
  tickle
    .at(id)
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));

export function tests(address) {
  groupOf('timeline');

  test('a typed range is in view to the ns, and its figures are exact', () =>
    withPage(address, {}, async (tickle) => {
      await search(tickle, '14ms..18ms');
      await tickle.at('range-vcpus').waitFor();
      equal(await tickle.span(), { from: 14_000_000, to: 18_000_000 }, 'the view');
      // d2v0 runs 600 µs on p0 from 14 ms on, d1v0 the rest but for two context switches of 0 ns.
      const vcpus = Object.fromEntries((await rows(tickle, 'range-vcpus')).map(([name, ran]) => [name, nanoseconds(ran)]));
      equal(vcpus.d2v0, 600_000, 'd2v0');
      equal(vcpus.d1v0, 3_400_000, 'd1v0');
      equal(vcpus.d1v1, 4_000_000, 'd1v1');
      const pcpus = await rows(tickle, 'range-pcpus');
      equal(pcpus.length, 4, 'pCPUs');
      equal(pcpus[0].slice(0, 3), ['p0', '4 ms', '100.0 %'], 'p0');
      equal(pcpus[3][2], '0.0 %', 'p3');
    }));

  test('what is no range gets one sentence with the value', () =>
    withPage(address, {}, async (tickle) => {
      const before = await tickle.span();
      for (const [text, says] of [
        ['18ms..14ms', '18ms..14ms'],
        ['1ms..9s', '9s'],
        ['1..2', '“1”'],
      ]) {
        await search(tickle, text);
        const notice = tickle.at('notice').last();
        await notice.waitFor();
        check((await notice.textContent()).includes(says), `${text}: ${await notice.textContent()}`);
      }
      equal(await tickle.span(), before, 'the view');
    }));

  test('brackets go back and forth between views', () =>
    withPage(address, {}, async (tickle) => {
      const start = await tickle.span();
      const whole = await tickle.zooms(() => tickle.page.keyboard.press('0'));
      const typed = await tickle.zooms(() => search(tickle, '14ms..18ms'));
      await tickle.page.keyboard.press('Escape');
      equal(await tickle.zooms(() => tickle.page.keyboard.press('[')), whole, 'one back');
      equal(await tickle.zooms(() => tickle.page.keyboard.press('[')), start, 'two back');
      equal(await tickle.zooms(() => tickle.page.keyboard.press(']')), whole, 'forth');
      equal(await tickle.zooms(() => tickle.page.keyboard.press(']')), typed, 'forth again');
    }));

  test('the figures of a range are copied as text with the link', () =>
    withPage(address, {}, async (tickle) => {
      await search(tickle, '14ms..18ms');
      await tickle.at('range-vcpus').waitFor();
      await tickle.at('copy-range').click();
      await tickle.at('notice').waitFor();
      const text = await tickle.page.evaluate(() => navigator.clipboard.readText());
      check(text.startsWith('14000000 ns to 18000000 ns: 4000000 ns\n'), text);
      check(/^d2v0 +600000 +15\.0$/m.test(text), text);
      const [link, ...lines] = text.trim().split('\n').reverse();
      check(link.startsWith('http') && lines.every((line) => line.length <= 72), text);
    }));

  test('the table of the timeline adds up what is in view, not more', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.zooms(() => search(tickle, '14ms..14.6ms'));
      await tickle.page.waitForFunction(() => {
        const cells = document.querySelectorAll('[data-testid="twin"] tbody tr:first-child td');
        return cells[1]?.textContent === '100.0 %';
      });
      const [, p1] = await rows(tickle, 'twin');
      equal(p1[2], '0.0 %', 'busy in view on p1');
      equal(p1[4], 'none', 'events in view on p1');
    }));
}
