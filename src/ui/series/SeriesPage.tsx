import { Square } from 'lucide-react';
import { useLocation } from 'wouter';
import { commandsOf } from '#core/series/schema.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { formatCount } from '#core/units.ts';
import { useAction, useConnectionState, useStream } from '../app/backend.ts';
import { Banner } from '../components/Banner.tsx';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { LinkButton } from '../components/LinkButton.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { Block, Skeleton } from '../components/Skeleton.tsx';
import { formatWhen } from '../words/when.ts';
import { words } from '../words/words.ts';
import { Commands } from './Commands.tsx';
import { MatrixCard } from './MatrixCard.tsx';
import { SaveButtons } from './SaveButtons.tsx';
import { SeriesCharts } from './SeriesCharts.tsx';
import styles from './SeriesPage.module.css';
import { SeriesTable } from './SeriesTable.tsx';

const texts = words.series;

/** A series is one address, while it goes and afterwards: its table fills cell by cell. */
export function SeriesPage({ seriesId }: { readonly seriesId: string }) {
  const state = useStream('series.watch', { seriesId });
  if (state.value !== undefined) return <SeriesView result={state.value} />;
  if (state.status === 'ended' && state.problem !== null)
    return (
      <Page title={texts.page}>
        <Stack>
          <ProblemBanner problem={state.problem} />
          <div>
            <LinkButton to="/history">{texts.toHistory}</LinkButton>
          </div>
        </Stack>
      </Page>
    );
  return (
    <Page title={texts.page}>
      <Skeleton waitingFor={texts.loading}>
        <Block height={90} />
        <Block height={280} />
        <Block height={280} />
      </Skeleton>
    </Page>
  );
}

function SeriesView({ result }: { readonly result: SeriesResult }) {
  const { series, document, rows, done, planned, engine } = result;
  const isGoing = series.endedAt === null;
  const facts = [
    texts.states[series.state],
    texts.done(formatCount(done), formatCount(planned)),
    formatWhen(series.startedAt),
    engine.reason,
  ];
  return (
    <Page
      title={series.name}
      story={texts.facts(facts)}
      actions={isGoing ? <StopSeries seriesId={series.id} /> : null}
      footer={isGoing ? undefined : <Footer result={result} />}
    >
      <Stack gap={24}>
        {document.plan.story === '' ? null : <p className={styles.story}>{document.plan.story}</p>}
        <Ending result={result} />
        {isGoing ? null : <Answer result={result} />}
        <Card title={texts.table.title} flush>
          <SeriesTable rows={rows} />
        </Card>
        <MatrixCard rows={rows} />
        <SeriesCharts rows={rows} />
        <Commands rows={rows} />
      </Stack>
    </Page>
  );
}

function Ending({ result: { series } }: { readonly result: SeriesResult }) {
  const title = texts.ended[series.state];
  return title === '' ? null : (
    <Banner tone="inconclusive" title={title}>
      {series.endedBecause ?? ''}
    </Banner>
  );
}

/** What a reader should take away, before any figure. */
function Answer({ result: { best, differences, notes, rows } }: { readonly result: SeriesResult }) {
  return (
    <Card title={texts.answer}>
      <Stack gap={12}>
        {best === null ? (
          <p>{rows.some(({ values }) => values > 0) ? texts.noBest : texts.charts.empty}</p>
        ) : (
          <p>
            <strong>{texts.best(best.cell)}.</strong> {best.reason}
          </p>
        )}
        {differences.length > 0 ? <h3 className={styles.subtitle}>{texts.differences}</h3> : null}
        {differences.length > 0 ? <Sentences list={differences.map(({ text }) => text)} /> : null}
        {notes.length > 0 ? <Sentences list={notes} /> : null}
      </Stack>
    </Card>
  );
}

function Sentences({ list }: { readonly list: readonly string[] }) {
  return (
    <ul className={styles.sentences}>
      {list.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function StopSeries({ seriesId }: { readonly seriesId: string }) {
  const stop = useAction('series.stop');
  const connected = useConnectionState() === 'open';
  const isStopping = stop.isPending || stop.isSuccess;
  return (
    <>
      {stop.error ? <ProblemBanner problem={stop.error} /> : null}
      <Button
        look="danger"
        size="large"
        icon={<Square fill="currentColor" />}
        isDisabled={!connected || isStopping}
        onPress={() => stop.mutate({ seriesId })}
      >
        {isStopping ? texts.stopping : texts.stop}
      </Button>
    </>
  );
}

function Footer({ result: { series, document } }: { readonly result: SeriesResult }) {
  const again = useAction('series.start', ['runs.list']);
  const [, navigate] = useLocation();
  const hasCommands = commandsOf(document).length > 0;
  return (
    <div className={styles.footer}>
      {again.error ? <ProblemBanner problem={again.error} /> : null}
      {hasCommands ? <p className={styles.quiet}>{texts.againByCommand}</p> : null}
      <div className={styles.buttons}>
        <SaveButtons seriesId={series.id} />
        {hasCommands ? null : (
          <Button
            look="primary"
            isPending={again.isPending}
            onPress={() => again.mutate({ document }, { onSuccess: ({ seriesId }) => navigate(`/series/${seriesId}`) })}
          >
            {texts.again}
          </Button>
        )}
      </div>
    </div>
  );
}
