import { expect, it } from 'vitest';
import { menuTemplate } from './menu.ts';

it('the menu has developer tools only in development', () => {
  expect(JSON.stringify(menuTemplate({ mac: false, developer: true }))).toContain('toggleDevTools');
  expect(JSON.stringify(menuTemplate({ mac: false, developer: false }))).not.toContain('toggleDevTools');
});

it('the menu offers to quit under File, or in the app menu on macOS', () => {
  expect(JSON.stringify(menuTemplate({ mac: false, developer: false }))).toContain('"quit"');
  expect(menuTemplate({ mac: true, developer: false })[0]).toEqual({ role: 'appMenu' });
});
