import { STORED } from './stored.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The theme that was chosen on this computer; `system` when none was. */
export function storedTheme(storage: Storage): Theme {
  const stored = storage.getItem(STORED.theme);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(theme: Theme, root: HTMLElement): void {
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
}
