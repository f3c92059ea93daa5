import type { ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';

/** Shows the app: it takes over the first screen where the build has drawn it and it is the one to show. */
export function takeOver(root: HTMLElement, app: ReactNode): void {
  const { dataset } = document.documentElement;
  if (dataset['screen'] !== 'first') {
    delete dataset['screen'];
    root.replaceChildren();
    createRoot(root).render(app);
    return;
  }
  dataset['screen'] = 'taken';
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset['style'] ?? '';
    delete element.dataset['style'];
  }
  hydrateRoot(root, app);
}
