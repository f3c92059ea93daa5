import { atStart } from '#core/plan/hosts/places.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { SelfTestSummary } from '#core/measurement/selfTest/report.ts';
import { formatBytes, formatCount, formatRate } from '#core/base/units.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { Banner } from '../components/Banner.tsx';
import { Term } from '../components/Term.tsx';
import { GeneratorFigures } from '../run/GeneratorFigures.tsx';
import { healthOf } from '../run/health.ts';
import { HealthSummary } from '../run/HealthSummary.tsx';
import { formatWhen } from '../words/when.ts';
import { words } from '../words/words.ts';
import styles from './ResultPage.module.css';
import { figureWords } from './timeWords.ts';

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
