import styles from './SearchPage.module.css';
import { type Problem, toProblem } from '#core/base/errors.ts';
import { FooterBar, Card } from '#ui/components/Page.tsx';
import { reportSaved } from '#ui/shared/notices.tsx';
import { Download, Trash2 } from 'lucide-react';
import { useState, type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import { joinGeneratorNames } from '#core/plan/hosts/generatorNames.ts';
import type { SearchResult } from '#core/search/result.ts';
import { formatCount, formatRate } from '#core/base/units.ts';
import { useAction, useConnectionState, useStream } from '#ui/shared/backend.ts';
import { AgreementProblem } from '#ui/shared/AgreementProblem.tsx';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { ReportMenu } from '#ui/shared/ReportMenu.tsx';
import { saveText } from '../components/saveFile.ts';
import { Banner } from '../components/Banner.tsx';
import { Button, StopButton } from '../components/Button.tsx';
import { LessCommonActions } from '../components/ActionMenu.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { ProblemBanner, ProblemPage } from '#ui/components/Banner.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { formatWhen, words } from '../words/words.ts';
import { AskToDelete } from '../components/Dialog.tsx';
import { searchVerdict } from '#core/presentation/document/groupVerdict.ts';
import { formatAfterOutcome } from '#core/judgement/verdict/labels.ts';
import { VerdictBanner } from '#ui/components/Marks.tsx';
import { GroupProgress, searchProgress } from '../run/GroupProgress.tsx';
import { QueuePicture, SearchCharts } from './QueuePicture.tsx';
import { cellText, type TableBlock } from '#core/presentation/document/model.ts';
import { searchTable, searchFacts } from '#core/presentation/document/searchReport.ts';
import type { SearchRun } from '#core/search/run.ts';
import { BlockTable } from '../components/Blocks.tsx';
import { capitalize } from '#core/base/text.ts';
import { characterFacts } from '#core/search/characterize/table.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { Disclosure } from '../components/Disclosure.tsx';

interface DeleteSearchProps {
  readonly searchId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Deletes a search permanently. */
function DeleteSearch({ searchId, isOpen, onClose }: DeleteSearchProps) {
  const remove = useAction('searches.remove', ['searches.list']);
  const [, navigate] = useLocation();
  const deleteSearch = (): void => remove.mutate({ searchId }, { onSuccess: () => navigate('/searches') });
  return <AskToDelete texts={words.searches.remove} isOpen={isOpen} onClose={onClose} removal={remove} onConfirm={deleteSearch} />;
}

const texts = words.searches;

/** Page of a search, both while it runs and afterwards. */
export function SearchPage({ searchId }: { readonly searchId: string }) {
  const state = useStream('searches.watch', { searchId });
  if (state.value !== undefined) return <SearchView result={state.value} />;
  if (state.status === 'ended' && state.problem !== null)
    return <ProblemPage title={state.problem.code === 'NO_SUCH_SEARCH' ? texts.notThere : texts.page} problem={state.problem} />;
  return (
    <Page title={texts.page}>
      <Skeleton waitingFor={texts.loading}>
        <Block height={140} />
        <Block height={280} />
        <Block height={280} />
      </Skeleton>
    </Page>
  );
}

function SearchView({ result }: { readonly result: SearchResult }) {
  const { search, document, runs, conclusion } = result;
  const isGoing = search.endedAt === null;
  const facts = [
    texts.kinds[search.kind],
    texts.states[search.state],
    texts.runs(formatCount(runs.length)),
    formatWhen(search.startedAt),
    document.plan.targets[0]?.url ?? '',
    ...(document.on === undefined ? [] : [texts.from(joinGeneratorNames(document.on))]),
  ];
  return (
    <Page
      title={search.name}
      story={texts.facts(facts)}
      actions={isGoing ? <StopSearch searchId={search.id} /> : null}
      footer={isGoing ? undefined : <Footer result={result} />}
    >
      <Stack gap={24}>
        <Verdict result={result} />
        <Ending result={result} />
        <WaitingForReset result={result} />
        <ConclusionCard result={result} />
        <SearchCharts result={result} />
        {conclusion.kind === 'characterize' && conclusion.workers !== null && conclusion.serviceMs !== null ? (
          <QueuePicture workers={conclusion.workers.value} serviceMs={conclusion.serviceMs.value} />
        ) : null}
        <Card title={texts.table.title[search.kind]} flush>
          <SearchTable result={result} />
        </Card>
      </Stack>
    </Page>
  );
}

/** The conclusion in large type. While the search runs, this is the conclusion so far, with the remaining time. */
function Verdict({ result }: { readonly result: SearchResult }) {
  const { search } = result;
  const verdict = searchVerdict(result);
  const isGoing = search.endedAt === null;
  return (
    <VerdictBanner outcome={isGoing ? 'running' : verdict.outcome} title={verdict.title} rest={formatAfterOutcome(verdict)}>
      {isGoing ? <GroupProgress startedAt={search.startedAt} progressAt={(elapsed) => searchProgress(result, elapsed)} /> : null}
    </VerdictBanner>
  );
}

function Ending({ result: { search } }: { readonly result: SearchResult }) {
  const title = texts.ended[search.state] || (search.endedBecause === null ? '' : texts.endedEarly);
  return title === '' ? null : (
    <Banner tone="inconclusive" title={title}>
      {search.endedBecause ?? ''}
    </Banner>
  );
}

/** Asks a person to reset the server, while the search waits for it. */
function WaitingForReset({ result: { search, runs } }: { readonly result: SearchResult }) {
  const goOn = useAction('searches.goOn');
  const waiting = runs.find(({ phase }) => phase === 'reset');
  if (waiting === undefined) return null;
  return (
    <Banner tone="inconclusive" title={texts.reset.title(waiting.name)}>
      <Stack gap={12}>
        <p>{texts.reset.story}</p>
        {goOn.error ? <ProblemBanner problem={goOn.error} /> : null}
        <div>
          <Button look="primary" isPending={goOn.isPending} onPress={() => goOn.mutate({ searchId: search.id })}>
            {texts.reset.done}
          </Button>
        </div>
      </Stack>
    </Banner>
  );
}

function StopSearch({ searchId }: { readonly searchId: string }) {
  const stop = useAction('searches.stop');
  const connected = useConnectionState() === 'open';
  const isStopping = stop.isPending || stop.isSuccess;
  return (
    <>
      {stop.error ? <ProblemBanner problem={stop.error} /> : null}
      <StopButton texts={texts} isStopping={isStopping} isDisabled={!connected} onStop={() => stop.mutate({ searchId })} />
    </>
  );
}

function Footer({ result }: { readonly result: SearchResult }) {
  const { search, document } = result;
  const again = useAction('searches.start', ['runs.list', 'searches.list']);
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const startAgain = (agreedKeys?: string[]): void =>
    again.mutate({ document, agreed: agreedKeys }, { onSuccess: ({ searchId }) => navigate(`/searches/${searchId}`) });
  const save = async (): Promise<void> => {
    const fileName = `${search.id}.json`;
    setProblem(null);
    reportSaved(await saveText(fileName, 'application/json', `${JSON.stringify(result, null, 2)}\n`), fileName);
  };
  return (
    <FooterBar
      notices={
        <>
          {problem ? <ProblemBanner problem={problem} /> : null}
          {again.error?.code === 'AGREEMENT_NEEDED' ? <AgreementProblem problem={again.error} onAgree={startAgain} /> : null}
          {again.error && again.error.code !== 'AGREEMENT_NEEDED' ? (
            <HostProblem problem={again.error} onAgain={() => startAgain()} />
          ) : null}
        </>
      }
    >
      <ReportMenu source={{ searchId: search.id }} />
      <LessCommonActions
        actions={[
          { key: 'save', label: texts.save, icon: <Download /> },
          { key: 'delete', label: texts.remove.button, icon: <Trash2 /> },
        ]}
        onAction={(key) => (key === 'save' ? void save().catch((thrown: unknown) => setProblem(toProblem(thrown))) : setDeleting(true))}
      />
      <DeleteSearch searchId={search.id} isOpen={isDeleting} onClose={() => setDeleting(false)} />
      <Button look="primary" isPending={again.isPending} onPress={() => startAgain()}>
        {texts.again}
      </Button>
    </FooterBar>
  );
}

/** Table of the runs of a search. The active run shows its current figures. */
function SearchTable({ result: { search, runs } }: { readonly result: SearchResult }) {
  const [table] = useMemo(() => searchTable({ search, runs }), [search, runs]);
  if (table === undefined) return null;
  const findLink = (row: number): string | null => (runs[row]?.runId == null ? null : `#/runs/${runs[row].runId}`);
  return <BlockTable table={moveReasonBelow(table)} isWhole findLink={findLink} besideOf={(row) => runStatus(runs[row])} />;
}

/** Moves the last column, which is the reason, below the row's name, because sentences do not fit next to ten figures. */
function moveReasonBelow(table: TableBlock): TableBlock {
  const { columns, rows } = table;
  const lines = rows.map((cells) => {
    const [first = '', why = ''] = [cells[0], cells.at(-1)];
    const name = typeof first === 'string' ? { text: first } : first;
    const about = [name.about ?? '', cellText(why)].filter(Boolean).join(' · ');
    return [{ ...name, about }, ...cells.slice(1, -1)];
  });
  return { ...table, columns: columns.slice(0, -1), rows: lines };
}

function runStatus(run: SearchRun | undefined): ReactNode {
  if (run?.phase == null) return null;
  return (
    <>
      <span className={styles.about}>{words.searches.table.phases[run.phase]}</span>
      {run.phase === 'load' && run.runId !== null ? <LiveFigures runId={run.runId} /> : null}
    </>
  );
}

/** Current figures of the active run. */
function LiveFigures({ runId }: { readonly runId: string }) {
  const live = useStream('runs.watch', { runId }).value;
  const last = live?.points.at(-1);
  if (live === undefined || last === undefined) return null;
  return (
    <span className={styles.about}>
      {words.searches.table.now(formatRate(last.completed / last.width), formatCount(live.outcomes.requests.sent))}
    </span>
  );
}

/** Maximum number of visible reasons. The deciding reasons come first. */
const MAX_OPEN_REASONS = 6;

/** The conclusion of a search as a sentence, with figures and reasons. While the search runs, this is the conclusion so far. */
function ConclusionCard({ result: { search, conclusion, document } }: { readonly result: SearchResult }) {
  return (
    <Card title={search.endedAt === null ? texts.resultSoFar : texts.conclusion}>
      <Stack gap={16}>
        <Gauges conclusion={conclusion} plan={document.plan} />
        <Reasons conclusion={conclusion} />
        {conclusion.kind === 'characterize' && conclusion.trap !== null ? (
          <Banner tone="info" title={texts.character.trap}>
            {conclusion.trap}
          </Banner>
        ) : null}
      </Stack>
    </Card>
  );
}

function Reasons({ conclusion }: { readonly conclusion: SearchResult['conclusion'] }) {
  const reasons =
    conclusion.kind === 'breakingPoint'
      ? conclusion.reasons.map((text) => ({ about: '', text }))
      : conclusion.reasoning.map(({ about, text }) => ({ about: `${capitalize(about)}: `, text }));
  if (reasons.length === 0) return null;
  const remainingReasons = reasons.slice(MAX_OPEN_REASONS);
  return (
    <Stack gap={8}>
      <h3 className={styles.subtitle}>{texts.why}</h3>
      <ReasonList reasons={reasons.slice(0, MAX_OPEN_REASONS)} />
      {remainingReasons.length === 0 ? null : (
        <Disclosure title={texts.moreReasons(formatCount(remainingReasons.length))}>
          <ReasonList reasons={remainingReasons} />
        </Disclosure>
      )}
    </Stack>
  );
}

function ReasonList({ reasons }: { readonly reasons: readonly { readonly about: string; readonly text: string }[] }) {
  return (
    <ul className={styles.sentences}>
      {reasons.map(({ about, text }) => (
        <li key={about + text}>
          {about === '' ? null : <strong>{about}</strong>}
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Shows the same facts as the report of the search. */
function Gauges({ conclusion, plan }: { readonly conclusion: SearchResult['conclusion']; readonly plan: Plan }) {
  const facts =
    conclusion.kind === 'breakingPoint'
      ? searchFacts(conclusion, plan).map(([name, value]) => ({ name, value, range: '' }))
      : characterFacts(conclusion);
  return (
    <dl className={styles.gauges}>
      {facts.map(({ name, value, range }) => (
        <div key={name} className={styles.gauge}>
          <dt>{name}</dt>
          <dd>
            {value}
            {range === '' ? null : <span className={styles.about}>{range}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
