import { ListPlus } from 'lucide-react';
import type { CallOutput } from '#contract/api.ts';
import type { Preset } from '#core/presets/schema.ts';
import { visibleLine } from '#core/base/text.ts';
import { formatCount } from '#core/base/units.ts';
import { AskList } from '#ui/shared/AgreementProblem.tsx';
import { useAction, useCall } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Sentences } from '#ui/components/Blocks.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Facts } from '#ui/components/Facts.tsx';
import { Skeleton } from '#ui/components/Placeholders.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { IssueList } from '../IssueList.tsx';

const presetWords = words.wizard.question.preset;

interface PresetPreviewProps {
  /** Text of the preset's file. */
  readonly source: string;
  readonly onAdded: (id: string) => void;
}

/**
 * Preview of a preset from another person before it is added: its author, its questions and the needs of its test. Shows all its errors at
 * once.
 */
export function PresetPreview({ source, onAdded }: PresetPreviewProps) {
  const checkedQuery = useCall('presets.check', { source }, { freshForMs: Infinity });
  if (checkedQuery.error) return <ProblemBanner problem={checkedQuery.error} onRetry={() => void checkedQuery.refetch()} />;
  if (checkedQuery.data === undefined) return <Skeleton waitingFor={presetWords.waiting} heights={[180]} />;
  const { preset, issues } = checkedQuery.data;
  if (preset !== null) return <FoundPreset source={source} found={checkedQuery.data} preset={preset} onAdded={onAdded} />;
  return (
    <Stack gap={12}>
      <Banner tone="failed" announce="alert">
        {presetWords.refused}
      </Banner>
      <IssueList issues={issues} />
    </Stack>
  );
}

interface FoundPresetProps extends PresetPreviewProps {
  readonly found: CallOutput<'presets.check'>;
  readonly preset: Preset;
}

function FoundPreset({ source, found: { issues, taken, asks }, preset, onAdded }: FoundPresetProps) {
  const add = useAction('presets.add', ['presets.list', 'presets.added']);
  const { title, story, origin, needs, takesMinutes, questions } = preset;
  const facts = [
    [presetWords.author, origin === '' ? presetWords.noAuthor : visibleLine(origin)],
    ...(needs.length === 0 ? [] : [[presetWords.needs, visibleLine(needs.join('; '))] as const]),
    [presetWords.takes, words.wizard.question.minutes(formatCount(Math.ceil(takesMinutes)))],
  ] as const;
  return (
    <section aria-label={presetWords.title}>
      <Stack gap={12}>
        <Banner tone="info" announce="status" title={visibleLine(title)}>
          {visibleLine(story)}
        </Banner>
        <Facts facts={facts} />
        {questions.length === 0 ? null : (
          <Disclosure level={2} title={presetWords.asks(formatCount(questions.length), questions.length === 1)}>
            <Sentences list={[...new Set(questions.map(({ label }) => visibleLine(label)))]} />
          </Disclosure>
        )}
        {asks.length === 0 ? (
          <p className="muted">{presetWords.reachesNothing}</p>
        ) : (
          <Banner tone="inconclusive" title={presetWords.reaches}>
            <AskList asks={asks} />
          </Banner>
        )}
        <IssueList issues={issues} />
        {taken === 'shipped' ? <Banner tone="failed">{presetWords.idTaken(preset.id)}</Banner> : null}
        {add.error ? <ProblemBanner problem={add.error} /> : null}
        {taken === 'shipped' ? null : (
          <Stack gap={4}>
            <div>
              <Button
                look="primary"
                icon={<ListPlus />}
                isPending={add.isPending}
                onPress={() => add.mutate({ source, replaces: taken === 'added' }, { onSuccess: ({ id }) => onAdded(id) })}
              >
                {taken === 'added' ? presetWords.replace : presetWords.add}
              </Button>
            </div>
            <p className="muted">{presetWords.consent}</p>
          </Stack>
        )}
      </Stack>
    </section>
  );
}
