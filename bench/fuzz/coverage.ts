import { Session } from 'node:inspector';

type Ranges = readonly {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly { readonly startOffset: number; readonly count: number }[] }[];
}[];

/** Reports whether blocks of the project's sources have run for the first time since the last call, based on V8's block counts. */
export class Coverage {
  private readonly session = new Session();
  private readonly seen = new Set<string>();

  constructor() {
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Returns whether new code has run. */
  hasGrown(): boolean {
    const before = this.seen.size;
    this.session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error === null) this.note(taken.result);
    });
    return this.seen.size > before;
  }

  close(): void {
    this.session.post('Profiler.stopPreciseCoverage');
    this.session.disconnect();
  }

  private note(scripts: Ranges): void {
    for (const { url, functions } of scripts) {
      if (!/\/(src|workers)\//.test(url)) continue;
      for (const { ranges } of functions)
        for (const { startOffset, count } of ranges) if (count > 0) this.seen.add(`${url}:${startOffset}`);
    }
  }
}
