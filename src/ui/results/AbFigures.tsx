import { abTable, concurrencyOf, meanTimePerRequest, type AbTimes } from '#core/judgement/abTable.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import type { TimeMs } from '#core/base/units.ts';
import { formatBytes, formatCount, formatMs, formatNumber, formatRate, formatSeconds, NOT_KNOWN } from '#core/base/units.ts';
import { classes } from '../components/classes.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { Explained, Term } from '../components/Term.tsx';
import { words } from '../words/words.ts';
import styles from './ResultPage.module.css';
import { figureWords, PERCENTILES, percentileWords } from './timeWords.ts';

const texts = words.results.ab;
const COLUMNS = ['min', 'mean', 'stddev', 'median', 'max'] as const;

/** What ApacheBench prints, for readers who have compared its figures for years. What is not known is said to be so. */
export function AbFigures({ result }: { readonly result: RunResult }) {
  const table = abTable(result);
  return (
    <div className={classes(styles.figures, styles.compact)}>
      <div className={styles.columns}>
        <Percentiles result={result} />
        <Totals result={result} />
      </div>
      <Table caption={texts.times} showCaption stacks>
        <thead>
          <Row>
            <HeadCell>{texts.part}</HeadCell>
            {COLUMNS.map((column) => (
              <HeadCell key={column} numeric>
                {texts.columns[column]}
              </HeadCell>
            ))}
          </Row>
        </thead>
        <tbody>
          <TimesRow name="connect" times={table.connect} />
          <TimesRow name="processing" times={table.processing} />
          <TimesRow name="waiting" times={table.waiting} />
          <TimesRow name="total" times={table.total} />
        </tbody>
      </Table>
    </div>
  );
}

function TimesRow({ name, times }: { readonly name: keyof typeof texts.rows; readonly times: AbTimes }) {
  const { plain, explanation } = texts.rows[name];
  return (
    <Row>
      <HeadCell scope="row">
        <Explained explanation={explanation}>{plain}</Explained>
      </HeadCell>
      {COLUMNS.map((column) => (
        <Cell key={column} numeric label={texts.columns[column]}>
          {figureWords(times[column])}
        </Cell>
      ))}
    </Row>
  );
}

function Percentiles({ result }: { readonly result: RunResult }) {
  const { service, errorAdjusted } = result.latency;
  return (
    <Table caption={texts.percentiles} showCaption>
      <thead>
        <Row>
          <HeadCell>
            <Term name="percentile" />
          </HeadCell>
          <HeadCell numeric>
            <Term name="serviceTime">{texts.service}</Term>
          </HeadCell>
          <HeadCell numeric>
            <Term name="errorAdjusted">{texts.adjusted}</Term>
          </HeadCell>
        </Row>
      </thead>
      <tbody>
        {PERCENTILES.map(([key, percent]) => (
          <Row key={key}>
            <HeadCell scope="row">{percent === 100 ? texts.slowest : texts.percentileOf(formatNumber(percent))}</HeadCell>
            <Cell numeric>{percentileWords(timeAt(service, key), percent)}</Cell>
            <Cell numeric>{percentileWords(timeAt(errorAdjusted, key), percent)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

/** `count` is the one field of a summary that is no time; it is not among the percentiles. */
const timeAt = (summary: LatencySummary, key: keyof LatencySummary): TimeMs => summary[key];

/** Which of the server's addresses were used; nothing where that is not known. */
function addressLine({ server }: RunResult): [string, string][] {
  const used = Object.entries(server.addresses).map(([address, count]) => texts.connectionsTo(address, formatCount(count)));
  return used.length === 0 ? [] : [[texts.names.addresses, used.join(', ')]];
}

function Totals({ result }: { readonly result: RunResult }) {
  const { names } = texts;
  const table = abTable(result);
  const { failed } = table;
  const rate = table.takenSeconds === null || table.takenSeconds === 0 ? null : table.complete / table.takenSeconds;
  const lines: [string, string][] = [
    [names.software, result.server.software ?? NOT_KNOWN],
    [names.host, `${result.server.host}:${result.server.port}`],
    ...addressLine(result),
    [names.length, formatLength(result.bodyLength.first)],
    [names.concurrency, formatCount(concurrencyOf(result))],
    [names.taken, formatSeconds(table.takenSeconds)],
    [names.complete, formatCount(table.complete)],
    [names.failed, formatCount(failed.total)],
    [names.failedParts, texts.parts([failed.connect, failed.receive, failed.length, failed.exceptions].map(formatCount))],
    [names.non2xx, formatCount(table.non2xx)],
    [names.received, formatBytes(result.bytes.received)],
    [names.body, result.plan.engine === 'k6' ? NOT_KNOWN : formatBytes(result.bytes.body)],
    [names.rate, formatRate(rate)],
    [names.perRequest, figureWords(meanTimePerRequest(result))],
    [names.perRequestAll, rate === null || rate === 0 ? NOT_KNOWN : formatMs(1_000 / rate)],
    [names.transfer, result.rates.bytesPerSecond === null ? NOT_KNOWN : `${formatBytes(result.rates.bytesPerSecond)}/s`],
    [names.opened, formatCount(result.connectionsOpened)],
    [names.reused, formatCount(result.requestsOnReusedConnection)],
  ];
  return (
    <div>
      <Table caption={texts.totals} showCaption>
        <tbody>
          {lines.map(([name, value]) => (
            <Row key={name}>
              <HeadCell scope="row">{name}</HeadCell>
              <Cell numeric>{value}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      {failed.length > 0 ? <p className={styles.note}>{texts.lengthNote}</p> : null}
    </div>
  );
}

const formatLength = (bytes: number | null): string => (bytes === null ? NOT_KNOWN : `${formatCount(bytes)} B`);
