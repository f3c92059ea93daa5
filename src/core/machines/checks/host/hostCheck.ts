import type { ClockOffset } from '#core/plan/schema/hosts.ts';
import type { CheckFinding, Remedy, Role } from '../finding.ts';
import type { PlanLoad } from './planLoad.ts';

/** Probes whose reading this process may know better than a shell beside it: what it knows then stands in their place. */

/** `sleep` of POSIX knows whole seconds only; those of Linux and macOS know parts of one. */
export const CPU_PROBE = 'head -n 1 /proc/stat; sleep 0.3 || sleep 1; head -n 1 /proc/stat; nproc || getconf _NPROCESSORS_ONLN';

export const MEMORY_PROBE = 'cat /proc/meminfo';

export const OPEN_FILES_PROBE = 'ulimit -n; ulimit -Hn';

export const NODE_PROBE =
  'for node in "$(command -v node)" /usr/local/bin/node /usr/bin/node "$HOME"/.cache/holdfast/node-*; do [ -f "$node" ] && [ -x "$node" ] && "$node" --version; done; echo looked';

/** What a judge knows beside its reading. */
export interface HostFacts {
  readonly role: Role;
  /** What the plan will ask for; null when no plan was given: then things are judged by themselves. */
  readonly load: PlanLoad | null;
  /** null: this computer, or a clock that cannot be compared. */
  readonly clock: ClockOffset | null;
  readonly isRemote: boolean;
}

export type Judged = Omit<CheckFinding, 'id' | 'remedy' | 'explain'>;

/**
 * One thing that is looked at on a machine. `probe` is POSIX shell and runs there, the probes of all checks in one go; `read` makes a reading of what they
 * printed, null where there is nothing to read; `judge` is pure and decides. A template: systemFiles.ts.
 */
export interface HostCheck<Reading> {
  readonly id: string;
  /** What is looked at, in words, for the case that it cannot be read. */
  readonly about: string;
  /** Whether there is anything to look at; left out, always. */
  appliesTo?(facts: HostFacts): boolean;
  /** Equal texts of different checks run once. */
  readonly probe: readonly string[] | ((load: PlanLoad | null) => readonly string[]);
  /** What each probe printed, in their order; null: not available on this machine. */
  read(said: readonly string[]): Reading | null;
  judge(reading: Reading, facts: HostFacts): Judged;
  /** Why one looks at it, and what is often believed wrongly: the story behind the finding, shown with it. */
  readonly explain: string;
  /** What to do where the level is a warning or a problem; left out or null, nothing. */
  remedy?(reading: Reading, facts: HostFacts): Remedy | null;
}

/** A change of one setting of the kernel until the next start of the machine, with its way back. */
export function settingRemedy(setting: string, from: string, to: string, text: string, risk: string): Remedy {
  const write = (value: string): string => `sudo sysctl -w ${setting}=${/\s/.test(value) ? `"${value}"` : value}`;
  return {
    text,
    command: write(to),
    undo: write(from),
    risk: `${risk} The change lasts until the next restart.`,
    change: { setting, from, to },
  };
}

/** An act of a person without a command. */
export function advice(text: string): Remedy {
  return { text, command: null, undo: null, risk: '' };
}

/** Prints each file that can be read as one line, its path first. */
export function showFiles(...paths: readonly string[]): string {
  return `for file in ${paths.join(' ')}; do [ -r "$file" ] && printf '%s %s\\n' "$file" "$(tr -s '\\t\\n' '  ' <"$file")"; done`;
}

/** The values that {@link showFiles} has printed, by their paths; the blanks around each are taken off. */
export function shownFiles(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/^(\/\S+) (.*)$/gm)].map(([, path = '', value = '']) => [path, value.trim()]));
}

/** The first number of a text; null when it begins otherwise. */
export function numberIn(text: string | undefined): number | null {
  const match = /^\s*(-?\d{1,15}(?:\.\d+)?)\b/.exec(text ?? '');
  return match === null ? null : Number(match[1]);
}

/** `/proc/sys/net/core/somaxconn` of `net.core.somaxconn`. */
export function settingFile(setting: string): string {
  return `/proc/sys/${setting.replaceAll('.', '/')}`;
}
