// Pictures out: PNG and SVG of the view, with title, legend and link.

import { readFile } from 'node:fs/promises';
import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

/** Does something that saves a file; gives its name and bytes. */
async function saved(tickle, act) {
  const [download] = await Promise.all([tickle.page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Opens the menu and chooses a format. */
const choose = (tickle, format) => async () => {
  await tickle.at('save').click();
  await tickle.at(`save-${format}`).click();
};

/** Width, height and number of colours of a PNG, as the browser decodes it. */
const decoded = (tickle, bytes) =>
  tickle.page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return { width: image.width, height: image.height, colours: new Set(new Uint32Array(data.buffer)).size };
  }, bytes.toString('base64'));

/** What an SVG holds, as the browser parses it. */
const parsed = (tickle, bytes) =>
  tickle.page.evaluate((text) => {
    const svg = new DOMParser().parseFromString(text, 'image/svg+xml');
    return {
      fault: svg.querySelector('parsererror')?.textContent ?? null,
      title: svg.querySelector('title')?.textContent,
      width: Number(svg.documentElement.getAttribute('width')),
      texts: [...svg.querySelectorAll('text')].map((one) => one.textContent),
      shapes: svg.querySelectorAll('rect, path').length,
      foreign: svg.querySelectorAll('script, style, image, foreignObject, [href]').length,
    };
  }, bytes.toString('utf8'));

export function tests(address) {
  groupOf('pictures');

  test('a PNG has twice the pixels of the view and is not blank', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.press('.');
      const { width } = await tickle.at('timeline').boundingBox();
      const { name, bytes } = await saved(tickle, choose(tickle, 'png'));
      check(/^tickle-pinned-waker-14000us\.png$/.test(name), `the file is called ${name}`);
      const picture = await decoded(tickle, bytes);
      check(Math.abs(picture.width - 2 * (width + 32)) <= 4, `${picture.width} px for a view of ${width} px`);
      check(picture.height > 600 && picture.colours > 20, `${picture.height} px high, ${picture.colours} colours`);
    }));

  test('an SVG is well-formed, and its title, names, legend and link are text', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.press('.');
      const link = await tickle.link();
      const { name, bytes } = await saved(tickle, choose(tickle, 'svg'));
      check(name.endsWith('.svg'), `the file is called ${name}`);
      const picture = await parsed(tickle, bytes);
      equal([picture.fault, picture.title, picture.foreign], [null, 'Pinned waker', 0], 'fault, title, foreign parts');
      const start = await tickle.page.evaluate(() => location.href.split('#')[0]);
      for (const text of ['Pinned waker', 'd1v0', 'd2v0', 'idle', 'tickle', 'p3']) {
        check(picture.texts.includes(text), `“${text}” is no text of the picture: ${picture.texts}`);
      }
      check(picture.texts.join('').includes(`${start}#${link}`), `the link is not in ${picture.texts.slice(-3)}`);
      check(picture.shapes > 30, `${picture.shapes} shapes`);
    }));

  test('a crowded run has its rows as shapes', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.preset(5);
      await tickle.zooms(() => tickle.page.keyboard.press('0'));
      const { bytes } = await saved(tickle, () => tickle.page.keyboard.press('Shift+P'));
      const picture = await parsed(tickle, bytes);
      equal(picture.fault, null, 'fault');
      check(picture.shapes > 100, `${picture.shapes} shapes`);
      check(bytes.length < 8_000_000, `${bytes.length} bytes`);
    }));

  test('the keys save, on a phone and while presenting too', () =>
    withPage(address, { width: 390, height: 844, scheme: 'dark' }, async (tickle) => {
      await tickle.press('.');
      const { width } = await tickle.at('timeline').boundingBox();
      const { name, bytes } = await saved(tickle, () => tickle.page.keyboard.press('p'));
      check(name.endsWith('.png'), `the file is called ${name}`);
      const picture = await decoded(tickle, bytes);
      check(Math.abs(picture.width - 2 * (width + 32)) <= 4, `${picture.width} px for a view of ${width} px`);
    }));

  test('a picture that no browser can draw is told in a sentence', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.page.evaluate(() => (HTMLCanvasElement.prototype.toBlob = (done) => done(null)));
      await tickle.page.keyboard.press('p');
      await tickle.at('notice').first().waitFor();
      const notices = await tickle.notices();
      check(notices.some((one) => /PNG.*SVG/.test(one)), `it says ${notices}`);
    }));
}
