import { z } from 'zod';
import type { Problem } from '#core/base/errors.ts';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { NodeOffer } from './NodeOffer.tsx';
import { SecretQuestion, secretAsked } from './SecretQuestion.tsx';
import { UnknownKey, unknownKey } from './UnknownKey.tsx';

const withoutNodeSchema = z.object({ host: z.string(), nodePackage: z.string() });

/** What keeps something from being done on a host: a question to the person where an answer would help, else the problem. */
export function HostProblem({ problem, onAgain }: { readonly problem: Problem; readonly onAgain: () => void }) {
  const key = unknownKey(problem);
  if (key !== null) return <UnknownKey shown={key} onTrusted={onAgain} />;
  const question = secretAsked(problem);
  if (question !== null) return <SecretQuestion key={JSON.stringify(question)} question={question} onAnswered={onAgain} />;
  const withoutNode = hostWithoutNode(problem);
  return (
    <Stack gap={12}>
      <ProblemBanner problem={problem} onRetry={onAgain} />
      {withoutNode === null ? null : <NodeOffer name={withoutNode} onDone={onAgain} />}
    </Stack>
  );
}

/** The host that Node could be copied to; null for any other problem. */
function hostWithoutNode({ code, data }: Problem): string | null {
  return code === 'HOST_NO_NODE' ? (withoutNodeSchema.safeParse(data).data?.host ?? null) : null;
}
