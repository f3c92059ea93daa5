import { formatBytes } from '#core/base/units.ts';
import { explainFailure } from '#core/work/samples/text.ts';
import { serverMessage } from '#core/work/samples/schema.ts';
import type { ComparedStep, FoundValue } from './schema.ts';

/** Explains where a captured value comes from: “csrf” comes from the field “csrf” of the response to “Open login”. */
export function explainCapture({ from, kind, called, usedAs }: FoundValue): string {
  const what = usedAs === '' ? 'a part of the address' : `“${usedAs.slice(0, 60)}”`;
  const where = `the response to “${from}”`;
  const location = {
    field: `the field “${called}” of ${where}`,
    attribute: `the attribute ${called} in ${where}`,
    json: `${called} in the JSON of ${where}`,
    header: `the header ${called} of ${where}`,
    address: `an address in ${where} (${called})`,
    script: `“${called}” in a script of ${where}`,
    text: `the text of ${where}`,
    cookie: `the cookie ${called}`,
  }[kind];
  return `${what} comes from ${location} and differs between sessions.`;
}

/** Explains why a step differs from the recording; null if it does not. */
export function explainDifference(step: ComparedStep): string | null {
  const what = formatDifference(step);
  return what === null || step.says === null ? what : `${what} ${serverMessage(step.says)}`;
}

function formatDifference({ recorded, tried, why }: ComparedStep): string | null {
  if (why === null) return null;
  switch (why.kind) {
    case 'notReached':
      return 'It was not reached.';
    case 'failure':
      return `It failed: ${why.failure === '' ? 'no response came' : explainFailure(why.failure).message}.`;
    case 'status':
      return `The status is ${tried?.status ?? 0}, and was ${recorded?.status ?? 0}.`;
    case 'title':
      return `The title is “${tried?.title ?? ''}”, and was “${recorded?.title ?? ''}”.`;
    case 'redirect':
      return 'It was sent on to another page than in the recording, or to none.';
    case 'refused':
      return 'The response shows an error that the recording did not have.';
    case 'login':
      return 'It ends at a page that asks for a password.';
    case 'size':
      return `The response has ${formatBytes(tried?.bytes ?? 0)}, and had ${formatBytes(recorded?.bytes ?? 0)}.`;
    default:
      return why satisfies never;
  }
}

/** Describes the part of a recording that a browser repeats beside the load. */
export function formatWatched(watched: { readonly steps: number; readonly endsBefore: string | null } | null): string {
  if (watched === null) return 'A browser cannot take this journey: it does not begin with a page of the server.';
  const pages = watched.steps === 0 ? 'its first page' : `its first page and ${watched.steps} ${watched.steps === 1 ? 'step' : 'steps'}`;
  return watched.endsBefore === null
    ? `A browser takes the journey beside the load: ${pages}.`
    : `A browser takes the journey beside the load: ${pages}. It ends before “${watched.endsBefore}”, which a browser cannot repeat.`;
}

/** Heading of the list of requests that change data in each walk. */
export const WRITES_HEADING = 'Each time, it repeats these requests, which may change data:';

/** Lists the requests that change data, one line for each kind: “POST /save (2 times)”. */
export function formatRequests(requests: readonly { readonly method: string; readonly url: string }[]): string[] {
  const counts = new Map<string, number>();
  for (const { method, url } of requests) {
    if (/^(GET|HEAD|OPTIONS)$/i.test(method)) continue;
    const written = `${method} ${URL.canParse(url) ? new URL(url).pathname : url}`;
    counts.set(written, (counts.get(written) ?? 0) + 1);
  }
  return [...counts].map(([written, count]) => (count === 1 ? written : `${written} (${count} times)`));
}
