import { isSteady } from '#core/work/load/stages.ts';
import { dipAmong } from '#core/statistics/dip.ts';
import { formatCount, formatMs, formatRate } from '#core/base/units.ts';
import { answered, figure, sickShare, type Rule } from '../rule.ts';

/** A level that got far fewer answers than lighter and heavier ones: it met the server in another state. */
export const rateDips: Rule = {
  id: 'rateDips',
  find(facts) {
    if (sickShare(facts) > 0.2) return [];
    const stages = facts.stages.filter(({ counted, level }) => counted && level.unit !== 'arrivalsPerSecond' && isSteady(level));
    const dip = dipAmong(
      stages.flatMap(({ name, level, requests, rates }) =>
        rates.completedPerSecond === null
          ? []
          : [{ name, level: level.to, answers: answered(requests), perSecond: rates.completedPerSecond }],
      ),
    );
    if (dip === null) return [];
    const { lighter, between, heavier } = dip;
    const stage = stages.find(({ name }) => name === between.name);
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `The server was not steady: “${between.name}” got ${formatRate(between.perSecond)}, with less load “${lighter.name}” ${formatRate(lighter.perSecond)}, and with more “${heavier.name}” ${formatRate(heavier.perSecond)}.`,
        evidence: ['An overrun server gets slower with more load, but not quicker again with still more.'],
        figures: stages.map(({ name, level, rates, latency }) =>
          figure(
            `“${name}”, ${formatCount(level.to)}`,
            `${formatRate(rates.completedPerSecond)}, median ${formatMs(latency.response.p50)}`,
          ),
        ),
        remedy:
          'A cache was cold, something else ran on the server, or it was restarted. Warm it up with a stage that does not count, run all levels again, and believe a level that repeats.',
        confidence: 'likely',
        range:
          stage === undefined || stage.startedAtSecond === null || stage.endedAtSecond === null
            ? null
            : { fromSecond: stage.startedAtSecond, toSecond: stage.endedAtSecond },
        insteadOf: ['notSteady'],
      },
    ];
  },
};
