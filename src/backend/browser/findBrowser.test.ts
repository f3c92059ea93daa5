import { describe, expect, it } from 'vitest';
import { browserCandidates, findBrowser } from './findBrowser.ts';

describe('the browser that prints', () => {
  it('is the one that the person names, before all others', () => {
    const environment = { HOLDFAST_BROWSER: '/opt/chrome', PATH: '/usr/bin' };
    expect(browserCandidates('linux', environment)).toEqual(['/opt/chrome']);
    expect(() => findBrowser('linux', environment, (file) => file === '/usr/bin/chromium')).toThrow(/HOLDFAST_BROWSER names cannot be run/);
  });

  it('is looked for in the folders of PATH, never in the current one', () => {
    const found = findBrowser('linux', { PATH: '.:/usr/local/bin:/usr/bin::bin' }, (file) => file === '/usr/bin/google-chrome');
    expect(found).toBe('/usr/bin/google-chrome');
    for (const file of browserCandidates('linux', { PATH: '.:bin::/usr/bin' })) expect(file).toMatch(/^\/usr\/bin\//);
  });

  it('is an application on macOS, and where its installer puts it on Windows', () => {
    expect(browserCandidates('darwin', { PATH: '', HOME: '/Users/ada' })).toContain(
      '/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    );
    const windows = { PROGRAMFILES: String.raw`C:\Program Files`, 'PROGRAMFILES(X86)': String.raw`C:\Program Files (x86)` };
    expect(browserCandidates('win32', windows)).toContain(String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`);
  });

  it('is said to be missing, with what to do', () => {
    expect(() => findBrowser('linux', { PATH: '/usr/bin' }, () => false)).toThrow(
      expect.objectContaining({ code: 'NO_BROWSER', hint: expect.stringMatching(/apt install chromium.*save the report as HTML/) }),
    );
  });
});
