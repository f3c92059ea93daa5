import type { PlanInput } from '#core/plan/schema/plan.ts';

type Steps = PlanInput['journey'];
type WrittenStep = Steps[number];

const COMMENTS = /^(?:\s|,|#[^\n]*\n)+/;
const OPERATION = /^(query|mutation|subscription|fragment)\b|^\{/;

/** What a request asks a GraphQL server to do; null for a request that is none. A text in which nobody finds an operation counts as a query. */
export function graphqlOperation({ path = '', json, body }: Pick<WrittenStep, 'path' | 'json' | 'body'>): 'query' | 'mutation' | null {
  const texts = queriesIn(json ?? parsed(body)).map((text) => text.replace(COMMENTS, ''));
  const isAtEndpoint = /\/graphql\/?(?:\?|$)/i.test(path);
  if (!isAtEndpoint && (texts.length === 0 || !texts.every((text) => OPERATION.test(text)))) return null;
  return texts.some((text) => /(?:^|\})\s*mutation\b/.test(text)) ? 'mutation' : 'query';
}

/** A request may hold several operations, as a list. */
function queriesIn(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const texts = all.map((one) => (typeof one === 'object' && one !== null ? Reflect.get(one, 'query') : undefined));
  return texts.flatMap((text) => (typeof text === 'string' ? [text] : []));
}

function parsed(body: WrittenStep['body']): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A GraphQL server says with status 200 that an operation failed: its response lists errors. A step that has checks of its own stays as it is written. */
export function withGraphqlCheck(step: WrittenStep): WrittenStep {
  if (graphqlOperation(step) === null || (step.checks ?? []).length > 0) return step;
  return { ...step, checks: [{ kind: 'json', path: '$.errors[0]', not: true }] };
}
