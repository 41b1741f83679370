// A list of tests and how it is run: one after the other, each with a limit so that nothing hangs.

const LIMIT_MS = 300_000;
const tests = [];
let group = '';

/** Names the group that the next tests belong to. */
export function groupOf(name) {
  group = name;
}

/** Adds a test. */
export function test(name, body) {
  tests.push({ group, name, body });
}

/** What a test says when something is not as it should be. */
export function check(holds, sentence) {
  if (!holds) throw new Error(sentence);
}

/** Checks that two values are equal. */
export function equal(actual, expected, what) {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(left === right, `${what}: ${left}, expected ${right}`);
}

function limited(body) {
  let timer;
  const limit = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not done in ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  return Promise.race([body(), limit]).finally(() => clearTimeout(timer));
}

/** Runs the tests of the chosen groups (all if none is chosen); gives how many failed. */
export async function run(chosen) {
  const known = [...new Set(tests.map((one) => one.group))];
  const unknown = chosen.find((name) => !known.includes(name));
  if (unknown) throw new Error(`there is no group “${unknown}”; there are ${known.join(', ')}`);
  let [passed, failed] = [0, 0];
  for (const { group, name, body } of tests) {
    if (chosen.length > 0 && !chosen.includes(group)) continue;
    try {
      await limited(body);
      passed += 1;
      console.log(`ok    ${group}: ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${group}: ${name}\n      ${String(error.stack ?? error).replaceAll('\n', '\n      ')}`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed;
}
