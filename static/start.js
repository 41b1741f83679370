// Starts the page's program. Its file names carry hashes and stand behind `?` in this file's address:
// the page's policy allows no inline script that could hold them.

const [script, wasm] = new URL(import.meta.url).search.slice(1).split(',');
try {
  const { default: start } = await import(`./${script}`);
  await start({ module_or_path: new URL(wasm, import.meta.url) });
} catch (error) {
  const sentence = document.createElement('p');
  sentence.setAttribute('role', 'alert');
  sentence.textContent = `Tickle cannot start in this browser: ${error.message}`;
  document.body.prepend(sentence);
  throw error;
}
