import { useState } from 'react';
import { STORED } from '#ui/shared/stored.ts';
import { applyTheme, storedTheme, type Theme } from '#ui/shared/theme.ts';

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(() => storedTheme(localStorage));
  return [
    theme,
    (chosen) => {
      localStorage.setItem(STORED.theme, chosen);
      applyTheme(chosen, document.documentElement);
      setTheme(chosen);
    },
  ];
}
