import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CODE_ALPHABET, formatInvitation, readInvitation } from './invitation.ts';

const code = fc.string({ unit: fc.constantFrom(...CODE_ALPHABET), minLength: 12, maxLength: 12 });
const fingerprint = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
const host = fc.oneof(fc.ipV4(), fc.constantFrom('::1', '2001:db8::7', 'teacher.school.example', 'pc-1'));

it('readInvitation reads the output of formatInvitation, also in lower case, in quotes or in a whole command line', () => {
  fc.assert(
    fc.property(fc.record({ host, port: fc.integer({ min: 1, max: 65_535 }), code, fingerprint }), (invitation) => {
      const text = formatInvitation(invitation);
      expect(readInvitation(text)).toEqual(invitation);
      expect(readInvitation(`npx holdfast join '${text}'`)).toEqual(invitation);
      const [place = '', grouped = '', last = ''] = text.split('/');
      expect(readInvitation(`${place}/${grouped.toLowerCase().replaceAll('-', '')}/${last}`)).toEqual(invitation);
    }),
  );
});

it('readInvitation rejects any other text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(readInvitation(text)).toBeNull();
    }),
  );
  for (const text of ['a:1/0123-4567-89A/x', `a:0/0123-4567-89AB/${'A'.repeat(43)}`, `a:1/UUUU-4567-89AB/${'A'.repeat(43)}`])
    expect(readInvitation(text)).toBeNull();
});
