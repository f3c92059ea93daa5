import type { GeneratorReading } from '#core/result/schema.ts';
import { formatBytes, formatCount, formatMs, formatPercent } from '#core/base/units.ts';
import { Cell, Row, Table } from '../components/Table.tsx';
import { Explained } from '../components/Term.tsx';
import { words } from '../words/words.ts';

const texts = words.run.reading;

type Line = [{ readonly plain: string; readonly explanation: string }, string];

/** One reading of a generating computer; what it cannot tell is said to be not known. */
export function GeneratorFigures({ reading, caption }: { readonly reading: GeneratorReading; readonly caption: string }) {
  const lines: Line[] = [
    [texts.threadCpu, formatPercent(reading.threadCpu)],
    [texts.threadWait, formatPercent(reading.threadWait)],
    [texts.machineCpu, formatPercent(reading.machineCpu)],
    [texts.steal, formatPercent(reading.steal)],
    [texts.eventLoopDelay, formatMs(reading.eventLoopDelayMs)],
    ...(reading.scheduleLagMs === null ? [] : [[texts.scheduleLag, formatMs(reading.scheduleLagMs)] satisfies Line]),
    [texts.garbageCollection, formatMs(reading.garbageCollectionMs)],
    [texts.memory, formatBytes(reading.memoryBytes)],
    [texts.openFiles, formatCount(reading.openFiles)],
    [texts.timeWait, formatCount(reading.timeWaitSockets)],
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
