// A user's first steps in the real shell: see the README of try-in-electron for the methods of `page`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';

export default async function walk(page) {
  console.log('walk: the window is there');
  await page.waitForText(/New test/);
  assert.match(await page.url(), /^app:\/\/holdfast\//);

  // The page must be confined: it has no Node, only Holdfast's own bridge, no inline script, and no access to other origins.
  const globals = await page.evaluate(
    'JSON.stringify([typeof require, typeof process, Object.keys(window.holdfast), Object.keys(window.holdfast.port), Object.keys(window.holdfast.verbs)])',
  );
  assert.deepEqual(JSON.parse(globals), [
    'undefined',
    'undefined',
    ['port', 'verbs'],
    ['send', 'onFrame', 'onClose'],
    ['openExternal', 'saveText', 'takeFile', 'onFile', 'savePdf'],
  ]);
  assert.equal(await page.evaluate("fetch('https://example.org/').then(() => 'out', () => 'blocked')"), 'blocked');
  assert.equal(await page.evaluate("fetch('/..%2fnode/cli.mjs').then((answer) => answer.status)"), 404);
  assert.equal(await page.evaluate("fetch('/', { method: 'POST' }).then((answer) => answer.status)"), 405);
  await page.evaluate("location.href = 'https://evil.example/'; 1");
  await page.sleep(500);
  assert.match(await page.url(), /^app:\/\/holdfast\//);

  // The first steps of the wizard must work through the relay and the backend process.
  const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await page.click('How fast is one page?');
    await page.click('Next');
    // The heading and the bottom bar of a page appear before the rest of the page.
    await page.waitForText('Which server?');
    await page.waitForText('Add another address');
    await page.type('main input', `http://127.0.0.1:${server.address().port}/`);
    await page.until('Next is open', async () => !(await page.text()).includes('Enter the server address'));
    await page.click('Next');
    await page.waitForText('How much load?');
    await page.waitForText(/requests/);
    await page.click('Next');
    await page.waitForText('Ready to start?');
    await page.waitForText(/checks? passed/);
    await page.click('Back');
    await page.waitForText('How much load?');
    await page.click('Back');
    await page.waitForText('Which server?');
    assert.match(await page.evaluate("document.querySelector('main input').value"), /^http:\/\/127/);
  } finally {
    server.close();
    server.closeAllConnections();
  }

  const exceptions = page.console.filter(
    (line) => line.startsWith('exception') || (/Content Security Policy/.test(line) && !/example\.org/.test(line)),
  );
  assert.deepEqual(exceptions, []);
}
