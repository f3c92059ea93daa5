import type { GivenOptions, LabAccount, LabOption, LabSecret, Missing, RunningLabFacts } from '#core/base/lab/listing.ts';

export type Account = LabAccount;

/** What a practice server needs to know about where it runs. */
export interface Surroundings {
  /** The entry file of the practice servers, started again for each of its processes. */
  readonly entry: URL;
  /** Where things are kept that can be fetched again, such as Python packages. */
  readonly cacheDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Told what a long start is at. */
  onProgress(text: string): void;
}

/** A practice server that answers. */
export interface RunningLab extends RunningLabFacts {
  /** The access logs that its servers write, one line of JSON a request, by the name of the server. */
  readonly logs: Readonly<Record<string, string>>;
  reveal(): readonly LabSecret[];
  /** What a command is started with, so that it runs in the network of the practice server; empty where that is the computer's own. */
  readonly within: readonly string[];
  /** Resolves with what happened when a part of it ends that nobody told to end. */
  readonly broken: Promise<string>;
  /** Stops listening, ends every process, finishes the logs and removes its directory. */
  stop(): Promise<void>;
}

/** A practice server: real servers to try a test against before it is let loose on one's own. */
export interface Lab {
  readonly name: string;
  readonly title: string;
  readonly story: string;
  readonly options: Readonly<Record<string, LabOption>>;
  /** What this machine lacks for it. */
  missing(environment: NodeJS.ProcessEnv): Promise<readonly Missing[]>;
  /**
   * Resolves when everything answers. Throws a HoldfastError (`BAD_OPTION`, `LAB_NEEDS`, `PORT_IN_USE`, `LISTEN_FAILED`,
   * `LOG_NOT_WRITABLE`, `PART_FAILED`, `PYTHON_PACKAGES`); nothing is left running then.
   */
  start(given: GivenOptions, surroundings: Surroundings): Promise<RunningLab>;
}

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
  logs: { kind: 'path', label: 'Folder for the access logs', help: '', fault: false, default: null } satisfies Kind<'path'>,
} as const;

/** Three hours, as in CMS. */
const LOGIN_SECONDS = 10_800;

export const loginSecondsOption = numberOption({
  label: 'Lifetime of a login',
  help: 'After that, its cookie is refused.',
  default: LOGIN_SECONDS,
  min: 1,
  max: 1_000_000,
  unit: 's',
});
