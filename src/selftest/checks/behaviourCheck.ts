import type { EngineName } from '#core/review/engineFor.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import { measure, selfTestPlan } from '../measure.ts';
import { countFacts } from './counts.ts';
import type { Checked } from './runCheck.ts';
import { tailFacts, timeFacts } from './times.ts';

/** A behaviour under its closed load, sent by one of the engines. */
export function behaviourCheck({ id, title, story, load, tail }: Behaviour, engine: EngineName): Checked {
  return {
    id,
    title,
    story,
    engine,
    async compare(parts) {
      const open = await parts.server.open(id);
      const stages = [{ connections: load.connections, seconds: parts.quick ? load.quickSeconds : load.seconds }];
      const plan = selfTestPlan(open.url, {
        engine,
        timeoutSeconds: load.timeoutSeconds,
        ...(load.threads === undefined ? {} : { threads: load.threads }),
        load: { model: 'connections', stages },
      });
      const measured = await measure(plan, parts);
      const truth = await open.close();
      return {
        measured,
        facts: [...countFacts(measured, truth), ...timeFacts(measured, truth), ...(tail ? tailFacts(measured, truth, tail) : [])],
      };
    },
  };
}
