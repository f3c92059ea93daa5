import type { CheckFinding } from '../finding.ts';
import { connectionTracking } from './connectionTracking.ts';
import type { HostCheck, HostFacts } from './hostCheck.ts';
import { finTimeout, timeWaitBuckets, timeWaitRecycle, timeWaitReuse } from './kernelTimeWait.ts';
import { listenQueue, synCookies } from './listenQueue.ts';
import { memory, swap } from './memory.ts';
import { networkLink, packetSize, proxyVariables, resolution } from './network.ts';
import { openFiles, systemFiles } from './openFiles.ts';
import { portBudget } from './portBudget.ts';
import { governor, processor } from './processor.ts';
import { balancing, clock, databaseConnections, nodeVersion } from './surroundings.ts';
import { timeWait } from './timeWait.ts';

/** A check whose kind of reading nobody else needs to know. */
interface AnyCheck {
  readonly id: string;
  probes(facts: HostFacts): readonly string[];
  finding(said: readonly string[], facts: HostFacts): CheckFinding;
}

/** Every check of a machine, in the order in which they are shown. */
const CHECKS: readonly (AnyCheck & { appliesTo(facts: HostFacts): boolean })[] = [
  sealed(openFiles),
  sealed(systemFiles),
  sealed(portBudget),
  sealed(timeWait),
  sealed(timeWaitReuse),
  sealed(timeWaitRecycle),
  sealed(timeWaitBuckets),
  sealed(finTimeout),
  sealed(listenQueue),
  sealed(synCookies),
  sealed(connectionTracking),
  sealed(processor),
  sealed(governor),
  sealed(memory),
  sealed(swap),
  sealed(networkLink),
  sealed(packetSize),
  sealed(resolution),
  sealed(proxyVariables),
  sealed(balancing),
  sealed(databaseConnections),
  sealed(clock),
  sealed(nodeVersion),
];

/** Begins every section of what the script prints. */
const MARK = 'holdfast-check';

/** One script for all checks that apply: each different probe once, what it prints below a line with its number. */
export function probeScript(facts: HostFacts): string {
  const sections = probesOf(facts).map(
    (probe, number) => `echo '${MARK} ${number}'\n{ ${probe === '' ? ':' : probe}\n} 2>/dev/null </dev/null\n`,
  );
  // What start-up files of the user print, and a language that writes numbers differently, are kept out.
  return `LC_ALL=C; export LC_ALL; PATH="$PATH:/usr/sbin:/sbin"; export PATH\n${sections.join('')}echo '${MARK} end'\n`;
}

/** What the script prints where nothing can be read. */
export const NOTHING_SAID = `${MARK} end\n`;

/**
 * What the script has printed, judged; `own` are readings that were had otherwise, by their probes. What could not be read is `unknown`, never `ok`. null when
 * the script did not run to its end.
 */
export function judgeHost(output: string, facts: HostFacts, own: ReadonlyMap<string, string> = new Map()): CheckFinding[] | null {
  const sections = sectionsOf(output);
  if (sections === null) return null;
  const said = new Map(probesOf(facts).map((probe, number) => [probe, own.get(probe) ?? sections.get(number) ?? '']));
  return CHECKS.filter((check) => check.appliesTo(facts)).map((check) =>
    check.finding(
      check.probes(facts).map((probe) => said.get(probe) ?? ''),
      facts,
    ),
  );
}

function probesOf(facts: HostFacts): string[] {
  return [...new Set(CHECKS.filter((check) => check.appliesTo(facts)).flatMap((check) => check.probes(facts)))];
}

function sectionsOf(output: string): ReadonlyMap<number, string> | null {
  const sections = new Map<number, string>();
  let current: number | null = null;
  let ended = false;
  for (const line of output.split('\n')) {
    const [, mark] = new RegExp(`^${MARK} (\\d+|end)$`).exec(line) ?? [];
    if (mark === 'end') ended = true;
    else if (mark !== undefined) {
      current = Number(mark);
      sections.set(current, '');
    } else if (current !== null) sections.set(current, `${sections.get(current) ?? ''}${line}\n`);
  }
  return ended ? sections : null;
}

function sealed<Reading>(check: HostCheck<Reading>): AnyCheck & { appliesTo(facts: HostFacts): boolean } {
  const { id, about, explain } = check;
  return {
    id,
    appliesTo: (facts) => check.appliesTo?.(facts) ?? true,
    probes: ({ load }) => (typeof check.probe === 'function' ? check.probe(load) : check.probe),
    finding(said, facts) {
      const reading = check.read(said);
      if (reading === null)
        return {
          id,
          level: 'unknown',
          title: `${about}: not available here`,
          evidence: 'This machine does not report it.',
          matters: 'It was not checked.',
          remedy: null,
        };
      const judged = check.judge(reading, facts);
      const needsRemedy = judged.level === 'warning' || judged.level === 'problem';
      return { id, ...judged, remedy: needsRemedy ? (check.remedy?.(reading, facts) ?? null) : null, explain };
    },
  };
}
