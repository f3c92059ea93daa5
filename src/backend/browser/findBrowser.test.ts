import { describe, expect, it } from 'vitest';
import { browserCandidates, findBrowser } from './findBrowser.ts';

describe('findBrowser', () => {
  it('prefers the browser that HOLDFAST_BROWSER names', () => {
    const environment = { HOLDFAST_BROWSER: '/opt/chrome', PATH: '/usr/bin' };
    expect(browserCandidates('linux', environment)).toEqual(['/opt/chrome']);
    expect(() => findBrowser('print', 'linux', environment, (file) => file === '/usr/bin/chromium')).toThrow(
      /HOLDFAST_BROWSER names cannot be run/,
    );
  });

  it('searches the folders of PATH, but not the current folder', () => {
    const found = findBrowser('print', 'linux', { PATH: '.:/usr/local/bin:/usr/bin::bin' }, (file) => file === '/usr/bin/google-chrome');
    expect(found).toBe('/usr/bin/google-chrome');
    for (const file of browserCandidates('linux', { PATH: '.:bin::/usr/bin' })) expect(file).toMatch(/^\/usr\/bin\//);
  });

  it('searches the application folders on macOS and Windows', () => {
    expect(browserCandidates('darwin', { PATH: '', HOME: '/Users/ada' })).toContain(
      '/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    );
    const windows = { PROGRAMFILES: String.raw`C:\Program Files`, 'PROGRAMFILES(X86)': String.raw`C:\Program Files (x86)` };
    expect(browserCandidates('win32', windows)).toContain(String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`);
  });

  it('reports that no browser was found, and what to do', () => {
    expect(() => findBrowser('record', 'linux', { PATH: '/usr/bin' }, () => false)).toThrow(
      expect.objectContaining({
        code: 'NO_BROWSER',
        message: expect.stringMatching(/^A recording needs/),
        hint: expect.stringMatching(/as HAR/),
      }),
    );
    expect(() => findBrowser('print', 'linux', { PATH: '/usr/bin' }, () => false)).toThrow(
      expect.objectContaining({ code: 'NO_BROWSER', hint: expect.stringMatching(/apt install chromium.*save the report as HTML/) }),
    );
  });
});
