import { memo } from 'react';
import { atStart } from '#core/plan/hosts/places.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { SelfTestSummary } from '#core/measurement/selfTest/report.ts';
import { formatBytes, formatCount, formatRate } from '#core/base/units.ts';
import {
  PROCESSOR_ACCOUNT_COLUMNS,
  PROCESSOR_ACCOUNTS_NOTE,
  PROCESSOR_ACCOUNTS_TITLE,
  processorAccountRows,
  processorAccounts,
} from '#core/machines/monitors/processorAccounts.ts';
import { loadedSpans } from '#core/result/loadedTimes.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { Banner } from '../components/Banner.tsx';
import { Term } from '../components/Term.tsx';
import { GeneratorFigures } from '../run/ServersTable.tsx';
import { healthOf, HealthSummary } from '../run/HealthSummary.tsx';
import { formatWhen, words } from '../words/words.ts';
import { Stack } from '../components/Page.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { figureWords } from './timeWords.ts';
import styles from './ResultPage.module.css';

const texts = words.results.generator;

/** The computers that sent the load, and whether their figures can be believed. */
export function Generators({ result }: { readonly result: RunResult }) {
  const lag = result.phases.scheduleLag;
  if (result.generators.length === 0) return <p className={styles.quiet}>{texts.none}</p>;
  return (
    <div className={styles.figures}>
      <HealthSummary health={healthOf(result.windows)} generators={result.generators} />
      {lag && lag.count > 0 ? (
        <p>
          <Term name="scheduleLag">{texts.lagName}</Term>: {texts.lag(figureWords(lag.p99), figureWords(lag.max))}
        </p>
      ) : null}
      {result.generators.map((generator) => {
        const last = generator.readings.at(-1);
        return (
          <div key={generator.name} className={styles.generator}>
            <h3>{atStart(generator.name)}</h3>
            <p>{texts.hostname(generator.hostname)}</p>
            <p>{texts.hardware(formatCount(generator.cores), formatBytes(generator.memoryBytes))}</p>
            <p>{texts.software(generator.platform, generator.nodeVersion)}</p>
            <p>{texts.engine(generator.engine, generator.engineVersion, texts.threads(generator.threads))}</p>
            <p>{generator.keptAwake === true ? texts.keptAwake : texts.notKeptAwake}</p>
            <SelfTestLine selfTest={generator.selfTest} isHere={generator.name === THIS_COMPUTER} />
            {generator.sharesMachineWithTarget ? <Banner tone="info">{words.run.health.sharesMachine(generator.name)}</Banner> : null}
            {last ? (
              <Disclosure title={words.live.lastSecond} level={4}>
                <GeneratorFigures reading={last} caption={words.run.reading.caption(atStart(generator.name))} />
              </Disclosure>
            ) : null}
          </div>
        );
      })}
    </div>
  );
}

/** Whether that computer's measuring had been checked before the run. */
function SelfTestLine({ selfTest, isHere }: { readonly selfTest: SelfTestSummary | null; readonly isHere: boolean }) {
  // A self-test is made on this computer only.
  if (selfTest === null && !isHere) return null;
  if (selfTest === null) {
    return (
      <p>
        {texts.selfTestNever} <a href="#/settings">{texts.selfTestRun}</a>
      </p>
    );
  }
  const { failed, passed, at, maxRequestsPerSecond } = selfTest;
  const when = formatWhen(at);
  if (failed.length > 0) return <p>{texts.selfTestFailed(formatCount(failed.length), failed.join(', '), when)}</p>;
  const reaches = maxRequestsPerSecond === null ? '' : `, ${texts.selfTestReaches(formatRate(maxRequestsPerSecond, 'requests'))}`;
  return <p>{`${texts.selfTestPassed(formatCount(passed), when)}${reaches}`}</p>;
}

/** What attached graphs say of the processor, beside what the kernel counted; nothing where there are none. */
export const ProcessorAccounts = memo(function ProcessorAccounts({ result }: { readonly result: RunResult }) {
  const rows = processorAccountRows(processorAccounts(result.monitors, loadedSpans(result)));
  if (rows.length === 0) return null;
  return (
    <Stack gap={8}>
      <Table caption={PROCESSOR_ACCOUNTS_TITLE} showCaption stacks>
        <thead>
          <Row>
            {PROCESSOR_ACCOUNT_COLUMNS.map(({ name, numeric }) => (
              <HeadCell key={name} numeric={numeric}>
                {name}
              </HeadCell>
            ))}
          </Row>
        </thead>
        <tbody>
          {rows.map(([by = '', ...cells]) => (
            <Row key={[by, ...cells].join(' ')}>
              <HeadCell scope="row">{by}</HeadCell>
              {PROCESSOR_ACCOUNT_COLUMNS.slice(1).map(({ name, numeric }, index) => (
                <Cell key={name} label={name} numeric={numeric}>
                  {cells[index]}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
      <p className={styles.quiet}>{PROCESSOR_ACCOUNTS_NOTE}</p>
    </Stack>
  );
});
