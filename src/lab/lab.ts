import type { GivenOptions, LabAccount, LabOption, LabSecret, Missing, RunningLabFacts } from '#core/base/lab/listing.ts';

export type Account = LabAccount;

/** The environment of a practice server. */
export interface Surroundings {
  /** The entry file of the practice servers, started again for each of their processes. */
  readonly entry: URL;
  /** Folder for data that can be downloaded again, such as Python packages. */
  readonly cacheDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Called with the progress of a long start. */
  onProgress(text: string): void;
}

/** A practice server that responds. */
export interface RunningLab extends RunningLabFacts {
  /** The access logs of its servers by name, one line of JSON per request. */
  readonly logs: Readonly<Record<string, string>>;
  reveal(): readonly LabSecret[];
  /** Command prefix that runs a program in the network of the practice server; empty for the computer's own network. */
  readonly within: readonly string[];
  /** Resolves with an explanation when a part ends unexpectedly. */
  readonly broken: Promise<string>;
  /** Stops listening, ends every process, completes the logs and removes its directory. */
  stop(): Promise<void>;
}

/** A practice server: real servers for trying out a test before it is aimed at other systems. */
export interface Lab {
  readonly name: string;
  readonly title: string;
  readonly story: string;
  readonly options: Readonly<Record<string, LabOption>>;
  /** Returns what this machine lacks for it. */
  missing(environment: NodeJS.ProcessEnv): Promise<readonly Missing[]>;
  /**
   * Resolves when everything responds. Throws a HoldfastError (`BAD_OPTION`, `LAB_NEEDS`, `PORT_IN_USE`, `LISTEN_FAILED`,
   * `LOG_NOT_WRITABLE`, `PART_FAILED`, `PYTHON_PACKAGES`) and then leaves nothing running.
   */
  start(given: GivenOptions, surroundings: Surroundings): Promise<RunningLab>;
}

type Kind<Name extends LabOption['kind']> = Extract<LabOption, { kind: Name }>;
interface Texts {
  readonly label: string;
  readonly help?: string;
  readonly fault?: boolean;
}

/** Returns a number option. With `default: null` it may be unset, with the meaning of `unset`. */
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

/** Options of every practice server: first port and log folder. */
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
