import { CACHE_HEADERS } from '#core/measurement/cache/fromCache.ts';
import type { FramedAnswer } from '../framer/framedAnswer.ts';
import { type HeaderPlan, planHeaders } from '../framer/refusals.ts';
import type { StageLoad } from './stageLoad.ts';

/** What the drivers of a stage read in the headers of every response: which server it is from, and whether a cache sent it. */
export class SeenHeaders {
  readonly plan: HeaderPlan;
  private readonly stage: StageLoad;
  /** Of the header that names one of several servers, among those that are kept; −1 where none does. */
  private readonly serverAt: number;

  /** `others`: names of headers in lower case that somebody else reads. */
  constructor(stage: StageLoad, others: readonly string[] = []) {
    const serverHeader = stage.servers?.header ?? null;
    const cacheHeaders = stage.cacheWords === null ? [] : CACHE_HEADERS;
    this.stage = stage;
    this.plan = planHeaders(['server', ...others, ...(serverHeader === null ? [] : [serverHeader]), ...cacheHeaders]);
    this.serverAt = serverHeader === null ? -1 : this.plan.wanted.indexOf(serverHeader);
  }

  /** Whether nobody reads them behind the first response. */
  get isOver(): boolean {
    return this.serverAt < 0 && this.stage.cacheWords === null;
  }

  sawServer(framed: FramedAnswer, atUs: number): void {
    this.stage.sawServer(framed.wanted[0], atUs);
  }

  /** Which of several servers the response is from; null where one does all the work. */
  serverOf(framed: FramedAnswer): string | null {
    const { servers } = this.stage;
    return servers === null ? null : servers.nameOf(this.serverAt < 0 ? undefined : framed.wanted[this.serverAt]);
  }

  /** Whether the response came from a cache; null where it does not say or nobody asks. */
  isFromCache(framed: FramedAnswer): boolean | null {
    return this.stage.cacheWords?.ofValues(this.plan.wanted, framed.wanted) ?? null;
  }
}
