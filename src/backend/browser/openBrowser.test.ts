import { expect, it } from 'vitest';
import { openBrowser, requireDisplay } from './openBrowser.ts';

it('a window needs a display on Linux, and says what to do without one', () => {
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

it('a browser that does not start is named', async () => {
  await expect(openBrowser({ program: '/bin/false', headless: true, verify: true })).rejects.toMatchObject({
    code: 'BROWSER_FAILED',
    message: expect.stringContaining('/bin/false'),
  });
});
