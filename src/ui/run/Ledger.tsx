import { CircleCheck, CircleX } from 'lucide-react';
import { formatCount, formatShare } from '#core/base/units.ts';
import { failedRequests, type JourneyLedger, type Ledger as LedgerData, SENT_OUTCOMES } from '#core/measurement/ledger.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { words } from '../words/words.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { Explained, Term } from '../components/Term.tsx';
import { Banner } from '../components/Banner.tsx';
import styles from './Ledger.module.css';

/** Nearly all is said by what is missing: "99.91 %" hides what "all but 1 in 1,170" shows. */
const NEARLY_ALL = 0.99;

/** A part of a whole as people say it; empty for nothing, and for a part of nothing. */
export function shareWords(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '';
  const share = part / whole;
  return share > NEARLY_ALL && share < 1 ? words.run.allBut(formatShare(1 - share)) : formatShare(share);
}

interface LedgerProps {
  readonly ledger: LedgerData;
  readonly balances: boolean;
  /** Requests under way are still to be answered. */
  readonly isGoing: boolean;
}

const texts = words.run.ledger;

/** Where every request went, and that the sum is right: plain words first, the ledger's own names on hover. */
export function Ledger({ ledger, balances, isGoing }: LedgerProps) {
  const { requests } = ledger;
  const shown = SENT_OUTCOMES.filter((outcome) => outcome === 'ok' || requests[outcome] > 0);
  if (requests.sent + requests.notMade === 0) return <p className={styles.note}>{isGoing ? texts.nothingSent : texts.nothingWasSent}</p>;
  const hidden = SENT_OUTCOMES.length - shown.length;
  const accounted = SENT_OUTCOMES.reduce((sum, outcome) => sum + requests[outcome], requests.inFlight);
  return (
    <div className={styles.ledger}>
      <p className={balances ? styles.right : styles.wrong}>
        {balances ? <CircleCheck size={16} aria-hidden="true" /> : <CircleX size={16} aria-hidden="true" />}
        <span>
          {balances ? texts.balances(formatCount(requests.sent)) : texts.differs(formatCount(requests.sent), formatCount(accounted))}
        </span>
      </p>
      <Table caption={texts.caption}>
        <thead>
          <Row>
            <HeadCell>{texts.sent}</HeadCell>
            <HeadCell numeric>{formatCount(requests.sent)}</HeadCell>
            <HeadCell numeric>{texts.share}</HeadCell>
          </Row>
        </thead>
        <tbody>
          {shown.map((outcome) => (
            <Row key={outcome}>
              <Cell>
                <Explained explanation={texts.outcomes[outcome].explanation}>{texts.outcomes[outcome].plain}</Explained>
              </Cell>
              <Cell numeric>{formatCount(requests[outcome])}</Cell>
              <Cell numeric>{shareWords(requests[outcome], requests.sent)}</Cell>
            </Row>
          ))}
          <Row>
            <Cell>
              <Term name="inFlight">{isGoing ? texts.waiting : texts.neverAnswered}</Term>
            </Cell>
            <Cell numeric>{formatCount(requests.inFlight)}</Cell>
            <Cell numeric>{shareWords(requests.inFlight, requests.sent)}</Cell>
          </Row>
        </tbody>
      </Table>
      {requests.notMade > 0 ? <p className={styles.note}>{texts.notMade(formatCount(requests.notMade))}</p> : null}
      {hidden > 0 ? <p className={styles.note}>{texts.others}</p> : null}
      {ledger.sideCalls === undefined || ledger.sideCalls.sent === 0 ? null : (
        <p className={styles.note}>{sideCallWords(ledger.sideCalls)}</p>
      )}
      <Disclosure
        title={texts.journeys}
        summary={journeysSummary(ledger.journeys)}
        isOpenAtFirst={notStartedOf(ledger.journeys) > 0}
        level={3}
      >
        <Journeys journeys={ledger.journeys} />
      </Disclosure>
    </div>
  );
}

function sideCallWords(calls: NonNullable<LedgerData['sideCalls']>): string {
  const { sent, inFlight } = calls;
  return texts.sideCalls(formatCount(sent), formatCount(failedRequests(calls)), inFlight === 0 ? '' : formatCount(inFlight));
}

const notStartedOf = ({ notStarted }: LedgerData['journeys']): number => notStarted.target + notStarted.generator + notStarted.stopped;

function journeysSummary(journeys: LedgerData['journeys']): string {
  const missing = notStartedOf(journeys);
  return texts.journeysSummary(formatCount(journeys.finished), missing > 0 ? formatCount(missing) : '');
}

function Journeys({ journeys }: { readonly journeys: LedgerData['journeys'] }) {
  const { planned, started, notStarted, finished, abandoned, running } = journeys;
  const names = texts.journeyNames;
  const lines: [string, number | null][] = [
    [names.planned, planned],
    [names.started, started],
    [names.finished, finished],
    [names.abandoned, abandoned],
    [names.running, running],
    [names.notStartedTarget, notStarted.target],
    [names.notStartedGenerator, notStarted.generator],
    [names.notStartedStopped, notStarted.stopped],
  ];
  return (
    <Table caption={texts.journeys}>
      <tbody>
        {lines.map(([name, count]) => (
          <Row key={name}>
            <Cell>{name}</Cell>
            <Cell numeric>{count === null ? texts.noPlan : formatCount(count)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

interface NotStartedProps {
  readonly journeys: JourneyLedger;
  readonly plan: Plan | undefined;
  /** Who makes the load. */
  readonly makers: string;
}

const notStartedTexts = words.run.notStarted;

/** Says aloud that people who were due did not come, by whose fault; nothing while all of them did. */
export function NotStarted({ journeys, plan, makers }: NotStartedProps) {
  const { started, notStarted } = journeys;
  const { target, generator } = notStarted;
  const due = started + target + generator;
  const maxInFlight = plan?.load.model === 'arrivals' ? plan.load.maxInFlight : null;
  return (
    <>
      {/* Only that it happened is announced: the counts change every second. */}
      <output className="only-read-out">
        {[target > 0 ? notStartedTexts.target : '', generator > 0 ? notStartedTexts.generator : ''].filter(Boolean).join(' ')}
      </output>
      {target > 0 ? (
        <Banner
          tone="breaks"
          title={notStartedTexts.countTarget(notStartedTexts.arrivals(target, formatCount(target)), formatShare(target / due))}
        >
          {notStartedTexts.targetStory(maxInFlight === null ? '' : formatCount(maxInFlight))}
        </Banner>
      ) : null}
      {generator > 0 ? (
        <Banner
          tone="inconclusive"
          title={notStartedTexts.countGenerator(
            notStartedTexts.arrivals(generator, formatCount(generator)),
            formatShare(generator / due),
            makers,
          )}
        >
          {notStartedTexts.generatorStory}
        </Banner>
      ) : null}
    </>
  );
}
