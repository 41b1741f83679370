// Scenario files for the tests.

/** One socket with `pcpus` pCPUs, `vcpus` guests that run and sleep at random, for `ms` milliseconds. */
export function small({ pcpus = 2, vcpus = 3, ms = 50, ...more } = {}) {
  const all = ((1n << BigInt(pcpus)) - 1n).toString(16);
  const one = (pcpu) => [(1n << BigInt(pcpu)).toString(16), all, 0];
  const guest = () => ({ init_cpu: 0, rand: { run: [100_000, 900_000], block: [50_000, 700_000], yield_permille: 20 } });
  return {
    type: 'scenario',
    name: 'small',
    cpus: Array.from({ length: pcpus }, (_, pcpu) => one(pcpu)),
    params: {},
    duration_ns: ms * 1_000_000,
    seed: 7,
    domains: Array.from({ length: vcpus }, () => ({ weight: 256, cap: 0, vcpus: [guest()] })),
    ops: [],
    ...more,
  };
}

/** More work than any test waits for. */
export function long() {
  return { ...small({ pcpus: 64, vcpus: 256, ms: 60_000 }), name: 'long' };
}

/** 16 pCPUs with 20 busy guests; about 17,500 stretches of running each simulated second. */
export function crowd(ms) {
  const guest = () => ({ init_cpu: 0, rand: { run: [100_000, 2_500_000], block: [100_000, 1_900_000], yield_permille: 0 } });
  const domains = Array.from({ length: 10 }, () => ({ weight: 256, cap: 0, vcpus: [guest(), guest()] }));
  return { ...small({ pcpus: 16, ms }), name: 'crowd', domains };
}

function changed(change) {
  const scenario = small();
  change(scenario);
  return scenario;
}

/** Files that cannot be run, each with a part of the sentence that says why. */
export const IMPOSSIBLE = [
  ['nothing', '', /./],
  ['no JSON', 'machine: 4 pCPUs', /./],
  ['a JSON number', '5', /./],
  ['no pCPU', changed((one) => (one.cpus = [])), /no pCPU/],
  ['weight 0', changed((one) => (one.domains[0].weight = 0)), /weight 0/],
  ['an empty mask', changed((one) => (one.domains[0].vcpus[0].hard = '0')), /empty/],
  ['a cap above the machine', changed((one) => (one.domains[0].cap = 201)), /201 %.*200 %/],
  ['no time', changed((one) => (one.duration_ns = 0)), /0 ns/],
  ['too much time', changed((one) => (one.duration_ns = 3_600_000_000_000)), /3600000000000 ns/],
  ['a missing pCPU', changed((one) => (one.domains[0].vcpus[0].hard = '4')), /pCPU 2/],
  ['a start on a missing pCPU', changed((one) => (one.domains[0].vcpus[0].init_cpu = 9)), /9/],
  ['an empty script', changed((one) => (one.domains[0].vcpus[0] = { init_cpu: 0, script: [] })), /script/],
  [
    'a stretch of 0 ns',
    changed((one) => (one.domains[0].vcpus[0] = { init_cpu: 0, script: [[0, 5]] })),
    /0 ns/,
  ],
];
