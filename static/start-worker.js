// Starts the worker's program, which lies beside this file. The version stands behind `?` in this
// file's address, so that no cache mixes versions.

importScripts(`worker.js${self.location.search}`);
wasm_bindgen({ module_or_path: `worker_bg.wasm${self.location.search}` });
