import { describe, expect, it } from 'vitest';
import { Sessions } from './session.ts';

const sessions = new Sessions('login', Buffer.from('a secret of this test'), (username) => username === 'ada', 60);

describe('a login cookie', () => {
  it('is valid for exactly the duration of a login', () => {
    const cookie = sessions.issue('ada', 1_000_000);
    expect(sessions.read(cookie, 1_060_000)).toBe('ada');
    expect(sessions.read(cookie, 1_060_001)).toBeNull();
  });

  it('is valid only for known users, and only if it is unmodified', () => {
    expect(sessions.read(sessions.issue('bob', 0), 0)).toBeNull();
    const cookie = sessions.issue('ada', 0);
    for (const forged of [undefined, '', 'a.b.c', `${cookie}x`, cookie.slice(1), `${cookie}.`]) expect(sessions.read(forged, 0)).toBeNull();
  });
});

it('Sessions: seals text that only the same server can unseal', () => {
  const sealed = sessions.seal('[7,42]');
  expect(sessions.unseal(sealed)).toBe('[7,42]');
  for (const other of [undefined, '', 'short', `${sealed}x`, `x${sealed}`, sealed.slice(1)]) expect(sessions.unseal(other)).toBeNull();
});
