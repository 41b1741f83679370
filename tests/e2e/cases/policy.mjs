// The page's policy: nothing inline, nothing from elsewhere, and the page keeps to it.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

/** Notes what the policy refuses. Runs in the page before anything else. */
function note() {
  window.refused = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.refused.push(`${event.effectiveDirective} ${event.blockedURI}`);
  });
}

/** What has been refused, once the browser has told. */
const refused = (tickle) =>
  tickle.page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((next) => requestAnimationFrame(next));
    return window.refused;
  });

/** A fresh page whose refusals are noted from the start. */
function noted(address, options, body) {
  return withPage(address, { ...options, open: false }, async (tickle) => {
    await tickle.page.addInitScript(note);
    await tickle.open('');
    return body(tickle);
  });
}

/** Attempts against the policy, each with what refuses it. They run in the page. */
const ATTEMPTS = [
  [
    'an inline script',
    'script-src-elem inline',
    () => {
      const script = document.createElement('script');
      script.textContent = 'window.broken = true';
      document.body.append(script);
    },
  ],
  [
    'a handler in an attribute',
    'script-src-attr inline',
    () => {
      const button = document.createElement('button');
      button.setAttribute('onclick', 'window.broken = true');
      document.body.append(button);
      button.click();
      button.remove();
    },
  ],
  [
    'a style attribute',
    'style-src-attr inline',
    () => {
      document.body.setAttribute('style', 'margin-left: 77px');
      window.broken = getComputedStyle(document.body).marginLeft === '77px';
    },
  ],
  [
    'an image from elsewhere',
    'img-src http://127.0.0.1:9/pixel.png',
    () => {
      document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/pixel.png' }));
    },
  ],
  [
    'a word to elsewhere',
    'connect-src http://127.0.0.1:9/',
    () => fetch('http://127.0.0.1:9/').then(() => (window.broken = true)).catch(() => {}),
  ],
];

export function tests(address) {
  groupOf('policy');

  test('nothing is refused in a walk through the page', () =>
    noted(address, {}, async (tickle) => {
      const { page } = tickle;
      await tickle.press('.');
      await tickle.flip('tickle_prefer_idlers');
      await tickle.zooms(() => page.keyboard.press('0'));
      await page.keyboard.press('?');
      await tickle.at('help').waitFor({ state: 'visible' });
      await page.keyboard.press('Escape');
      await tickle.share();
      for (const preset of await tickle.presets()) await tickle.preset(preset);
      const box = await tickle.at('timeline').boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 3);
      await page.locator('.stage-tip').waitFor();
      await tickle.at('theme').click();
      await tickle.at('present').click();
      await page.locator('[data-presenting]').waitFor();
      equal(await refused(tickle), [], 'refused');
      equal(await page.locator('[style]:not(canvas, .stage-tip, .stage-scroll)').count(), 0, 'elements with a style');
    }));

  test('the tip stands beside the pointer, and names have their colours', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      await tickle.press('.');
      const ground = (chip) => getComputedStyle(chip).backgroundColor;
      const grounds = await page.locator('.now .vcpu').evaluateAll((all) => all.map((chip) => getComputedStyle(chip).backgroundColor));
      check(grounds.length > 1 && grounds.every((one) => /^rgb\(/.test(one)), `names without a colour: ${grounds}`);
      const chip = page.locator('.now .vcpu').first();
      const light = await chip.evaluate(ground);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForFunction(
        (light) => getComputedStyle(document.querySelector('.now .vcpu')).backgroundColor !== light,
        light,
      );
      const box = await tickle.at('timeline').boundingBox();
      for (const share of [0.3, 0.8]) {
        const x = box.x + box.width * share;
        await page.mouse.move(x, box.y + box.height / 3);
        const tip = await page.locator('.stage-tip').boundingBox();
        const gap = share < 0.5 ? tip.x - x : x - (tip.x + tip.width);
        check(Math.abs(gap - 14) < 3, `the tip is ${gap} px away at ${share}`);
      }
    }));

  for (const [what, by, attempt] of ATTEMPTS) {
    test(`${what} is refused`, () =>
      noted(address, { expected: /Security Policy|127\.0\.0\.1:9/ }, async (tickle) => {
        await tickle.page.evaluate(attempt);
        const all = await refused(tickle);
        check(all.some((one) => one.startsWith(by)), `refused: ${all}`);
        check(!(await tickle.page.evaluate(() => window.broken)), 'it had an effect');
      }));
  }
}
