import { setTimeout as sleep } from 'node:timers/promises';
import { SCOREBOARD_PATH, SCOREBOARD_USER } from './scoreboard.ts';
import type { Scoring } from './scores.ts';

const MAX_EVENTS_AT_ONCE = 1_000;
const MAX_WAITING_EVENTS = 100_000;
const ATTEMPTS = 5;
const RETRY_DELAY_MS = 50;

export interface FeedSettings {
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
