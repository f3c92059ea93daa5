import { flatCopy } from '#core/base/text.ts';
import { MOST_NAMES, OTHERS } from '#core/base/foreignNames.ts';
import { serverName, tellsServers } from '#core/plan/serverNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** More of a header is not looked at. */
const LONGEST_SAID = 200;

/** Tells which of several servers an answer is from. One for all connections to a target. */
export class ServerNames {
  /** In lower case; null where only the target tells. */
  readonly header: string | null;
  private readonly plan: Plan;
  private readonly target: number;
  private readonly unsaid: string | null;
  private readonly known = new Map<string, string | null>();

  constructor(plan: Plan, target: number) {
    this.plan = plan;
    this.target = target;
    this.header = plan.servers?.header?.toLowerCase() ?? null;
    this.unsaid = serverName(plan, target, undefined);
  }

  /** `said`: value of the header; undefined where there is none, or no answer. null where nothing tells. */
  nameOf(said: string | undefined): string | null {
    if (said === undefined) return this.unsaid;
    const heard = said.length > LONGEST_SAID ? said.slice(0, LONGEST_SAID) : said;
    let name = this.known.get(heard);
    if (name !== undefined) return name;
    // A header that is different in every answer names no server.
    if (this.known.size >= MOST_NAMES) return OTHERS;
    name = serverName(this.plan, this.target, heard);
    this.known.set(flatCopy(heard), name);
    return name;
  }
}

/** null for a plan with one server and no header that tells of more. */
export function serverNamesOf(plan: Plan, target: number): ServerNames | null {
  return tellsServers(plan) ? new ServerNames(plan, target) : null;
}
