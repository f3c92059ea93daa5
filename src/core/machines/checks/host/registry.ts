import type { CheckFinding } from '../finding.ts';
import { connectionTracking, listenQueue, synCookies, openFiles, systemFiles } from './kernelLimits.ts';
import type { HostCheck, HostFacts } from './hostCheck.ts';
import { finTimeout, timeWaitBuckets, timeWaitRecycle, timeWaitReuse, timeWait } from './timeWait.ts';
import { memory, swap, governor, processor } from './processorAndMemory.ts';
import { networkLink, packetSize, proxyVariables, resolution } from './network.ts';
import { portBudget } from './portBudget.ts';
import { balancing, clock, databaseConnections, nodeVersion } from './surroundings.ts';

/** A check with its type of reading hidden. */
interface AnyCheck {
  readonly id: string;
  probes(facts: HostFacts): readonly string[];
  finding(outputs: readonly string[], facts: HostFacts): CheckFinding;
}

/** All checks, in display order. */
const CHECKS: readonly (AnyCheck & { appliesTo(facts: HostFacts): boolean })[] = [
  sealCheck(openFiles),
  sealCheck(systemFiles),
  sealCheck(portBudget),
  sealCheck(timeWait),
  sealCheck(timeWaitReuse),
  sealCheck(timeWaitRecycle),
  sealCheck(timeWaitBuckets),
  sealCheck(finTimeout),
  sealCheck(listenQueue),
  sealCheck(synCookies),
  sealCheck(connectionTracking),
  sealCheck(processor),
  sealCheck(governor),
  sealCheck(memory),
  sealCheck(swap),
  sealCheck(networkLink),
  sealCheck(packetSize),
  sealCheck(resolution),
  sealCheck(proxyVariables),
  sealCheck(balancing),
  sealCheck(databaseConnections),
  sealCheck(clock),
  sealCheck(nodeVersion),
];

/** Text that starts every section of the output. */
const SECTION_MARK = 'holdfast-check';

/** Returns a script that runs each probe of the applicable checks once. The output of a probe follows a line with its number. */
export function probeScript(facts: HostFacts): string {
  const sections = listProbes(facts).map(
    (probe, number) => `echo '${SECTION_MARK} ${number}'\n{ ${probe === '' ? ':' : probe}\n} 2>/dev/null </dev/null\n`,
  );
  // Output of the user's shell start-up files precedes the first mark. LC_ALL=C makes programs print numbers in the C format.
  return `LC_ALL=C; export LC_ALL; PATH="$PATH:/usr/sbin:/sbin"; export PATH\n${sections.join('')}echo '${SECTION_MARK} end'\n`;
}

/** Output of the script if nothing can be read. */
export const EMPTY_OUTPUT = `${SECTION_MARK} end\n`;

/**
 * Judges the output of the script. `own` holds readings that were taken in another way, by probe. A check without a reading is `unknown`,
 * never `ok`. Returns null if the output is incomplete.
 */
export function judgeHost(output: string, facts: HostFacts, own: ReadonlyMap<string, string> = new Map()): CheckFinding[] | null {
  const sections = findSections(output);
  if (sections === null) return null;
  const outputByProbe = new Map(listProbes(facts).map((probe, number) => [probe, own.get(probe) ?? sections.get(number) ?? '']));
  return CHECKS.filter((check) => check.appliesTo(facts)).map((check) =>
    check.finding(
      check.probes(facts).map((probe) => outputByProbe.get(probe) ?? ''),
      facts,
    ),
  );
}

function listProbes(facts: HostFacts): string[] {
  return [...new Set(CHECKS.filter((check) => check.appliesTo(facts)).flatMap((check) => check.probes(facts)))];
}

function findSections(output: string): ReadonlyMap<number, string> | null {
  const sections = new Map<number, string>();
  let current: number | null = null;
  let ended = false;
  for (const line of output.split('\n')) {
    const [, mark] = new RegExp(`^${SECTION_MARK} (\\d+|end)$`).exec(line) ?? [];
    if (mark === 'end') ended = true;
    else if (mark !== undefined) {
      current = Number(mark);
      sections.set(current, '');
    } else if (current !== null) sections.set(current, `${sections.get(current) ?? ''}${line}\n`);
  }
  return ended ? sections : null;
}

function sealCheck<Reading>(check: HostCheck<Reading>): AnyCheck & { appliesTo(facts: HostFacts): boolean } {
  const { id, about, explain } = check;
  return {
    id,
    appliesTo: (facts) => check.appliesTo?.(facts) ?? true,
    probes: ({ load }) => (typeof check.probe === 'function' ? check.probe(load) : check.probe),
    finding(stated, facts) {
      const reading = check.read(stated);
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
