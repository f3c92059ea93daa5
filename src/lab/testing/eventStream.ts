import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export interface ReceivedEvent {
  /** Id of the event; NaN if it has none. */
  readonly id: number;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Time of arrival in milliseconds since 1970. */
  readonly atMs: number;
}

export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: readonly ReceivedEvent[];
  readonly ids: readonly number[];
  /** Number of lines that begin with a colon, including the line at the start of a stream. */
  readonly comments: number;
  readonly retryMs: number | null;
  /** Resolves when the stream has ended cleanly or was cut. */
  readonly ended: Promise<'ended' | 'cut'>;
  leave(): void;
}

/** Listens to events like a browser. Resolves when the response headers have arrived. */
export function listenTo(url: string, lastEventId: string | null = null): Promise<EventStream> {
  const headers = { accept: 'text/event-stream', ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }) };
  const agent = new Agent();
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { agent, headers }, (response) => {
      const events: ReceivedEvent[] = [];
      let comments = 0;
      let retryMs: number | null = null;
      let text = '';
      const take = (block: string): void => {
        const fields = new Map<string, string>();
        for (const line of block.split('\n')) {
          const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
          if (line.startsWith(':')) comments += 1;
          else fields.set(name, value);
        }
        const retry = fields.get('retry');
        if (retry !== undefined) retryMs = Number(retry);
        const data = fields.get('data');
        if (data === undefined) return;
        events.push({
          id: Number(fields.get('id') ?? NaN),
          name: fields.get('event') ?? 'message',
          data: JSON.parse(data),
          atMs: Date.now(),
        });
      };
      response.setEncoding('utf8').on('data', (more: string) => {
        const blocks = (text + more).split('\n\n');
        text = blocks.pop() ?? '';
        // A ping is a comment line, which does not end an event.
        while (text.startsWith(':\n')) {
          comments += 1;
          text = text.slice(2);
        }
        for (const block of blocks) take(block);
      });
      const ended = new Promise<'ended' | 'cut'>((done) => {
        response.once('end', () => done('ended')).once('error', () => done('cut'));
      });
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        get ids() {
          return events.map(({ id }) => id);
        },
        get comments() {
          return comments;
        },
        get retryMs() {
          return retryMs;
        },
        ended,
        leave: () => clientRequest.destroy(),
      });
    });
    clientRequest.once('error', reject).end();
  });
}
