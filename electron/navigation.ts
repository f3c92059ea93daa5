import type { WebContents } from 'electron';
import { openExternal } from './externalUrl.ts';
import { isPageUrl } from './page.ts';

/**
 * Confines a window's contents to Holdfast's own page: it cannot navigate away, open a second window or use a webview. Links open in the
 * user's browser.
 */
export function confineNavigation(contents: WebContents): void {
  const preventLeaving = (event: { preventDefault(): void }, address: string): void => {
    if (!isPageUrl(address)) event.preventDefault();
  };
  contents.on('will-navigate', (event, address) => preventLeaving(event, address));
  contents.on('will-redirect', (event, address) => preventLeaving(event, address));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void openExternal(url);
    return { action: 'deny' };
  });
}
