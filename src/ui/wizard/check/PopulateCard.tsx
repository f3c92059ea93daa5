import { useEffect, useEffectEvent, useState } from 'react';
import type { Plan } from '#core/plan/schema/plan.ts';
import { type PopulatePreview, type PopulateState, formatRowsLeft } from '#core/work/populate/state.ts';
import type { PopulateMode } from '#core/plan/schema/populate.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { useAction, useCall, useStream } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card, Inline, Stack } from '#ui/components/Page.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Confirm } from '#ui/components/Dialog.tsx';
import { LevelList } from '#ui/components/Marks.tsx';
import { words } from '#ui/words/words.ts';

const populateWords = words.wizard.check.populate;
const MAX_SHOWN_FAILURES = 10;

/** The lists of a plan with the numbers of needed and existing rows, and buttons that create accounts and data on the target. */
export function PopulateCard({ plan, agreed }: { readonly plan: Plan; readonly agreed: string[] }) {
  const preview = useCall('populate.preview', { plan, agreed });
  const [id, setId] = useState<string | null>(null);
  const [endedId, setEndedId] = useState<string | null>(null);
  const start = useAction('populate.start');
  const reuse = useAction('populate.reuseRows');
  const isRunning = id !== null && endedId !== id;
  const startPopulate = (mode: PopulateMode): void => start.mutate({ plan, mode, agreed }, { onSuccess: (started) => setId(started.id) });
  const onEnded = (): void => {
    setEndedId(id);
    void preview.refetch();
  };
  if (preview.data && isSuccessful(preview.data))
    return (
      <Card>
        <Disclosure level={2} title={populateWords.title} summary={preview.data.feeds.map(rowsText).join(' ')}>
          <Lists preview={preview.data} />
        </Disclosure>
      </Card>
    );
  return (
    <Card title={populateWords.title}>
      <Stack gap={12}>
        {preview.error ? <ProblemBanner problem={preview.error} onRetry={() => void preview.refetch()} /> : null}
        {preview.data ? <Lists preview={preview.data} /> : null}
        {preview.data?.feeds.some(({ spent }) => spent !== null && spent.count > 0) ? (
          <PopulateAction
            text={populateWords.reuse}
            how={populateWords.reuseHow}
            isBusy={reuse.isPending}
            onPress={() => reuse.mutate({ plan, agreed }, { onSuccess: () => void preview.refetch() })}
          />
        ) : null}
        {reuse.error ? <ProblemBanner problem={reuse.error} /> : null}
        {id === null ? null : <Progress key={id} id={id} onEnd={onEnded} />}
        {start.error ? <ProblemBanner problem={start.error} /> : null}
        {preview.data?.populate && !isRunning ? (
          <PopulateActions preview={preview.data.populate} isBusy={start.isPending} begin={startPopulate} />
        ) : null}
      </Stack>
    </Card>
  );
}

/** Returns whether nothing needs to be done about the lists. */
function isSuccessful({ feeds, problems, populate }: PopulatePreview): boolean {
  const isEnough = feeds.every(({ rows, needed, spent }) => rows !== null && rows >= needed && (spent === null || spent.count === 0));
  return isEnough && problems.length === 0 && populate === null;
}

function rowsText({ name, needed, rows, file, spent, areAccounts }: PopulatePreview['feeds'][number]): string {
  if (rows === null) return populateWords.unreadable(name, file);
  const left = formatRowsLeft({ rows, spent, areAccounts });
  return left === null ? populateWords.rows(name, formatCount(needed), formatCount(rows)) : populateWords.left(name, left);
}

function Lists({ preview: { feeds, problems, populate } }: { readonly preview: PopulatePreview }) {
  const unmade = populate?.problem ?? null;
  const texts = problems.map(({ message, hint }) => `${message} ${hint}`);
  if (unmade !== null && !problems.some(({ message }) => unmade.includes(message))) texts.push(unmade);
  return (
    <LevelList
      lines={[
        ...feeds.map((feed) => ({
          key: feed.name,
          level: feed.rows === null || feed.rows < feed.needed ? ('problem' as const) : ('ok' as const),
          text: rowsText(feed),
        })),
        ...texts.map((text) => ({ key: text, level: 'problem' as const, text })),
      ]}
    />
  );
}

interface ActsProps {
  readonly preview: NonNullable<PopulatePreview['populate']>;
  readonly isBusy: boolean;
  readonly begin: (mode: PopulateMode) => void;
}

function PopulateActions({ preview, isBusy, begin }: ActsProps) {
  const { total, made, removes, commands, problem, perSecond, target, record } = preview;
  if (problem !== null) return null;
  const remaining = total - made;
  return (
    <>
      <p>{populateWords.made(formatCount(made), formatCount(total), target)}</p>
      {commands.length > 0 ? <p>{populateWords.byCommand}</p> : null}
      {commands.length === 0 && remaining > 0 ? (
        <PopulateAction
          text={populateWords.make(formatCount(remaining))}
          how={populateWords.how(formatNumber(perSecond))}
          isBusy={isBusy}
          onPress={() => begin('create')}
        />
      ) : null}
      {commands.length === 0 && removes && made > 0 ? (
        <RemoveAction made={made} target={target} isBusy={isBusy} onRemove={() => begin('remove')} />
      ) : null}
      <p className="muted">{populateWords.record(record)}</p>
    </>
  );
}

interface RemoveActProps {
  readonly made: number;
  readonly target: string;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
}

/** Button that removes data. It asks for confirmation, because removed data is lost. */
function RemoveAction({ made, target, isBusy, onRemove }: RemoveActProps) {
  const [isAsking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  return (
    <>
      <PopulateAction
        text={populateWords.remove(formatCount(made))}
        how={populateWords.removeHow}
        isBusy={isBusy}
        onPress={() => setAsking(true)}
      />
      <Confirm
        title={populateWords.removeTitle(formatCount(made))}
        confirm={populateWords.removeConfirm}
        look="danger"
        isOpen={isAsking}
        onClose={close}
        onConfirm={() => {
          close();
          onRemove();
        }}
      >
        <p>{populateWords.removeStory(target)}</p>
      </Confirm>
    </>
  );
}

interface ActProps {
  readonly text: string;
  readonly how: string;
  readonly isBusy: boolean;
  readonly onPress: () => void;
}

function PopulateAction({ text, how, isBusy, onPress }: ActProps) {
  return (
    <Stack gap={4}>
      <div>
        <Button isPending={isBusy} onPress={onPress}>
          {text}
        </Button>
      </div>
      <p className="muted">{how}</p>
    </Stack>
  );
}

function Progress({ id, onEnd }: { readonly id: string; readonly onEnd: () => void }) {
  const stream = useStream('populate.watch', { id });
  const stop = useAction('populate.stop');
  const state = stream.value;
  const isOver = state !== undefined && state.state !== 'running';
  const reportEnd = useEffectEvent(onEnd);
  useEffect(() => {
    if (isOver) reportEnd();
  }, [isOver]);
  if (state === undefined) return <p>{populateWords.starting}</p>;
  if (isOver) return <Outcome state={state} />;
  const { done, failed, left } = state;
  return (
    <Inline gap={12}>
      <output>{populateWords.progress(formatCount(done), formatCount(failed), formatCount(left))}</output>
      <Button isPending={stop.isPending} onPress={() => stop.mutate({ id })}>
        {populateWords.stop}
      </Button>
    </Inline>
  );
}

function Outcome({ state: { mode, done, failed, left, failures, because } }: { readonly state: PopulateState }) {
  const isSuccessful = failed + left === 0 && because === null;
  const succeeded = mode === 'create' ? populateWords.created(formatCount(done)) : populateWords.removed(formatCount(done));
  const title = [
    failed > 0 ? populateWords.failed(formatCount(failed)) : null,
    done > 0 || isSuccessful ? succeeded : null,
    left > 0 ? populateWords.notTried(formatCount(left)) : null,
  ]
    .filter((part) => part !== null)
    .join(' ');
  const shownFailures = failures.slice(0, MAX_SHOWN_FAILURES);
  return (
    <Banner
      tone={isSuccessful ? 'passed' : failed > 0 ? 'failed' : 'inconclusive'}
      title={title}
      announce={isSuccessful ? 'status' : 'alert'}
    >
      {isSuccessful ? null : (
        <>
          {because === null ? null : <p>{because}</p>}
          <ul className="list">
            {shownFailures.map(({ row, key, reason }) => (
              <li key={row}>{populateWords.failure(formatCount(row), key, reason)}</li>
            ))}
          </ul>
          {failed > shownFailures.length ? <p>{populateWords.more(formatCount(failed - shownFailures.length))}</p> : null}
          <p>{populateWords.again}</p>
        </>
      )}
    </Banner>
  );
}
