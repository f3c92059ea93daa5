import type { WebContents } from 'electron';
import { openExternal } from './externalUrl.ts';
import { isPageUrl } from './page.ts';

/** Confines contents to our own page: no navigation away, no second window, no webview. Links open in the user's browser. */
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
