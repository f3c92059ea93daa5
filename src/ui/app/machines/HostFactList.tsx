import { Fragment } from 'react';
import type { HostReport } from '#core/plan/schema/hosts.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import styles from './Machines.module.css';

/** What a host has told of itself. */
export function HostFactList({ report }: { readonly report: HostReport }) {
  return (
    <Stack gap={12}>
      <Banner tone="holds" announce="status" title={words.hosts.answers} />
      <dl className={styles.facts}>
        {factsOf(report).map(([name, fact]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ))}
      </dl>
      {report.notes.map((note) => (
        <Banner key={note} tone="inconclusive">
          {note}
        </Banner>
      ))}
    </Stack>
  );
}

function factsOf({ user, hostname, system, kernel, cores, memoryBytes, node, clock, roundTripMs }: HostReport): [string, string][] {
  const say = words.hosts.facts;
  return [
    [say.user, `${user}@${hostname}`],
    [say.system, system],
    [say.kernel, kernel],
    [say.cores, cores === null ? say.notKnown : formatCount(cores)],
    [say.memory, memoryBytes === null ? say.notKnown : `${(memoryBytes / 1e9).toFixed(1)} GB`],
    [say.node, node === null ? say.none : `${node.version} (${node.path})`],
    [say.clock, clock === null ? say.notKnown : clockText(clock)],
    [say.roundTrip, formatMs(roundTripMs)],
  ];
}

function clockText({ aheadMs, errorMs }: NonNullable<HostReport['clock']>): string {
  const say = words.hosts.facts;
  return (aheadMs < 0 ? say.behind : say.ahead)(formatMs(Math.abs(aheadMs)), formatMs(errorMs));
}
