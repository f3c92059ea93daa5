import { expect, it } from 'vitest';
import { menuTemplate } from './menu.ts';

it('has developer tools only in development', () => {
  expect(JSON.stringify(menuTemplate({ mac: false, developer: true }))).toContain('toggleDevTools');
  expect(JSON.stringify(menuTemplate({ mac: false, developer: false }))).not.toContain('toggleDevTools');
});

it('quits from the File menu, on macOS from the app menu', () => {
  expect(JSON.stringify(menuTemplate({ mac: false, developer: false }))).toContain('"quit"');
  expect(menuTemplate({ mac: true, developer: false })[0]).toEqual({ role: 'appMenu' });
});
