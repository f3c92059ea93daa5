import { useState } from 'react';
import type { RecordingState, ThinkTimes, RecordedPlan } from '#contract/replies.ts';
import { isLoadProposed } from '#core/import/imported.ts';
import { addUsualCriteria } from '#core/plan/criteria.ts';
import { formatWatched, explainCapture, explainDifference } from '#core/import/recording/notes.ts';
import { useAction, useCall } from '#ui/shared/backend.ts';
import { startWizard } from '#ui/shared/wizardSeed.ts';
import { Button } from '#ui/components/Button.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { Card, Inline, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner, Banner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { ImportPreview } from '../question/ImportPreview.tsx';
import { formatBytes, formatCount } from '#core/base/units.ts';
import { visibleLine } from '#core/base/text.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { type DataColumn, DataTable } from '#ui/components/Table.tsx';

const texts = words.recording;
const NO_ANSWERS: ReadonlyMap<string, string> = new Map();
const SECONDS = [1, 5, 10] as const;

/** Preview of the plan from a recording, with the plan's differences from the recording. */
export function MadePlan({ recording: { recordingId } }: { readonly recording: RecordingState }) {
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
