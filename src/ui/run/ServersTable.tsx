import type { GeneratorReading, RunResult } from '#core/result/schema.ts';
import { formatBytes, formatCount, formatMs, formatPercent, formatSeconds } from '#core/base/units.ts';
import { silentWords } from '#core/result/silentWords.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import { Explained } from '../components/Term.tsx';

const texts = words.results.servers;
const { columns } = texts;

/** What each of several servers did: its share, its failures, and when it answered nothing. */
export function ServersTable({ servers }: Pick<RunResult, 'servers'>) {
  return (
    <Table caption={texts.caption} stacks>
      <thead>
        <Row>
          <HeadCell>{columns.name}</HeadCell>
          <HeadCell numeric>{columns.answered}</HeadCell>
          <HeadCell numeric>{columns.share}</HeadCell>
          <HeadCell numeric>{columns.failed}</HeadCell>
          <HeadCell numeric>{columns.unanswered}</HeadCell>
          <HeadCell numeric>{columns.mean}</HeadCell>
          <HeadCell>{columns.silent}</HeadCell>
        </Row>
      </thead>
      <tbody>
        {servers.map((server) => (
          <Row key={server.name}>
            <HeadCell scope="row">{server.name}</HeadCell>
            <Cell numeric label={columns.answered}>
              {formatCount(server.answered)}
            </Cell>
            <Cell numeric label={columns.share}>
              {formatPercent(server.share)}
            </Cell>
            <Cell numeric label={columns.failed}>
              {formatCount(server.failed)}
            </Cell>
            <Cell numeric label={columns.unanswered}>
              {formatCount(server.unanswered)}
            </Cell>
            <Cell numeric label={columns.mean}>
              {formatMs(server.meanMs)}
            </Cell>
            <Cell label={columns.silent}>{whenSilent(server)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function whenSilent({ answered, silent }: RunResult['servers'][number]): string {
  if (silent.length === 0) return texts.never;
  if (answered === 0) return texts.always;
  const spans = silent.map(({ fromSecond, toSecond }) => texts.span(formatSeconds(fromSecond), formatSeconds(toSecond)));
  return texts.when(silentWords({ silent }), spans.join(', '));
}

const generatorFiguresTexts = words.run.reading;

type Line = [{ readonly plain: string; readonly explanation: string }, string];

/** One reading of a generating computer; what it cannot tell is said to be not known. */
export function GeneratorFigures({ reading, caption }: { readonly reading: GeneratorReading; readonly caption: string }) {
  const lines: Line[] = [
    [generatorFiguresTexts.threadCpu, formatPercent(reading.threadCpu)],
    [generatorFiguresTexts.threadWait, formatPercent(reading.threadWait)],
    [generatorFiguresTexts.machineCpu, formatPercent(reading.machineCpu)],
    [generatorFiguresTexts.steal, formatPercent(reading.steal)],
    [generatorFiguresTexts.eventLoopDelay, formatMs(reading.eventLoopDelayMs)],
    ...(reading.scheduleLagMs === null ? [] : [[generatorFiguresTexts.scheduleLag, formatMs(reading.scheduleLagMs)] satisfies Line]),
    [generatorFiguresTexts.garbageCollection, formatMs(reading.garbageCollectionMs)],
    [generatorFiguresTexts.memory, formatBytes(reading.memoryBytes)],
    [generatorFiguresTexts.openFiles, formatCount(reading.openFiles)],
    [generatorFiguresTexts.timeWait, formatCount(reading.timeWaitSockets)],
  ];
  return (
    <Table caption={caption}>
      <tbody>
        {lines.map(([{ plain, explanation }, value]) => (
          <Row key={plain}>
            <Cell>
              <Explained explanation={explanation}>{plain}</Explained>
            </Cell>
            <Cell numeric>{value}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
