import type { Behaviour as Seen, Interval, Queue, Recovery } from '#core/result/behaviour.ts';
import { behaviourSentences, highWords } from '#core/judgement/behaviour/words.ts';
import { formatCount, formatMs, formatSeconds } from '#core/base/units.ts';
import { Stack } from '../components/Page.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import styles from './ResultPage.module.css';

const texts = words.results.behaviour;

/** What the times give away about the server: in sentences, then the figures they come from. */
export function Behaviour({ behaviour }: { readonly behaviour: Seen }) {
  const { firstAnswers, queues, recoveries } = behaviour;
  return (
    <Stack gap={16}>
      <ul className={styles.sentences}>
        {behaviourSentences(behaviour).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {firstAnswers.length > 0 ? <FirstTable firstAnswers={firstAnswers} /> : null}
      {queues.length > 0 ? <QueueTable queues={queues} /> : null}
      {recoveries.length > 0 ? <RecoveryTable recoveries={recoveries} /> : null}
    </Stack>
  );
}

function FirstTable({ firstAnswers }: Pick<Seen, 'firstAnswers'>) {
  const { first: say } = texts;
  return (
    <Table caption={say.caption} stacks>
      <thead>
        <Row>
          <HeadCell>{say.step}</HeadCell>
          <HeadCell>{say.first}</HeadCell>
          <HeadCell numeric>{say.middle}</HeadCell>
          <HeadCell numeric>{say.rest}</HeadCell>
          <HeadCell numeric>{say.slower}</HeadCell>
        </Row>
      </thead>
      <tbody>
        {firstAnswers.map(({ step, first, firstMedian, restMedian, slower, isSlowAtFirst }) => (
          <Row key={step}>
            <HeadCell scope="row">{step}</HeadCell>
            <Cell label={say.first}>{first.map(formatMs).join(', ')}</Cell>
            <Cell numeric label={say.middle}>
              {formatMs(firstMedian)}
            </Cell>
            <Cell numeric label={say.rest}>
              {formatMs(restMedian)}
            </Cell>
            <Cell numeric label={say.slower}>
              {isSlowAtFirst === null ? texts.queues.unknown : formatCount(slower)}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function QueueTable({ queues }: { readonly queues: readonly Queue[] }) {
  const { queues: say } = texts;
  return (
    <Table caption={say.caption} stacks>
      <thead>
        <Row>
          <HeadCell>{say.stage}</HeadCell>
          <HeadCell numeric>{say.answers}</HeadCell>
          <HeadCell>{say.state}</HeadCell>
          <HeadCell numeric>{say.growth}</HeadCell>
          <HeadCell numeric>{say.interval}</HeadCell>
        </Row>
      </thead>
      <tbody>
        {queues.map(({ stage, step, answers, sent, queues: does, growthMs, intervalMs, reason }) => (
          <Row key={`${stage} ${step}`}>
            <HeadCell scope="row">{stage}</HeadCell>
            <Cell numeric label={say.answers}>
              {say.ofSent(formatCount(answers), formatCount(sent))}
            </Cell>
            <Cell label={say.state}>{does === null ? `${say.unknown}: ${reason ?? ''}` : does ? say.yes : say.no}</Cell>
            <Cell numeric label={say.growth}>
              <Range interval={growthMs} />
            </Cell>
            <Cell numeric label={say.interval}>
              <Range interval={intervalMs} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function Range({ interval }: { readonly interval: Interval | null }) {
  if (interval === null) return '–';
  const { value, low, high } = interval;
  return <span title={texts.queues.range(formatMs(low), formatMs(high))}>{formatMs(value)}</span>;
}

function RecoveryTable({ recoveries }: { readonly recoveries: readonly Recovery[] }) {
  const { recoveries: say } = texts;
  return (
    <Table caption={say.caption} stacks>
      <thead>
        <Row>
          <HeadCell>{say.high}</HeadCell>
          <HeadCell numeric>{say.over}</HeadCell>
          <HeadCell numeric>{say.before}</HeadCell>
          <HeadCell numeric>{say.worst}</HeadCell>
          <HeadCell>{say.after}</HeadCell>
        </Row>
      </thead>
      <tbody>
        {recoveries.map((recovery) => (
          <Row key={recovery.endedAtSecond}>
            <HeadCell scope="row">{`${recovery.stage} · ${highWords(recovery)}`}</HeadCell>
            <Cell numeric label={say.over}>
              {formatSeconds(recovery.endedAtSecond)}
            </Cell>
            <Cell numeric label={say.before}>
              {formatMs(recovery.beforeMs)}
            </Cell>
            <Cell numeric label={say.worst}>
              {formatMs(recovery.worstMs)}
            </Cell>
            <Cell label={say.after}>{recoveredWords(recovery)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function recoveredWords({ seconds, watchedSeconds, resolutionSeconds, reason }: Recovery): string {
  const { recoveries: say, queues } = texts;
  if (reason !== null) return `${queues.unknown}: ${reason}`;
  if (seconds === null) return say.notWithin(formatSeconds(watchedSeconds));
  return seconds < resolutionSeconds ? say.within(formatSeconds(resolutionSeconds)) : formatSeconds(seconds);
}
