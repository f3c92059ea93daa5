import { z } from 'zod';
import { type Ask, askKey, askSchema, isPublic, needsAgreement } from '#core/review/asks/ask.ts';
import { groupAsks, KIND_WORDS, placesOf, formatPurposes } from '#core/review/asks/labels.ts';
import { visibleLine } from '#core/base/text.ts';
import { words } from '#ui/words/words.ts';
import type { Problem } from '#core/base/errors.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Stack } from '#ui/components/Page.tsx';
import styles from './AgreementProblem.module.css';

/** Lists the permissions that a plan needs, grouped by kind. Permissions for this computer's own addresses are left out. */
export function AskList({ asks }: { readonly asks: readonly Ask[] }) {
  return (
    <dl className={styles.list}>
      {groupAsks(asks.filter(needsAgreement)).map(({ kind, asks: all }) => (
        <div key={kind} className={styles.group}>
          <dt>{KIND_WORDS[kind]}</dt>
          {all.map((ask) => (
            <dd key={ask.name}>
              <code>{visibleLine(ask.name)}</code>
              {isPublic(ask) ? ` ${words.agreement.public}` : null}
              <span className={styles.use}>
                {formatPurposes(ask)} ({placesOf(ask)})
              </span>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

const neededSchema = z.object({ asks: z.array(askSchema) });

interface AgreementProblemProps {
  readonly problem: Problem;
  /** Called with the permissions that the user gave, to repeat the refused action. */
  readonly onAgree: (agreedKeys: string[]) => void;
}

/** Shows the permissions that a refused action needs, with a button that gives them. Any other problem is shown as a banner. */
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
