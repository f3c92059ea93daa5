import { z } from 'zod';
import { askKey, askSchema } from '#core/review/asks/ask.ts';
import type { Problem } from '#core/base/errors.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { words } from '#ui/words/words.ts';
import { AskList } from './AskList.tsx';

const neededSchema = z.object({ asks: z.array(askSchema) });

interface AgreementProblemProps {
  readonly problem: Problem;
  /** Does again what was refused, with what is agreed to. */
  readonly onAgree: (agreed: string[]) => void;
}

/** What was not begun because nobody has agreed to it: what it asks for, and a way to agree. Any other problem as it is. */
export function AgreementProblem({ problem, onAgree }: AgreementProblemProps) {
  const needed = problem.code === 'AGREEMENT_NEEDED' ? neededSchema.safeParse(problem.data).data : undefined;
  if (needed === undefined) return <ProblemBanner problem={problem} />;
  const { asks } = needed;
  return (
    <Banner
      tone="inconclusive"
      title={words.agreement.title}
      announce="alert"
      actions={<Button onPress={() => onAgree(asks.map(askKey))}>{words.agreement.go}</Button>}
    >
      <Stack gap={12}>
        <p>{words.agreement.story}</p>
        <AskList asks={asks} />
      </Stack>
    </Banner>
  );
}
