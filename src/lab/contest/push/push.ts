import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { LabAddress } from '#core/base/lab/listing.ts';
import type { Supervisor } from '#lab/supervisor/supervisor.ts';
import type { Values } from '../options.ts';
import { CHAT_PATH } from './chat.ts';
import { SCOREBOARD_PATH, SCOREBOARD_USER } from './scoreboard.ts';
import type { Scoring } from './scores.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const stateSchema = z.record(z.string(), z.number());

/** The parts of the contest that push data: its scoreboard and its chat. Each one that is enabled runs in a separate process. */
export interface Push {
  /** Called with each score; null without a scoreboard. */
  readonly onScored: ((scoring: Scoring) => void) | null;
  /** Address of the scoreboard, or null if there is none. */
  readonly scoreboard: string | null;
  readonly addresses: readonly LabAddress[];
  readonly actions: Readonly<Record<string, () => Promise<unknown>>>;
  gauges(): Promise<Readonly<Record<string, number>>>;
  /** The nginx locations for these parts, for the proxy in front of the contest. */
  readonly locations: string;
}

/** Returns the number of ports that scoreboard and chat use, after those of the shards. */
export function portsOfPush(values: Values): number {
  return Number(hasScoreboard(values)) + Number(values.chat);
}

/** Starts the enabled parts. `port` is the first port; null chooses free ports. Throws `PORT_IN_USE` or `LISTEN_FAILED`. */
export async function startPush(supervisor: Supervisor, values: Values, port: number | null, users: readonly string[]): Promise<Push> {
  const parts: Push[] = [];
  if (hasScoreboard(values)) parts.push(await startScoreboardPart(supervisor, values, port, users));
  if (values.chat) parts.push(await startChatPart(supervisor, values, port === null ? null : port + parts.length));
  return {
    onScored: parts.find(({ onScored }) => onScored !== null)?.onScored ?? null,
    scoreboard: parts.find(({ scoreboard }) => scoreboard !== null)?.scoreboard ?? null,
    addresses: parts.flatMap(({ addresses }) => addresses),
    actions: Object.fromEntries(parts.flatMap(({ actions }) => Object.entries(actions))),
    gauges: async () =>
      Object.fromEntries((await Promise.all(parts.map((part) => part.gauges()))).flatMap((gauges) => Object.entries(gauges))),
    locations: parts.map(({ locations }) => locations).join('\n'),
  };
}

/** Returns the addresses through nginx, if nginx is in front, and the direct addresses. */
export function addressesBehind(front: string | null, addresses: readonly LabAddress[]): LabAddress[] {
  if (front === null) return [...addresses];
  const { port } = new URL(front);
  return addresses.flatMap(({ label, url, help }) => {
    const through = new URL(url);
    through.port = port;
    return [
      { label, url: through.href, help },
      { label: `${label} without nginx`, url, help: '' },
    ];
  });
}

function hasScoreboard(values: Values): boolean {
  return values.scoreboard || values['events-per-second'] !== null;
}

async function startScoreboardPart(supervisor: Supervisor, values: Values, port: number | null, users: readonly string[]): Promise<Push> {
  const password = randomBytes(24).toString('base64url');
  const part = await supervisor.part('scoreboard', 'the scoreboard', {
    log: supervisor.logFile('scoreboard'),
    streamLog: supervisor.logFile('scoreboard-events'),
    port,
    password,
    users,
    values,
  });
  const feed = new ScoreboardFeed({
    url: part.url,
    password,
    onFailed: (reason) => supervisor.reportBroken(`The scoreboard did not take a score. ${reason}`),
  });
  supervisor.onStop(() => feed.close());
  return {
    onScored: (scoring) => feed.add(scoring),
    scoreboard: part.url,
    addresses: [{ label: 'Scoreboard', url: new URL(`${SCOREBOARD_PATH}/`, part.url).href, help: 'Scores as events, at events below it.' }],
    actions: { 'cut-listeners': () => part.ask('cut'), 'restart-scoreboard': () => part.ask('restart') },
    async gauges() {
      const { listeners = 0, events = 0, written = 0 } = stateSchema.parse(await part.ask('state'));
      return { listeners, 'events made': events, 'events written': written };
    },
    locations: nginxLocation(`${SCOREBOARD_PATH}/`, part.url, [
      ...(values['nginx-holds-events']
        ? ['proxy_http_version 1.0;']
        : ['proxy_http_version 1.1;', 'proxy_set_header Connection "";', 'proxy_buffering off;']),
      `proxy_read_timeout ${values['proxy-timeout-ms']}ms;`,
    ]),
  };
}

async function startChatPart(supervisor: Supervisor, values: Values, port: number | null): Promise<Push> {
  const part = await supervisor.part('chat', 'the chat', {
    log: supervisor.logFile('chat-messages'),
    port,
    pingMs: values['ping-seconds'] * 1_000,
    deflates: values['chat-deflate'],
  });
  return {
    onScored: null,
    scoreboard: null,
    addresses: [{ label: 'Chat', url: new URL(CHAT_PATH, part.url.replace('http:', 'ws:')).href, help: 'Over WebSocket.' }],
    actions: { 'restart-chat': () => part.ask('restart') },
    async gauges() {
      const { members = 0, messages = 0 } = stateSchema.parse(await part.ask('state'));
      return { 'chat members': members, 'chat messages': messages };
    },
    locations: nginxLocation(CHAT_PATH, part.url, [
      'proxy_http_version 1.1;',
      'proxy_set_header Upgrade $http_upgrade;',
      'proxy_set_header Connection "upgrade";',
      `proxy_read_timeout ${values['proxy-timeout-ms']}ms;`,
    ]),
  };
}

function nginxLocation(path: string, url: string, lines: readonly string[]): string {
  const all = [`proxy_pass http://${new URL(url).host};`, 'proxy_set_header Host $http_host;', ...lines];
  return `    location ${path} {\n${all.map((line) => `      ${line}\n`).join('')}    }`;
}

const MAX_EVENTS_AT_ONCE = 1_000;
const MAX_WAITING_EVENTS = 100_000;
const ATTEMPTS = 5;
const RETRY_DELAY_MS = 50;

interface FeedSettings {
  /** Address of the scoreboard's server. */
  readonly url: string;
  readonly password: string;
  /** Called with the reason when a score could not be delivered. */
  readonly onFailed: (reason: string) => void;
}

/** Sends scores to the scoreboard in order. Scores that arrive during a request are sent together. */
export class ScoreboardFeed {
  private readonly settings: FeedSettings;
  private readonly waiting: Scoring[] = [];
  private readonly stopping = new AbortController();
  private sending: Promise<void> | null = null;

  constructor(settings: FeedSettings) {
    this.settings = settings;
  }

  add(scoring: Scoring): void {
    if (this.stopping.signal.aborted) return;
    if (this.waiting.length >= MAX_WAITING_EVENTS) return this.settings.onFailed('Too many scores wait.');
    this.waiting.push(scoring);
    this.sending ??= this.sendWaiting();
  }

  /** Drops unsent scores. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.sending;
  }

  private async sendWaiting(): Promise<void> {
    try {
      while (this.waiting.length > 0) await this.putScores(JSON.stringify(this.waiting.splice(0, MAX_EVENTS_AT_ONCE)));
    } catch (thrown) {
      // Closing the feed aborts the request, which is not reported as a failure.
      if (!this.stopping.signal.aborted) this.settings.onFailed(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      this.sending = null;
    }
  }

  /** Sends scores. Repeats requests that fail because of the scoreboard's own faults. */
  private async putScores(body: string): Promise<void> {
    const { url, password } = this.settings;
    const { signal } = this.stopping;
    const authorization = `Basic ${Buffer.from(`${SCOREBOARD_USER}:${password}`).toString('base64')}`;
    for (let attempt = 1; ; attempt += 1) {
      const status = await fetch(new URL(`${SCOREBOARD_PATH}/subchanges/`, url), {
        method: 'PUT',
        headers: { authorization, 'content-type': 'application/json' },
        body,
        signal,
      }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 204) return;
      if (attempt === ATTEMPTS) throw new Error(status === 0 ? 'It sent no response.' : `It returned ${status}.`);
      await sleep(RETRY_DELAY_MS, undefined, { signal });
    }
  }
}
