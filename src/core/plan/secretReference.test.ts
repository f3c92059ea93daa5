import { describe, expect, it } from 'vitest';
import { askReference, envReference, fileReference, readReference, sessionReference } from './secretReference.ts';

describe('references to secrets:', () => {
  it.each([
    [envReference('TOKEN'), 'env:TOKEN', { kind: 'env', name: 'TOKEN' }],
    [fileReference('/home/me/a:b'), 'file:/home/me/a:b', { kind: 'file', path: '/home/me/a:b' }],
    [askReference('Password of: me'), 'ask:Password of: me', { kind: 'ask', label: 'Password of: me' }],
    [sessionReference('a-B_1'), 'session:a-B_1', { kind: 'session', id: 'a-B_1' }],
  ])('%s is read as it was made', (made, written, parts) => {
    expect(made).toBe(written);
    expect(readReference(made)).toEqual(parts);
  });

  it.each(['', 'env:', 'env:1A', 'env:A B', 'env:A\n', 'file:', 'ask:', 'session:a b', 'ENV:A', ' env:A', 'http://host', 'Bearer env:A'])(
    '%j is not a reference',
    (text) => expect(readReference(text)).toBeNull(),
  );
});
