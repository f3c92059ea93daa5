import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { wayOf } from '#core/plan/url.ts';
import { foundPages } from '#core/presets/pageList.ts';
import type { Answers, Question } from '#core/presets/schema.ts';
import type { CliContext } from '../context.ts';
import type { Consent } from '../running/consent.ts';
import type { Access } from './access.ts';

const MOST_NAMED = 5;

/**
 * Looks once at the first target, as whoever was let in, for the answers that its page holds, and says what it took.
 * @throws {HoldfastError} `NOT_FOUND` when the page links to nothing of the kind.
 */
export async function findAnswers(
  questions: readonly Question[],
  plan: Plan,
  access: Access,
  consent: Pick<Consent, 'agree'>,
  { err }: Pick<CliContext, 'err'>,
  client: Client,
): Promise<Answers> {
  const [first] = plan.targets;
  if (questions.length === 0 || first === undefined) return {};
  const agreed = await consent.agree({ plan }, client);
  const { cookie, headers } = access;
  const target = { ...first, headers, ...(cookie === undefined ? {} : { cookie }) };
  const seen = await client.call('targets.probe', { target, agreed, ...wayOf(plan) });
  const answers: Answers = {};
  for (const question of questions) {
    const [page, ...others] = foundPages(question, seen.links);
    if (page === undefined) throw notFound(question, seen.url);
    setOwn(answers, question.id, page);
    const more = others.length === 0 ? '' : ` (--set ${question.id}=PATH chooses another: ${others.slice(0, MOST_NAMED).join(', ')})`;
    await err.write(`holdfast: ${question.label} ${page}, found on ${seen.url}${more}.\n`);
  }
  return answers;
}

function notFound({ id, label }: Question, where: string): HoldfastError {
  return new HoldfastError({
    code: 'NOT_FOUND',
    message: `“${label}” has no answer, and ${where} links to nothing that could be one.`,
    hint: `Is somebody let in? Add --set username=… --set password=…, or name the page: --set ${id}=PATH.`,
  });
}
