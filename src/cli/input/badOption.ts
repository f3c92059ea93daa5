import type { Issue } from '#core/plan/issues.ts';

/** An option of the command line that cannot be followed. */
export function badOption(option: string, text: string, hint: string): Issue {
  return {
    level: 'error',
    code: 'BAD_OPTION',
    path: option,
    message: `${text === '' ? option : `${option} ${text}`} cannot be used.`,
    hint,
  };
}
