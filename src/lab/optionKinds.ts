import type { LabOption } from '#core/base/lab/listing.ts';

type Kind<Name extends LabOption['kind']> = Extract<LabOption, { kind: Name }>;
interface Texts {
  readonly label: string;
  readonly help?: string;
  readonly fault?: boolean;
}

/** A number; with `default: null` it may be left unset, which means what `unset` says. */
export function numberOption<Default extends number | null>(
  option: Texts & {
    readonly default: Default;
    readonly min: number;
    readonly max: number;
    readonly whole?: boolean;
    readonly unit?: string;
    readonly unset?: string;
  },
): Kind<'number'> & { readonly default: Default } {
  return { kind: 'number', help: '', fault: false, whole: true, unit: '', unset: 'off', ...option };
}

export function switchOption(option: Texts & { readonly default: boolean }): Kind<'switch'> {
  return { kind: 'switch', help: '', fault: false, ...option };
}

export function choiceOption(
  option: Texts & { readonly default: string; readonly choices: Readonly<Record<string, string>> },
): Kind<'choice'> {
  const choices = Object.entries(option.choices).map(([value, label]) => ({ value, label }));
  return { kind: 'choice', help: '', fault: false, ...option, choices };
}

/** Where the first server listens, and where the logs go: every practice server has these. */
export const commonOptions = {
  port: numberOption({
    label: 'Port of the first address',
    default: null,
    min: 1,
    max: 65_535,
    unset: 'free ports',
  }),
  logs: { kind: 'path', label: 'Folder that keeps the access logs', help: '', fault: false, default: null } satisfies Kind<'path'>,
} as const;

/** Three hours, as in CMS. */
const LOGIN_SECONDS = 10_800;

export const loginSecondsOption = numberOption({
  label: 'How long a login is good',
  help: 'Afterwards its cookie is refused.',
  default: LOGIN_SECONDS,
  min: 1,
  max: 1_000_000,
  unit: 's',
});
