import styles from './ResultPage.module.css';
import { memo, useMemo } from 'react';
import { sumFailures } from '#core/measurement/requestOutcomes.ts';
import { type CacheResult, cacheShare } from '#core/measurement/cache/figures.ts';
import { capacityOfRun, hasCapacity } from '#core/judgement/capacity/capacity.ts';
import type { PageFigures } from '#core/result/pages.ts';
import type { RunResult } from '#core/result/schema.ts';
import { formatOverloadedNames } from '#core/result/generatorNames.ts';
import { findOverload } from '#core/result/overload.ts';
import { formatCount, formatMs, formatRate, formatSeconds, countOf } from '#core/base/units.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { Passage } from '#core/presentation/document/model.ts';
import { abBlocks } from '#core/presentation/document/ab.ts';
import { stageBlocks, timeBlocks, timeKindBlocks } from '#core/presentation/document/figures.ts';
import { codeBlocks } from '#core/presentation/document/requestOutcomes.ts';
import { generatorBlocks } from '#core/presentation/document/machines.ts';
import { formatApdex, behaviourBlocks, cacheBlocks, pageBlocks, serverBlocks } from '#core/presentation/document/special.ts';
import { streamBlocks, streamsSummary } from '#core/presentation/document/streams.ts';
import { traceBlocks } from '#core/presentation/document/traces.ts';
import { percentileText, TITLES } from '#core/presentation/document/words.ts';
import { revertButtonFor } from '#ui/shared/machines/RevertChange.tsx';
import { Blocks } from '../components/Blocks.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { CapacityPart } from '../run/CapacityPart.tsx';
import { EventList } from '../run/EventList.tsx';
import { HealthSummary } from '../run/HealthSummary.tsx';
import { RequestOutcomes } from '../run/RequestOutcomes.tsx';
import { laterWords } from '../words/laterWords.ts';
import { words } from '../words/words.ts';
import { PlanSummary } from './PlanSummary.tsx';
import { SpreadPart } from './SpreadPart.tsx';
import { useCall } from '#ui/shared/backend.ts';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { SampleList } from '../run/samples/SampleList.tsx';

const texts = words.results;

/** Detailed figures of a result. Each group is in a collapsed section. */
export const ResultFigures = memo(function ResultFigures({ result }: { readonly result: RunResult }) {
  const { requests } = result.outcomes;
  const failed = sumFailures(result.outcomes);
  const mean = result.latency.service.mean;
  return (
    <Card>
      <div className={styles.depth}>
        {result.pages === null ? null : (
          <Depth title={texts.pages.title} summary={pagesSummary(result.pages.all)} blocks={pageBlocks(result)} />
        )}
        {result.streams === null ? null : (
          <Depth title={texts.streams} summary={streamsSummary(result.streams)} blocks={streamBlocks(result)} />
        )}
        <Depth title={texts.times.title} summary={timesSummary(result)} blocks={[...timeKindBlocks(result), ...timeBlocks(result)]} />
        <SpreadPart runId={result.run.id} />
        <Depth title={texts.behaviour.title} summary={texts.behaviour.summary} blocks={behaviourBlocks(result)} />
        <CapacityDepth result={result} />
        <Depth
          title={texts.ab.title}
          summary={texts.ab.summary(formatRate(result.rates.completedPerSecond), formatMs(mean))}
          blocks={abBlocks(result)}
        />
        <Depth
          title={texts.stages.title}
          summary={`${countOf(result.stages.length, 'stage')}, ${countOf(result.plan.journey.length, 'step')}`}
          blocks={stageBlocks(result)}
        />
        <Disclosure
          level={2}
          title={laterWords.run.outcomes.title}
          summary={texts.accounts.summary(formatCount(requests.sent), formatCount(failed))}
        >
          <div className={styles.columns}>
            <RequestOutcomes outcomes={result.outcomes} balances={result.balances} isGoing={false} abandonedAt={result.abandonedAt} />
            <Blocks blocks={codeBlocks(result)} showTitles />
          </div>
        </Disclosure>
        <Depth title={texts.servers.title} summary={serversSummary(result)} blocks={serverBlocks(result)} />
        {result.cache === undefined ? null : (
          <Depth title={texts.cache.title} summary={cacheSummary(result.cache)} blocks={cacheBlocks(result)} />
        )}
        <KeptSamples runId={result.run.id} />
        <Depth title={TITLES.traces} summary={texts.tracesSummary(result.traces?.length ?? 0)} blocks={traceBlocks(result)} />
        <Disclosure level={2} title={texts.generator.title(result.generators.length > 1)} summary={healthSummary(result)}>
          <Generators result={result} />
        </Disclosure>
        <Disclosure level={2} title={texts.plan.title} summary={texts.plan.summary(result.plan.name)}>
          <PlanSummary plan={result.plan} />
        </Disclosure>
        <Disclosure level={2} title={texts.events} summary={texts.eventsSummary(result.events.length, formatCount(result.events.length))}>
          <EventList events={result.events} startedAt={result.run.startedAt} asideOf={revertButtonFor} />
        </Disclosure>
      </div>
    </Card>
  );
});

interface DepthProps {
  readonly title: string;
  readonly summary: string;
  /** Content of the section. If it is empty, nothing is rendered. */
  readonly blocks: readonly Passage[];
}

function Depth({ title, summary, blocks }: DepthProps) {
  return blocks.length === 0 ? null : (
    <Disclosure level={2} title={title} summary={summary}>
      <Blocks blocks={blocks} />
    </Disclosure>
  );
}

/** Lists the load generators and whether they were overloaded. */
function Generators({ result }: { readonly result: RunResult }) {
  const { generators } = result;
  return (
    <div className={styles.figures}>
      {generators.length === 0 ? null : <HealthSummary overload={findOverload(result)} points={result.windows} generators={generators} />}
      <Blocks blocks={generatorBlocks(result)} />
      {/* The self-test exists only for this computer. */}
      {generators.some(({ name, selfTest }) => name === THIS_COMPUTER && selfTest === null) ? (
        <p className={styles.quiet}>
          <a href="#/settings">{texts.generator.selfTestRun}</a>
        </p>
      ) : null}
    </div>
  );
}

/** Capacity estimates. The headroom is left out, because it is a finding. */
function CapacityDepth({ result }: { readonly result: RunResult }) {
  const capacity = useMemo(() => ({ ...capacityOfRun(result), headroom: null }), [result]);
  return hasCapacity(capacity) ? (
    <Disclosure level={2} title={laterWords.run.capacity.title} summary={laterWords.run.capacity.summary}>
      <CapacityPart capacity={capacity} />
    </Disclosure>
  ) : null;
}

function serversSummary({ servers, plan }: RunResult): string {
  const all = Math.max(servers.length, plan.servers?.expected ?? 0);
  return texts.servers.summary(formatCount(servers.filter(({ responded }) => responded > 0).length), formatCount(all));
}

function cacheSummary({ counted }: CacheResult): string {
  return counted.unsaid === counted.responded
    ? texts.cache.unsaid
    : texts.cache.summary(cacheShare(counted), formatCount(counted.responded));
}

function pagesSummary({ complete, incomplete, errorAdjusted, pageApdex }: PageFigures): string {
  return texts.pages.summary(percentileText(errorAdjusted.p95, 95), formatCount(complete + incomplete), formatApdex(pageApdex.value));
}

/** Returns the summary of p95. For a run with pages, the summary states that p95 is about requests. */
function timesSummary({ latency, pages }: RunResult): string {
  return texts.times.summary(formatMs(latency.response.p95), pages !== null);
}

function healthSummary(result: RunResult): string {
  const { generators, windows } = result;
  if (generators.length === 0 || windows.length === 0) return words.common.notKnown;
  const { seconds } = findOverload(result);
  const names = formatOverloadedNames(generators);
  return seconds > 0 ? texts.generator.overloadSummary(names, formatSeconds(seconds)) : texts.generator.wellSummary(names);
}

/** The first failures of each kind, each with request and response. Renders nothing if no samples were saved. */
function KeptSamples({ runId }: { readonly runId: string }) {
  const keptQuery = useCall('runs.samples', { runId });
  if (keptQuery.error) return <ProblemBanner problem={keptQuery.error} onRetry={() => void keptQuery.refetch()} />;
  if (!keptQuery.data || keptQuery.data.length === 0) return null;
  return (
    <Disclosure level={2} title={words.samples.kept} summary={words.samples.keptSummary(formatCount(keptQuery.data.length))}>
      <SampleList samples={keptQuery.data} />
    </Disclosure>
  );
}
