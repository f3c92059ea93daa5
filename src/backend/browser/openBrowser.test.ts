import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { openBrowser, requireDisplay } from './openBrowser.ts';

it('requireDisplay reports a missing display on Linux, and what to do', () => {
  expect(() => requireDisplay('linux', { PATH: '/usr/bin', DISPLAY: '' })).toThrow(
    expect.objectContaining({ code: 'NO_DISPLAY', hint: expect.stringMatching(/graphical session.*as HAR/) }),
  );
  for (const [platform, environment] of [
    ['linux', { DISPLAY: ':0' }],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }],
    ['darwin', {}],
  ] as const)
    expect(() => requireDisplay(platform, environment)).not.toThrow();
});

it('openBrowser names the browser in its error if the browser does not start', async () => {
  await expect(openBrowser({ program: '/bin/false', headless: true, verify: true })).rejects.toMatchObject({
    code: 'BROWSER_FAILED',
    message: expect.stringContaining('/bin/false'),
  });
});

it('openBrowser disables saving of passwords and form data', async () => {
  const folder = temporaryDirectory();
  const [program, seen] = [join(folder, 'browser'), join(folder, 'seen.json')];
  await writeFile(
    program,
    `#!/bin/sh\nfor each; do case "$each" in --user-data-dir=*) cp "\${each#*=}/Default/Preferences" '${seen}';; esac; done\nexit 1\n`,
  );
  await chmod(program, 0o755);
  await expect(openBrowser({ program, headless: true, verify: true })).rejects.toMatchObject({ code: 'BROWSER_FAILED' });
  expect(JSON.parse(await readFile(seen, 'utf8'))).toMatchObject({
    credentials_enable_service: false,
    autofill: { profile_enabled: false, credit_card_enabled: false },
  });
});
