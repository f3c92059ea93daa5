import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeFileName } from './fileName.ts';

it.each([
  ['result.json', 'result.json'],
  ['Contest of May 3.csv', 'Contest of May 3.csv'],
  ['../../.bashrc', 'bashrc'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Windows\\win.ini', 'win.ini'],
  ['a:b?.txt', 'a-b-.txt'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['', 'holdfast.txt'],
  ['...', 'holdfast.txt'],
  ['name. ', 'name'],
  ['übung.json', 'übung.json'],
])('%j becomes %j', (suggested, name) => expect(safeFileName(suggested)).toBe(name));

it('is never a path, hidden, empty or too long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (suggested) => {
      const name = safeFileName(suggested);
      expect(name).toMatch(/^[^./\\<>:"|?*][^/\\<>:"|?*]*$/s);
      expect(name.length).toBeLessThanOrEqual(121);
    }),
  );
});
