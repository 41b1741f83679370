// Keeps the page for when there is no network, and lets a new version wait until it is asked for.
//
// The build fills in the next two lines (`cargo xtask precache`): the version, and each file with the
// hash of its bytes. `./` is the page itself, which carries the version.
const VERSION = '';
const FILES = {};

/** How long the network may take before what is kept is shown, in ms. */
const PATIENCE_MS = 4000;
const SCOPE = self.registration.scope;
/** All that lies on one server shares its caches. */
const PREFIX = `tickle ${SCOPE} `;
const CACHE = PREFIX + VERSION;

const here = (file) => new URL(file, SCOPE).href;
const PAGES = [here('./'), here('index.html')];
const ours = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX));

/** FNV-1a, 32 bits, as eight hexadecimal digits: finds files of another version, not forgers. */
function hash(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}

async function keep(cache, file, expected) {
  const response = await fetch(here(file), { cache: 'no-cache' });
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  if (!response.ok || hash(bytes) !== expected) throw new Error(`${file} is not of this version`);
  await cache.put(here(file), response);
}

/** All files or none: half a version is worse than the one before. */
async function keepAll() {
  const cache = await caches.open(CACHE);
  try {
    await Promise.all(Object.entries(FILES).map(([file, expected]) => keep(cache, file, expected)));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

/** The version before this one stays: a page of it may still be open and start its worker again. */
async function forget() {
  const others = (await ours()).filter((name) => name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function kept(address) {
  const own = await (await caches.open(CACHE)).match(address);
  if (own) return own;
  for (const name of await ours()) {
    const found = await (await caches.open(name)).match(address);
    if (found) return found;
  }
  return undefined;
}

/** What the network has, or else what is kept. */
async function newest(request, address) {
  const stored = kept(address);
  const late = new Promise((over) => setTimeout(over, PATIENCE_MS)).then(() => stored);
  const asked = fetch(request);
  try {
    const first = (await Promise.race([asked, late])) ?? (await asked);
    return first.ok ? first : ((await stored) ?? first);
  } catch {
    return (await stored) ?? Response.error();
  }
}

/** What is kept: its name changes with what it holds. */
async function named(request) {
  return (await kept(request.url)) ?? fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(keepAll()));
self.addEventListener('activate', (event) => event.waitUntil(forget()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const [address] = request.url.split('#');
  const [path, query] = address.split('?');
  if (request.method !== 'GET' || !path.startsWith(SCOPE)) return;
  if (PAGES.includes(path)) {
    event.respondWith(newest(request, here('./')));
  } else if (query !== undefined || /-[0-9a-f]{8,16}[._]/.test(path)) {
    event.respondWith(named(request));
  } else if (Object.hasOwn(FILES, path.slice(SCOPE.length))) {
    event.respondWith(newest(request, path));
  }
});
// A page says its version, or that it wants this one.
self.addEventListener('message', ({ data, source }) => {
  if (data === 'take' || data === VERSION) {
    self.skipWaiting();
  } else {
    source.postMessage('waiting');
  }
});
