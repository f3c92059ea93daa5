import { Flag, Pause, Play, Square, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { RecordingState, RecordedAction } from '#contract/replies.ts';
import { WRITES_HEADING, formatRequests } from '#core/import/recording/notes.ts';
import { formatCount } from '#core/base/units.ts';
import { visibleLine } from '#core/base/text.ts';
import { useAction } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card, Inline, Stack } from '#ui/components/Page.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import styles from './LiveRecording.module.css';

const texts = words.recording;
const MAX_WRITES = 12;

/** List of the user's actions in the browser with their requests, updated during the recording. */
export function LiveRecording({ recording }: { readonly recording: RecordingState }) {
  const { recordingId, state, url, actions, dropped } = recording;
  const { origin } = new URL(url);
  const pause = useAction('recordings.pause');
  const resume = useAction('recordings.resume');
  const undo = useAction('recordings.undo');
  const finish = useAction('recordings.finish');
  const discard = useAction('recordings.discard');
  const isPaused = state === 'paused';
  const problem = [pause, resume, undo, finish, discard].find(({ error }) => error !== null)?.error ?? null;
  return (
    <Stack gap={16}>
      <Banner tone={isPaused ? 'inconclusive' : 'accent'} announce="status">
        {texts.states[state]}
      </Banner>
      {dropped.requests + dropped.bodies > 0 ? (
        <Banner tone="inconclusive" announce="status">
          {texts.dropped(formatCount(dropped.requests), formatCount(dropped.bodies))}
        </Banner>
      ) : null}
      <Card>
        <Stack gap={12}>
          <Inline>
            <Button look="primary" icon={<Square />} isPending={finish.isPending} onPress={() => finish.mutate({ recordingId })}>
              {texts.finish}
            </Button>
            <Button icon={isPaused ? <Play /> : <Pause />} onPress={() => (isPaused ? resume : pause).mutate({ recordingId })}>
              {isPaused ? texts.resume : texts.pause}
            </Button>
            <Button icon={<Undo2 />} isDisabled={actions.length < 2} onPress={() => undo.mutate({ recordingId })}>
              {texts.undo}
            </Button>
            <Button look="quiet" isPending={discard.isPending} onPress={() => discard.mutate({ recordingId })}>
              {texts.cancel}
            </Button>
          </Inline>
          <p className="muted">
            {texts.undoStory} {texts.finishStory}
          </p>
          <WritingRequests actions={actions} />
          <MarkForm recordingId={recordingId} />
          {problem ? <ProblemBanner problem={problem} /> : null}
        </Stack>
      </Card>
      {actions.length === 0 ? <p>{texts.nothing}</p> : null}
      <ol className="list" reversed aria-label={texts.actions}>
        {withIndexes(actions)
          .toReversed()
          .map(([number, action]) => (
            <ActionItem key={number} action={action} origin={origin} />
          ))}
      </ol>
    </Stack>
  );
}

/** Lists the recorded requests that change data, before any request is repeated. */
function WritingRequests({ actions }: Pick<RecordingState, 'actions'>) {
  const requestTexts = formatRequests(actions.flatMap(({ requests }) => requests));
  if (requestTexts.length === 0) return null;
  return (
    <div>
      <p className="muted">{WRITES_HEADING}</p>
      <ul className={styles.requests} aria-label={texts.writes}>
        {requestTexts.slice(0, MAX_WRITES).map((line) => (
          <li key={line}>
            <code>{visibleLine(line)}</code>
          </li>
        ))}
        {requestTexts.length > MAX_WRITES ? <li>{texts.more(formatCount(requestTexts.length - MAX_WRITES))}</li> : null}
      </ul>
    </div>
  );
}

function MarkForm({ recordingId }: { readonly recordingId: string }) {
  const [text, setText] = useState('');
  const mark = useAction('recordings.mark');
  const addMark = (): void => {
    if (text.trim() === '') return;
    mark.mutate({ recordingId, text: text.trim().slice(0, 80) });
    setText('');
  };
  return (
    <div className={styles.mark}>
      <TextField label={texts.markLabel} help={texts.markHelp} value={text} onChange={setText} onEnter={addMark} />
      <Button icon={<Flag />} isDisabled={text.trim() === ''} onPress={addMark}>
        {texts.mark}
      </Button>
      {mark.error ? <ProblemBanner problem={mark.error} /> : null}
    </div>
  );
}

/** Returns items with their index, which serves as React key, because both lists change only at the end. */
function withIndexes<Item>(items: readonly Item[]): [number, Item][] {
  return items.map((item, index) => [index, item]);
}

/** Maximum number of requests that are shown per action, because pages have dozens. */
const MAX_SHOWN_REQUESTS = 6;

interface ActionItemProps {
  readonly action: RecordedAction;
  /** Origin of the recorded site. Requests to it are shown as paths. */
  readonly origin: string;
}

function ActionItem({ action: { kind, text, title, requests, requestCount }, origin }: ActionItemProps) {
  const shownRequests = requests.slice(0, MAX_SHOWN_REQUESTS);
  return (
    <li className={kind === 'mark' ? styles.marked : styles.action}>
      <p className={styles.head}>
        <strong>{texts.named(texts.kinds[kind], visibleLine(text))}</strong>
        {title === '' ? null : <span> → {visibleLine(title)}</span>}
        {kind === 'mark' ? null : <span className={styles.count}>{texts.requests(requestCount, formatCount(requestCount))}</span>}
      </p>
      {shownRequests.length === 0 ? null : (
        <ul className={styles.requests}>
          {withIndexes(shownRequests).map(([number, { method, url, status }]) => (
            <li key={number}>
              <code>
                {status === 0 ? texts.noResponse : status} {method}{' '}
                {visibleLine(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url)}
              </code>
            </li>
          ))}
          {requestCount > shownRequests.length ? <li>{texts.more(formatCount(requestCount - shownRequests.length))}</li> : null}
        </ul>
      )}
    </li>
  );
}
