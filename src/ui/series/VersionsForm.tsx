import { GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import { type Plan, type PlanInput, planSchema, type Target } from '#core/plan/schema/plan.ts';
import { MAX_REPEATS, type SeriesDocument } from '#core/plan/schema/series.ts';
import { MIN_REPEATS, placeOf, seriesOfVersions } from '#core/series/noise.ts';
import { computeSeriesSeconds } from '#core/series/check.ts';
import { listTurns } from '#core/series/cells.ts';
import { readAskKey } from '#core/review/asks/ask.ts';
import { sizeOf } from '#core/work/load/stages.ts';
import { useAction } from '#ui/shared/backend.ts';
import { type AddressEntry, onGenerator, GeneratorSelect, StartRow, useAddress, useConsent } from '#ui/shared/quickStart.tsx';
import { Banner } from '../components/Banner.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { NumberField, TextField } from '../components/Field.tsx';
import type { NumberEntry } from '../components/numbers.ts';
import { loadSizeText } from '../run/loadSize.ts';
import { words } from '../words/words.ts';
import type { VersionsOfRuns } from './versionsOfRuns.ts';
import styles from './SeriesPage.module.css';

const texts = words.series.versions;
const CONNECTIONS = 10;
const SECONDS = 10;
const WARM_UP_SECONDS = 2;
const MAX_NAME_LENGTH = 120;

/** Form for the addresses of two versions, and for the load that each of them gets in turn. `of` has two runs whose test is repeated. */
export function VersionsForm({ of }: { readonly of: VersionsOfRuns | null }) {
  const [, navigate] = useLocation();
  const a = useAddress(of?.a[0]?.url);
  const b = useAddress(of?.b[0]?.url);
  const [connections, setConnections] = useState<NumberEntry>(CONNECTIONS);
  const [seconds, setSeconds] = useState<NumberEntry>(SECONDS);
  const [repeats, setRepeats] = useState<NumberEntry>(MIN_REPEATS);
  const [place, setGenerator] = useState<string>(HERE);
  const start = useAction('series.start', ['runs.list']);
  const isSameAddress = a.url !== null && a.url === b.url;
  const on = of?.on === undefined ? onGenerator(place) : { on: of.on };
  const document = isSameAddress ? null : buildDocument({ of, a: a.url, b: b.url, connections, seconds, repeats, on });
  const consent = useConsent(document && { ...document, ...on });
  // Only consent for hosts is reused. Other permissions were given with the run, or are requested again.
  const keys = of === null ? consent.agreed : consent.agreed.filter((key) => readAskKey(key)?.kind === 'host');
  const startVersions = (agreedKeys = keys): void => {
    a.complain();
    b.complain();
    if (document === null || !consent.isGiven) return;
    start.mutate({ document, agreed: agreedKeys }, { onSuccess: ({ seriesId }) => navigate(`/series/${seriesId}`) });
  };
  const countProblem = (entry: NumberEntry): string | null => (isCount(entry) ? null : texts.wrongNumber);
  const bothGiven = a.url !== null && b.url !== null;
  return (
    <Card>
      <Stack gap={12}>
        {of === null ? null : <VersionsPlan of={of} />}
        <Version label={texts.a} address={a} targets={of?.a ?? []} onEnter={() => startVersions()} />
        <Version label={texts.b} address={b} targets={of?.b ?? []} onEnter={() => startVersions()} />
        {isSameAddress ? <Banner tone="inconclusive">{texts.sameAddress}</Banner> : null}
        {consent.boxes}
        {of === null ? (
          <div className={styles.fields}>
            <NumberField
              label={texts.connections}
              help={texts.connectionsHelp}
              value={connections}
              onChange={setConnections}
              error={countProblem(connections)}
            />
            <NumberField
              label={texts.seconds}
              value={seconds}
              onChange={setSeconds}
              unit={texts.secondsUnit}
              error={countProblem(seconds)}
            />
          </div>
        ) : null}
        <Disclosure level={2} title={words.quick.more}>
          <div className={styles.fields}>
            <NumberField
              label={texts.repeats}
              help={texts.repeatsHelp}
              value={repeats}
              onChange={setRepeats}
              min={1}
              max={MAX_REPEATS}
              error={countProblem(repeats)}
            />
            {of?.on === undefined ? <GeneratorSelect value={place} onChange={setGenerator} /> : null}
          </div>
        </Disclosure>
        <p aria-live="polite" className={styles.quiet}>
          {document === null ? '' : outlineText(document)}
        </p>
        <StartRow
          label={texts.start}
          icon={<GitCompareArrows />}
          isDisabled={bothGiven && (document === null || !consent.isGiven)}
          start={start}
          onPress={() => startVersions()}
          onAgree={startVersions}
        />
      </Stack>
    </Card>
  );
}

/** Describes the test that is run against both versions. */
function VersionsPlan({ of: { plan, isSame, b } }: { readonly of: VersionsOfRuns }) {
  return (
    <>
      <p>{texts.ofRuns(plan.name, loadSizeText(sizeOf(plan.load)))}</p>
      {isSame ? null : <Banner tone="inconclusive">{texts.differentTests}</Banner>}
      {b.length === 0 ? <Banner tone="info">{texts.oneAddress}</Banner> : null}
    </>
  );
}

interface VersionProps {
  readonly label: string;
  readonly address: AddressEntry;
  /** Targets of the run. If there are several, they share the load and cannot be edited. */
  readonly targets: readonly Target[];
  readonly onEnter: () => void;
}

function Version({ label, address, targets, onEnter }: VersionProps) {
  if (targets.length < 2) return <TextField {...address.field} label={label} onEnter={onEnter} />;
  return (
    <p>
      {label}: {targets.map(({ url }) => url).join(', ')}
    </p>
  );
}

function outlineText(document: SeriesDocument): string {
  const seconds = computeSeriesSeconds(document);
  return texts.outline(formatCount(listTurns(document.series).length), seconds === null ? null : formatSeconds(seconds));
}

interface Entries {
  readonly of: VersionsOfRuns | null;
  readonly a: string | null;
  readonly b: string | null;
  readonly connections: NumberEntry;
  readonly seconds: NumberEntry;
  readonly repeats: NumberEntry;
  readonly on: { readonly on?: string[] };
}

/** Returns the series document, or null if an entry is missing or invalid. */
function buildDocument({ of, a, b, connections, seconds, repeats, on }: Entries): SeriesDocument | null {
  if (a === null || b === null || !isCount(repeats) || repeats > MAX_REPEATS) return null;
  const plan = of?.plan ?? (isCount(connections) && isCount(seconds) ? buildOnePagePlan({ a, b, connections, seconds }) : null);
  if (plan === null) return null;
  const versions = { a: targetsAt(of?.a ?? [], a), b: targetsAt(of === null || of.b.length === 0 ? plan.targets.slice(0, 1) : of.b, b) };
  const document = seriesOfVersions(plan, versions, repeats);
  return { ...document, series: { ...document.series, ...on } };
}

/** Returns the targets of a run. If there is only one, it gets the entered URL. */
function targetsAt(targets: readonly Target[], url: string): readonly Target[] {
  const [only = { headers: {} }, ...others] = targets;
  return others.length > 0 ? targets : [{ ...only, url }];
}

interface OnePageTest {
  readonly a: string;
  readonly b: string;
  readonly connections: number;
  readonly seconds: number;
}

function buildOnePagePlan({ a, b, connections, seconds }: OnePageTest): Plan | null {
  const input: PlanInput = {
    holdfast: 1,
    name: `${placeOf(a)} or ${placeOf(b)}?`.slice(0, MAX_NAME_LENGTH),
    targets: [{ url: a }],
    journey: [{ name: 'page' }],
    load: {
      model: 'connections',
      stages: [
        { name: 'warm-up', connections, seconds: WARM_UP_SECONDS, counted: false },
        { name: 'load', connections, seconds },
      ],
    },
  };
  return planSchema.safeParse(input).data ?? null;
}

function isCount(entry: NumberEntry): entry is number {
  return typeof entry === 'number' && Number.isInteger(entry) && entry > 0;
}
