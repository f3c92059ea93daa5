import {
  type GivenOptions,
  givenOptionsSchema,
  type LabAccount,
  type LabOption,
  type LabSecret,
  type Missing,
  type RunningLabFacts,
} from '#core/base/lab/listing.ts';
import { readOptions } from '#core/base/lab/readOptions.ts';

export type Account = LabAccount;

/** What a practice server needs from the process that starts it. */
export interface Surroundings {
  /** The entry file of the practice servers. It is started again for each of their processes. */
  readonly entry: URL;
  /** Folder for data that can be downloaded again, such as Python packages. */
  readonly cacheDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Called with the progress of a long start. */
  onProgress(text: string): void;
}

/** A practice server that is running and responds. */
export interface RunningLab extends RunningLabFacts {
  /** Access logs by server name, with one line of JSON per request. */
  readonly logs: Readonly<Record<string, string>>;
  reveal(): readonly LabSecret[];
  /** Command prefix that runs a program in the network of the practice server; empty for the computer's own network. */
  readonly within: readonly string[];
  /** Resolves with an explanation if a part ends unexpectedly. */
  readonly broken: Promise<string>;
  /** Stops listening, ends every process, completes the logs and removes the practice server's directory. */
  stop(): Promise<void>;
}

/** A practice server. It consists of real servers on which a test can be tried out before it is aimed at other systems. */
export interface Lab {
  readonly name: string;
  readonly title: string;
  readonly story: string;
  readonly options: Readonly<Record<string, LabOption>>;
  /** Returns the programs that this machine lacks for the practice server. */
  missing(environment: NodeJS.ProcessEnv): Promise<readonly Missing[]>;
  /**
   * Resolves when everything responds. Throws a HoldfastError (`BAD_OPTION`, `LAB_NEEDS`, `PORT_IN_USE`, `LISTEN_FAILED`,
   * `LOG_NOT_WRITABLE`, `PART_FAILED`, `PYTHON_PACKAGES`) and leaves nothing running then.
   */
  start(givenOptions: GivenOptions, surroundings: Surroundings): Promise<RunningLab>;
}

type Kind<Name extends LabOption['kind']> = Extract<LabOption, { kind: Name }>;
interface Texts {
  readonly help?: string;
  readonly fault?: boolean;
}

/** Returns an option whose value is a number. If `usual` is null, the option may be unset, and `unset` describes what that means. */
export function numberOption<Default extends number | null>(
  label: string,
  usual: Default,
  [min, max]: readonly [number, number],
  more: Texts & { readonly whole?: boolean; readonly unit?: string; readonly unset?: string } = {},
): Kind<'number'> & { readonly default: Default } {
  return { kind: 'number', label, help: '', fault: false, whole: true, unit: '', unset: 'off', ...more, default: usual, min, max };
}

export function switchOption(label: string, usual: boolean, more: Texts = {}): Kind<'switch'> {
  return { kind: 'switch', label, help: '', fault: false, ...more, default: usual };
}

export function choiceOption(
  option: Texts & { readonly label: string; readonly default: string; readonly choices: Readonly<Record<string, string>> },
): Kind<'choice'> {
  const choices = Object.entries(option.choices).map(([value, label]) => ({ value, label }));
  return { kind: 'choice', help: '', fault: false, ...option, choices };
}

/** Options of every practice server: the first port and the folder for logs. */
export const commonOptions = {
  port: numberOption('Port of the first address', null, [1, 65_535], { unset: 'free ports' }),
  logs: { kind: 'path', label: 'Folder for the access logs', help: '', fault: false, default: null } satisfies Kind<'path'>,
} as const;

/** Lifetime of a login in seconds: three hours, as in CMS. */
const LOGIN_SECONDS = 10_800;

export const loginSecondsOption = numberOption('Lifetime of a login', LOGIN_SECONDS, [1, 1_000_000], {
  help: 'After that, its cookie is refused.',
  unit: 's',
});

/** Labels of options that several practice servers have. */
export const LABELS = {
  backlog: 'Requests that wait for a worker',
  addressLimit: 'Requests a second from one address',
  pageTime: 'Mean time of a page',
  proxyTimeout: 'Response time-out of nginx',
  databaseLimit: 'Connection limit of the database',
} as const;

export function descriptorsOption(help = '') {
  return numberOption('Open file limit of nginx', null, [32, 65_536], { help, fault: true });
}

/** Returns the schema for values that a practice server passes on to its parts. */
export function valuesSchema<Options extends Lab['options']>(options: Options) {
  return givenOptionsSchema.transform((givenOptions) => readOptions(options, givenOptions));
}
