import { expect, it, vi } from 'vitest';
import { isSafeExternalUrl, openExternal } from './externalUrl.ts';
import { openedUrls, shell } from './testing/electron.ts';

it.each(['https://example.org/', 'http://127.0.0.1:8080/path?x=1#y', 'https://[::1]/', 'HTTPS://EXAMPLE.ORG'])(
  'isSafeExternalUrl accepts %s',
  (address) => {
    expect(isSafeExternalUrl(address)).toBe(true);
  },
);

it.each([
  '',
  'example.org',
  'file:///etc/passwd',
  'file://server/share/program.exe',
  'smb://server/share',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'ms-msdt:/id',
  'ssh://example.org',
  'app://holdfast/',
  'mailto:a@example.org',
  'https://user:password@example.org/',
  'https://good.example@evil.example/',
  ' https://example.org/',
  'https://example.org/\n',
  'https://exa\tmple.org/',
  'java\nscript:alert(1)',
  'https:',
  `https://example.org/${'a'.repeat(2_048)}`,
])('isSafeExternalUrl rejects %j', async (address) => {
  expect(isSafeExternalUrl(address)).toBe(false);
  expect(await openExternal(address)).toBe(false);
  expect(openedUrls).not.toContain(address);
});

it('openExternal passes safe addresses to the system', async () => {
  expect(await openExternal('https://example.org/help')).toBe(true);
  expect(openedUrls).toEqual(['https://example.org/help']);
});

it('openExternal reports that the system has no program for an address', async () => {
  const open = vi.spyOn(shell, 'openExternal').mockRejectedValueOnce(new Error('no program for it'));
  expect(await openExternal('https://example.org/')).toBe(false);
  open.mockRestore();
});
