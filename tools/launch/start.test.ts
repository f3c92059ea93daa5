import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder, plainEnvironment, root } from '../testing/processes.ts';

it('npm start without a display explains it in one line and prints the address of the app', { timeout: 120_000 }, async () => {
  const home = await emptyFolder();
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...environment } = plainEnvironment();
  const child = spawn(process.execPath, [join(root, 'tools', 'launch', 'go.mjs'), 'start'], {
    env: { ...environment, HOLDFAST_HOME: home, HOLDFAST_WEB: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    let errorOutput = '';
    let received = '';
    child.stderr.on('data', (text) => (errorOutput += text));
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        received += text;
        const found = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/.exec(received);
        if (found) resolve(found[0]);
      });
      child.once('exit', (code) => reject(new Error(`ended with ${code}: ${errorOutput}${received}`)));
    });
    expect(errorOutput.split('\n').filter((line) => line.includes('served to your browser'))).toHaveLength(1);
    const page = await fetch(address);
    expect(page.status).toBe(200);
  } finally {
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }
});
