import type { RunResult } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import { STATUS_CLASSES } from '#core/measurement/cellFigures.ts';
import { hasSecureTarget } from '#core/plan/hosts.ts';
import { formatCount, formatNumber, NOT_KNOWN, type TimeMs } from '#core/base/units.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { Explained, Term } from '../components/Term.tsx';
import { words } from '../words/words.ts';
import { PercentileCells } from './PercentileCells.tsx';
import styles from './ResultPage.module.css';
import { figureWords, PERCENTILES, percentileWords } from './timeWords.ts';

const texts = words.results.times;
const { kinds, columns } = texts;

/** How long answers took: by what is counted as waiting, by what it was made of, and by how they were answered. */
export function TimesPart({ result }: { readonly result: RunResult }) {
  if (result.latency.service.count === 0 && result.latency.errorAdjusted.count === 0) return <p className={styles.quiet}>{texts.none}</p>;
  return (
    <div className={styles.figures}>
      <Kinds result={result} />
      <div className={styles.columns}>
        <Phases result={result} />
        <ByStatus classes={result.latencyByStatusClass} />
      </div>
    </div>
  );
}

const TERMS = { response: 'responseTime', service: 'serviceTime', errorAdjusted: 'errorAdjusted' } as const;

function Kinds({ result }: { readonly result: RunResult }) {
  const { latency, plan } = result;
  // Where answers make the rate, every request is due when it is sent: two columns of the same numbers would only puzzle.
  const isSame = plan.load.model === 'connections';
  const shown = isSame ? (['response', 'errorAdjusted'] as const) : (['response', 'service', 'errorAdjusted'] as const);
  const at = (kind: (typeof shown)[number], key: keyof LatencySummary): TimeMs => latency[kind][key];
  return (
    <>
      <dl className={styles.kinds}>
        {shown.map((kind) => (
          <div key={kind}>
            <dt>
              <Term name={TERMS[kind]}>{kinds[kind].name}</Term>
            </dt>
            <dd>{kind === 'response' && isSame ? kinds.response.same : kinds[kind].story}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.compact}>
        <Table caption={texts.caption}>
          <thead>
            <Row>
              <HeadCell>
                <Term name="percentile">{texts.share}</Term>
              </HeadCell>
              {shown.map((kind) => (
                <HeadCell key={kind} numeric>
                  {kinds[kind].name}
                </HeadCell>
              ))}
            </Row>
          </thead>
          <tbody>
            {PERCENTILES.map(([key, percent]) => (
              <Row key={key}>
                <HeadCell scope="row">
                  {percent === 100 ? words.results.ab.slowest : words.results.ab.percentileOf(formatNumber(percent))}
                </HeadCell>
                {shown.map((kind) => (
                  <Cell key={kind} numeric label={kinds[kind].name}>
                    {percentileWords(at(kind, key), percent)}
                  </Cell>
                ))}
              </Row>
            ))}
            <Row>
              <HeadCell scope="row">{texts.mean}</HeadCell>
              {shown.map((kind) => (
                <Cell key={kind} numeric label={kinds[kind].name}>
                  {figureWords(latency[kind].mean)}
                </Cell>
              ))}
            </Row>
            <Row>
              <HeadCell scope="row">{texts.count}</HeadCell>
              {shown.map((kind) => (
                <Cell key={kind} numeric label={kinds[kind].name}>
                  {formatCount(latency[kind].count)}
                </Cell>
              ))}
            </Row>
          </tbody>
        </Table>
      </div>
    </>
  );
}

const PHASES = ['connect', 'tls', 'firstByte', 'transfer'] as const;

function Phases({ result }: { readonly result: RunResult }) {
  const { phases, plan } = result;
  const isSecure = hasSecureTarget(plan);
  const isUnknown = PHASES.some((name) => phases[name] === null && (name !== 'tls' || isSecure));
  return (
    <div>
      <Table caption={texts.phases} showCaption stacks>
        <TimeHead name={texts.phase} />
        <tbody>
          {PHASES.map((name) => {
            const { plain, explanation } = texts.phaseNames[name];
            const missing = name === 'tls' && !isSecure ? texts.noTls : NOT_KNOWN;
            return (
              <TimeRow key={name} name={<Explained explanation={explanation}>{plain}</Explained>} times={phases[name]} missing={missing} />
            );
          })}
        </tbody>
      </Table>
      {isUnknown ? <p className={styles.note}>{texts.phaseNotKnown}</p> : null}
    </div>
  );
}

/** Only where answers differ: errors are often quicker, or slower, than good answers. */
function ByStatus({ classes }: { readonly classes: RunResult['latencyByStatusClass'] }) {
  const seen = STATUS_CLASSES.flatMap((name) => {
    const times = classes[name];
    return times && times.count > 0 ? [{ name, times }] : [];
  });
  if (seen.length < 2) return null;
  return (
    <Table caption={texts.byStatus} showCaption stacks>
      <TimeHead name={texts.status} />
      <tbody>
        {seen.map(({ name, times }) => (
          <TimeRow key={name} name={name} times={times} missing={NOT_KNOWN} />
        ))}
      </tbody>
    </Table>
  );
}

function TimeHead({ name }: { readonly name: string }) {
  return (
    <thead>
      <Row>
        <HeadCell>{name}</HeadCell>
        <HeadCell numeric>{texts.count}</HeadCell>
        {Object.values(columns).map((column) => (
          <HeadCell key={column} numeric>
            {column}
          </HeadCell>
        ))}
      </Row>
    </thead>
  );
}

interface TimeRowProps {
  readonly name: React.ReactNode;
  readonly times: LatencySummary | null;
  /** What stands in place of times that there are none of. */
  readonly missing: string;
}

function TimeRow({ name, times, missing }: TimeRowProps) {
  return (
    <Row>
      <HeadCell scope="row">{name}</HeadCell>
      {times === null || times.count === 0 ? (
        <Cell numeric colSpan={1 + Object.keys(columns).length}>
          {missing}
        </Cell>
      ) : (
        <>
          <Cell numeric label={texts.count}>
            {formatCount(times.count)}
          </Cell>
          <PercentileCells times={times} />
        </>
      )}
    </Row>
  );
}
