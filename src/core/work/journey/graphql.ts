import type { PlanInput } from '#core/plan/schema/plan.ts';

type Steps = PlanInput['journey'];
type WrittenStep = Steps[number];

const COMMENT_PATTERN = /^(?:\s|,|#[^\n]*\n)+/;
const OPERATION_PATTERN = /^(query|mutation|subscription|fragment)\b|^\{/;

/** Returns the kind of a GraphQL operation; null if the request is none. A text without a recognized operation counts as a query. */
export function graphqlOperation({ path = '', json, body }: Pick<WrittenStep, 'path' | 'json' | 'body'>): 'query' | 'mutation' | null {
  const texts = listQueries(json ?? parseBody(body)).map((text) => text.replace(COMMENT_PATTERN, ''));
  const isAtEndpoint = /\/graphql\/?(?:\?|$)/i.test(path);
  if (!isAtEndpoint && (texts.length === 0 || !texts.every((text) => OPERATION_PATTERN.test(text)))) return null;
  return texts.some((text) => /(?:^|\})\s*mutation\b/.test(text)) ? 'mutation' : 'query';
}

/** Returns all queries of a request, which may contain a list of them. */
function listQueries(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const texts = all.map((one) => (typeof one === 'object' && one !== null ? Reflect.get(one, 'query') : undefined));
  return texts.flatMap((text) => (typeof text === 'string' ? [text] : []));
}

function parseBody(body: WrittenStep['body']): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Adds a check for errors, because a GraphQL server reports them with status 200. A step with checks of its own stays unchanged. */
export function addGraphqlCheck(step: WrittenStep): WrittenStep {
  if (graphqlOperation(step) === null || (step.checks ?? []).length > 0) return step;
  return { ...step, checks: [{ kind: 'json', path: '$.errors[0]', not: true }] };
}
