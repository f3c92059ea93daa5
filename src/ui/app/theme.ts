import { useState } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'holdfast.theme';

/** The theme that was chosen on this computer; `system` when none was. */
export function storedTheme(storage: Storage): Theme {
  const stored = storage.getItem(KEY);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(theme: Theme, root: HTMLElement): void {
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(() => storedTheme(localStorage));
  return [
    theme,
    (chosen) => {
      localStorage.setItem(KEY, chosen);
      applyTheme(chosen, document.documentElement);
      setTheme(chosen);
    },
  ];
}
