import type { ClockOffset } from '#core/plan/schema/hosts.ts';
import type { CheckFinding, Remedy, Role } from '../finding.ts';
import type { PlanLoad } from './planLoad.ts';

/** Probe for the processor. POSIX `sleep` accepts only whole seconds; on Linux and macOS, it also accepts fractions. */
export const CPU_PROBE = 'head -n 1 /proc/stat; sleep 0.3 || sleep 1; head -n 1 /proc/stat; nproc || getconf _NPROCESSORS_ONLN';

export const MEMORY_PROBE = 'cat /proc/meminfo';

export const OPEN_FILES_PROBE = 'ulimit -n; ulimit -Hn';

export const NODE_PROBE =
  'for node in "$(command -v node)" /usr/local/bin/node /usr/bin/node "$HOME"/.cache/holdfast/node-*; do [ -f "$node" ] && [ -x "$node" ] && "$node" --version; done; echo looked';

/** Context in which a reading is judged. */
export interface HostFacts {
  readonly role: Role;
  /** Expected load; null if there is no plan, in which case the reading is judged by itself. */
  readonly load: PlanLoad | null;
  /** Clock offset of the machine; null for this computer, or if it is unknown. */
  readonly clock: ClockOffset | null;
  readonly isRemote: boolean;
}

export type FindingText = Omit<CheckFinding, 'id' | 'remedy' | 'explain'>;

/**
 * One check of a machine. `probe` is POSIX shell code that runs on the machine, together with all other probes. `read` parses the output
 * and returns null if it has no reading. `judge` is pure. See systemFiles.ts for a template.
 */
export interface HostCheck<Reading> {
  readonly id: string;
  /** Subject of the check, shown if the check has no reading. */
  readonly about: string;
  /** Returns whether the check applies. If omitted, it always applies. */
  appliesTo?(facts: HostFacts): boolean;
  /** Probes of the check. A probe that several checks share runs only once. */
  readonly probe: readonly string[] | ((load: PlanLoad | null) => readonly string[]);
  /** Parses the output of the probes, in their order. Returns null if it is not available on this machine. */
  read(outputs: readonly string[]): Reading | null;
  judge(reading: Reading, facts: HostFacts): FindingText;
  /** Background of the check and common misconceptions, shown with the finding. */
  readonly explain: string;
  /** Returns the remedy for a warning or a problem; null if there is none. Omitted if there is never a remedy. */
  remedy?(reading: Reading, facts: HostFacts): Remedy | null;
}

/** Returns a remedy that sets a kernel setting until the next reboot, with the command that undoes it. */
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

export function buildRemedy(text: string): Remedy {
  return { text, command: null, undo: null, risk: '' };
}

/** Returns a shell command that prints each readable file as one line: path, space, contents. */
export function showFiles(...paths: readonly string[]): string {
  return `for file in ${paths.join(' ')}; do [ -r "$file" ] && printf '%s %s\\n' "$file" "$(tr -s '\\t\\n' '  ' <"$file")"; done`;
}

/** Parses the output of {@link showFiles} into trimmed values by path. */
export function parseShownFiles(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/^(\/\S+) (.*)$/gm)].map(([, path = '', value = '']) => [path, value.trim()]));
}

/** Returns the number at the start of a text, or null if there is none. */
export function numberIn(text: string | undefined): number | null {
  const match = /^\s*(-?\d{1,15}(?:\.\d+)?)\b/.exec(text ?? '');
  return match === null ? null : Number(match[1]);
}

/** Returns the file of a setting: `/proc/sys/net/core/somaxconn` for `net.core.somaxconn`. */
export function settingFile(setting: string): string {
  return `/proc/sys/${setting.replaceAll('.', '/')}`;
}
