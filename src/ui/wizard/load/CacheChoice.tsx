import { Card } from '#ui/components/Card.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { useWizard } from '../WizardContext.ts';
import styles from './LoadPage.module.css';

interface CacheChoiceProps {
  /** What the plan says where nothing else was chosen. */
  readonly planned: boolean;
  /** Whether the program that makes the load reports headers of answers. */
  readonly canTell: boolean;
}

/** Whether it is counted which answers came from a cache. */
export function CacheChoice({ planned, canTell }: CacheChoiceProps) {
  const { state, dispatch } = useWizard();
  const say = words.wizard.cache;
  const counts = state.countsCache ?? planned;
  return (
    <Card>
      <Disclosure title={say.title} summary={counts ? say.counted : say.notCounted} isOpenAtFirst={counts}>
        <Stack gap={12}>
          <Checkbox isSelected={counts} onChange={(chosen) => dispatch({ type: 'cacheCountingChanged', counts: chosen })}>
            {say.count}
          </Checkbox>
          <p className={styles.muted}>{counts && !canTell ? say.notByK6 : say.story}</p>
        </Stack>
      </Disclosure>
    </Card>
  );
}
