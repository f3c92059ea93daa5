import { expect, it } from 'vitest';
import { pagePreferences } from './window.ts';

it('gives the page no more than a page of the web has', () => {
  expect(pagePreferences('/x/preload.cjs')).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
  });
});
