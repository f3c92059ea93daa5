import { expect, it } from 'vitest';
import { menuTemplate } from './menu.ts';

it('has developer tools only where developers work', () => {
  expect(JSON.stringify(menuTemplate({ mac: false, developer: true }))).toContain('toggleDevTools');
  expect(JSON.stringify(menuTemplate({ mac: false, developer: false }))).not.toContain('toggleDevTools');
});

it('quits from the File menu, but on macOS from the app menu', () => {
  expect(JSON.stringify(menuTemplate({ mac: false, developer: false }))).toContain('"quit"');
  expect(menuTemplate({ mac: true, developer: false })[0]).toEqual({ role: 'appMenu' });
});
