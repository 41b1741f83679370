// Every key does what the list of keys says.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';
import { nanoseconds } from '../lib/tickle.mjs';

const chosenRow = (tickle) =>
  tickle.at('now-table').locator('tr.chosen').getAttribute('data-pcpu');

export function tests(address) {
  groupOf('keys');

  test('. and Page Down, , and Page Up step', () =>
    withPage(address, {}, async (tickle) => {
      const [one, two] = [await tickle.press('.'), await tickle.press('PageDown')];
      equal(await tickle.press(','), one, ', after two steps');
      equal(await tickle.press('.'), two, '. again');
      equal(await tickle.press('PageUp'), one, 'Page Up');
    }));

  test('with Shift they step to the same kind', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.press('.');
      const kind = (place) => place.ordinal.split(' ')[0];
      const start = await tickle.place();
      const next = await tickle.press('Shift+PageDown');
      equal(kind(next), kind(start), 'the kind');
      equal(await tickle.press('Shift+PageUp'), start, 'the place back');
      equal(kind(await tickle.press('Shift+>')), kind(start), 'the kind with >');
    }));

  test('arrows go along the row and from row to row', () =>
    withPage(address, {}, async (tickle) => {
      const row = await chosenRow(tickle);
      await tickle.page.keyboard.press('ArrowDown');
      await tickle.settled();
      const below = await chosenRow(tickle);
      equal(Number(below), Number(row) + 1, 'the row below');
      const one = await tickle.press('ArrowRight');
      await tickle.press('ArrowRight');
      equal(await tickle.press('ArrowLeft'), one, 'the event before');
      equal(await chosenRow(tickle), below, 'the row of the event');
      await tickle.page.keyboard.press('ArrowUp');
      await tickle.settled();
      equal(await chosenRow(tickle), row, 'the row above');
    }));

  test('0 shows the whole run, f what is selected, + and - zoom', () =>
    withPage(address, {}, async (tickle) => {
      const { time } = await tickle.press('.');
      const shows = (key) => tickle.zooms(() => tickle.page.keyboard.press(key));
      const whole = await shows('0');
      equal(whole.from, 0, 'the start of the whole run');
      const fitted = await shows('f');
      const inside = ({ from, to }) => from <= nanoseconds(time) && nanoseconds(time) <= to;
      const length = ({ from, to }) => to - from;
      check(inside(fitted) && length(fitted) < length(whole) / 4, `f shows ${JSON.stringify(fitted)}`);
      const closer = await shows('+');
      check(inside(closer) && length(closer) < length(fitted), `+ shows ${JSON.stringify(closer)}`);
      const further = await shows('-');
      check(inside(further) && length(further) > length(closer), `- shows ${JSON.stringify(further)}`);
      check(length(await shows('-')) > length(further), '- twice shows no more than once');
      equal(await shows('0'), whole, 'the whole run');
      await tickle.press('End');
      equal(await tickle.cursor(), whole.to, 'the end of the whole run');
    }));

  test('Home and End go to the ends', () =>
    withPage(address, {}, async (tickle) => {
      const home = await tickle.press('Home');
      equal(nanoseconds(home.time), 0, 'the start');
      const end = await tickle.press('End');
      check(nanoseconds(end.time) > 1e6, `the end is ${end.time}`);
    }));

  test('Space plays and pauses', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      const start = nanoseconds(await tickle.text('cursor-time'));
      const name = () => tickle.at('play').getAttribute('aria-label');
      await tickle.moves(() => page.keyboard.press('Space'));
      equal(await name(), 'Pause', 'the button while it plays');
      await page.keyboard.press('Space');
      await page.waitForFunction(
        () => document.querySelector('[data-testid="play"]').getAttribute('aria-label') === 'Play',
      );
      check(nanoseconds(await tickle.text('cursor-time')) > start, 'the cursor stands still');
    }));

  test('/ searches a time, a vCPU and a kind; Esc closes', () =>
    withPage(address, {}, async (tickle) => {
      const search = async (text) => {
        await tickle.page.keyboard.press('/');
        await tickle.at('search').fill(text);
        const place = await tickle.moves(() => tickle.page.keyboard.press('Enter'));
        await tickle.page.keyboard.press('Escape');
        await tickle.at('search').waitFor({ state: 'detached' });
        return place;
      };
      equal(nanoseconds((await search('20ms')).time), 20e6, 'the moment found');
      check(/tickle/.test(JSON.stringify((await search('tickle')).ordinal).toLowerCase()), 'no tickle found');
      check(/d1v0/.test((await search('d1v0')).sentence), 'no d1v0 found');
    }));

  test('? lists the keys, b blanks the screen, Esc closes both', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      await page.keyboard.press('?');
      await tickle.at('help').waitFor({ state: 'visible' });
      await page.keyboard.press('Escape');
      await tickle.at('help').waitFor({ state: 'hidden' });
      await page.keyboard.press('b');
      await tickle.at('blank').waitFor({ state: 'visible' });
      await page.keyboard.press('Escape');
      await tickle.at('blank').waitFor({ state: 'detached' });
      await page.keyboard.press('b');
      await tickle.at('blank').waitFor({ state: 'visible' });
      await page.keyboard.press('b');
      await tickle.at('blank').waitFor({ state: 'detached' });
    }));

  test('keys in a field are letters', () =>
    withPage(address, {}, async (tickle) => {
      const before = await tickle.place();
      await tickle.page.keyboard.press('/');
      await tickle.at('search').pressSequentially('b.,0f');
      equal(await tickle.at('search').inputValue(), 'b.,0f', 'the text');
      equal(await tickle.at('blank').count(), 0, 'blanked');
      equal(await tickle.place(), before, 'the place');
    }));
}
