import './app/withoutEval.ts';
import { App } from './app/App.tsx';
import { browserClock, connect } from './shared/connection.ts';
import { watchDroppedFiles } from './shared/droppedFiles.ts';
import { preloadLater } from './shared/later.ts';
import { ignoreDroppedFiles, watchOpenedFiles } from './shared/wizardSeed.ts';
import { takeKey } from './app/pageKey.ts';
import { dialFor } from './app/ports.ts';
import { newQueries } from './app/queries.ts';
import { STORED } from './shared/stored.ts';
import { applyTheme, storedTheme } from './shared/theme.ts';
import { readOffers } from './shared/offers.ts';
import type { ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import './styles/base.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');

applyTheme(storedTheme(localStorage), document.documentElement);
const key = window.holdfast ? null : takeKey(window);
const connection = connect(dialFor(window, key), browserClock);
key?.follow(connection);
watchOpenedFiles();
ignoreDroppedFiles();
watchDroppedFiles();
const draft = sessionStorage.getItem(STORED.draft);
mountApp(root, <App connection={connection} queries={newQueries(connection)} draft={draft} offers={readOffers(document)} />);
preloadLater();

/** Mounts the app. If the prerendered first screen is the one to show, the app hydrates it. */
export function mountApp(root: HTMLElement, app: ReactNode): void {
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
