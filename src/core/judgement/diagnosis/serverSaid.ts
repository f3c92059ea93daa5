import type { RunResult } from '#core/result/schema.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import { serverSays } from '#core/work/samples/words.ts';

type ServerSaid = NonNullable<RunResult['serverSaid']>;

/** Maximum number of kinds of failures that are quoted. */
const MAX_QUOTED = 50;

/** Returns, for each kind of failure of each request, the server's most frequent words among the stored failures. */
export function serverSaidIn(samples: readonly Sample[]): ServerSaid {
  const kinds = new Map<string, { readonly request: string; readonly failure: string; readonly counts: Map<string, number> }>();
  for (const { request, failure, says } of samples) {
    if (failure === null || says === undefined) continue;
    const key = JSON.stringify([request, failure]);
    const kind = kinds.get(key) ?? { request, failure, counts: new Map<string, number>() };
    if (!kinds.has(key) && kinds.size >= MAX_QUOTED) continue;
    kinds.set(key, kind);
    kind.counts.set(says, (kind.counts.get(says) ?? 0) + 1);
  }
  return [...kinds.values()].map(({ request, failure, counts }) => {
    const [[words] = ['']] = [...counts].sort(([, some], [, others]) => others - some);
    return { request, failure, words };
  });
}

/** Returns the server's reason for such failures as a quoting sentence; empty without a reason. */
export function serverQuote(
  { serverSaid = [] }: Pick<RunResult, 'serverSaid'>,
  request: string,
  isMeant: (failure: string) => boolean,
): string {
  const said = serverSaid.find((one) => one.request === request && isMeant(one.failure));
  return said === undefined ? '' : ` ${serverSays(said.words)}`;
}
