import { expect, it } from 'vitest';
import { isHarmlessHeader, isSecretField } from './secretShapes.ts';

it('takes a header for a secret unless its name is known to be harmless', () => {
  expect(['Accept', 'user-agent ', 'Content-Type'].every(isHarmlessHeader)).toBe(true);
  expect(['Authorization', 'X-Api-Key', 'Cookie', 'X-Anything'].some(isHarmlessHeader)).toBe(false);
});

it('takes a field for a secret by its name, unless it only says yes or no', () => {
  expect(isSecretField('password') && isSecretField('password', '1234')).toBe(true);
  for (const value of ['0', '1', 'true', 'Off']) expect(isSecretField('pwd_empty', value)).toBe(false);
});
