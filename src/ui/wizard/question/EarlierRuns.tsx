import { useState } from 'react';
import { useCall } from '#ui/app/backend.ts';
import { startWizard } from '#ui/app/wizardSeed.ts';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { markOf, VerdictMark } from '#ui/components/VerdictMark.tsx';
import { formatWhen } from '#ui/words/when.ts';
import { words } from '#ui/words/words.ts';
import styles from './QuestionPage.module.css';

const SHOWN = 5;

export function EarlierRuns() {
  const say = words.wizard.question;
  const [isOpen, setOpen] = useState(false);
  const earlier = useCall('runs.list', { limit: SHOWN }, { enabled: isOpen });
  return (
    <Disclosure level={2} title={say.earlier} isOpen={isOpen} onOpenChange={setOpen}>
      <Stack gap={12}>
        <p>{say.earlierStory}</p>
        {earlier.error ? <ProblemBanner problem={earlier.error} onRetry={() => void earlier.refetch()} /> : null}
        {earlier.data?.runs.length === 0 ? <p>{say.earlierNone}</p> : null}
        <ul className={styles.runs}>
          {earlier.data?.runs.map((run) => (
            <li key={run.id} className={styles.run}>
              <span className={styles.runName}>
                {run.name}
                <br />
                <span className={styles.runFacts}>
                  {formatWhen(run.startedAt)} · {run.target}
                </span>
              </span>
              <VerdictMark mark={markOf(run.state, run.outcome)} />
              <Button size="small" onPress={() => startWizard({ kind: 'run', runId: run.id })}>
                {say.earlierUse}
              </Button>
            </li>
          ))}
        </ul>
        {earlier.data && earlier.data.total > SHOWN ? <a href="#/history">{say.earlierAll}</a> : null}
      </Stack>
    </Disclosure>
  );
}
