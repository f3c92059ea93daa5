import { PlugZap } from 'lucide-react';
import type { HostReport } from '#core/plan/schema/hosts.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Facts } from '#ui/components/Facts.tsx';
import { SeverityMark } from '#ui/components/Marks.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { useAction } from '../backend.ts';
import { HostProblem, NodeOffer } from './HostProblem.tsx';
import styles from './Machines.module.css';

function HostFactList({ report }: { readonly report: HostReport }) {
  return (
    <Stack gap={12}>
      <Banner tone="passed" announce="status" title={laterWords.hosts.replies} />
      <Facts facts={collectFacts(report)} />
      {report.notes.map((note) => (
        <Banner key={note} tone="inconclusive">
          {note}
        </Banner>
      ))}
    </Stack>
  );
}

function collectFacts({ user, hostname, system, kernel, cores, memoryBytes, node, clock, roundTripMs }: HostReport): [string, string][] {
  const factsWords = laterWords.hosts.facts;
  return [
    [factsWords.user, `${user}@${hostname}`],
    [factsWords.system, system],
    [factsWords.kernel, kernel],
    [factsWords.cores, cores === null ? factsWords.notKnown : formatCount(cores)],
    [factsWords.memory, memoryBytes === null ? factsWords.notKnown : `${(memoryBytes / 1e9).toFixed(1)} GB`],
    [factsWords.node, node === null ? factsWords.none : `${node.version} (${node.path})`],
    [factsWords.clock, clock === null ? factsWords.notKnown : clockText(clock)],
    [factsWords.roundTrip, formatMs(roundTripMs)],
  ];
}

function clockText({ aheadMs, errorMs }: NonNullable<HostReport['clock']>): string {
  const factsWords = laterWords.hosts.facts;
  return (aheadMs < 0 ? factsWords.behind : factsWords.ahead)(formatMs(Math.abs(aheadMs)), formatMs(errorMs));
}

interface HostConnectionProps {
  readonly name: string;
  /** Whether the facts about the host are collapsed into one line, for lists of several machines. */
  readonly isFolded?: boolean;
}

/** Tests the connection to a host, asks for missing secrets, and shows the facts about the host. */
export function HostConnection({ name, isFolded = false }: HostConnectionProps) {
  const test = useAction('hosts.test');
  const hostsWords = laterWords.hosts;
  const testHost = (): void => test.mutate({ name });
  return (
    <Stack gap={12}>
      {test.error ? <HostProblem problem={test.error} onAgain={testHost} /> : null}
      {test.isPending ? <p aria-live="polite">{words.common.waitingFor(hostsWords.testing(name))}</p> : null}
      {test.data ? <HostReply report={test.data} isFolded={isFolded} /> : null}
      {test.data && test.data.node?.isEnough !== true && test.data.nodePackage !== null ? (
        <NodeOffer name={name} onDone={testHost} />
      ) : null}
      <Inline>
        <Button
          icon={<PlugZap />}
          size={isFolded ? 'small' : 'normal'}
          {...(isFolded ? { 'aria-label': hostsWords.testNamed(name) } : {})}
          isPending={test.isPending}
          onPress={testHost}
        >
          {hostsWords.test}
        </Button>
      </Inline>
    </Stack>
  );
}

function HostReply({ report, isFolded }: { readonly report: HostReport; readonly isFolded: boolean }) {
  if (!isFolded) return <HostFactList report={report} />;
  const { system, cores, node, notes } = report;
  const level = node?.isEnough === true ? (notes.length === 0 ? 'ok' : 'warning') : 'problem';
  const facts = [
    system,
    ...(cores === null ? [] : [laterWords.hosts.cores(formatCount(cores))]),
    node === null ? laterWords.hosts.noNode : `Node ${node.version}`,
  ];
  return (
    <Disclosure
      level={3}
      title={
        <span className={styles.reply}>
          <SeverityMark level={level} /> {laterWords.hosts.replies}
        </span>
      }
      summary={facts.join(' · ')}
    >
      <HostFactList report={report} />
    </Disclosure>
  );
}
