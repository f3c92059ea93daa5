import { Footprints } from 'lucide-react';
import { useState } from 'react';
import { MAX_DRAWN, MIN_DRAWN_LENGTH } from '#core/import/recording/drawnTexts.ts';
import { recordingAsking } from '#core/review/asks/ask.ts';
import { useAction, useCall, useStream } from '#ui/shared/backend.ts';
import { useAddress, useConsent, StartRow } from '#ui/shared/quickStart.tsx';
import { Card, Page, Stack, Inline } from '#ui/components/Page.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { ProblemBanner, Banner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { FileField } from '../FileField.tsx';
import { LiveRecording } from './LiveRecording.tsx';
import type { RecordingState, ThinkTimes, RecordedPlan } from '#contract/replies.ts';
import { isLoadProposed } from '#core/import/imported.ts';
import { addUsualCriteria } from '#core/plan/criteria.ts';
import { formatWatched, explainCapture, explainDifference } from '#core/import/recording/notes.ts';
import { startWizard } from '#ui/shared/wizardSeed.ts';
import { Button } from '#ui/components/Button.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { ImportPreview } from '../question/ImportPreview.tsx';
import { formatBytes, formatCount } from '#core/base/units.ts';
import { visibleLine } from '#core/base/text.ts';
import { type DataColumn, DataTable } from '#ui/components/Table.tsx';

const recordingWords = words.recording;

/**
 * Page that records a journey in a browser and creates a plan from it. There is only one recording at a time; the page shows it again when
 * the page is reopened.
 */
export function RecordPage() {
  const watchedStreamState = useStream('recordings.watch', {});
  const recording = watchedStreamState.value?.recording ?? null;
  const isGoing = recording !== null && (recording.state === 'recording' || recording.state === 'paused');
  return (
    <Page title={recordingWords.title} story={recordingWords.story}>
      {isGoing ? (
        <LiveRecording recording={recording} />
      ) : recording?.state === 'ended' ? (
        <MadePlan recording={recording} />
      ) : (
        <RecordForm isOpening={recording?.state === 'opening'} />
      )}
    </Page>
  );
}

function RecordForm({ isOpening }: { readonly isOpening: boolean }) {
  const address = useAddress();
  const [accepts, setAccepts] = useState(false);
  const [accounts, setAccounts] = useState('');
  const [isOnce, setOnce] = useState(false);
  const [texts, setTexts] = useState('');
  const start = useAction('recordings.start');
  const wanted = { verify: !accepts, ...(accounts.trim() === '' ? {} : { accountsFile: accounts.trim() }) };
  const once = accounts.trim() !== '' && isOnce;
  const unique = linesOf(texts);
  const wrong = unique.length > MAX_DRAWN || unique.some((text) => text.length < MIN_DRAWN_LENGTH);
  const consent = useConsent(address.url === null ? null : recordingAsking({ url: address.url, ...wanted }));
  const startRecording = (): void => {
    address.complain();
    if (address.url !== null && consent.isGiven && !wrong)
      start.mutate({ url: address.url, ...wanted, accountsOnce: once, unique: [...unique], agreed: consent.agreed });
  };
  return (
    <Card>
      <Stack gap={12}>
        <TextField {...address.field} label={recordingWords.address} help={recordingWords.addressHelp} onEnter={startRecording} />
        {consent.boxes}
        <Disclosure level={2} title={words.quick.more}>
          <Stack gap={12}>
            <FileField
              label={recordingWords.accounts}
              help={recordingWords.accountsHelp}
              value={accounts}
              onChange={(path) => {
                setAccounts(path);
                // Clears the error about the previous file.
                start.reset();
              }}
            />
            {accounts.trim() === '' ? null : (
              <Checkbox isSelected={isOnce} onChange={setOnce}>
                {recordingWords.accountsOnce}
              </Checkbox>
            )}
            <TextField
              label={recordingWords.unique}
              help={recordingWords.uniqueHelp}
              rows={2}
              value={texts}
              onChange={setTexts}
              error={wrong ? recordingWords.uniqueWrong(MIN_DRAWN_LENGTH, MAX_DRAWN) : null}
            />
            <Checkbox isSelected={accepts} onChange={setAccepts}>
              {recordingWords.insecure}
            </Checkbox>
          </Stack>
        </Disclosure>
        <BrowserLocation />
        {isOpening ? <output>{recordingWords.states.opening}</output> : null}
        {start.error !== null && start.error.code !== 'AGREEMENT_NEEDED' ? <ProblemBanner problem={start.error} /> : null}
        <StartRow
          label={recordingWords.start}
          icon={<Footprints />}
          isDisabled={(address.url !== null && !consent.isGiven) || wrong}
          start={{ error: start.error?.code === 'AGREEMENT_NEEDED' ? start.error : null, isPending: start.isPending }}
          onPress={startRecording}
        />
      </Stack>
    </Card>
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** States on which computer the browser window opens. That may not be the user's computer. */
function BrowserLocation() {
  const isDesktop = window.holdfast !== undefined;
  const info = useCall('app.info', {}, { enabled: !isDesktop });
  return isDesktop ? null : <p>{recordingWords.where(info.data?.hostname ?? recordingWords.here)}</p>;
}

const texts = words.recording;
const NO_ANSWERS: ReadonlyMap<string, string> = new Map();
const SECONDS = [1, 5, 10] as const;

/** Preview of the plan from a recording, with the plan's differences from the recording. */
function MadePlan({ recording: { recordingId } }: { readonly recording: RecordingState }) {
  const [thinkTimes, setThinkTimes] = useState<ThinkTimes>('recorded');
  const [watches, setWatches] = useState(false);
  // A plan is requested for each combination of choices. The backend keeps the recording until a plan is used.
  const newQuery = useCall('recordings.finish', { recordingId, thinkTimes, watches }, { keepPrevious: true, freshForMs: Infinity });
  const discard = useAction('recordings.discard');
  const usePlan = (): void => {
    if (newQuery.data === undefined) return;
    startWizard({ kind: 'plan', plan: addUsualCriteria(newQuery.data.plan), isLoadProposed: isLoadProposed(newQuery.data) });
    discard.mutate({ recordingId });
  };
  const choices = [
    { value: 'recorded', label: texts.thinks.recorded },
    { value: 'none', label: texts.thinks.none },
    ...SECONDS.map((seconds) => ({ value: String(seconds), label: `${seconds} s` })),
  ];
  return (
    <Card>
      <Stack gap={12}>
        {newQuery.error ? <ProblemBanner problem={newQuery.error} /> : null}
        {newQuery.data === undefined && !newQuery.error ? <output>{texts.states.ended}</output> : null}
        {newQuery.data === undefined ? null : (
          <>
            <ImportPreview
              called={texts.made}
              imported={{ written: newQuery.data.written, plan: newQuery.data.plan, notes: newQuery.data.notes, secrets: new Map() }}
              answers={NO_ANSWERS}
              onAnswer={() => {}}
              onChoose={() => {}}
            />
            {newQuery.data.problem ? <ProblemBanner problem={newQuery.data.problem} /> : null}
            {newQuery.data.walked ? <WalkResult walked={newQuery.data.walked} /> : null}
            <Select
              label={texts.think}
              value={String(thinkTimes)}
              choices={choices}
              onChange={(value) => setThinkTimes(value === 'recorded' || value === 'none' ? value : Number(value))}
            />
            {newQuery.data.watched === null ? null : (
              <Checkbox isSelected={watches} onChange={setWatches}>
                {texts.watch}
              </Checkbox>
            )}
            {watches ? <p>{formatWatched(newQuery.data.watched)}</p> : null}
          </>
        )}
        <Inline>
          {newQuery.data === undefined ? null : (
            <Button look="primary" onPress={usePlan}>
              {texts.use}
            </Button>
          )}
          <Button isPending={discard.isPending} onPress={() => discard.mutate({ recordingId })}>
            {newQuery.data === undefined && !newQuery.error ? texts.cancel : texts.again}
          </Button>
        </Inline>
      </Stack>
    </Card>
  );
}

type WalkOutcome = NonNullable<RecordedPlan['walked']>;
type Step = WalkOutcome['steps'][number];

const COLUMNS: readonly DataColumn<Step>[] = [
  { name: texts.columns.step, isHead: true, cell: ({ step }) => visibleLine(step) },
  { name: texts.columns.recorded, wrap: true, cell: ({ recorded }) => outcomeText(recorded) },
  { name: texts.columns.tried, wrap: true, cell: ({ tried }) => outcomeText(tried) },
  { name: texts.columns.same, wrap: true, cell: (step) => visibleLine(explainDifference(step) ?? texts.same) },
];

/** Result of repeating the recorded journey: dynamic values that were captured, and steps whose responses differ. */
function WalkResult({ walked: { captured, steps } }: { readonly walked: WalkOutcome }) {
  const other = steps.filter(({ isSame }) => !isSame);
  return (
    <Stack gap={12}>
      {captured.length === 0 ? null : (
        <Disclosure level={2} title={texts.captured(formatCount(captured.length), captured.length === 1)}>
          <ul className="list">
            {captured.map((value) => (
              <li key={value.name}>
                <code>{`{{${value.name}}}`}</code> {visibleLine(explainCapture(value))}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      <Banner tone={other.length === 0 ? 'passed' : 'inconclusive'} announce="status">
        {other.length === 0
          ? texts.allSame(formatCount(steps.length), steps.length === 1)
          : texts.someOther(formatCount(other.length), formatCount(steps.length))}
      </Banner>
      <DataTable caption={texts.walk} stacks columns={COLUMNS} rows={steps} keyOf={({ step }) => step} />
    </Stack>
  );
}

function outcomeText(of: Step['recorded']): string {
  return of === null ? texts.noResponse : texts.outcome(String(of.status), visibleLine(of.title ?? ''), formatBytes(of.bytes));
}
