import type { RunResult } from '#core/result/schema.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import { serverSays } from '#core/work/samples/words.ts';

type ServerSaid = NonNullable<RunResult['serverSaid']>;

/** Kinds of failures that are quoted. */
const MOST_QUOTED = 50;

/** Of each kind of failure of each request, the words that the server used most often among the failures that were kept. */
export function serverSaidIn(samples: readonly Sample[]): ServerSaid {
  const kinds = new Map<string, { readonly request: string; readonly failure: string; readonly counts: Map<string, number> }>();
  for (const { request, failure, says } of samples) {
    if (failure === null || says === undefined) continue;
    const key = JSON.stringify([request, failure]);
    const kind = kinds.get(key) ?? { request, failure, counts: new Map<string, number>() };
    if (!kinds.has(key) && kinds.size >= MOST_QUOTED) continue;
    kinds.set(key, kind);
    kind.counts.set(says, (kind.counts.get(says) ?? 0) + 1);
  }
  return [...kinds.values()].map(({ request, failure, counts }) => {
    const [[words] = ['']] = [...counts].sort(([, some], [, others]) => others - some);
    return { request, failure, words };
  });
}

/** The reason of such failures of a request as a sentence that marks it as the words of the server; empty where it gave none. */
export function serverQuote(
  { serverSaid = [] }: Pick<RunResult, 'serverSaid'>,
  request: string,
  isMeant: (failure: string) => boolean,
): string {
  const said = serverSaid.find((one) => one.request === request && isMeant(one.failure));
  return said === undefined ? '' : ` ${serverSays(said.words)}`;
}
