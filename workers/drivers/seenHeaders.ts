import { CACHE_HEADERS } from '#core/measurement/cache/figures.ts';
import type { FramedResponse } from '#framer/framedResponse.ts';
import { type HeaderPlan, planHeaders } from '#framer/refusals.ts';
import type { ServerNames } from './addresses.ts';
import type { StageLoad } from './stageLoad.ts';

/** Reads the headers that the drivers of a stage need from every response: which server sent it, and whether a cache did. */
export class SeenHeaders {
  readonly plan: HeaderPlan;
  private readonly stage: StageLoad;
  private readonly servers: ServerNames | null;
  /** Index, among the kept headers, of the header that names one of several servers; −1 if there is none. */
  private readonly serverAt: number;

  /** `others` are names, in lower case, of headers that other code reads. */
  constructor(stage: StageLoad, servers: ServerNames | null, others: readonly string[] = []) {
    const serverHeader = servers?.header ?? null;
    const cacheHeaders = stage.cacheWords === null ? [] : CACHE_HEADERS;
    this.stage = stage;
    this.servers = servers;
    this.plan = planHeaders(['server', ...others, ...(serverHeader === null ? [] : [serverHeader]), ...cacheHeaders]);
    this.serverAt = serverHeader === null ? -1 : this.plan.wanted.indexOf(serverHeader);
  }

  /** Whether no headers are needed after the first response. */
  get isOver(): boolean {
    return this.serverAt < 0 && this.stage.cacheWords === null;
  }

  sawServer(framed: FramedResponse, atUs: number): void {
    this.stage.sawServer(framed.wanted[0], atUs);
  }

  /** Returns the name of the server that sent the response; null if there is only one server. */
  findServerHeader(framed: FramedResponse): string | null {
    const { servers } = this;
    return servers === null ? null : servers.nameOf(this.serverAt < 0 ? undefined : framed.wanted[this.serverAt]);
  }

  /**
   * Returns whether a cache sent the response; null if the response does not state this, or if the plan does not count cached responses.
   */
  isFromCache(framed: FramedResponse): boolean | null {
    return this.stage.cacheWords?.isCachedByHeaders(this.plan.wanted, framed.wanted) ?? null;
  }
}
