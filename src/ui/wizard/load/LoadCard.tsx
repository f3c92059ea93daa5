import type { Issue } from '#core/plan/issues.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card } from '#ui/components/Card.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import type { LoadEntry } from '../state/loadEntry.ts';
import { withModel } from '../state/switchLoad.ts';
import { useWizard } from '../WizardContext.ts';
import { LoadOptions } from './LoadOptions.tsx';
import { ModelChoice } from './ModelChoice.tsx';
import { StageRows } from './StageRows.tsx';

interface LoadCardProps {
  readonly load: LoadEntry;
  readonly isEdited: boolean;
  readonly isFromPreset: boolean;
  readonly isStale: boolean;
  readonly steps: number;
  readonly issues: readonly Issue[];
}

/** How the load comes, its stages, and what holds for all of them. A preset has chosen how: there it lies one disclosure below. */
export function LoadCard({ load, isEdited, isFromPreset, isStale, steps, issues }: LoadCardProps) {
  const { dispatch } = useWizard();
  const say = words.load;
  return (
    <Card title={say.stages.title}>
      <Stack gap={16}>
        {isEdited && isFromPreset ? (
          <Banner
            tone="accent"
            actions={<Button onPress={() => dispatch({ type: 'loadEdited', load: null })}>{say.stages.editedReset}</Button>}
          >
            {say.stages.edited}
          </Banner>
        ) : null}
        <Disclosure title={say.how} summary={say.models[load.model].name} isOpenAtFirst={!isFromPreset}>
          <ModelChoice
            model={load.model}
            isDisabled={isStale}
            onChange={(model) => dispatch({ type: 'loadEdited', load: withModel(load, model) })}
          />
        </Disclosure>
        <StageRows load={load} issues={issues} isStale={isStale} />
        <LoadOptions load={load} issues={issues} isStale={isStale} steps={steps} />
      </Stack>
    </Card>
  );
}
