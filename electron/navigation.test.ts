import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { WebContents } from 'electron';
import { confineNavigation } from './navigation.ts';
import { openedUrls } from './testing/electron.ts';

type OpenHandler = (details: { url: string }) => { action: string };

function confinedContents(): { contents: EventEmitter; open: OpenHandler } {
  let open: OpenHandler | undefined;
  const contents = Object.assign(new EventEmitter(), { setWindowOpenHandler: (handler: OpenHandler) => (open = handler) });
  confineNavigation(contents as unknown as WebContents);
  if (!open) throw new Error('windows are not handled');
  return { contents, open };
}

function isPrevented(event: string, ...values: unknown[]): boolean {
  let prevented = false;
  confinedContents().contents.emit(event, { preventDefault: () => (prevented = true) }, ...values);
  return prevented;
}

describe('a compromised page', () => {
  it.each(['will-navigate', 'will-redirect'])('cannot navigate away by %s', (event) => {
    for (const address of ['https://evil.example/', 'file:///etc/passwd', 'app://evil/', 'data:text/html,x', 'about:blank']) {
      expect(isPrevented(event, address)).toBe(true);
    }
  });

  it('can reload itself', () => expect(isPrevented('will-navigate', 'app://holdfast/')).toBe(false));

  it('gets no webview', () => expect(isPrevented('will-attach-webview')).toBe(true));

  it('opens no window: web links open in the browser, and other addresses are not opened', () => {
    const { open } = confinedContents();
    expect(open({ url: 'https://example.org/' })).toEqual({ action: 'deny' });
    expect(open({ url: 'file:///bin/sh' })).toEqual({ action: 'deny' });
    expect(openedUrls).toEqual(['https://example.org/']);
  });
});
