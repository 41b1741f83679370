// Serves the built page from a folder, as any static file server would.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** Starts a server of `folder` on a free port; gives its address and how to end it. While `down` is
 * set it hangs up on everyone. */
export async function serve(folder) {
  const state = { down: false };
  const server = createServer(async (request, response) => {
    if (state.down) {
      request.socket.destroy();
      return;
    }
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-length': found.size });
    createReadStream(file).pipe(response);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${server.address().port}/`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(state, { address, close });
}
