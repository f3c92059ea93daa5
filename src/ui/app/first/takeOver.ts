import type { ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';

/** Mounts the app. It hydrates the prerendered first screen if that is the one to show. */
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
