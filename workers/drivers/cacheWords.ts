import { CACHE_HEADERS, cameFromCache } from '#core/measurement/cache/fromCache.ts';

const NAMES: ReadonlySet<string> = new Set(CACHE_HEADERS);
const LENGTHS: ReadonlySet<number> = new Set(CACHE_HEADERS.map(({ length }) => length));

/** Tells which answers came from a cache. One for all connections to a target: an answer is judged before the next one is read. */
export class CacheWords {
  private readonly values = new Map<string, string>();
  private readonly headerOf = (name: string): string | null => this.values.get(name) ?? null;

  /** Of an answer with these headers, names and values following each other; null where they do not say. */
  ofHeaders(headers: readonly string[]): boolean | null {
    this.values.clear();
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at] ?? '';
      // Most names are no candidates by their length, and need no copy in lower case.
      if (LENGTHS.has(name.length)) this.keep(name.toLowerCase(), headers[at + 1]);
    }
    return this.judged();
  }

  /** Of an answer with these values of the headers that are called `names`, in lower case; null where they do not say. */
  ofValues(names: readonly string[], values: readonly (string | undefined)[]): boolean | null {
    this.values.clear();
    for (let at = 0; at < names.length; at += 1) this.keep(names[at] ?? '', values[at]);
    return this.judged();
  }

  private keep(name: string, value: string | undefined): void {
    if (value === undefined || !NAMES.has(name)) return;
    const before = this.values.get(name);
    this.values.set(name, before === undefined ? value : `${before}\n${value}`);
  }

  private judged(): boolean | null {
    return this.values.size === 0 ? null : cameFromCache(this.headerOf);
  }
}
