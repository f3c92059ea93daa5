import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

export interface Response {
  /** Status of the response; 0 if there was none. */
  readonly status: number;
  readonly ms: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sends one GET request. By default, it uses a new connection. */
export function ask(url: string, agent: Agent = new Agent({ keepAlive: false })): Promise<Response> {
  const startedMs = performance.now();
  const elapsedMs = (): number => performance.now() - startedMs;
  return new Promise((resolve) => {
    const resolveFailed = (): void => resolve({ status: 0, ms: elapsedMs(), body: '', headers: {} });
    request(url, { agent }, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (text: string) => {
          body += text;
        })
        .on('error', resolveFailed)
        .on('end', () => resolve({ status: response.statusCode ?? 0, ms: elapsedMs(), body, headers: response.headers }));
    })
      .on('error', resolveFailed)
      .end();
  });
}

/** Sends this many requests at the same time. */
export function sendBurst(url: string, count: number): Promise<Response[]> {
  return Promise.all(Array.from({ length: count }, () => ask(url)));
}

export function countStatuses(responses: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
